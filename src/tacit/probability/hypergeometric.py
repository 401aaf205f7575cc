"""Lower tails of the hypergeometric law of a fair split: exact bars, and logarithms."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln


@lru_cache(maxsize=256)
def bars(d: int, level: Fraction) -> NDArray[np.int64]:
    """Return, for K = 0, ..., 2d, the greatest t with P[X <= t] <= level, or -1.

    X is the number of marked balls among d that are drawn from 2d, of which K are marked.

    Exactness:
        Integers only. The count of draws with X <= t changes from K to K + 1 by those with X = t in
        which the new mark is drawn, and t grows by at most 1; so all bars take O(d) operations.

    >>> bars(3, Fraction(1, 10)).tolist()
    [-1, -1, -1, 0, 0, 1, 2]
    """
    total = comb(2 * d, d)
    most = level * total
    found = np.empty(2 * d + 1, dtype=np.int64)
    x, below, here = 0, 0, total  # draws with X < x, and with X = x
    found[0] = -1
    for marked in range(2 * d):
        left = d - marked + x
        if left == 0:  # X >= K - d always, and more would be too likely from here on
            found[marked + 1 :] = np.arange(marked + 1, 2 * d + 1) - d - 1
            return found
        if x:
            before = here * x * left // ((marked - x + 1) * (d - x + 1))
            below -= before * (d - x + 1) // (2 * d - marked)
        here = here * (marked + 1) * left // ((marked + 1 - x) * (2 * d - marked))
        if below + here <= most:
            below += here
            here = here * (marked + 1 - x) * (d - x) // ((x + 1) * left)
            x += 1
        found[marked + 1] = x - 1
    return found


def log_tails(d: int, marked: NDArray[np.int64], drawn: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return ln P[X <= drawn], for each number of marked balls, in floating point.

    >>> np.exp(log_tails(3, np.array([3, 6]), np.array([0, 3]))).round(6).tolist()
    [0.05, 1.0]
    """
    logs, x, k = _log_factorials(2 * d), np.arange(d + 1), marked[:, None]
    possible = (x <= drawn[:, None]) & (x >= k - d) & (x <= k)
    x = np.clip(x, np.maximum(0, k - d), np.minimum(k, d))
    whole = 2 * logs[d] - logs[2 * d] + logs[k] + logs[2 * d - k]
    terms = whole - logs[x] - logs[k - x] - logs[d - x] - logs[d - k + x]
    terms[~possible] = -np.inf
    top = np.maximum(terms.max(axis=1), -1e300)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(terms - top[:, None]).sum(axis=1)) + top, dtype=np.float64)


@lru_cache(maxsize=64)
def _log_factorials(most: int) -> NDArray[np.float64]:
    return np.asarray(gammaln(np.arange(most + 1) + 1.0), dtype=np.float64)
