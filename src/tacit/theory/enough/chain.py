"""How many rows the exponential mechanism needs on classes that are chains, such as thresholds.

For arbitrary labels a union over all thresholds pays for each of them; along a chain they move
together, so that their number matters for the choice only, not for the luck of the draw. Proof in
docs/proofs/order_bound.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.core import Decay, check, least
from tacit.core.numbers.enclosures import Enclosure, real, upper
from tacit.core.numbers.exact import Exact, log_near
from tacit.probability.binomial_masses import binomial_chances
from tacit.theory.enough.agnostic import ExcessBound

NEGLIGIBLE = 1e-12
SMALLEST = Fraction(1, 10**9)
"""Smaller failures are not worth it: their sums would have to be finer."""
GRID = 10**7
BITS = 192
LONGEST = 1 << 14


@dataclass(frozen=True, slots=True)
class ChainBound:
    """Choose by agreements among `size` hypotheses that fall into chains, the target being one.

    All members of a chain that err more than alpha err on one set of mass above alpha, so on the
    same K rows, at least Bin(n, alpha) many; they are chosen with probability at most
    E[w / (1 + w)], w = (size - 1) q^K / chains, in each chain (docs/proofs/chain_bound.md).

    >>> bound = ChainBound(2**32, 2, Decay.of(Fraction(1, 2)))
    >>> bound.sample_size(Fraction(1, 20), Fraction(1, 20))
    1179
    """

    size: int
    chains: int
    decay: Decay

    def failure(self, n: int, alpha: Fraction) -> Fraction:
        """Bound the probability that the chosen hypothesis errs more than alpha, rounded up."""
        return min(Fraction(1), upper(lambda: self._total(n, alpha), BITS))

    def sample_size(self, alpha: Fraction, beta: Fraction) -> int:
        """Return the least n found for which the bound is at most beta."""
        guess = least(lambda n: self._estimate(n, float(alpha)) <= float(beta))
        start = max(0, guess - 2)
        return least(lambda n: self.failure(n, alpha) <= beta, low=start)

    def error(self, n: int, beta: Fraction) -> Fraction:
        """Return the least alpha, in steps of 10^-7, that n rows are enough for; 1 if none is."""
        guess = least(lambda i: i >= GRID or self._estimate(n, i / GRID) <= float(beta), low=1)
        start = max(1, guess - 1)
        place = least(lambda i: i >= GRID or self.failure(n, Fraction(i, GRID)) <= beta, low=start)
        return Fraction(place, GRID)

    def pays(self, beta: Fraction) -> bool:
        """Whether the sum is short enough to be worth it: a small rate gains next to nothing.

        If it is, it is with any greater rate and beta, and for any smaller class.
        """
        return beta >= SMALLEST and self._last <= LONGEST

    @property
    def _last(self) -> int:
        """The number of rows from which a chain's odds are negligible."""
        odds = math.log(max(self.size - 1, 1)) - math.log(self.chains * NEGLIGIBLE)
        return max(0, math.ceil(odds / -log_near(self.decay.ratio)))

    def _total(self, n: int, alpha: Fraction) -> Enclosure:
        """Sum over the counts up to the last that matters; beyond it, the odds of the next."""
        q, odds = real(self.decay.ratio), real(Fraction(self.size - 1, self.chains))
        term, ratio = real(1 - alpha) ** n, real(alpha) / real(1 - alpha)
        total, below = real(0), real(0)
        for k in range(min(n, self._last) + 1):
            total += term * odds / (1 + odds)
            below += term
            term = term * ratio * (n - k) / (k + 1)
            odds = odds * q
        if n > self._last:
            total += (1 - below) * odds
        return self.chains * total

    def _estimate(self, n: int, alpha: float) -> float:
        """Return about the bound, in floats: where to look. `failure` decides."""
        counts = np.arange(min(n, self._last) + 1)
        first = math.log(max(self.size - 1, 1)) - math.log(self.chains)
        odds = np.exp(np.minimum(first + counts * log_near(self.decay.ratio), 700.0))
        chances = binomial_chances(counts, n, alpha)
        rest = max(0.0, 1 - float(chances.sum())) * float(odds[-1]) if n > self._last else 0.0
        return self.chains * (float(chances @ (odds / (1 + odds))) + rest)


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
