"""From a candidate to a promise: decimals that bound, probabilities that bound, a certified search.

A float finds where to look. What is returned was checked by a bound that holds for real numbers.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from tacit.core.numbers.enclosures import Enclosure, real, upper

if TYPE_CHECKING:
    from collections.abc import Callable

DIGITS = 7
"""Significant decimal digits of a priced epsilon."""

CLOSE = 1e-9
"""How near the candidate is to where the estimate passes, relatively."""

TINIEST = Fraction(1, 1 << 2048)
"""The least probability that `probability` tells apart from smaller ones."""


def decimal_up(x: Fraction, digits: int = DIGITS) -> Fraction:
    """Return the least decimal >= x with so many significant digits, for x >= 0.

    >>> decimal_up(Fraction(1, 3), 2)
    Fraction(17, 50)
    """
    return -(-x // unit(x, digits)) * unit(x, digits) if x else x


def decimal_down(x: Fraction, digits: int = DIGITS) -> Fraction:
    """Return the greatest decimal <= x with so many significant digits, for x >= 0.

    >>> decimal_down(Fraction(1, 3), 2)
    Fraction(33, 100)
    """
    return x // unit(x, digits) * unit(x, digits) if x else x


def unit(x: Fraction, digits: int) -> Fraction:
    """Return the unit of the last of so many significant digits of x > 0.

    >>> unit(Fraction(1234), 2)
    Fraction(100, 1)
    """
    exponent = math.floor((x.numerator.bit_length() - x.denominator.bit_length()) * math.log10(2))
    while Fraction(10) ** exponent > x:
        exponent -= 1
    while Fraction(10) ** (exponent + 1) <= x:
        exponent += 1
    return Fraction(10) ** (exponent + 1 - digits)


def probability(compute: Callable[[], Enclosure]) -> Fraction:
    """Return a rational in (0, 1] that is at least the probability which `compute` encloses.

    >>> probability(lambda: real(Fraction(-(10**20))).exp()) == TINIEST
    True
    """

    def clipped() -> Enclosure:
        value = compute()
        return value.max(real(TINIEST)).min(arb(1)) if value.is_finite() else arb(1)

    return upper(clipped)


def number(x: Fraction) -> float:
    """Return the nearest float to a non-negative rational, held between 1e-300 and 1e300."""
    return 0.0 if x == 0 else float(min(max(x, Fraction(1, 10**300)), Fraction(10) ** 300))


def least_epsilon(
    estimate: Callable[[float], float],
    bound: Callable[[Fraction], Fraction],
    *,
    delta: Fraction,
    ceiling: Fraction,
) -> Fraction | None:
    """Return an epsilon with bound(epsilon) <= delta, as small as seven digits allow.

    `estimate` is a float near `bound`, falling in epsilon; it decides where to look and nothing
    else. None when nothing below `ceiling` passes, where a simpler argument gives `ceiling`.
    """
    candidate = decimal_up(Fraction(root(estimate, number(delta), number(ceiling))))
    for step in (1, 4, 16, 64):
        if candidate >= ceiling:
            return None
        if bound(candidate) <= delta:
            return candidate
        candidate = decimal_up(candidate * (1 + step * Fraction(1, 10 ** (DIGITS - 1))))
    return _bisect(bound, delta, candidate, ceiling)


def _bisect(
    bound: Callable[[Fraction], Fraction], delta: Fraction, low: Fraction, ceiling: Fraction
) -> Fraction | None:
    """Return an epsilon that passes, found without the estimate; None if none is below ceiling."""
    high = ceiling
    while high - low > unit(high, DIGITS - 1):
        middle = decimal_up((low + high) / 2)
        low, high = (low, middle) if bound(middle) <= delta else (middle, high)
    return high if high < ceiling else None


def root(
    estimate: Callable[[float], float], delta: float, ceiling: float, *, close: float = CLOSE
) -> float:
    """Return where a falling function passes delta between 0 and the ceiling, from above.

    Follows the line through the logarithms at both ends, of which one that stays counts half.
    """

    def excess(x: float) -> float:
        return math.log(max(estimate(x), 1e-300)) - math.log(delta)

    low, high, turn, side = 0.0, ceiling, 0, 0
    above, below = excess(low), min(excess(high), -1e-3)
    if above <= 0:
        return low
    while high - low > close * high:
        turn, inside = turn + 1, close * high / 4
        guess = low + (high - low) * (above / (above - below) if turn % 4 else 0.5)
        middle = min(max(guess, low + inside), high - inside)
        found = excess(middle)
        if found <= 0:
            high, below, above, side = middle, found, above / (2 if side < 0 else 1), -1
        else:
            low, above, below, side = middle, found, below / (2 if side > 0 else 1), 1
    return high
