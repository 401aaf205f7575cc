"""From a model and rows it never saw to how good it is: check what is public, count, tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any

from tacit.core.budget import read_budget
from tacit.core.chance.randomness import Random
from tacit.core.composition import price
from tacit.core.cost import ReleaseCost
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.core.unit import ROWS, Neighbours, Unit, check_declared
from tacit.data.persons.reading import person_counts
from tacit.data.reading.coding import Coding
from tacit.data.reading.reduction import label_counts, open_table
from tacit.data.reading.source import KEPT, Source
from tacit.data.schema.columns import Ordered
from tacit.data.schema.phrasing import span
from tacit.data.schema.rule_class import cut_codes
from tacit.data.schema.schema import Schema
from tacit.data.spark.room import check_room
from tacit.learners.contract.model import Model
from tacit.learners.made_from.added import AddedMeasurement
from tacit.learners.made_from.measured import GroupedMeasurement, RuleMeasurement, measured_share
from tacit.mechanisms.measuring.group_measurement import GroupReading, pooled
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.measuring.statement import (
    ONE,
    by_group,
    measured,
    measured_in_secret,
    sentence,
)
from tacit.mechanisms.one_row_each import OneRowEach
from tacit.statistics import LabelCounts
from tacit.statistics.counts.dealt_rows import NEAR
from tacit.statistics.counts.distant_rows import DistantRows
from tacit.statistics.counts.person_counts import PersonCounts
from tacit.workflows.charging import Charge, Prepared, released
from tacit.workflows.counting.units import told_unit
from tacit.workflows.predicting import outcomes_of

ALL = ("all rows",)
"""The only group, where their number is secret and none were asked for."""
CUTS, MOST_GROUPS = 3, 30
"""Where a number is cut unless that is said, and how many groups there may be."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What n rows told of a model, and what that cost them; n is None where it is secret.

    It is a fair test if the rows are independent of those that the model was learned from.
    """

    labels: tuple[str, ...]
    readings: tuple[Reading, ...]
    n: int | None
    cost: ReleaseCost
    privacy: Privacy
    secure: bool
    groups: tuple[str, ...] = ()
    grouped: tuple[GroupReading, ...] = ()
    unit: Unit = ROWS
    weights: tuple[Fraction, ...] = ()
    always: tuple[bool | None, ...] = ()

    def sentences(self) -> Iterator[str]:
        """Say of each label how good it was found."""
        for place, told in enumerate(self.readings):
            odds = self.weights[place] if self.weights else ONE
            always = self.always[place] if self.always else None
            yield sentence(told, self.unit.tests, odds, always=always)

    def describe(self) -> dict[str, Any]:
        """Return a JSON object; exact numbers are strings."""
        spent = {"epsilon": str(self.privacy.epsilon), "delta": str(self.privacy.delta)}
        told = measured(self.labels, self.readings, self.weights, self.always)
        if self.unit.added:
            told = measured_in_secret(self.labels, self.grouped)
        said = {"measured": told, "n": self.n, "privacy": spent, "secure": self.secure}
        said |= told_unit(self.unit)
        if not self.groups:
            return said
        return said | {"groups": by_group(self.labels, self.groups, self.grouped)}


def measure(
    model: Model,
    source: Source,
    *,
    epsilon: Exact,
    delta: Exact = 0,
    by: str | None = None,
    cuts: Sequence[Exact | date] | None = None,
    person: Sequence[str] = (),
    neighbours: str = Neighbours.REPLACED,
    rows: int | None = None,
    rng: Random | None = None,
    charge: Charge | None = None,
    rehearsal: Callable[[Measured], object] = Measured.describe,
) -> Measured:
    """Measure a model on rows that it was not learned from.

    Guarantee:
        (epsilon, delta)-DP for replaced rows of the source, on top of what the model cost its own
        rows. Cells are read by the schema that the model carries. Everything that can be refused is
        refused for public reasons, before anything is drawn or charged. With `by`, a column of the
        schema, half of epsilon tells the same for groups of the rows: one a value of a category,
        numbers and dates at public cuts. With `person`, columns that tell persons apart, all rows
        of one person are protected, and one row of each is drawn to measure on: what is told is
        about a random row of a random person. With `neighbours` "added" how many rows there are is
        secret: they are told with noise beside errors and positives, of all rows or with `by` of
        groups alone, and `rows` is what was declared of them.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.data import Bits, Integer
    >>> from tacit.workflows import learn
    >>> schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    >>> people = {"age": list(range(20, 100)) * 9, "sick": [a >= 65 for a in range(20, 100)] * 9}
    >>> model = learn(people, schema, concepts="thresholds", features=["age"], labels=["sick"],
    ...               epsilon=1, rng=Seeded(1))
    >>> told = measure(model, people, epsilon=1, rng=Seeded(1))
    >>> told.readings[0].error < 0.02, told.readings[0].better
    (True, True)
    """
    total, schema = read_budget(epsilon, delta), Schema.parse(model.schema)
    outcomes = outcomes_of(model)
    read, asked = model.features, tuple(outcome.name for outcome in outcomes)
    edges, groups = groups_of(schema, by, cuts, asked)
    if by is not None and by not in read:
        read = (*read, by)
    columns, declared = tuple(schema[name] for name in (*read, *asked)), tuple(schema.names)
    coding = Coding((*read, *asked), columns, len(read), outcomes=outcomes, declared=declared)
    unit = Unit(person, neighbours)
    check_declared(unit, rows)
    opened = open_table(source, coding, KEPT)
    sample: LabelCounts | PersonCounts | DistantRows
    stays = not (unit.person or unit.added or groups)
    distant = opened.distant(coding) if stays and opened.distant is not None else None
    if unit.person:
        sample = person_counts(opened, coding, unit.person)
    elif distant is not None and distant.n > NEAR:
        sample = distant
    else:
        if not unit.added:
            check_room(opened, coding)
        sample = label_counts(opened, coding)
    if not sample.n and not unit.added:
        raise InvalidArgument("the table has no rows; there is nothing to measure on")
    each: Fraction = measured_share(total, len(model.labels))
    place, known = 0 if by is None else read.index(by), (model.hypotheses, model.outputs)
    mechanism: RuleMeasurement | GroupedMeasurement | AddedMeasurement
    if unit.added:
        mechanism = AddedMeasurement(*known, each, place, edges)
    else:
        mechanism = RuleMeasurement(*known, each / 2 if groups else each)
        mechanism = GroupedMeasurement(mechanism, place, edges) if groups else mechanism
    blank = Measured(
        labels=model.labels,
        readings=(),
        n=rows if unit.added else sample.n,
        cost=mechanism.cost,
        privacy=Privacy(price(mechanism.cost, total.delta).privacy.epsilon, total.delta),
        secure=False,
        groups=groups or (ALL if unit.added else ()),
        unit=unit,
        weights=model.weights,
        always=model.always,
    )
    purpose = f"measuring {', '.join(model.labels)} from {', '.join(model.features)}"
    purpose += f", by {by}" if groups else ""
    testing = OneRowEach(mechanism) if unit.person else mechanism
    ready = Prepared(sample, coding.sizes, testing, blank, _filled, purpose)
    return released(ready, rng, charge, rehearsal)


def _filled(blank: Measured, told: Any) -> Measured:
    if blank.unit.added:
        return replace(blank, grouped=pooled(told))
    readings, grouped = told if blank.groups else (told, ())
    return replace(blank, readings=readings, grouped=pooled(grouped))


def groups_of(
    schema: Schema, by: str | None, cuts: Sequence[Exact | date] | None, labels: Sequence[str]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the codes of a declared column at which groups begin, and the groups in words."""
    if by is None:
        return (), ()
    column = schema[by]
    if by in labels:
        raise InvalidArgument(f"by (--by) names {by!r}, a label: name another column of the schema")
    if not isinstance(column, Ordered):
        if cuts is not None:
            raise InvalidArgument(f"by (--by): {by!r} is no number, and cannot be cut")
        starts = list(range(1, column.inside))
    else:
        starts = cut_codes(by, column, CUTS, cuts)
    starts += [column.inside] if column.outside == "null" else []
    if not 0 < len(starts) < MOST_GROUPS:
        raise InvalidArgument(
            f"by (--by): {by!r} has {len(starts) + 1} groups, and noise leaves something of 2 to "
            f"{MOST_GROUPS}: name a number with its cuts (age=40:65), or another column"
        )
    ends = [*(start - 1 for start in starts), None]
    said = [span(by, column, low, high) for low, high in zip((0, *starts), ends, strict=True)]
    return tuple(starts), tuple(said)
