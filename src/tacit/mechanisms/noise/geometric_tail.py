"""Whether two-sided geometric noise Z, P[Z = z] = (1 - q) / (1 + q) q^|z|, reaches a number."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tacit.core.chance.randomness import Random
from tacit.core.chance.uniform import Uniform
from tacit.core.numbers import least as searches
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import Enclosure, precision, real
from tacit.mechanisms.noise.geometric import tail


def tail_ball(decay: Decay, number: int) -> Enclosure:
    """Enclose P[Z >= number] at the current working precision, however large the number."""
    if number < 0:
        return 1 - tail_ball(decay, 1 - number)
    return decay.real(number) / real(1 + decay.ratio)


def reaches(decay: Decay, number: int, *, rng: Random) -> bool:
    """Toss an exact coin of bias P[Z >= number]: the event itself, without drawing Z.

    >>> from tacit.core.chance.randomness import Seeded
    >>> reaches(Decay(Fraction(1, 2)), 10**30, rng=Seeded(0))
    False
    """

    def enclosure(bits: int) -> tuple[int, int]:
        with precision(bits + 64):
            scaled = tail_ball(decay, number) * arb((1, bits))
            low, high = scaled.lower().floor(), scaled.upper().ceil()
            return int(low.unique_fmpz()), int(high.unique_fmpz())

    return Uniform(rng).below(enclosure)


def least_reach(decay: Decay, probability: Fraction, *, least: int) -> int:
    """Return the least number >= `least` with P[Z >= number] <= probability, for probability > 0.

    >>> least_reach(Decay(Fraction(1, 2)), Fraction(1, 3), least=-5)
    1
    """
    return searches.least(lambda number: _at_most(decay, number, probability), low=least)


def _at_most(decay: Decay, number: int, probability: Fraction) -> bool:
    """Decide P[Z >= number] <= probability: by balls, and exactly when these cannot tell."""
    for bits in (128, 1024):
        with precision(bits):
            mass, limit = tail_ball(decay, number), real(probability)
            if mass < limit or mass > limit:
                return bool(mass < limit)
    return tail(decay, number) <= probability
