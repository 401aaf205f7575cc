"""Uniform integers below many bounds at once, and coins of an exact bias."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.core.chance.randomness import Random
from tacit.core.errors import InvalidArgument

FINEST = 1 << 62
"""The largest denominator of a bias: one 64-bit word is enough for a coin, almost always."""


def below(bounds: NDArray[np.int64], *, rng: Random) -> NDArray[np.int64]:
    """Return a uniform integer below each bound, by exact rejection."""
    above = bounds.astype(np.uint64)
    uneven = (np.uint64(0) - above) % above  # so many words at the low end are one too many
    words = rng.words(len(bounds))
    while len(again := np.flatnonzero(words < uneven)):
        words[again] = rng.words(len(again))
    return (words % above).astype(np.int64)


def coins(count: int, share: Fraction, *, rng: Random) -> NDArray[np.bool_]:
    """Toss so many coins, each of which shows heads with exactly this chance.

    >>> from tacit.core.chance.randomness import Seeded
    >>> 150 < int(coins(1000, Fraction(1, 5), rng=Seeded(1)).sum()) < 250
    True
    """
    if share.denominator > FINEST:
        raise InvalidArgument("a share must be one of few digits, such as 0.2")
    bounds = np.full(count, share.denominator, dtype=np.int64)
    return np.asarray(below(bounds, rng=rng) < share.numerator, dtype=np.bool_)
