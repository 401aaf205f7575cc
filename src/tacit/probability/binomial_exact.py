"""Chances of numbers of successes, exactly, for as many trials as rationals bear."""

from __future__ import annotations

from fractions import Fraction
from math import comb


def between(low: int, high: int, trials: int, chance: Fraction) -> Fraction:
    """Return P[low <= Bin(trials, chance) <= high].

    >>> between(0, 1, 2, Fraction(1, 2)), between(2, 3, 3, Fraction(1, 4))
    (Fraction(3, 4), Fraction(5, 32))
    """
    a, b = chance.numerator, chance.denominator
    ways = sum(comb(trials, k) * a**k * (b - a) ** (trials - k) for k in range(low, high + 1))
    return Fraction(ways, b**trials)
