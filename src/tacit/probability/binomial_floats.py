"""Probabilities of binomial counts in floating point, for estimates and guarded sums."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlog1py, xlogy


def binomial_chances(
    counts: NDArray[np.float64] | NDArray[np.int64], n: int, share: float
) -> NDArray[np.float64]:
    """Return P[Bin(n, share) = k] for each of the counts, which lie between 0 and n.

    >>> binomial_chances(np.arange(3), 2, 0.5).round(6).tolist()
    [0.25, 0.5, 0.25]
    """
    k = np.asarray(counts, dtype=np.float64)
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.asarray(np.exp(ways + xlogy(k, share) + xlog1py(n - k, -share)))
