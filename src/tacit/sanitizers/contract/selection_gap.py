"""How far below the best score a selection falls, bounded without huge rationals."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import Enclosure, log_upper, round_up, upper


@lru_cache(maxsize=1 << 10)
def selection_gap(epsilon: Fraction, beta: Fraction, size: int, sensitivity: int = 1) -> int:
    """Return a g: the exponential mechanism falls that short with probability at most beta.

    It is `Exponential(epsilon).shortfall(...)` or, where rounding up matters, one more; but powers
    of the ratio are enclosed in balls, and so a small epsilon, hence a large g, costs no time.

    >>> selection_gap(Fraction(1), Fraction(1, 20), 1000)
    20
    >>> selection_gap(Fraction(1, 10**6), Fraction(1, 20), 1000)
    19702388
    """
    decay = Decay.of(epsilon / (2 * sensitivity))
    odds = (size - 1) * (1 - beta) / beta
    gap = max(1, int(2 * sensitivity * log_upper(max(odds, Fraction(1))) / epsilon))

    def share() -> Enclosure:
        return decay.real(gap)

    while odds * round_up(upper(share), 64) > 1:
        gap += 1
    return gap
