"""A table in memory, with columns of labels beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument


def with_labels(rows: Any, labels: Mapping[str, NDArray[Any]]) -> Any:
    """Return named arrays or a frame with more columns, in the order of the rows.

    >>> import numpy as np
    >>> with_labels({"age": [41, 67]}, {"sick": np.array([False, True])})["sick"].tolist()
    [False, True]
    """
    if isinstance(rows, Mapping):
        return dict(rows) | dict(labels)
    frame = _frame(rows)
    space = frame.implementation
    columns = [nw.new_series(name, marks, backend=space) for name, marks in labels.items()]
    return frame.with_columns(*columns).to_native()


def _frame(rows: Any) -> nw.DataFrame[Any]:
    try:
        return nw.from_native(rows, eager_only=True)
    except (TypeError, ValueError):
        raise InvalidArgument(
            f"no table in memory can be read from {type(rows).__name__}: give a pandas, Polars or "
            "PyArrow table with one column of each name, or an array"
        ) from None
