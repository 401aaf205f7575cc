"""What `learn` would do with a table of so many rows, and how good that may be told to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tacit.core import Accuracy, Exact, check
from tacit.core.budget import read_budget, read_share
from tacit.core.errors import InvalidArgument, TacitError
from tacit.core.unit import Unit
from tacit.data.reading.coding import Coding
from tacit.data.schema.classes import class_for
from tacit.data.schema.schema import Schema
from tacit.learners.catalogue import named
from tacit.learners.contract.entry import Request
from tacit.learners.contract.learner import MultiLearner
from tacit.learners.made_from.by_person import WEIGHT, weighs
from tacit.learners.made_from.measured import held_out, measured_share
from tacit.mechanisms.measuring.measurement import Measurement
from tacit.mechanisms.measuring.reading import Reading
from tacit.workflows.choosing import Chosen, choose, usual_learner
from tacit.workflows.learned.question import AUTO, GENERIC
from tacit.workflows.learned_rows import USUAL, read_hold_out
from tacit.workflows.learning import columns_of

TYPICAL = Fraction(1, 5)
"""An error for which it is said how exactly it would be measured."""


@dataclass(frozen=True, slots=True)
class TablePlan:
    """The class and the learner that would be chosen, and what they would promise.

    `explained` is promised if some rule of the class explains the labels, `arbitrary` above the
    best rule's error if none does; None where nothing is. `told_within` is how far to either side
    the interval of a measured error of 20 % would reach, about. Where persons are protected, n
    counts persons, and `weight` is above 1 where each gives the mean of their rows.
    """

    chosen: Chosen
    n: int
    held: int
    marks: tuple[str, ...]
    features: tuple[str, ...]
    explained: Accuracy | None
    arbitrary: Accuracy | None
    told_within: float | None
    unit: Unit
    weight: int

    def describe(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {
            "question": "table",
            "chosen": {
                "class": self.chosen.concepts,
                "learner": self.chosen.learner,
                "why": self.chosen.why,
            },
            "n": self.n,
            "learned_from": self.n - self.held,
            "held_out": self.held,
            "features": list(self.features),
            "labels": list(self.marks),
            "promised": {
                "explained": None if self.explained is None else float(self.explained.alpha),
                "arbitrary": None if self.arbitrary is None else float(self.arbitrary.alpha),
            },
            "told_within": self.told_within,
            "unit": self.unit.encode(),
            "weight": self.weight,
        }


def plan_table(
    schema: Schema,
    *,
    concepts: str = AUTO,
    labels: Sequence[str],
    n: int,
    epsilon: Exact,
    delta: Exact = 0,
    features: Sequence[str] | None = None,
    beta: Exact = "0.05",
    hold_out: Exact = USUAL,
    cuts: Mapping[str, Sequence[Any]] | None = None,
    person: Sequence[str] = (),
) -> TablePlan:
    """Say what `learn` would choose for n rows of a schema, or do with a class that is named.

    With `person`, columns that tell persons apart, n counts persons, as there.

    No table is read.

    >>> from tacit.data import Bits, Integer
    >>> schema = Schema({"age": Integer(0, 120), "smoker": Bits(), "sick": Bits()})
    >>> found = plan_table(schema, labels=["sick"], n=700, epsilon=1)
    >>> found.chosen.learner, found.held, float(found.explained.alpha) < 0.1 < 0.15
    ('short-rules', 140, True)
    """
    total, beta = read_budget(epsilon, delta), read_share(beta=beta)
    if check.count(n=n) < 1:
        raise InvalidArgument("n (--n) must be at least 1: a table without rows teaches nothing")
    unit = Unit(person)
    columns = tuple(columns_of(schema, features, (*labels, *person)))
    coding = Coding.of(schema, columns, labels, cuts=cuts)
    held = held_out(n, read_hold_out(hold_out))
    if concepts == AUTO:
        chosen = choose(schema, columns, labels, n - held, total)
        found = class_for(chosen.concepts, schema, columns)
    else:
        found = class_for(concepts, schema, columns)
        chosen = Chosen(concepts, usual_learner(found, total), f"{concepts}, as asked")

    def made(*, agnostic: bool = True) -> MultiLearner[Any]:
        many = len(coding.marks)
        asked = Request(found, total, n - held, None, beta, agnostic, many, outcomes=coding.groups)
        return named(chosen.learner)(asked)

    def promised(*, agnostic: bool) -> Accuracy | None:
        halved = held > 0 and agnostic and chosen.learner == GENERIC
        unsure = beta / 2 if halved else beta  # as `learn`, which may sharpen it
        try:
            return None if weight > 1 else made(agnostic=agnostic).accuracy(n - held, unsure)
        except TacitError:
            return None

    weight = WEIGHT if person and weighs(made(), n - held) else 1
    return TablePlan(
        chosen,
        n,
        held,
        coding.marks,
        columns,
        promised(agnostic=False),
        promised(agnostic=True),
        _told_within(held, measured_share(total, len(coding.marks))) if held else None,
        unit,
        weight,
    )


@lru_cache(maxsize=64)
def _told_within(rows: int, epsilon: Fraction) -> float:
    """Return half of the width of the interval of a typical error."""
    measure = Measurement.of_rows(epsilon, rows)
    errors = int(rows * TYPICAL)
    told = Reading(rows, (0,), errors, errors, ((0, 0), (0, 0)), measure.rates)
    low, high = told.error_interval()
    return round((high - low) / 2, 4)
