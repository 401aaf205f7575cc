"""From a model and rows it never saw to how good it is: check what is public, count, tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tacit.core.budget import read_budget
from tacit.core.chance.randomness import Random
from tacit.core.composition import price
from tacit.core.cost import Cost
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.data.reading.coding import Coding
from tacit.data.reading.reduction import label_counts, open_table
from tacit.data.reading.source import Source
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model
from tacit.learners.made_from.measured import RuleMeasurement, measured_share
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.measuring.statement import measured
from tacit.workflows.charging import Charge, Prepared, released
from tacit.workflows.predicting import outcomes_of


@dataclass(frozen=True, slots=True)
class Measured:
    """What n rows told of a model, and what that cost them.

    It is a fair test if the rows are independent of those that the model was learned from.
    """

    labels: tuple[str, ...]
    readings: tuple[Reading, ...]
    n: int
    cost: Cost
    privacy: Privacy
    secure: bool

    def describe(self) -> dict[str, Any]:
        """Return a JSON object; exact numbers are strings."""
        spent = {"epsilon": str(self.privacy.epsilon), "delta": str(self.privacy.delta)}
        told = measured(self.labels, self.readings)
        return {"measured": told, "n": self.n, "privacy": spent, "secure": self.secure}


def measure(
    model: Model,
    source: Source,
    *,
    epsilon: Exact,
    delta: Exact = 0,
    rng: Random | None = None,
    charge: Charge | None = None,
    rehearsal: Callable[[Measured], object] = Measured.describe,
) -> Measured:
    """Measure a model on rows that it was not learned from.

    Guarantee:
        (epsilon, delta)-DP for replaced rows of the source, on top of what the model cost its own
        rows. Cells are read by the schema that the model carries. Everything that can be refused is
        refused for public reasons, before anything is drawn or charged.

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
    names = (*model.features, *(outcome.name for outcome in outcomes))
    columns = tuple(schema[name] for name in names)
    coding = Coding(names, columns, len(model.features), outcomes=outcomes)
    sample = label_counts(open_table(source, coding), coding)
    if not sample.n:
        raise InvalidArgument("the table has no rows; there is nothing to measure on")
    each: Fraction = measured_share(total, len(model.labels))
    mechanism = RuleMeasurement(model.hypotheses, model.outputs, each)
    blank = Measured(
        labels=model.labels,
        readings=(),
        n=sample.n,
        cost=mechanism.cost,
        privacy=Privacy(price(mechanism.cost, total.delta).privacy.epsilon, total.delta),
        secure=False,
    )
    purpose = f"measuring {', '.join(model.labels)} from {', '.join(model.features)}"
    ready = Prepared(sample, coding.sizes, mechanism, blank, _filled, purpose)
    return released(ready, rng, charge, rehearsal)


def _filled(blank: Measured, told: tuple[Reading, ...]) -> Measured:
    return replace(blank, readings=told)
