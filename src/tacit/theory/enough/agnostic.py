"""How many rows the exponential mechanism needs when no hypothesis explains the labels.

Proof in docs/proofs/selection_bound.md.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb
from numpy.typing import NDArray
from scipy.special import erfc

from tacit.core import Exact, check
from tacit.core.numbers.enclosures import Enclosure, real, upper
from tacit.core.numbers.least import least, least_near

BITS = 192
PARTS = 64
SHARES = np.arange(1, PARTS) / PARTS
GRID = 1 << 24
"""Steps of an error that is promised."""
FAR = 1000
"""Chances below e^-FAR count as such: they have too many digits."""


class ExcessBound(ABC):
    """A choice among `size` concepts, which fails less often with more rows and with more room."""

    __slots__ = ()
    size: int

    @abstractmethod
    def failure(self, n: int, alpha: Exact) -> Fraction:
        """Bound the probability that n rows lead to an excess above alpha, rounded up."""

    @abstractmethod
    def _estimate(self, n: int, alpha: float) -> float:
        """Return about the same for n >= 1, by floats."""

    def sample_size(self, alpha: Exact, beta: Exact) -> int:
        """Return the least n whose failure is at most beta."""
        alpha, beta = check.probability(alpha=alpha), check.probability(beta=beta)
        if self.size == 1:
            return 0
        guess = least(lambda n: self._estimate(n, float(alpha)) <= float(beta), low=1)
        return least_near(lambda n: self.failure(n, alpha) <= beta, guess)

    def error(self, n: int, beta: Exact) -> Fraction:
        """Return the least alpha, on a fine grid, that n rows are enough for; 1 if there is none.

        >>> from tacit.theory.enough.brackets import BracketBound
        >>> float(BracketBound(2**63, 1, Fraction(1, 2)).error(52583, 0.05))
        0.0199...
        """
        beta, n = check.probability(beta=beta), check.count(n=n)
        if self.size == 1:
            return Fraction(1, GRID)
        guess = least(lambda i: i >= GRID or self._estimate(n, i / GRID) <= float(beta), low=1)
        steps = least_near(
            lambda i: i >= GRID or self.failure(n, Fraction(i, GRID)) <= beta, guess, low=1
        )
        return Fraction(min(steps, GRID), GRID)


@dataclass(frozen=True, slots=True)
class AgnosticBound(ExcessBound):
    """Choose among `size` hypotheses by agreements, losing one costing a factor of e^-rate or more.

    The chosen one has an error above the least by more than alpha with probability at most the
    lesser of two numbers, each for any rate l <= `rate` and any b < alpha:

    - (size - 1) M^n, M = ((1 + alpha) e^-l + (1 - alpha) e^l) / 2;
    - T + (size - 1) e^(-n (l (alpha - b) - l^2 / 8)), T the lesser of e^(-2 n b^2) and, if
      n b >= 1, of the standard normal tail at 2 sqrt(n) (b - 1/n).

    More rows, a greater alpha or a greater rate never make it worse.

    >>> AgnosticBound(1024, Fraction(1, 2)).sample_size(0.1, 0.05)
    1087
    """

    size: int
    rate: Fraction

    def __post_init__(self) -> None:
        check.count(size=self.size, least=1)
        check.positive(rate=self.rate)

    def failure(self, n: int, alpha: Exact) -> Fraction:
        """Bound the probability that n rows lead to an excess above alpha, rounded up.

        >>> float(AgnosticBound(1024, Fraction(1, 2)).failure(1500, 0.1))
        0.00701...
        """
        alpha, n = check.probability(alpha=alpha), check.count(n=n)
        if self.size == 1:
            return Fraction(0)
        b = self._part(n, alpha)
        apart = upper(lambda: self._others(n, alpha, b), BITS) + deviation(n, b)
        return min(Fraction(1), upper(lambda: self._in_pairs(n, alpha), BITS), apart)

    def excess(self, n: int, beta: Exact) -> Fraction:
        """Return the least alpha, on a fine grid, that n rows are enough for; 1 if there is none.

        >>> float(AgnosticBound(1024, Fraction(1, 2)).excess(1087, 0.05))
        0.099...
        """
        return self.error(n, beta)

    def _in_pairs(self, n: int, alpha: Fraction) -> Enclosure:
        """Compare each bad hypothesis with the best one, row by row."""
        rate = real(min(self.rate, Fraction(math.atanh(min(float(alpha), 0.999)))))
        factor = ((1 + real(alpha)) * (-rate).exp() + (1 - real(alpha)) * rate.exp()) / 2
        return _exp(real(self.size - 1).log() + n * factor.log())

    def _others(self, n: int, alpha: Fraction, b: Fraction) -> Enclosure:
        """Compare each bad hypothesis with b above the least error."""
        rate = min(self.rate, 4 * (alpha - b))
        return _exp(real(self.size - 1).log() - real(n * (rate * (alpha - b) - rate**2 / 8)))

    def _part(self, n: int, alpha: Fraction) -> Fraction:
        """Return about the best b of a grid, by floats: any b gives a true bound."""
        return alpha * (1 + int(np.argmin(self._near(n, float(alpha))))) / PARTS

    def _near(self, n: int, high: float) -> NDArray[np.float64]:
        """Return about the second number, for each part of alpha that b may be."""
        rate, many = float(self.rate), math.log(self.size - 1)
        b, rest = high * SHARES, high * (1 - SHARES)
        slope = np.minimum(rate, 4 * rest)
        others = np.exp(np.minimum(many - n * (slope * rest - slope**2 / 8), 700.0))
        usual = np.exp(-2 * n * b * b)
        if not n:
            return np.asarray(usual + others)
        normal = np.where(n * b < 1, 1.0, erfc(math.sqrt(2 * n) * (b - 1 / n)) / 2)
        return np.asarray(np.minimum(usual, normal) + others)

    def _estimate(self, n: int, alpha: float) -> float:
        """Return about the bound, by floats."""
        rate = min(float(self.rate), math.atanh(min(alpha, 0.999)))
        less = 2 * math.sinh(rate / 2) ** 2 - alpha * math.sinh(rate)
        pairs = math.exp(min(math.log(self.size - 1) + n * math.log1p(less), 700.0))
        return min(pairs, float(self._near(n, alpha).min()))


def _exp(exponent: Enclosure) -> Enclosure:
    """Return e^exponent, or e^-FAR if that is more."""
    return exponent.max(arb(-FAR)).exp()


def deviation(n: int, b: Fraction) -> Fraction:
    """Bound the probability that a binomial share of n exceeds its mean by more than b."""
    usual = upper(lambda: _exp(-real(2 * n * b**2)), BITS)
    beyond = b - Fraction(1, n) if n else b
    if n * b < 1 or n * beyond**2 > FAR:  # a normal tail at x is at most e^(-x^2 / 2)
        return usual
    normal = upper(lambda: (real(Fraction(2 * n)).sqrt() * real(beyond)).erfc() / 2, BITS)
    return min(usual, normal)
