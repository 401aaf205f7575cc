"""A uniform real number that is revealed only as far as a comparison needs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tacit.core.chance.randomness import Random

Narrowing = Callable[[int], tuple[int, int]]
"""A number x in [0, 1], as bits -> (low, high) with low <= x * 2^bits <= high."""


class Uniform:
    """U in [0, 1): `value / 2^width <= U < (value + 1) / 2^width`, refined and never redrawn.

    A fresh draw after an undecided comparison would condition on being decidable and bend the law;
    `refine` extends the same number.
    """

    def __init__(self, rng: Random, *, value: int = 0, width: int = 0) -> None:
        self._rng = rng
        self.value = value
        self.width = width

    def refine(self, width: int) -> None:
        """Reveal bits until `width` of them are known."""
        missing = width - self.width
        if missing > 0:
            self.value = self.value << missing | self._rng.bits(missing)
            self.width = width

    def below(self, bound: Narrowing) -> bool:
        """Decide U < x exactly, revealing more bits while the enclosure of x is too wide."""
        width = max(self.width, 64)
        while True:
            self.refine(width)
            low, high = bound(width)
            if self.value + 1 <= low:
                return True
            if self.value >= high:
                return False
            width *= 2


def bernoulli(probability: Fraction, *, rng: Random) -> bool:
    """Toss an exact coin of rational bias."""
    return rng.below(probability.denominator) < probability.numerator
