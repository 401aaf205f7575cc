"""The two-point sums of all numbers of low outcomes at once, by floats with a proved error.

With l low outcomes out of k, t = (epsilon + (l+1) w) / (k+1) and s = w - t, the sum has the terms
C(k,i) p^(k-i) (1-p)^i (1 - e^(-s - (l-i) w)), i = l, l-1, ..., and none of its parts cancel: see
`bounded_range`. The error is bounded in docs/proofs/composition.md, section 5.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tacit.core.composition.interpreters.two_point import log_choose
from tacit.core.numbers.enclosures import PRECISION, precision

Floats = NDArray[np.float64]
ULP = 2.0**-53
TINY = 1e-290
SURE = 0.99
"""The ratio of terms from which on what is left out is bounded."""


def above(times: int, width: Fraction, epsilon: Fraction, limit: Fraction) -> list[int]:
    """Return every l whose sum is not certainly at most the limit, of 0 <= l < times - epsilon/w.

    At the end of that range t = w, and the sum is 0.

    >>> above(100, Fraction(1, 20), Fraction("1.0577"), Fraction(1, 10**6))
    [35, 36]
    >>> above(100, Fraction(1, 20), Fraction("1.0578"), Fraction(1, 10**6))
    []
    """
    unit = math.lcm(width.denominator, epsilon.denominator)
    step, start = int(width * unit), int(epsilon * unit)
    whole, last = (times + 1) * unit, (times * step - start - 1) // step
    if last < 0:
        return []
    tops = np.array([(start + (low + 1) * step) / whole for low in range(last + 1)])
    gaps = np.array([((times - low) * step - start) / whole for low in range(last + 1)])
    with np.errstate(all="ignore"):
        sums, errors = _sums(times, tops, gaps, float(width))
        below = sums * (1 + errors) + TINY <= float(limit) * (1 - 4 * ULP)
    return [int(low) for low in np.flatnonzero(~below)]


def _sums(times: int, tops: Floats, gaps: Floats, width: float) -> tuple[Floats, Floats]:
    """Return the sum for each l, and what part of it it may be off by."""
    norm = _log_share(width)
    rare = _log_share(tops) - gaps - norm
    common = _log_share(gaps) - norm
    low = np.arange(len(tops))
    reach = min(len(tops), 2 * math.isqrt(times) + 16)
    down = np.arange(reach)
    i = np.maximum(low[:, None] - down, 0)
    masses = np.exp(_log_binomials(times)[i] + i * rare[:, None] + (times - i) * common[:, None])
    masses[low[:, None] < down] = 0.0
    kept = -np.expm1(-gaps[:, None] - down * width)
    first = i[:, -1]
    ratio = first / (times - first + 1) * np.exp(common - rare)
    rest = np.where(ratio < SURE, masses[:, -1] * ratio / (1 - ratio), np.inf)
    rest[first == 0] = 0.0
    size = 4.0 + gaps + abs(norm) + abs(_log_share(tops)) + abs(_log_share(gaps)) + math.log(times)
    errors = 128 * ULP * (times + 1) * size
    return (masses * kept).sum(axis=1) + 2 * rest, np.where(errors < 0.5, errors, np.inf)


def _log_share(x: Floats | float) -> Floats:
    """Return ln(1 - e^-x)."""
    return np.asarray(np.log(-np.expm1(-np.asarray(x))), dtype=np.float64)


@lru_cache(maxsize=64)
def _log_binomials(times: int) -> Floats:
    with precision(PRECISION):
        return np.array([float(log_choose(times, i).mid()) for i in range(times + 1)])
