"""Which class and which learner, where nobody says: decided by public numbers alone.

Measured on public tables (docs/choosing.md): scorecards err least where rows times epsilon are
many for each of their points, rules of few conditions below. Where they err alike scorecards rank
much better, so from a larger epsilon on they are chosen earlier. A private choice among both costs
more rows than it saves, so there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isqrt
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass, family_of
from tacit.concepts.rules.bitmaps import SCORABLE
from tacit.concepts.rules.rules import Rules
from tacit.concepts.rules.selections import Selections
from tacit.core import check
from tacit.core.errors import InvalidArgument, TacitError
from tacit.core.privacy import Privacy
from tacit.data.schema.category import Category
from tacit.data.schema.classes import class_for
from tacit.data.schema.integer import Integer
from tacit.data.schema.real import Real
from tacit.data.schema.schema import Schema

PER_WEIGHT = {"margin": 12, "counted": 400}
"""Rows times epsilon for each weight, one a number and one a category, from which on scorecards are
chosen. Measured: between 12 and 130, and between 130 and 1,900, the mean error hardly changes; with
a delta the least is taken, since scorecards rank better."""

LEAST = 1000
"""Rows times epsilon below which rules are chosen, however few weights there are."""

EARLY, EARLIER = Fraction(1, 2), 2
"""From this epsilon on, with a delta, so many times fewer rows are enough: of 500 to 850 at epsilon
= 1 rules err less by .008 to 0 in the mean, and scorecards' area is greater by .07 to .1."""

CELLS = 1 << 27
"""Rows times weights: a gigabyte of coordinates, and another of shortened ones."""

WORK = 1 << 35
"""Rules times words of 64 rows: some ten seconds of counting."""

WIDE = 1 << 12
"""Values of a column of numbers whose scale is not known, about: a prior over scales pays."""

CUTS = (16, 8, 4)
"""Cuts of a column of numbers: the most with which pairs of conditions can be counted are taken."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A class as `learn` reads it, the name of a learner, and the reason in one sentence."""

    concepts: str
    learner: str
    why: str


def choose(
    schema: Schema, features: Sequence[str], labels: Sequence[str], n: int, privacy: Privacy
) -> Chosen:
    """Choose a class and a learner for a table of n rows.

    Guarantee:
        A function of the schema, of names, of the number of rows and of the budget: nothing private
        takes part, and it costs nothing. What it names can be learned from any table of the schema.

    >>> from tacit.data import Bits, Integer
    >>> schema = Schema({"age": Integer(0, 120), "smoker": Bits(), "ill": Bits()})
    >>> few = choose(schema, ["age", "smoker"], ["ill"], 100, Privacy(1, "1e-6"))
    >>> few.concepts, few.learner
    ('rules(width=2, cuts=16, negated=yes)', 'short-rules')
    >>> few.why
    'rules of up to 2 conditions, short ones first: 100 rows at epsilon = 1 are too few for ...
    >>> many = choose(schema, ["age", "smoker"], ["ill"], 10_000, Privacy(1, "1e-6"))
    >>> many.concepts, many.learner
    ('scorecards', 'margin')
    """
    check.count(n=n)
    columns = [schema[name] for name in features]
    if len(columns) == 1 and isinstance(columns[0], Integer | Real):
        wide = columns[0].size > WIDE
        scale = ", which may live at any scale" if wide else ""
        why = f"a threshold: there is one column of numbers{scale}"
        return Chosen("thresholds", "prior" if wide else "generic", why)
    weights = sum(c.size if isinstance(c, Category) and c.size > 2 else 1 for c in columns)
    learner = "margin" if privacy.delta else "counted"
    needed = _needed(PER_WEIGHT[learner] * weights, len(labels), privacy)
    said = f"{_many(n, 'row')} at epsilon = {float(privacy.epsilon):g}"
    known = _made("scorecards", schema, features) is not None
    if known and needed <= n <= CELLS // weights:
        how = "noisy gradient steps" if privacy.delta else "noisy counts"
        return Chosen(
            "scorecards",
            learner,
            f"scorecards by {how}: {said} are enough for {_many(weights, 'weight')}; with fewer "
            f"than {needed:,} it would be rules",
        )
    shape = _shape(schema, features, n, len(labels))
    if shape is None:
        raise InvalidArgument(
            f"no class is small enough for these {len(features)} columns together: name fewer of "
            "them (--features), or give them fewer values in the schema"
        )
    width, text = shape
    many = f"up to {width} conditions" if width > 1 else "one condition"
    why = f"scorecards of {_many(weights, 'weight')} take too much memory with {n:,} rows"
    if not known:
        why = "the columns have too many values for scorecards"
    elif n < needed:
        cards = f"scorecards of {_many(weights, 'weight')}"
        why = f"{said} are too few for {cards}, which are chosen from {needed:,} rows on"
    return Chosen(text, "short-rules", f"rules of {many}, short ones first: {why}")


def usual_learner(concepts: ConceptClass[Any], privacy: Privacy) -> str:
    """Return the learner of a class that was named without one.

    >>> from tacit.concepts.rules.scorecards import Scorecards
    >>> usual_learner(Scorecards("5x5"), Privacy(1))
    'counted'
    """
    if family_of(concepts) != "scorecards":
        return "generic"
    return "margin" if privacy.delta else "counted"


def _needed(each: int, labels: int, privacy: Privacy) -> int:
    """Return from how many rows on scorecards are chosen.

    With a delta the noise of k labels grows with the root of k, without one with k.
    """
    early = privacy.delta and privacy.epsilon >= EARLY
    rows = Fraction(max(each, LEAST), EARLIER if early else 1) / privacy.epsilon
    return isqrt(ceil(rows * rows * labels ** (1 if privacy.delta else 2)) - 1) + 1


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _shape(schema: Schema, features: Sequence[str], n: int, labels: int) -> tuple[int, str] | None:
    """Return the richest rules that can be counted, pairs of conditions before single ones."""
    listed: dict[int, int] = {}
    sized = any(isinstance(schema[name], Integer | Real) for name in features)
    for cuts in CUTS if sized else CUTS[:1]:
        rules = _made(_text(1, cuts), schema, features)
        if isinstance(rules, Rules):
            listed[cuts] = len(rules.literals)
    most = min(SCORABLE, WORK // ((n // 64 + 1) * (labels + 1)))
    for cuts, literals in listed.items():
        if literals > 1 and Selections(literals, 1, 2).size <= most:
            return 2, _text(2, cuts)
    fitting = [cuts for cuts, literals in listed.items() if literals < most]
    return (1, _text(1, (fitting or [min(listed)])[0])) if listed else None


def _text(width: int, cuts: int) -> str:
    return f"rules(width={width}, cuts={cuts}, negated=yes)"


def _made(text: str, schema: Schema, features: Sequence[str]) -> ConceptClass[Any] | None:
    """Return a class over these columns; None if they are too many for it, or their values."""
    try:
        return class_for(text, schema, features)
    except TacitError:
        return None
