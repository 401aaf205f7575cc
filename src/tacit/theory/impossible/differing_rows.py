"""How many of n rows fall into an event: the sums that bounds by group privacy are made of.

Floats are used with a margin on the safe side: `GUARD` moves each sum towards the smaller bound.
What is summed is in docs/proofs/lower_bounds.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from tacit.core import Exact, check

GUARD = 1e-9
"""A probability by which sums may be wrong: far above what doubles lose in 4,096 terms."""
SPREAD = 14.0
"""Standard deviations: what lies further out has a chance below e^-98."""
MOST = 1 << 12
"""Terms of a sum whose chances follow from their ratios, one by one."""
BINS = 1 << 9
"""Terms of a longer sum: each takes an incomplete beta function, and a bound asks for many sums.

A bin is at most .055 standard deviations wide, so that a bound loses a part in 2,000 at most.
"""
LARGE = 1 << 30
"""Rows beyond which a bound in closed form is close enough."""

Floats = NDArray[np.float64]


def differing_rows(n: int, share: float) -> tuple[Floats, Floats]:
    """Return the numbers of rows in an event that are not negligible, and their probabilities.

    Of very many, those in a bin count as its greatest: what falls with their number gets smaller,
    what grows with it greater, so every condition is easier to meet.

    >>> differing_rows(2, 0.5)[1].round(6).tolist()
    [0.25, 0.5, 0.25]
    """
    if share >= 1 or n == 0:
        return np.array([float(n)]), np.array([1.0])
    reach = SPREAD * math.sqrt(n * share * (1 - share)) + SPREAD
    low, high = max(0, math.floor(n * share - reach)), min(n, math.ceil(n * share + reach))
    if high - low < MOST:
        counts = np.arange(low, high + 1, dtype=np.float64)
        return counts, _chances(counts, n, share)
    ends = np.unique(np.linspace(low, high, BINS).astype(np.int64)).astype(np.float64)
    return ends, np.diff(bdtr(ends, n, share), prepend=0.0)


def _chances(counts: Floats, n: int, share: float) -> Floats:
    """Return the chances of consecutive counts, which have all but a negligible part of the mass.

    By their ratios: gamma functions of many rows would cancel, and lose more than the margin.
    """
    ratios = np.log((n - counts[:-1]) / counts[1:]) + math.log(share) - math.log1p(-share)
    logs = np.concatenate(([0.0], np.cumsum(ratios)))
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def mean(n: int, share: float, value: Callable[[Floats], Floats]) -> float:
    """Return about E value(K), K of n rows falling into an event of this share."""
    counts, chances = differing_rows(n, share)
    return float(chances @ value(counts))


def grown(rate: float, counts: Floats) -> Floats:
    """Return e^(rate K), as far as floats go."""
    return np.exp(np.minimum(rate * counts, 700.0))


def added(rate: float, slack: float) -> float:
    """Return delta / (e^epsilon - 1): K steps of privacy turn p into e^(epsilon K) (p + it) - it.

    >>> added(1.0, 0.0)
    0.0
    """
    return slack / math.expm1(min(rate, 700.0))


def number(**named: Exact) -> float:
    """Return a positive number as a float."""
    return float(check.positive(**named))
