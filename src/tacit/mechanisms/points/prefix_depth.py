"""How long a prefix to look at: the step from many records in one block to few in each half."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.statistics import ScoreProfile


def depth_profile(
    heaviest: NDArray[np.int64], *, low: int, high: int, deepest: int
) -> ScoreProfile[int]:
    """Score each length d of prefix, 0 to `deepest`: is there a heavy one, and none a bit longer?

    The score is min(heaviest(d) - low, high - heaviest(d + 1)), without the first for d = 0: the
    empty prefix needs no search. Heaviest is 0 beyond the end.

    Guarantee:
        If a replaced record moves each heaviest(d) by at most 1, it moves each score by at most 1.
        If heaviest does not increase, is below low + g at deepest + 1 and high >= low + 2 g - 1,
        then some score is at least g: that of the last d with heaviest(d) >= low + g, or of 0.

    >>> depth_profile(np.array([9, 9, 4, 1]), low=3, high=6, deepest=3).scores.tolist()
    [-3, 2, 1, -2]
    """
    weights = np.concatenate((heaviest, [0]))
    within = high - weights[1 : deepest + 2]
    heavy = weights[: deepest + 1] - low
    heavy[0] = max(int(heavy[0]), int(within[0]))
    return ScoreProfile.of(np.minimum(heavy, within))


def room(low: int, high: int) -> int:
    """Return the largest g with high >= low + 2 g - 1.

    >>> room(3, 6), room(3, 7)
    (2, 2)
    """
    return max((high - low + 1) // 2, 0)


def shares(*prices: float) -> list[float]:
    """Return parts of one that make the sum of price / part least: as the square roots.

    >>> shares(1.0, 4.0)
    [0.333..., 0.666...]
    """
    roots = [price**0.5 for price in prices]
    return [root / sum(roots) for root in roots]


def three_parts(epsilon: Fraction, *prices: float) -> tuple[Fraction, Fraction, Fraction]:
    """Split epsilon over three steps of these prices, by `shares` in thousandths: short fractions.

    >>> three_parts(Fraction(1), 1.0, 4.0, 9.0)
    (Fraction(167, 1000), Fraction(333, 1000), Fraction(1, 2))
    """
    first, second, _ = (Fraction(max(round(part * 1000), 1), 1000) for part in shares(*prices))
    return first * epsilon, second * epsilon, (1 - first - second) * epsilon
