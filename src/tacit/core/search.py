"""The least integer from which something holds."""

from __future__ import annotations

from collections.abc import Callable


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
    low, high = start + step // 2, start + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
