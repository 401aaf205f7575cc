"""How many rows a choice by agreements needs for arbitrary labels, among products of intervals.

Concepts whose ends lie in the same small cells err together, so that luck is paid for each choice
of cells only, and the number of concepts by the choice alone. Proof in docs/proofs/order_bound.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.core import Exact, check
from tacit.core.numbers.enclosures import Enclosure, real, upper
from tacit.theory.enough.agnostic import FAR, ExcessBound, deviation

BITS = 192
PARTS = 32
"""Parts of alpha of which some are the best concept's luck, and some the cells' mass."""


@dataclass(frozen=True, slots=True)
class BracketBound(ExcessBound):
    """Choose among `size` products of intervals, losing an agreement costing e^-rate or more.

    Each of `columns` is cut into at most 2 m cells of mass up to 1/m, or of one point: a concept's
    ends lie in two of them for each column, B = (m (2 m + 1))^columns + 1 ways in all, and those
    that share the cells differ on mass t = 2 columns / m at most. For any l <= rate and b the
    chosen one errs more than alpha above the least with probability at most
    T(b) + B^(1 - s) size^s e^(-n (l (alpha - t - b) - l^2 / 8)), s = l / rate, T(b) bounding the
    chance that the best concept errs b more on the rows.

    >>> BracketBound(2**63, 1, Fraction(1, 2)).sample_size(0.02, 0.05)
    52583
    """

    size: int
    columns: int
    rate: Fraction

    def failure(self, n: int, alpha: Exact) -> Fraction:
        """Bound the probability that n rows lead to an excess above alpha, rounded up."""
        alpha, n = check.probability(alpha=alpha), check.count(n=n)
        if self.size == 1 or not n:
            return Fraction(self.size > 1)
        totals = self._totals(n, float(alpha))
        i, j = np.unravel_index(int(np.argmin(totals)), totals.shape)
        b, spread = (alpha * Fraction(int(k) + 1, PARTS) for k in (i, j))
        m = math.ceil(2 * self.columns / spread)
        rest = alpha - b - Fraction(2 * self.columns, m)
        others = upper(lambda: self._others(n, rest, m), BITS) if rest > 0 else Fraction(1)
        return min(Fraction(1), others + deviation(n, b))

    def _others(self, n: int, rest: Fraction, m: int) -> Enclosure:
        """Compare the brackets of bad concepts with what the best one errs on the rows."""
        slope = min(self.rate, 4 * rest)
        share = real(slope / self.rate)
        many = (1 - share) * real(min(ways(m, self.columns), self.size)).log() + share * real(
            self.size
        ).log()
        return (many - real(n * (slope * rest - slope**2 / 8))).max(real(-FAR)).exp()

    def _estimate(self, n: int, alpha: float) -> float:
        return float(self._totals(n, alpha).min())

    def _totals(self, n: int, alpha: float) -> NDArray[np.float64]:
        """Return about the chance to fail, by the parts of alpha for luck and for the cells."""
        rate = float(self.rate)
        parts = alpha * np.arange(1, PARTS) / PARTS
        b, spread = parts[:, None], parts[None, :]
        rest = np.maximum(alpha - b - spread, 0.0)
        slope = np.minimum(rate, 4 * rest)
        found = (ways(math.ceil(2 * self.columns / t), self.columns) for t in parts)
        cells = np.array([math.log(min(each, self.size)) for each in found])
        share = slope / rate
        many = (1 - share) * cells[None, :] + share * math.log(self.size)
        others = np.exp(np.minimum(many - n * (slope * rest - slope**2 / 8), 1.0))
        return np.asarray(others + np.exp(-2 * n * b**2))


def ways(m: int, columns: int) -> int:
    """Return in how many ways the ends of a concept may lie, each column having 2 m cells."""
    return int((m * (2 * m + 1)) ** columns) + 1
