"""How a table looks to a linear learner: each coordinate centred and scaled, each row clipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Points
from tacit.concepts.rules.scorecard import Parabola, Scorecard, Weight
from tacit.concepts.rules.scorecards import Scorecards

NARROWEST = 10
"""No coordinate is scaled up more than so many times: its spread counts as a tenth of the unit."""

REACH = Fraction(9, 25)
LEAST = 2
"""The squared norm of a row is cut at this share of its length, but at no less than this."""

DIGITS = 1 << 8
"""The points of a scorecard are rounded to this part of the largest column's reach, a weight."""


@dataclass(frozen=True, slots=True)
class LinearFrame:
    """Public centres and spreads of the coordinates, in units of 1 / `unit`.

    >>> frame = LinearFrame(Scorecards("5x5"), 8, (0, 4), (4, 8))
    >>> frame.rows(np.array([[4, 4], [2, 3]])).tolist()
    [[9, 2, 4], [0, 0, 8]]
    """

    concepts: Scorecards
    unit: int
    centres: tuple[int, ...]
    spreads: tuple[int, ...]

    def rows(self, points: Points) -> NDArray[np.int64]:
        """Return an integer vector for each point: its coordinates in this frame, and one unit.

        Exactness:
            Rounded down, then shortened where it is longer than `norm_squared` allows, every entry
            towards 0, by roots that are rounded to the safe side: no row is longer afterwards.
        """
        most = norm_squared(self.concepts, self.unit)
        seen = self.concepts.coordinates(points, self.unit) - np.array(self.centres, dtype=np.int64)
        scaled = seen * self.unit // np.array(self.spreads, dtype=np.int64)
        rows = np.column_stack((scaled, np.full(len(points), self.unit, dtype=np.int64)))
        squares = (rows * rows).sum(axis=1)
        roots = np.array([isqrt(square - 1) + 1 for square in squares.tolist()], dtype=np.int64)
        short = np.sign(rows) * (abs(rows) * isqrt(most) // roots[:, None])
        return np.where((squares > most)[:, None], short, rows)

    def scorecard(self, weights: Sequence[int]) -> Scorecard:
        """Write w . (coordinates in this frame) + w_last >= 0 in points for the codes, rounded.

        >>> LinearFrame(Scorecards("5xc3"), 8, (0,) * 4, (8,) * 4).scorecard((2, 0, 1, 3, -2))
        Scorecard(weights=(1707, (0, 1707, 5120)), threshold=6827)
        """
        *slopes, bias = weights
        common = lcm(*self.spreads)
        scaled = [w * (common // s) for w, s in zip(slopes, self.spreads, strict=True)]
        constant = bias * common - sum(w * c for w, c in zip(scaled, self.centres, strict=True))
        finest = DIGITS * len(scaled) * self._finest
        most = self.unit * max(map(abs, scaled)) or abs(constant) or 1
        terms: list[Weight] = []
        parts = iter(self.unit * w for w in scaled)
        for size, kind in zip(self.concepts.sizes, self.concepts.kinds, strict=True):
            top = max(size - 1, 1)
            if kind == "c":
                terms.append(tuple(_nearest(next(parts) * finest, most) for _ in range(size)))
                continue
            line, bend = next(parts), next(parts) if kind == "q" else 0
            slope = _nearest((2 * line - 8 * bend) * finest, most * top)
            square = _nearest(8 * bend * finest, most * top * top)
            terms.append(Parabola(slope, square) if kind == "q" else slope)
            constant += bend - line
        return Scorecard(tuple(terms), _within(-(constant * finest // most)))

    @property
    def _finest(self) -> int:
        """The largest code, or its square where that has a weight."""
        pairs = zip(self.concepts.sizes, self.concepts.kinds, strict=True)
        return max(size * size if kind == "q" else size for size, kind in pairs)


def norm_squared(concepts: Scorecards, unit: int) -> int:
    """Return what the squared norms of rows are cut to.

    Where the whole row is shortened, its constant too, a linear rule says the same of it.

    >>> norm_squared(Scorecards("5x5x5"), 10), norm_squared(Scorecards("x".join("9" * 9)), 10)
    (200, 360)
    """
    return int(max(Fraction(LEAST), REACH * (concepts.dims + 1)) * unit**2)


def centre(moment: int, unit: int, n: int) -> int:
    """Read a mean, in [-unit, unit], off a noisy sum of 2 unit z.

    >>> centre(2 * 8 * 4 * 3, 8, 3)
    4
    """
    return max(-unit, min(unit, moment // (2 * unit * max(n, 1))))


def spread(moment: int, around: int, unit: int, n: int, blur: int) -> int:
    """Read a standard deviation off a sum of 3 z^2 that is off by about `blur`.

    >>> spread(3 * 5 * 5 * 3, 4, 8, 3, 0)
    3
    """
    rows = max(n, 1)
    least = max((unit // NARROWEST) ** 2, blur // (4 * rows), 1)
    square = moment // (3 * rows) - around * around
    return isqrt(max(min(square, unit * unit), least))


def moments(
    concepts: Scorecards, unit: int, points: Points, totals: NDArray[np.int64]
) -> list[int]:
    """Return the sums over all rows of 2 unit z and of 3 z^2, for each coordinate z.

    Guarantee:
        Replacing a row moves them by at most `moments_moved` in squared Euclidean distance.
    """
    seen = concepts.coordinates(points, unit)
    sums = [int(s) for s in totals @ seen]
    squares = [int(s) for s in totals @ (seen * seen)]
    return [*(2 * unit * s for s in sums), *(3 * s for s in squares)]


def moments_moved(concepts: Scorecards, unit: int) -> int:
    """Return 16 unit^4 a number and 26 unit^4 a category; proof in docs/proofs/margin.md."""
    weighed = [kind for kind in concepts.kinds for _ in range(2 if kind == "q" else 1)]
    return sum(26 if kind == "c" else 16 for kind in weighed) * unit**4


def _nearest(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)


def _within(threshold: int) -> int:
    """Cut a threshold to what a sum of points can never reach anyway."""
    return max(-FARTHEST, min(FARTHEST, threshold))


FARTHEST = 1 << 61
