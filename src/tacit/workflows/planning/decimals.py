"""Numbers of four digits in order, and the least of them from which something is enough."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import count

DIGITS = 1000
STEPS = 9 * DIGITS
HALVED, BARRED, LOGS = 6, 8, 600.0
STEEP, FLAT = -8.0, -0.05
"""The line has a slope between these."""


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
    the line through the last two places, and ends at one that is enough while the one before is
    not. Where it is infinite nothing can be asked, which is soon said: the search stays near that.
    Where it is 0 it may be so for a while: steps are doubled.

    >>> least_decimal(lambda i: math.log(5) - math.log(30 * decimal(i, finest=3)), 26999, finest=3)
    18667
    """
    low, high, slope, barred, stride = -1, end, -1.0, False, 1
    x, found = math.log(decimal(end, finest=finest)), excess(end)
    for turn in count(1):
        if high - low <= 1:
            return high
        wanted = min(max(x - found / slope, -LOGS), LOGS)
        guess = place_of(math.exp(wanted), finest=finest) + (found > 0)
        if not found:
            stride *= 2
            guess = max(high - stride, (low + high) // 2)
        guess = max(guess, low + (high - low) // BARRED) if barred else guess
        place = min(max((low + high) // 2 if turn % HALVED == 0 else guess, low + 1), high - 1)
        now, value = math.log(decimal(place, finest=finest)), excess(place)
        if value <= 0:
            high = place
        else:
            low, barred = place, math.isinf(value)
        if math.isfinite(value):
            slope = min(max((value - found) / (now - x), STEEP), FLAT)
            x, found = now, value
    raise AssertionError
