"""How often to repeat: the truncated negative binomial law."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from tacit.core.chance.randomness import Random
from tacit.core.chance.uniform import Uniform
from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold
from tacit.core.numbers.enclosures import Enclosure, lower, real, scaled, upper
from tacit.core.numbers.exact import Exact

WORD = 64
GUARD = 64
PRECISION = 320


@dataclass(frozen=True, slots=True)
class Repetitions:
    """A number K >= 1 with P[K = k] proportional to (1 - gamma)^k (eta + 1)...(eta + k - 1) / k!.

    eta = 1 is the geometric law (stop each time with probability gamma), eta = 0 the logarithmic
    one; eta > -1 may be any rational. The smaller eta, the more often K is small [PS22].

    Exactness:
        The draw is exact: one uniform real, compared with enclosures of the distribution function.
        `generating` is exact for whole eta >= 1 and otherwise an enclosure of width about 2^-300.

    >>> from tacit.core.chance.randomness import Seeded
    >>> Repetitions(1, 0.01).mean
    Fraction(100, 1)
    >>> [Repetitions(0, 0.01).draw(rng=Seeded(seed)) for seed in range(6)]
    [1, 2, 20, 1, 15, 4]
    """

    eta: Fraction
    gamma: Fraction

    def __init__(self, eta: Exact, gamma: Exact) -> None:
        hold(self).exact(eta=eta).probability(gamma=gamma)
        if self.eta <= -1:
            raise InvalidArgument(f"eta must be greater than -1, got {eta}")

    @property
    def mean(self) -> Fraction:
        """The expected number of repetitions, rounded up where it is irrational."""
        if self._whole:
            eta = int(self.eta)
            return eta * (1 - self.gamma) / (self.gamma * (1 - self.gamma**eta))
        return upper(lambda: self._first() * real(self.gamma) ** real(-1 - self.eta), PRECISION)

    def generating(self, x: Fraction) -> tuple[Fraction, Fraction]:
        """Return rationals around f(x) = E[x^K], for 0 <= x <= 1.

        >>> Repetitions(1, "1/2").generating(Fraction(1, 2))
        (Fraction(1, 3), Fraction(1, 3))
        """
        base = 1 - (1 - self.gamma) * x
        if self._whole:
            eta = int(self.eta)
            exact = (base**-eta - 1) / (self.gamma**-eta - 1)
            return exact, exact
        if base in (1, self.gamma):
            return x, x
        return (
            max(Fraction(0), lower(lambda: self._ratio(base), PRECISION)),
            min(Fraction(1), upper(lambda: self._ratio(base), PRECISION)),
        )

    def draw(self, *, rng: Random) -> int:
        """Draw K."""
        uniform = Uniform(rng)
        width = WORD
        while True:
            uniform.refine(width)
            for k, (low, high) in enumerate(self.cumulative(width), start=1):
                if uniform.value + 1 <= low:
                    return k
                if uniform.value < high:
                    break
            width *= 2

    def cumulative(self, bits: int) -> Iterator[tuple[int, int]]:
        """List integers around P[K <= k] * 2^bits, for k = 1, 2, ... without end."""
        low, high = scaled(self._first, bits + GUARD)
        below = above = 0
        for k in count(1):
            below, above = below + low, above + high
            yield below >> GUARD, -(-above >> GUARD)
            step = (1 - self.gamma) * (k + self.eta) / (k + 1)
            low = low * step.numerator // step.denominator
            high = -(-high * step.numerator // step.denominator)

    @property
    def _whole(self) -> bool:
        return self.eta >= 1 and self.eta.denominator == 1

    def _first(self) -> Enclosure:
        """Enclose P[K = 1]."""
        if self.eta == 0:
            return real(1 - self.gamma) / -real(self.gamma).log()
        return real(self.eta * (1 - self.gamma)) / self._excess(self.gamma)

    def _ratio(self, base: Fraction) -> Enclosure:
        """Enclose f(x) for base = 1 - (1 - gamma) x."""
        if self.eta == 0:
            return real(base).log() / real(self.gamma).log()
        return self._excess(base) / self._excess(self.gamma)

    def _excess(self, base: Fraction) -> Enclosure:
        """Enclose base^-eta - 1."""
        return (real(-self.eta) * real(base).log()).expm1()
