"""Price turned around: how much epsilon each part of a plan may have."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from tacit.core.composition.certified import decimal_down, number, unit
from tacit.core.composition.interpreters.bounded_range import LARGEST_BATCH, about_width, estimate
from tacit.core.composition.pricing import price
from tacit.core.cost import BoundedRange, Cost, Repeat
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy

DIGITS = 5
NEARBY = 8
FLAT = 2.0
"""Where the price is far below the total it is no guide to where it reaches it."""
RANGE = 10**9
"""A part is sought from 1/10^9 of the total epsilon to 10^9 of it."""


def calibrate(
    total: Privacy, build: Callable[[Fraction], Cost], *, guess: Fraction | None = None
) -> Fraction:
    """Return the greatest epsilon_0, of five digits, for which build(epsilon_0) fits the total.

    `build` must not cost less for more. What is returned was priced itself, and fits. A good guess
    saves time, and a bad one costs some.

    >>> from tacit.core.cost import BoundedRange, Repeat
    >>> calibrate(Privacy(1, 1e-6), lambda e: Repeat(BoundedRange(e), 10, adaptive=False))
    Fraction(1937, 12500)
    """

    def excess(part: Fraction) -> float:
        """Return ln(price / total), exact in its sign."""
        found = price(build(part), total.delta).privacy.epsilon
        log = math.log(number(found) or 1e-300) - math.log(number(total.epsilon) or 1e-300)
        return max(log, 1e-9) if found > total.epsilon else min(max(log, -FLAT), -1e-9)

    low, high = _bracket(total.epsilon, excess) if guess is None else _around(guess, excess)
    below, above, last = excess(low), excess(high), 0
    while high - low > unit(low, DIGITS):
        part = _between(low, high, below / (below - above))
        found = excess(part)
        if found <= 0:
            low, below, above, last = part, found, above / (2 if last < 0 else 1), -1
        else:
            high, above, below, last = part, found, below / (2 if last > 0 else 1), 1
    return low


@lru_cache(maxsize=1024)
def widest(total: Privacy, times: int) -> Fraction:
    """Return the greatest range, of five digits, of which so many releases fit the total.

    All are fixed before the first is drawn. What is returned was priced itself; that more does not
    fit is left to floats.

    >>> widest(Privacy(1, 1e-6), 10)
    Fraction(1937, 12500)
    """

    def build(width: Fraction) -> Cost:
        return Repeat(BoundedRange(width), times, adaptive=False)

    if not total.delta or not total.epsilon or times > LARGEST_BATCH:
        return calibrate(total, build)
    epsilon, delta = number(total.epsilon), number(total.delta)
    width = decimal_down(Fraction(about_width(times, epsilon, delta)), DIGITS)
    step, failed = unit(width, DIGITS), None
    for _ in range(NEARBY):
        if price(build(width), total.delta).privacy.epsilon > total.epsilon:
            width, failed = width - step, width
        elif width + step == failed or estimate(times, float(width + step), epsilon) > delta:
            return width
        else:
            width += step
    return calibrate(total, build, guess=width)


def _between(low: Fraction, high: Fraction, share: float) -> Fraction:
    """Return a decimal strictly between two, at this share of their logarithmic distance."""
    step = unit(low, DIGITS)
    guess = Fraction(number(low) * (number(high) / number(low)) ** share)
    return max(low + step, decimal_down(min(guess, high - step), DIGITS))


def _around(guess: Fraction, excess: Callable[[Fraction], float]) -> tuple[Fraction, Fraction]:
    """Return a part that fits and a greater one that does not, from near a guess outwards."""
    part = decimal_down(guess, DIGITS)
    step = unit(part, DIGITS)
    if excess(part) <= 0:
        while excess(part + step) <= 0:
            part, step = part + step, 4 * step
        return part, part + step
    while excess(max(part - step, part / 2)) > 0:
        part, step = max(part - step, part / 2), 4 * step
    return max(part - step, part / 2), part


def _bracket(total: Fraction, excess: Callable[[Fraction], float]) -> tuple[Fraction, Fraction]:
    """Return a part that fits and a greater one that does not."""
    part = decimal_down(total, DIGITS)
    if total and excess(part) <= 0:
        while part < total * RANGE:
            part *= 2
            if excess(part) > 0:
                return part / 2, part
        raise InvalidArgument("build(epsilon) must cost more for more; it never exceeds the total")
    while part * RANGE > total:
        high = part
        part = decimal_down(part * min(Fraction(1, 2), Fraction(math.exp(-excess(high)))), DIGITS)
        if excess(part) <= 0:
            return part, high
    raise InvalidArgument(
        f"no part fits into epsilon={float(total)}; what build adds to its parts costs too much"
    )
