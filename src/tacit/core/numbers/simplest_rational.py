"""The simplest rational number in an open interval."""

from __future__ import annotations

from fractions import Fraction
from math import floor


def simplest_rational(low: Fraction | None, high: Fraction | None) -> Fraction:
    """Return the number of least denominator, and then nearest to 0, strictly between two others.

    None is infinitely far away.

    >>> simplest_rational(Fraction(31, 10), Fraction(16, 5)), simplest_rational(Fraction(3), None)
    (Fraction(19, 6), Fraction(4, 1))
    """
    if (low is None or low < 0) and (high is None or high > 0):
        return Fraction(0)
    if low is None or low < 0:
        return -simplest_rational(None if high is None else -high, None if low is None else -low)
    whole = floor(low)
    if high is None or whole + 1 < high:
        return Fraction(whole + 1)
    rest = None if low == whole else 1 / (low - whole)
    return whole + 1 / simplest_rational(1 / (high - whole), rest)
