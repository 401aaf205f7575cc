"""From a model and a table to the labels that the model says, in the order of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.data.reading.reduction import point_batches
from tacit.data.reading.source import Source
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model

DIGITS = 6
"""Of a risk that is written."""


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


def predictions(model: Model, source: Source, *, risk: bool = False) -> Iterator[list[list[Any]]]:
    """Yield lines of a table of predictions, some at a time, so that files need not fit in memory.

    A line has 0 or 1 for each label, then with `risk` a risk for each.
    """
    for points in _points(model, source):
        said = model.predict(points).astype(int).tolist()
        told = model.risks(points).round(DIGITS).tolist() if risk else [[]] * len(said)
        yield [[*answers, *risks] for answers, risks in zip(said, told, strict=True)]


def _points(model: Model, source: Source) -> Iterator[NDArray[np.int64]]:
    return point_batches(source, Schema.parse(model.schema), model.features)
