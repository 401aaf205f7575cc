"""The least integer, or share, from which something holds; the greatest up to which it does.

For what is not monotone a search returns an n that holds and whose neighbour does not, or an end.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import count

FINE = 20  # bits: what is only near the least exceeds it by a part in 2^20 at most
NEAR = 0.01  # an excess so small that the line is trusted to lead to the root
SMALLEST = Fraction(1, 1 << 40)  # shares: a smaller one is not looked for


def least(holds: Callable[[int], bool], low: int = 0, high: int | None = None) -> int:
    """Return the least n >= low that holds, for what holds from some n on.

    It is at most `high`, if that is given, which is then taken to hold and not asked. Else doubles
    until something holds, then halves.

    >>> least(lambda n: n * n >= 50), least(lambda n: n * n >= 50, 3, 20)
    (8, 8)
    """
    if high is None:
        if holds(low):
            return low
        step = 1
        while not holds(low + step):
            step *= 2
        low, high = low + step // 2 + 1, low + step
    while low < high:
        middle = (low + high - 1) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return high


def greatest(holds: Callable[[int], bool], low: int = 0, high: int | None = None) -> int:
    """Return the greatest n >= low that holds, for what holds up to some n; low is taken to hold.

    It is at most `high`, if that is given.

    >>> greatest(lambda n: n * n <= 50), greatest(lambda n: n * n <= 50, 0, 5)
    (7, 5)
    """
    return least(lambda n: not holds(n), low + 1, None if high is None else high + 1) - 1


def least_near(holds: Callable[[int], bool], guess: int, *, low: int = 0) -> int:
    """Return what `least` returns, in few steps if the guess is near.

    Strides away from the guess, each stride twice the one before, then halves.

    >>> least_near(lambda n: n * n >= 50, 9), least_near(lambda n: n * n >= 50, 3)
    (8, 8)
    """
    high, step = max(guess, low), 1
    if not holds(high):
        return least(holds, high)
    while high > low and holds(max(high - step, low)):
        high, step = max(high - step, low), 2 * step
    return least(holds, max(high - step, low) + 1, high)


def least_share(holds: Callable[[Fraction], bool]) -> Fraction | None:
    """Return a share in (0, 1) that holds and is the least but for a part in 2^20, or None.

    For what holds from some share on; None if it does not hold just below 1.

    >>> least_share(lambda share: share * 4 >= 1)
    Fraction(1, 4)
    """
    most = 1 - Fraction(1, 1 << FINE)
    if not holds(most):
        return None
    low, high = Fraction(0), Fraction(1)
    while (high - low) * (1 << FINE) > high > SMALLEST:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return min(high, most)


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
