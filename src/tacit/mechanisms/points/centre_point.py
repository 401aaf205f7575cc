"""A deep point of a grid: no halfspace that holds it misses most of the records.

Of the papers: BNS19 Ex 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np
from numpy.typing import NDArray

from tacit.core import BoundedRangeCost, Exact, InvalidArgument, Law, Random, check, hold
from tacit.mechanisms.choice.exponential import Exponential
from tacit.mechanisms.points.tukey_depth import PLANE, tukey_depths
from tacit.statistics import Counts, ScoreProfile

Place = tuple[int, ...]
LARGEST = 1 << 16
"""No grid has more points: each one's depth is computed."""


@dataclass(frozen=True, slots=True)
class CentrePoint(BoundedRangeCost):
    """Choose a point of the grid by its Tukey depth, the exponential mechanism over all points.

    `sizes` are the sides of the grid {0, ..., size - 1} x ..., one to three of them. Records are
    points, tuples of integers; those outside are moved to the nearest point of the grid.

    Guarantee:
        epsilon-DP, of bounded range epsilon: a replaced record moves a depth by at most 1. With m
        records, some point of the grid has depth m / 2^dims or more, and the chosen one is at least
        `depth(m, beta)` deep with probability 1 - beta [BNS19 Ex 8; Doi73].

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
        """Choose a point."""
        return Exponential(self.epsilon)(self._profile(records), rng=rng)

    def law(self, records: Counts[Place]) -> Law[Place]:
        """Return the exact law of the point."""
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
