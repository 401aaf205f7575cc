"""How many points of a rectangle of integer points lie below a line, exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def floor_sum(count: Integers, slope: Integers, start: Integers, over: Integers) -> Integers:
    """Return the sums of floor((slope*i + start) / over) over 0 <= i < count, elementwise.

    All arguments are at least 0, `over` at least 1. Each round takes out whole slopes and starts,
    then counts the same lattice points along the other axis, as Euclid does: O(log over) rounds.

    >>> floor_sum(np.array([4]), np.array([2]), np.array([1]), np.array([3])).tolist()
    [4]
    """
    total = np.zeros(np.broadcast_shapes(count.shape, slope.shape, start.shape), dtype=np.int64)
    while count.any():
        total += count * (count - 1) // 2 * (slope // over) + count * (start // over)
        slope, start = slope % over, start % over
        top = np.where(count > 0, slope * count + start, 0)
        count, start = top // over, top % over
        slope, over = over, np.maximum(slope, 1)
    return total


def lattice_count(
    sides: tuple[Integers, Integers], slopes: tuple[Integers, Integers], bound: Integers
) -> Integers:
    """Return how many 0 <= i < sides[0], 0 <= j < sides[1] have slopes . (i, j) <= bound.

    Slopes are at least 0 and not both 0. Without the upper limit on j this is a sum of floors; what
    lies above the limit is the same count with a smaller bound.

    >>> five, one, two = np.array([5]), np.array([1]), np.array([2])
    >>> lattice_count((five, five), (one, two), np.array([4])).tolist()
    [9]
    """
    swap = slopes[1] == 0
    a, b = np.where(swap, slopes[1], slopes[0]), np.where(swap, slopes[0], slopes[1])
    width, height = np.where(swap, sides[1], sides[0]), np.where(swap, sides[0], sides[1])
    return _open_count(width, a, b, bound) - _open_count(width, a, b, bound - b * height)


def _open_count(width: Integers, a: Integers, b: Integers, bound: Integers) -> Integers:
    """Count 0 <= i < width, 0 <= j with a*i + b*j <= bound; b is at least 1."""
    reach = np.where(a == 0, width, np.minimum(width, bound // np.maximum(a, 1) + 1))
    columns = np.where(bound >= 0, reach, 0)
    last = np.where(columns > 0, bound - a * (columns - 1), 0)
    return columns + floor_sum(columns, a, last, b)
