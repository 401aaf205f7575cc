"""A uniform order of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.core import check
from tacit.core.chance.randomness import Random


def permutation(n: int, *, rng: Random) -> NDArray[np.int64]:
    """Return a uniform permutation of range(n).

    Exactness:
        Rows are sorted by independent 64-bit words, all of which are drawn again if two are equal:
        given that they differ, every order is equally likely.

    >>> from tacit.core.chance.randomness import Seeded
    >>> sorted(permutation(5, rng=Seeded(0)).tolist())
    [0, 1, 2, 3, 4]
    """
    check.count(n=n)
    while True:
        words = rng.words(n)
        order = np.argsort(words, kind="stable")
        drawn = words[order]
        if not (drawn[1:] == drawn[:-1]).any():
            return order.astype(np.int64)
