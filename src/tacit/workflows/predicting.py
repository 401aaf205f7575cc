"""From a model and a table to what the model says of each row, in the order of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument
from tacit.data.reading.reduction import point_batches
from tacit.data.reading.source import Source
from tacit.data.schema.outcome import Outcome, combine_category, combine_number
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model

DIGITS = 6
"""Of a risk, or of a number between two values, that is written."""


def predict(model: Model, source: Source) -> NDArray[np.bool_]:
    """Return what a model says of each row: one row a row of the table, one column a label.

    Cells are read by the schema that the model carries, as they were when it was learned.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.data import Bits, Integer
    >>> from tacit.workflows import learn
    >>> schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    >>> people = {"age": list(range(20, 100)) * 9, "sick": [a >= 65 for a in range(20, 100)] * 9}
    >>> model = learn(people, schema, concepts="thresholds", features=["age"], labels=["sick"],
    ...               epsilon=1, rng=Seeded(1))
    >>> predict(model, {"age": [64, 65, None]}).tolist()
    [[False], [True], [False]]
    """
    none: NDArray[Any] = np.zeros((0, len(model.labels)), dtype=np.bool_)
    return np.concatenate([none, *(model.predict(points) for points in _points(model, source))])


def outcomes_of(model: Model) -> tuple[Outcome, ...]:
    """Return the label columns of a model, each with the marks that were learned of it."""
    schema = Schema.parse(model.schema)
    named = model.outcomes or tuple((name, ()) for name in model.labels)
    found = tuple(Outcome(name, schema[name], cuts) for name, cuts in named)
    if tuple(mark for outcome in found for mark in outcome.marks) != model.labels:
        raise InvalidArgument("not a model: its labels are not what its outcomes are asked")
    return found


def header(model: Model, *, risk: bool = False) -> list[str]:
    """Return the names of the columns of `predictions`."""
    spread = ("", "_low", "_high")
    names = [
        f"{outcome.name}{end}"
        for outcome in outcomes_of(model)
        for end in (spread if outcome.nested else spread[:1])
    ]
    return [*names, *(f"{label}_risk" for label in model.labels if risk)]


def predictions(model: Model, source: Source, *, risk: bool = False) -> Iterator[list[list[Any]]]:
    """Yield lines of a table of predictions, some at a time, so that files need not fit in memory.

    A line has 0 or 1 for a yes/no label, the most likely value of a category, and of a number its
    median and the ends of an interval of 80 %; then with `risk` a risk for each mark. Where nothing
    was measured, the answers of the rules stand for the risks of categories and numbers.
    """
    outcomes = outcomes_of(model)
    for points in _points(model, source):
        said = model.predict(points)
        needed = risk or (model.measured and model.outcomes)
        risks = model.risks(points) if needed else said.astype(np.float64)
        columns: list[list[Any]] = []
        first = 0
        for outcome in outcomes:
            marks = slice(first, first + len(outcome.marks))
            columns += _told(outcome, said[:, marks], risks[:, marks])
            first = marks.stop
        columns += risks.round(DIGITS).T.tolist() if risk else []
        yield [list(line) for line in zip(*columns, strict=True)]


def _told(outcome: Outcome, said: NDArray[np.bool_], risks: NDArray[np.float64]) -> list[list[Any]]:
    """Return the columns that tell one outcome."""
    if outcome.kind == "bits":
        return [said[:, 0].astype(int).tolist()]
    if outcome.kind == "category":
        return [[outcome.column.decode(int(code)) for code in combine_category(risks)]]
    return [
        part.astype(str).tolist() if part.dtype.kind == "M" else part.round(DIGITS).tolist()
        for part in combine_number(outcome, risks)
    ]


def _points(model: Model, source: Source) -> Iterator[NDArray[np.int64]]:
    return point_batches(source, Schema.parse(model.schema), model.features)
