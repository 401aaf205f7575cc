"""Many uniform integers below one bound."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.core import check
from tacit.core.chance.randomness import Random

WORDS = 1 << 64


def indices(bound: int, count: int, *, rng: Random) -> NDArray[np.int64]:
    """Return `count` independent uniform integers of range(bound), bound below 2^63.

    Exactness:
        64-bit words below the largest multiple of the bound, reduced; the others are drawn again.

    >>> from tacit.core.chance.randomness import Seeded
    >>> set(indices(3, 100, rng=Seeded(0)).tolist())
    {0, 1, 2}
    """
    bound, count = check.count(bound=bound, least=1), check.count(count=count)
    fair = WORDS - WORDS % bound
    drawn = np.zeros(0, dtype=np.uint64)
    while len(drawn) < count:
        words = rng.words(count - len(drawn))
        drawn = np.concatenate((drawn, words[words <= np.uint64(fair - 1)]))
    return (drawn % np.uint64(bound)).astype(np.int64)
