"""From noisy numbers to counts: non-negative integers with a given sum."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def simplex(values: NDArray[Any], total: int) -> NDArray[np.float64]:
    """Return the nearest non-negative numbers with this sum: max(value - level, 0) for some level.

    >>> simplex(np.array([5, 2, -1]), 5).tolist()
    [4.0, 1.0, 0.0]
    """
    ordered = np.sort(values.astype(np.float64))[::-1]
    levels = (np.cumsum(ordered) - total) / np.arange(1, len(ordered) + 1)
    level = levels[np.flatnonzero(ordered > levels)[-1]] if total else ordered[0]
    nearest: NDArray[np.float64] = np.maximum(values - level, 0.0)
    return nearest


def whole(values: NDArray[np.float64], total: int) -> NDArray[np.int64]:
    """Round non-negative numbers to integers with this sum, each by less than 1.

    The sums of the first 1, 2, 3, ... values are scaled to `total` and rounded: so sums over
    consecutive values are off by less than 1, however many they are.

    >>> whole(np.array([0.4, 0.4, 0.4, 1.8]), 3).tolist()
    [0, 1, 0, 2]
    """
    ends = np.cumsum(values)
    if not total or ends[-1] <= 0:
        spread = np.zeros(len(values), dtype=np.int64)
        spread[0] = total
        return spread
    rounded = np.rint(ends / ends[-1] * total).astype(np.int64)
    rounded[-1] = total
    return np.diff(np.minimum(np.maximum.accumulate(rounded), total), prepend=0)
