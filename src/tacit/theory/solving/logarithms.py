"""Logarithms of numbers of messages and hypotheses, each rounded to its safe side."""

from __future__ import annotations

import math
from fractions import Fraction

from tacit.core.numbers.enclosures import Enclosure, log_lower, log_upper, lower, real


def log2_lower(count: Fraction | int) -> Fraction:
    """Return at most log2 of a number of at least 1, and exactly that for powers of two.

    >>> log2_lower(8), float(log2_lower(3))
    (Fraction(3, 1), 1.584...)
    """
    whole = _power(count)
    return log_lower(Fraction(count)) / log_upper(Fraction(2)) if whole is None else whole


def log2_upper(count: Fraction | int) -> Fraction:
    """Return at least log2 of a number of at least 1, and exactly that for powers of two.

    >>> log2_lower(3) < log2_upper(3)
    True
    """
    whole = _power(count)
    return log_upper(Fraction(count)) / log_lower(Fraction(2)) if whole is None else whole


def _power(count: Fraction | int) -> Fraction | None:
    n = int(count)
    return Fraction(n.bit_length() - 1) if n == count and n & (n - 1) == 0 else None


def float_below(value: Fraction) -> float:
    """Return the greatest float that is not above.

    >>> float_below(Fraction(1, 3)) <= Fraction(1, 3) < float_above(Fraction(1, 3))
    True
    """
    near = float(value)
    return near if near <= value else math.nextafter(near, -math.inf)


def float_above(value: Fraction) -> float:
    """Return the least float that is not below."""
    near = float(value)
    return near if near >= value else math.nextafter(near, math.inf)


def entropy(p: Fraction) -> Enclosure:
    """Enclose the entropy of a coin, in bits, at the current precision."""
    if p in (0, 1):
        return real(0)
    one, other = real(p), real(1 - p)
    return -(one * one.log() + other * other.log()) / real(2).log()


def information(p: Fraction) -> Fraction:
    """Return at most 1 - H(p): the bits that a guess of error p tells about a fair coin; p <= 1/2.

    >>> float(information(Fraction(1, 4)))
    0.188...
    """
    return max(Fraction(0), lower(lambda: 1 - entropy(p))) if 2 * p < 1 else Fraction(0)
