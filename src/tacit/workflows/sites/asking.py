"""Questions by kind: made for houses, and read when they have answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple

from tacit.core.budget import read_budget
from tacit.core.errors import InvalidArgument, TacitError
from tacit.core.numbers.exact import Exact
from tacit.core.unit import Neighbours, Unit
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model
from tacit.workflows.sites.joining import JoinedTables, join
from tacit.workflows.sites.kinds import (
    conjunction,
    counting,
    descent,
    measured,
    scorecard,
    survival,
    synthetic,
)
from tacit.workflows.sites.question import MALFORMED, SiteQuestion, Wanted, pose


class Kind(NamedTuple):
    """Which tables a kind of question needs, and what their sum is made into.

    Of several rounds that one budget pays, `rho` says what this one may cost.
    """

    ask: Callable[..., tuple[dict[str, Any], list[Wanted]]]
    made: Callable[[JoinedTables], Any]
    rho: Callable[[Schema, Mapping[str, Any]], Fraction] | None = None


KINDS = {
    "scorecard": Kind(scorecard.ask, scorecard.made),
    "steps": Kind(scorecard.ask_steps, scorecard.made_steps),
    "measure": Kind(measured.ask, measured.made),
    "count": Kind(counting.ask, counting.made),
    "descent": Kind(descent.ask, descent.made, descent.rho),
    "survival": Kind(survival.ask, survival.made),
    "conjunction": Kind(conjunction.ask, conjunction.made),
    "synthetic": Kind(synthetic.ask, synthetic.made),
}
"""All kinds, by the name that `tacit ask` takes."""


def ask(
    kind: str,
    schema: Schema,
    *,
    epsilon: Exact,
    delta: Exact = 0,
    sites: Sequence[str],
    until: datetime | None = None,
    round_: int = 1,
    person: Sequence[str] = (),
    neighbours: str = Neighbours.REPLACED,
    model: Model | None = None,
    honest: int | None = None,
    **asked: Any,
) -> SiteQuestion:
    """Pose a question of some kind to houses; all of it is public, and no row is read.

    With `honest` noise is split between so many houses, and messages are masked.

    >>> from tacit.data import Bits, Integer
    >>> schema = Schema({"days": Integer(0, 364), "died": Bits()})
    >>> sites = ["a" * 64, "b" * 64]
    >>> question = ask("survival", schema, time="days", event="died", epsilon=1, sites=sites)
    >>> question.tables[0].said
    '24 counts of rows by days (12 parts) and died (2 parts); discrete Laplace noise of ... each'
    """
    if kind not in KINDS:
        raise InvalidArgument(f"a question is one of {', '.join(KINDS)}, got {kind!r}")
    if rounds := KINDS[kind].rho:
        whole = read_budget(epsilon, delta)
        told = {"epsilon": str(whole.epsilon), "delta": str(whole.delta)}
        asked["whole"] = told | {"neighbours": str(neighbours)}
    given, wanted = KINDS[kind].ask(schema, **asked, **({} if model is None else {"model": model}))
    budget: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "unit": Unit(person, neighbours)}
    whom: dict[str, Any] = {"sites": sites, "until": until, "round_": round_}
    budget |= {"rho": rounds(schema, given) if rounds else None, "honest": honest}
    question = pose(kind, given, wanted, schema, **budget, **whom, model=model)
    _made(_nothing(question))  # what cannot be made of the answers is refused before it is paid for
    return question


def ask_after(state: Mapping[str, Any], *, until: datetime | None = None) -> SiteQuestion:
    """Pose the next question of a descent, after what `join_messages` made of the last one."""
    try:
        given, unit = dict(state["given"]), Unit.decode(state["unit"])
        about: Any = {"person": unit.person, "neighbours": unit.neighbours, "until": until}
        about |= {"sites": list(state["sites"]), "round_": state["round"] + 1}
        about |= {name: given["whole"][name] for name in ("epsilon", "delta")}
        return ask("descent", Schema.parse(state["schema"]), **about, **given)
    except MALFORMED as error:
        if isinstance(error, TacitError):
            raise
        raise InvalidArgument(f"not the state of a descent: {error}") from None


def check_kind(asked: SiteQuestion) -> None:
    """Refuse a question whose tables, or their prices, are not those of a kind that is known."""
    if asked.kind not in KINDS:
        raise InvalidArgument(f"this version of tacit knows no question {asked.kind[:40]!r}")
    more = {} if asked.model is None else {"model": asked.model}
    try:
        _, wanted = KINDS[asked.kind].ask(asked.schema, **asked.given, **more)
    except MALFORMED as error:
        if isinstance(error, TacitError):
            raise
        raise InvalidArgument(f"not a question: what is given is malformed ({error})") from None
    pairs = list(zip(asked.tables, wanted, strict=False))
    alike = len(asked.tables) == len(wanted)
    alike = alike and all((has.by, has.of) == (each.by, each.of) for has, each in pairs)
    rates = {has.share / each.weight for has, each in pairs}
    if rounds := KINDS[asked.kind].rho:
        alike = alike and rates == {
            rounds(asked.schema, asked.given) / sum(e.weight for e in wanted)
        }
    if not alike or len(rates) > 1:
        raise InvalidArgument(
            "the question's tables are not those of its kind: it was posed by another version"
        )


def join_messages(
    texts: Sequence[str], *, question: SiteQuestion | None = None, some: bool = False
) -> tuple[JoinedTables, Any]:
    """Join messages, and make what their question was asked for."""
    joined = join(texts, question=question, some=some)
    check_kind(joined.question)
    return joined, _made(joined)


def _made(joined: JoinedTables) -> Any:
    """Make what was asked for of the sum of all messages."""
    try:
        return KINDS[joined.question.kind].made(joined)
    except MALFORMED as error:
        if isinstance(error, TacitError):
            raise
        raise InvalidArgument("not a question: what is given is malformed") from None


def _nothing(question: SiteQuestion) -> JoinedTables:
    """Return what would be joined if every house told 0 of a thousand rows."""
    sums = tuple((0,) * table.cells for table in question.tables)
    n = None if question.unit.added else 1000 * len(question.sites)
    return JoinedTables(question, question.sites, n, sums, secure=False)
