"""From noisy numbers to counts with a given sum, and how large sums of their noise are."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import Decay
from tacit.core.numbers.least import least as least_from
from tacit.mechanisms.noise.geometric import tail_upper
from tacit.probability.party_noise import NoiseSum

LOOKUPS = 1 << 21


def simplex(values: NDArray[Any], total: int) -> NDArray[np.float64]:
    """Return the nearest non-negative numbers with this sum: max(value - level, 0) for some level.

    >>> simplex(np.array([5, 2, -1]), 5).tolist()
    [4.0, 1.0, 0.0]
    """
    ordered = np.sort(values.astype(np.float64))[::-1]
    levels = (np.cumsum(ordered) - total) / np.arange(1, len(ordered) + 1)
    level = levels[np.flatnonzero(ordered > levels)[-1]] if total else ordered[0]
    nearest: NDArray[np.float64] = np.maximum(values - level, 0.0)
    return nearest


def whole(values: NDArray[np.float64], total: int) -> NDArray[np.int64]:
    """Round non-negative numbers to integers with this sum, each by less than 1.

    The sums of the first 1, 2, 3, ... values are scaled to `total` and rounded: so sums over
    consecutive values are off by less than 1, however many they are.

    >>> whole(np.array([0.4, 0.4, 0.4, 1.8]), 3).tolist()
    [0, 1, 0, 2]
    """
    ends = np.cumsum(values)
    if not total or ends[-1] <= 0:
        spread = np.zeros(len(values), dtype=np.int64)
        spread[0] = total
        return spread
    rounded = np.rint(ends / ends[-1] * total).astype(np.int64)
    rounded[-1] = total
    return np.diff(np.minimum(np.maximum.accumulate(rounded), total), prepend=0)


def balanced(
    values: NDArray[np.float64], total: int, shape: Sequence[int], width: int
) -> NDArray[np.int64]:
    """Round each of the values up or down, so that marginals of `width` attributes hardly move.

    The cells are taken one after the other, each rounded to where the marginals are nearer to what
    they were, given what was done before; at last single rows are moved until the sum is right. If
    there are too many marginals to look at, it is `whole`.

    >>> balanced(np.array([0.5, 0.5, 0.5, 0.5]), 2, (2, 2), 1).tolist()
    [0, 1, 1, 0]
    """
    if comb(len(shape), width) * len(values) > LOOKUPS:
        return whole(values, total)
    places = _places(tuple(shape), width)
    low = np.floor(values)
    parts, made, sets = values - low, low.astype(np.int64), len(places[0])
    off = np.zeros(int(places.max()) + 1)
    for cell, (part, at) in enumerate(zip(parts.tolist(), places, strict=True)):
        up = 2 * off[at].sum() + sets * (1 - 2 * part) < 0
        off[at] += up - part
        made[cell] += up
    while lacking := total - int(made.sum()):
        step = 1 if lacking > 0 else -1
        gain = -step * off[places].sum(axis=1)
        best = int(np.where(made + step >= 0, gain, -np.inf).argmax())
        made[best] += step
        off[places[best]] += step
    return made


@lru_cache(maxsize=4)
def _places(shape: tuple[int, ...], width: int) -> NDArray[np.int64]:
    """Return, for each cell, where its conjunctions of `width` attributes stand in one long row."""
    codes = np.indices(shape).reshape(len(shape), -1)
    columns, start = [], 0
    for chosen in combinations(range(len(shape)), width):
        sizes = [shape[i] for i in chosen]
        columns.append(start + np.ravel_multi_index(tuple(codes[list(chosen)]), sizes))
        start += prod(sizes)
    return np.stack(columns, axis=1)


def sum_tail(decay: Decay, terms: int, least: int) -> Fraction:
    """Bound P[Z_1 + ... + Z_terms >= least] for least >= 1.

    Exact for one term; for more by E[u^Z]^terms / u^least at the best u, which is soon known for
    any number of terms.

    >>> float(sum_tail(Decay(Fraction(1, 2)), 100, 60))
    0.0123...
    """
    if terms < 2:
        return tail_upper(decay, least) if terms else Fraction(0)
    return NoiseSum(decay, terms).chernoff(least)


def sum_deviation(decay: Decay, terms: int, beta: Fraction) -> int:
    """Return an integer a with P[|Z_1 + ... + Z_terms| >= a] <= beta, the least that is proved.

    >>> sum_deviation(Decay(Fraction(1, 2)), 100, Fraction(1, 20))
    55
    """
    return least_from(lambda a: 2 * sum_tail(decay, terms, a) <= beta, 1)
