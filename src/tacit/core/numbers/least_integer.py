"""The least integer from which something holds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

FINE = 20
NEAR = 0.01


def least_between(low: int, high: int, holds: Callable[[int], bool], *, within: int = 1) -> int:
    """Return the least n, low < n <= high, that holds, for what holds from some n up to `high` on.

    Halves, and asks neither of the ends. What is returned is `high` or was found to hold; it is the
    least, or above it by less than `within`.

    >>> least_between(0, 100, lambda n: n * n >= 50)
    8
    """
    while high - low > within:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def least(holds: Callable[[int], bool], *, start: int = 0) -> int:
    """Return the least n >= start that holds, for what holds from some n on.

    Doubles, then halves. For what is not monotone it returns an n that holds and whose predecessor
    does not, or `start`.

    >>> least(lambda n: n * n >= 50)
    8
    """
    if holds(start):
        return start
    step = 1
    while not holds(start + step):
        step *= 2
    return least_between(start + step // 2, start + step, holds)


def least_near(holds: Callable[[int], bool], guess: int, *, start: int = 0) -> int:
    """Return what `least` returns, in few steps if the guess is near.

    Strides away from the guess, each stride twice the one before, then halves.

    >>> least_near(lambda n: n * n >= 50, 9), least_near(lambda n: n * n >= 50, 3)
    (8, 8)
    """
    high, step = max(guess, start), 1
    if not holds(high):
        return least(holds, start=high)
    while high > start and holds(max(high - step, start)):
        high, step = max(high - step, start), 2 * step
    return least_between(max(high - step, start), high, holds)


def near_root(excess: Callable[[int], float], start: int, *, slope: float) -> int:
    """Return the least m with excess(m) <= 0, or one above it by no more than a part in 2^20.

    For what is almost a line, with about the rise slope / start: follows the line through the last
    two points, and looks a little to both sides of its root; now and then it halves or doubles, in
    case that the line leads nowhere.

    >>> near_root(lambda m: 50 - m - m / 1000, 3, slope=-2.0)
    50
    """
    low, high, place, last = 0, 0, start, -1
    above, below, before, rise = 0.0, 0.0, 0.0, slope / start
    for turn in count(1):
        found = excess(place)
        if found > 0:
            low, above = place, found
        else:
            high, below = place, found
        if high and high - low <= max(1, high >> FINE):
            return high
        if last >= 0 and place != last and found != before:
            rise = min((found - before) / (place - last), -1e-300)
        last, before = place, found
        pad = max(1, place >> (FINE + 1)) if abs(found) < NEAR else 0
        guess = place - found / rise + (pad if found > 0 else -pad)
        if high and (turn % 4 == 0 or not low < guess < high):
            line = low + (high - low) * above / (above - below) if above > below else 0.0
            guess = (low + high) / 2 if turn % 4 == 0 or not low < line < high else line
        elif not high and turn % 8 == 0:
            guess = 2.0 * place
        place = max(int(min(guess, 4.0 * place + 4)), low + 1)
        place = min(place, high - 1) if high else place
    raise AssertionError
