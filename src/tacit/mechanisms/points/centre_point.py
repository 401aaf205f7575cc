"""A deep point of a grid: no halfspace that holds it misses most of the records.

Of the papers: BNS19 Ex 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import BoundedRangeCost, Exact, InvalidArgument, Law, Random, check, hold
from tacit.mechanisms.choice.exponential import Exponential
from tacit.statistics import Counts, ScoreProfile

Place = tuple[int, ...]
Vectors = NDArray[np.int64]
LARGEST = 1 << 16
"""No grid has more points: each one's depth is computed."""
PLANE = 3
"""In so many dimensions the vectors on a plane are left to be looked at."""


@dataclass(frozen=True, slots=True)
class CentrePoint(BoundedRangeCost):
    """Choose a point of the grid by its Tukey depth, the exponential mechanism over all points.

    `sizes` are the sides of the grid {0, ..., size - 1} x ..., one to three of them. Records are
    points, tuples of integers; those outside are moved to the nearest point of the grid.

    Guarantee:
        epsilon-DP, of bounded range epsilon: a replaced record moves a depth by at most 1. With m
        records, some point of the grid has depth m / 2^dims or more, and the chosen one is at least
        `depth(m, beta)` deep with probability 1 - beta [Doi73].

    Exactness:
        Depths are integers; sampled as `Exponential` is.

    Cost:
        `BoundedRange(epsilon)`; the grid's size times the cost of a depth.

    >>> from tacit.core.chance.randomness import Seeded
    >>> records = [(x, y) for x in range(9) for y in range(9)]
    >>> CentrePoint((9, 9), 2)(Counts.of(records), rng=Seeded(1))
    (4, 4)

    Proof: docs/proofs/centre_point.md
    """

    sizes: tuple[int, ...]
    epsilon: Fraction

    def __init__(self, sizes: Sequence[int], epsilon: Exact) -> None:
        hold(self, sizes=tuple(check.count(size=s, least=1) for s in sizes))
        hold(self).positive(epsilon=epsilon)
        if not 1 <= len(self.sizes) <= PLANE:
            raise InvalidArgument(f"sizes must be one to {PLANE} numbers, got {len(self.sizes)}")
        if prod(self.sizes) > LARGEST:
            raise InvalidArgument(
                f"the grid must have at most {LARGEST} points, as many as sizes say"
            )

    def __call__(self, records: Counts[Place], *, rng: Random) -> Place:
        return Exponential(self.epsilon)(self._profile(records), rng=rng)

    def law(self, records: Counts[Place]) -> Law[Place]:
        return Exponential(self.epsilon).law(self._profile(records))

    def best(self, m: int) -> int:
        """Return a depth that some point has, whatever the m records.

        >>> CentrePoint((8, 8), 1).best(9)
        3
        """
        return -(-check.count(m=m) // (1 << len(self.sizes)))

    def failure(self, depth: int, m: int) -> Fraction:
        """Bound the probability that the chosen point is not `depth` deep in m records.

        >>> float(CentrePoint((8, 8), 1).failure(10, 100))
        0.0206...
        """
        shortfall = self.best(m) - check.count(depth=depth) + 1
        if depth == 0:
            return Fraction(0)
        if shortfall < 1:
            return Fraction(1)
        return Exponential(self.epsilon).failure(shortfall, size=prod(self.sizes))

    def depth(self, m: int, beta: Exact) -> int:
        """Return the greatest depth for which `failure` is at most beta; 0 is promised always.

        >>> CentrePoint((8, 8), 1).depth(100, "0.05")
        11
        """
        beta = check.probability(beta=beta)
        lost = Exponential(self.epsilon).shortfall(beta, size=prod(self.sizes)) - 1
        return max(0, self.best(m) - lost)

    def _profile(self, records: Counts[Place]) -> ScoreProfile[Place]:
        places = np.indices(self.sizes, dtype=np.int64).reshape(len(self.sizes), -1).T
        points, counts = self._inside(records)
        depths = tukey_depths(points, counts, places) if len(points) else 0 * places[:, 0]
        return ScoreProfile.among([tuple(place) for place in places.tolist()], depths)

    def _inside(self, records: Counts[Place]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the different points of the grid that have records, and how many."""
        merged: dict[Place, int] = {}
        for place, many in records.table.items():
            pairs = zip(place, self.sizes, strict=True)
            inside = tuple(min(max(x, 0), size - 1) for x, size in pairs)
            merged[inside] = merged.get(inside, 0) + many
        held = {place: many for place, many in merged.items() if many}
        points = np.array(list(held), dtype=np.int64).reshape(len(held), len(self.sizes))
        return points, np.array(list(held.values()), dtype=np.int64)


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
