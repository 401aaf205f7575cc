"""The least share from which something holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

FINENESS = 1 << 20
SMALLEST = Fraction(1, 1 << 40)


def least_share(holds: Callable[[Fraction], bool]) -> Fraction | None:
    """Return a share in (0, 1) that holds and is the least but for a part in 2^20, or None.

    For what holds from some share on; None if it does not hold just below 1.

    >>> least_share(lambda share: share * 4 >= 1)
    Fraction(1, 4)
    """
    most = 1 - Fraction(1, FINENESS)
    if not holds(most):
        return None
    low, high = Fraction(0), Fraction(1)
    while high - low > high / FINENESS and high > SMALLEST:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return min(high, most)
