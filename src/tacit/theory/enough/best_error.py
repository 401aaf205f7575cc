"""How many rows a choice by agreements needs if the best concept is said to err little.

Proof in docs/proofs/best_error.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from tacit.core import Exact, check
from tacit.core.numbers.enclosures import Enclosure, real, upper
from tacit.theory.enough.agnostic import FAR, ExcessBound
from tacit.theory.enough.brackets import ways

BITS = 192
PARTS = (3, 4, 6, 8, 12, 16, 24, 32, 48)
"""Into how many parts alpha may be cut, of which one is how much concepts of a bracket differ."""


class Bracketing(NamedTuple):
    """Into how many brackets the bad concepts fall, and by how much each errs above the best."""

    brackets: int
    gap: Fraction


@dataclass(frozen=True, slots=True)
class BestErrorBound(ExcessBound):
    """Choose among `size` concepts, losing an agreement costing e^-rate or more.

    If the best concept errs at most `best_error`, and the bad ones, which err more than alpha above
    it, fall into K brackets that err by the gap g above it, then a bad one is chosen with
    probability at most K^(1 - s) (size - 1)^s M^n, for any l <= rate, s = l / rate and z = e^-l:
    M = 1 - g (1 - z) + b (z + 1/z - 2), b = min(best_error, (1 - g) / 2). Each concept is a bracket
    by itself, with g = alpha; fewer are enough if they follow an order of the points, in so many
    `chains` or as products of intervals on so many `columns`.

    >>> half, stated = Fraction(1, 2), Fraction(1, 20)
    >>> bounds = [BestErrorBound(1 << bits, half, stated, chains=2) for bits in (10, 32)]
    >>> [bound.sample_size(0.05, 0.05) for bound in bounds]
    [1145, 2189]
    """

    size: int
    rate: Fraction
    best_error: Fraction
    chains: int | None = None
    columns: int | None = None

    def failure(self, n: int, alpha: Exact) -> Fraction:
        """Bound the probability that n rows lead to an excess above alpha, rounded up."""
        alpha, n = check.probability(alpha=alpha), check.count(n=n)
        if self.size == 1 or not n:
            return Fraction(self.size > 1)
        among = [(*self._near(n, each), each) for each in self._bracketings(alpha)]
        _, slope, best = min(among)
        if not slope:
            return Fraction(1)
        rate = min(self.rate, Fraction(slope))
        return min(Fraction(1), upper(lambda: self._total(n, best, rate), BITS))

    def _bracketings(self, alpha: Fraction) -> Iterator[Bracketing]:
        """Yield ways to bracket the bad concepts, each of which gives a true bound."""
        most = self.size - 1
        yield Bracketing(most, alpha)
        for part in PARTS:
            if self.chains is not None:
                # beyond best_error + alpha of new mistakes a chain is one bracket
                within = math.floor(min(2 * self.best_error + alpha, Fraction(1)) * part / alpha)
                yield Bracketing(min(self.chains * (within + 2), most), alpha - alpha / part)
            if self.columns is not None:
                m = math.ceil(2 * self.columns * part / alpha)
                gap = alpha - Fraction(2 * self.columns, m)
                yield Bracketing(min(ways(m, self.columns), most), gap)

    def _near(self, n: int, found: Bracketing) -> tuple[float, float]:
        """Return about the logarithm of the bound and its best rate; any rate gives a true one."""
        fewer, rate, gap = math.log(found.brackets), float(self.rate), float(found.gap)
        more = math.log(self.size - 1) - fewer
        b = min(float(self.best_error), (1 - gap) / 2)
        rise = more / (n * rate)
        if rise >= 1:
            return fewer + more, 0.0
        # the derivative vanishes where (1 - rise) (gap + b) z^2 = rise (1 - gap - 2 b) z
        # + (1 + rise) b
        square, line, free = (1 - rise) * (gap + b), rise * (1 - gap - 2 * b), (1 + rise) * b
        z = (line + math.sqrt(line**2 + 4 * square * free)) / (2 * square)
        slope = min(rate, -math.log(z)) if z else rate
        if slope <= 0:
            return fewer, 0.0
        z = math.exp(-slope)
        less = gap * (1 - z) - (b * (z + 1 / z - 2) if b else 0.0)
        return fewer + more * slope / rate + n * math.log1p(-less), slope

    def _total(self, n: int, found: Bracketing, rate: Fraction) -> Enclosure:
        share, z = rate / self.rate, (-real(rate)).exp()
        b = min(self.best_error, (1 - found.gap) / 2)
        factor = 1 - real(found.gap) * (1 - z) + real(b) * (z + 1 / z - 2)
        many = real(1 - share) * real(found.brackets).log()
        many += real(share) * real(self.size - 1).log()
        return (many + n * factor.log()).max(real(-FAR)).exp()

    def _estimate(self, n: int, alpha: float) -> float:
        found = (self._near(n, each) for each in self._bracketings(Fraction(alpha)))
        return math.exp(min(min(found)[0], 1.0))
