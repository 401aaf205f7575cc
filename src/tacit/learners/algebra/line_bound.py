"""How likely the line learner fails: a certified bound over all populations.

Proof in docs/proofs/line.md. Floating-point numbers are products, quotients and sums of numbers not
below 0, so each operation adds a relative error of at most 2^-53; `GUARD` of them are allowed for
each row and each entry of the release table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tacit.mechanisms import StableRelease
from tacit.probability.binomial_masses import binomial_masses

GUARD = 64
FLOOR = Fraction(1, 2**500)
FAR = 45
CELLS = 16
SPLIT = 4
ROUNDS = 5

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LineBound:
    """The line stage has `first` rows, the point stage `second`; both use one release table."""

    release: StableRelease
    first: int
    second: int

    def suffices(self, alpha: Fraction, beta: Fraction) -> bool:
        """Whether the failure probability is certainly at most beta, whatever the population.

        The unknown x is the positive mass off its most frequent point, as a share of alpha. The
        line stage fails less often the larger it is, the point stage more often: on a cell, take
        the first at its left end and the second at its right end. Cells that fail are cut in four,
        until some point fails itself or the cells are too small.
        """
        steps = self.first + self.second + len(_table(self.release)[0])
        bar = (beta - FLOOR) / (1 + Fraction(GUARD * steps, 2**53))
        cells = [(Fraction(j, 2 * CELLS), Fraction(j + 1, 2 * CELLS)) for j in range(CELLS)]
        for _ in range(ROUNDS):
            ends = sorted({end for cell in cells for end in cell})
            lines, points = self._line_missed(alpha, ends), self._point_missed(alpha, ends)
            missed = dict(zip(ends, zip(lines.tolist(), points.tolist(), strict=True), strict=True))
            if any(line * point > bar for line, point in missed.values()):
                return False
            cells = [cell for cell in cells if missed[cell[0]][0] * missed[cell[1]][1] > bar]
            if not cells:
                return True
            cells = [part for cell in cells for part in _cut(*cell)]
        return False

    def about(self, alpha: Fraction) -> float:
        """Return about the failure probability, at the worst of a few shares."""
        ends = [Fraction(j, 2 * CELLS) for j in range(CELLS)]
        lines, points = self._line_missed(alpha, ends), self._point_missed(alpha, ends)
        return float((lines * points).max())

    def _line_missed(self, alpha: Fraction, shares: list[Fraction]) -> Floats:
        """Bound E[1 - p(ceil(s / 2))], s the line's positives without its most frequent point."""
        _, steps = _table(self.release)
        top = 2 * len(steps) - 2
        half = self._at_most(alpha / 2, top)
        below = np.array([self._at_most(share * alpha, top) + half for share in shares])
        return np.asarray(np.minimum(below[:, ::2], 1.0) @ steps)

    def _at_most(self, mass: Fraction, top: int) -> Floats:
        """Return P[Bin(first, mass) <= k] for k = 0, ..., top."""
        sums = np.cumsum(binomial_masses(self.first, mass, top))
        return np.concatenate((sums, np.full(top + 1 - len(sums), sums[-1])))

    def _point_missed(self, alpha: Fraction, shares: list[Fraction]) -> Floats:
        """Bound E[1 - p(ceil(D / 2))], D the lead of the most frequent point over all the rest.

        Given m positive rows, the number k of the rest is binomial: one step of m at a time, for
        all shares at once. More than `top` positives, which has probability below 1e-18, count as
        a miss, and so does a share of a half, where there is no lead to expect.
        """
        mean = float(self.second * alpha)
        top = min(self.second, math.ceil(mean + (FAR + math.sqrt(FAR**2 + 8 * FAR * mean)) / 2) + 1)
        rest = np.array([[float(share)] for share in shares])
        best = np.array([[float(1 - share)] for share in shares])
        masses = binomial_masses(self.second, alpha, top)
        table, _ = _table(self.release)
        missed = table[np.clip((np.arange(-top, top + 1) + 1) // 2, 0, len(table) - 1)]
        law = np.zeros((len(shares), top + 2))
        law[:, 0] = 1.0
        total = np.full(len(shares), 1e-18)
        for m in range(top + 1):
            total += masses[m] * (law[:, : m + 1] @ missed[top - m : top + m + 1 : 2][::-1])
            law[:, 1 : m + 2] = best * law[:, 1 : m + 2] + rest * law[:, : m + 1]
            law[:, 0] *= best[:, 0]
        return np.where(rest[:, 0] >= 0.5, 1.0, np.minimum(total, 1.0))


@lru_cache(maxsize=64)
def _table(release: StableRelease) -> tuple[Floats, Floats]:
    """Return 1 - p(c) for c = 0, 1, ... to the end of the table, and by how much each falls."""
    table = release.table
    told = [table.probability(c) for c in range(table.distance(Fraction(1)) + 1)]
    falls = [float(after - before) for before, after in pairwise(told)]
    return np.array([float(1 - p) for p in told]), np.array(falls)


def _cut(left: Fraction, right: Fraction) -> list[tuple[Fraction, Fraction]]:
    ends = [left + (right - left) * i / SPLIT for i in range(SPLIT + 1)]
    return list(pairwise(ends))
