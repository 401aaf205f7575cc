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
    return np.concatenate([none, *predictions(model, source)])


def predictions(model: Model, source: Source) -> Iterator[NDArray[np.bool_]]:
    """Yield what `predict` returns in pieces, so that files need not fit into memory."""
    for points in point_batches(source, Schema.parse(model.schema), model.features):
        yield model.predict(points)
