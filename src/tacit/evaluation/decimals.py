"""Numbers of four digits in order, and the least of them from which something is enough."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

DIGITS = 1000
STEPS = 9 * DIGITS
SURE = 1e-3


def decimal(place: int, *, finest: int) -> Fraction:
    """Return the number at this place: 10^-finest is at 0, and four digits follow each other.

    >>> [str(decimal(i, finest=3)) for i in (0, 1, 9000, 18000)]
    ['1/1000', '1001/1000000', '1/100', '1/10']
    """
    power, digits = divmod(place, STEPS)
    return Fraction(DIGITS + digits, DIGITS) * Fraction(10) ** (power - finest)


def place_of(value: float, *, finest: int) -> int:
    """Return the place of the greatest such number up to a value.

    >>> place_of(0.0101, finest=3)
    9010
    """
    power = math.floor(math.log10(value) + 1e-12)
    return (power + finest) * STEPS + int(value / 10.0**power * DIGITS + 1e-6) - DIGITS


def least_decimal(excess: Callable[[int], float], end: int, *, finest: int) -> int:
    """Return the least place with an excess of at most 0, given that `end` has one.

    The excess is about a line in the logarithm of the number, falling with it: the search follows
    that line and ends at a place that is enough while the one before is not.

    >>> least_decimal(lambda i: math.log(5) - math.log(30 * decimal(i, finest=3)), 26999, finest=3)
    18667
    """
    low, high = -1, end
    above, below = math.inf, excess(end)
    turn = 0
    while high - low > 1:
        turn += 1
        last = math.log(decimal(high, finest=finest))
        if math.isfinite(above) and above > below:
            first = math.log(decimal(low, finest=finest))
            wanted = first + (last - first) * above / (above - below)
        else:
            wanted = last + min(below, -SURE)
        guess = place_of(math.exp(wanted), finest=finest) + (1 if abs(below) > SURE else -1)
        place = (low + high) // 2 if turn % 4 == 0 else min(max(guess, low + 1), high - 1)
        found = excess(place)
        if found <= 0:
            high, below = place, found
        else:
            low, above = place, found
    return high
