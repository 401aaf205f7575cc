"""How many labellings points have at most, and the parts of alpha that planners try."""

from __future__ import annotations

from fractions import Fraction

from tacit.core.errors import TooLarge

WIDEST = 1 << 20
"""Bits of a number of labellings that is computed: about a second's work."""


def sauer(dimension: int, points: int) -> int:
    """Bound the labellings of `points` points by a class of this VC dimension [Sau72].

    >>> sauer(1, 10), sauer(3, 3)
    (11, 8)
    """
    if min(dimension, points) * points.bit_length() > WIDEST:
        raise TooLarge(f"labellings of that many points are counted up to {WIDEST} bits")
    total = many = 1
    for size in range(min(dimension, points)):
        many = many * (points - size) // (size + 1)  # from one binomial coefficient to the next
        total += many
    return total


def shares(alpha: Fraction) -> list[Fraction]:
    """Return the parts of alpha that a planner tries for gamma."""
    return [alpha * j / 20 for j in range(1, 16)]
