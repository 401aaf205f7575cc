"""From a question and a house's own rows to its message: check, count, charge, draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from tacit.core.chance.randomness import Random
from tacit.core.errors import InvalidArgument, Refused
from tacit.data.reading.source import Source
from tacit.data.schema.schema import Schema
from tacit.workflows.charging import Charge, Prepared, released
from tacit.workflows.counting.units import count_units, of_units
from tacit.workflows.sites.masks import Masks
from tacit.workflows.sites.message import SiteMessage
from tacit.workflows.sites.question import TIME, SiteQuestion, read_time
from tacit.workflows.sites.tables import Vector


def answer(
    source: Source,
    schema: Schema,
    *,
    question: SiteQuestion,
    site: str,
    now: datetime | None = None,
    rng: Random | None = None,
    charge: Charge | None = None,
    rehearsal: Callable[[SiteMessage], object] = SiteMessage.describe,
    masks: Masks | None = None,
    spend: Callable[[], object] = bool,
) -> SiteMessage:
    """Answer a question from the rows of one house, whose public key is `site`.

    Where the question splits noise, `masks` hide all but the sum of all messages, and `spend` is
    called once they have been used: it must see to it that they are not used again.

    Guarantee:
        The message is (epsilon, delta)-DP, as the question says, for a replaced row of this house,
        or an added one, or all rows of a person: towards whoever sees all messages and knows all
        rows of all other houses. The question is refused if it is late, asks other houses, or
        declares a column in another way than this house's own `schema`; all that is refused is
        refused for public reasons, before anything is drawn. With `charge` nothing is drawn before
        the cost is on the ledger. Where noise is split that holds towards at most as many of the
        other houses as the question has more than `honest` ones, and whoever cannot tell masks
        from chance.

    Proof: docs/proofs/sites.md
    """
    moment = now or datetime.now(UTC)
    if moment > read_time(question.until):
        raise Refused(f"the question could be answered until {question.until}: ask for a new one")
    if site not in question.sites:
        raise Refused("the question does not ask this house: its key is not among the sites")
    if (question.honest is None) != (masks is None):
        raise InvalidArgument(
            "masks (--mask, --masks) are needed where a question splits noise, and nowhere else; "
            "see: tacit key mask --help"
        )
    check_declared_alike(schema, question)
    coding, unit = question.coding, question.unit
    counts = count_units(source, coding, unit, none="there is nothing to tell of it")
    n = None if unit.added else counts.n
    blank = SiteMessage(question, site, (), n, moment.strftime(TIME), secure=False)
    held, telling = of_units(counts, question.mechanism)
    purpose = f"message, question {question.digest[:12]}: {question.said}"
    ready = Prepared(held, coding.sizes, telling, blank, _filled, purpose)
    told = released(ready, rng, charge, rehearsal)
    if masks is None:
        return told
    hidden = replace(told, tables=masks.over(told.tables), masks=masks.digest)
    spend()
    return hidden


def check_declared_alike(schema: Schema, question: SiteQuestion) -> None:
    """Refuse a question that would read this house's rows in another way than it declares them."""
    for name in question.mechanism.columns:
        if schema[name] != question.schema[name]:
            raise InvalidArgument(
                f"the question declares column {name!r} in another way than the schema (--schema): "
                "agree on one, and ask again"
            )


def _filled(blank: SiteMessage, told: tuple[Vector, ...]) -> SiteMessage:
    return replace(blank, tables=told)
