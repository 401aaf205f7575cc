"""Tukey depth in one, two or three dimensions, in integers."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.int64]

PLANE = 3
"""In so many dimensions the vectors on a plane are left to be looked at."""


def tukey_depths(points: Vectors, counts: NDArray[np.int64], places: Vectors) -> NDArray[np.int64]:
    """Return, for each place, the least number of points in a closed halfspace that holds it.

    Exactness:
        Integers only; coordinates below 2^20 in absolute value cannot overflow.

    Cost:
        For r different points, O(r) a place on a line, O(r^2) in the plane, O(r^3) in space.

    >>> square = np.array([[0, 0], [0, 2], [2, 0], [2, 2]])
    >>> tukey_depths(square, np.array([1] * 4), np.array([[1, 1], [0, 0], [3, 0]])).tolist()
    [2, 1, 0]
    """
    found = [_depth(points - place, counts) for place in places]
    return np.array(found, dtype=np.int64)


def _depth(vectors: Vectors, counts: NDArray[np.int64]) -> int:
    """Count the zero vectors, and the least number of others on one side of a generic plane."""
    zero = ~vectors.any(axis=1)
    here, rest, many = int(counts[zero].sum()), vectors[~zero], counts[~zero]
    if not len(rest):
        return here
    side = {1: _on_a_line, 2: _in_the_plane, PLANE: _in_space}[vectors.shape[1]]
    return here + side(rest, many)


def _on_a_line(vectors: Vectors, counts: NDArray[np.int64]) -> int:
    above = vectors[:, 0] > 0
    return int(min(counts[above].sum(), counts[~above].sum()))


def _in_the_plane(vectors: Vectors, counts: NDArray[np.int64]) -> int:
    """Turn a line through each vector a little, either way: it parts those that lie along it."""
    x, y = vectors.T
    cross = np.outer(x, y) - np.outer(y, x)
    dot = np.outer(x, x) + np.outer(y, y)
    left, right = (cross > 0) @ counts, (cross < 0) @ counts
    same, other = ((cross == 0) & (dot > 0)) @ counts, ((cross == 0) & (dot < 0)) @ counts
    return int((np.minimum(left, right) + np.minimum(same, other)).min())


def _in_space(vectors: Vectors, counts: NDArray[np.int64]) -> int:
    """Tilt a plane through each two vectors: it parts those on it as a line in that plane does."""
    pairs = np.array(list(combinations(range(len(vectors)), 2)), dtype=np.int64).reshape(-1, 2)
    normals = np.cross(vectors[pairs[:, 0]], vectors[pairs[:, 1]])
    normals = _different(normals[normals.any(axis=1)])
    if not len(normals):
        along = vectors @ vectors[0] > 0
        return int(min(counts[along].sum(), counts[~along].sum()))
    sides = normals @ vectors.T
    above, below = (sides > 0) @ counts, (sides < 0) @ counts
    best = int(counts.sum())
    for normal, on, fewer in zip(normals, sides == 0, np.minimum(above, below), strict=True):
        if fewer < best:
            kept = [axis for axis in range(PLANE) if axis != int(abs(normal).argmax())]
            best = min(best, int(fewer) + _in_the_plane(vectors[on][:, kept], counts[on]))
    return best


def _different(normals: Vectors) -> Any:
    """Keep one normal of each plane."""
    if not len(normals):
        return normals
    shortest = normals // np.gcd.reduce(normals, axis=1)[:, None]
    first = np.take_along_axis(shortest, (shortest != 0).argmax(axis=1)[:, None], axis=1)
    return np.unique(shortest * np.sign(first), axis=0)
