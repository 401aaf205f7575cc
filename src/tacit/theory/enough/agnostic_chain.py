"""How many rows a choice by agreements needs for arbitrary labels, on classes that are chains.

A union over all thresholds pays for each of them; along a chain they move together, so that their
number matters for the choice only, not for the luck of the draw. Proof in
docs/proofs/order_bound.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.core import check
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import real, upper
from tacit.core.numbers.exact import Exact, log_near
from tacit.theory.enough.agnostic import ExcessBound

BITS = 192
SHARES = np.concatenate(([0.0], np.geomspace(1e-3, 0.9, 400)))
"""Parts of the excess that the choice may lose: more of them gain less than a row in 10,000."""


@dataclass(frozen=True, slots=True)
class AgnosticChainBound(ExcessBound):
    """Choose among `size` concepts by agreements, of which one lost costs a factor of a ratio q.

    The others differ from each concept along `chains`. The chosen one loses G agreements or more
    against the best concept on the rows with probability at most (size - 1) q^G; else its error is
    above the least by (G - 1) / n at most and what luck adds, which is more than t with probability
    at most 2 chains e^(-n t^2 / 2): two deviations of empirical distributions a chain [Mas90].

    >>> bound = AgnosticChainBound(2**32, 2, Decay.of(Fraction(1, 2)))
    >>> bound.sample_size(0.02, 0.05)
    27408
    """

    size: int
    chains: int
    decay: Decay

    def failure(self, n: int, alpha: Exact) -> Fraction:
        """Bound the probability that n rows lead to an excess above alpha, rounded up."""
        alpha, n = check.probability(alpha=alpha), check.count(n=n)
        if self.size == 1 or not n:
            return Fraction(self.size > 1)
        counts, totals = self._totals(n, float(alpha))
        lost = int(counts[int(np.argmin(totals))])
        luck = alpha - Fraction(lost - 1, n)
        worse = upper(lambda: (self.size - 1) * self.decay.real(lost), BITS)
        unlucky = upper(lambda: 2 * self.chains * (-real(n * luck**2 / 2)).exp(), BITS)
        return min(Fraction(1), worse + unlucky)

    def _estimate(self, n: int, alpha: float) -> float:
        return float(self._totals(n, alpha)[1].min())

    def _totals(self, n: int, alpha: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return numbers of agreements that the choice may lose, and about the chance to fail."""
        counts = np.unique(np.floor(n * alpha * SHARES)) + 1
        odds = math.log(max(self.size - 1, 1)) + counts * log_near(self.decay.ratio)
        luck = np.maximum(alpha - (counts - 1) / n, 0.0)
        unlucky = 2 * self.chains * np.exp(-n * luck**2 / 2)
        return counts, np.exp(np.minimum(odds, 1.0)) + unlucky
