"""Grids of integer points, and the order in which they are numbered."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Points, listable


@lru_cache(maxsize=8)
def _grid(bits: int, dims: int) -> NDArray[np.int64]:
    axes = np.indices((1 << bits,) * dims, dtype=np.int64)
    points = axes.reshape(dims, -1).T.copy()
    points.flags.writeable = False
    return points


def grid(bits: int, dims: int) -> NDArray[np.int64]:
    """Return {0, ..., 2^bits - 1}^dims in lexicographic order, one point a row.

    >>> grid(1, 2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    listable(1 << bits * dims, what="points")
    return _grid(bits, dims)


def places(points: Points, bits: int, dims: int) -> NDArray[np.int64]:
    """Return the numbers of some points of the grid.

    >>> places(np.array([[1, 0], [1, 1]]), 1, 2).tolist()
    [2, 3]
    """
    weights = 1 << bits * np.arange(dims - 1, -1, -1, dtype=np.int64)
    return points.reshape(len(points), dims).astype(np.int64) @ weights


def columns(points: Points, dims: int) -> NDArray[Any]:
    """Return the coordinates of the points, one row each, wide enough to calculate with.

    >>> columns(np.array([[200, 100]], dtype=np.uint8), 2).tolist()
    [[200], [100]]
    """
    wide = points if points.dtype == object else points.astype(np.int64)
    return wide.reshape(len(points), dims).T
