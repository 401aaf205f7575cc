"""Rows that are changed one value at a time until their marginals are those wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.value_changes import sweep
from tacit.sanitizers.contract.attributes import counted

WORK = 1 << 30
"""So many entries of marginals are looked up at most."""
SWEEPS, SHIFTS = 12, 3
_FACTORS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


def settled(
    rows: NDArray[np.int64], shape: Sequence[int], wanted: Mapping[tuple[int, ...], NDArray[Any]]
) -> NDArray[np.int64]:
    """Return rows with nearly the wanted marginals, of equally many attributes each.

    Rounding counts of many more cells than there are rows is like drawing rows at random: all
    marginals are off by the square root of n. Wanted counts below 0, which no rows have, move
    marginals as well. Here the sum of their squared errors goes down, by changing one value of a
    row wherever that helps, a few times over. It is a function of public things.

    >>> rows = np.array([[0, 0], [0, 1], [1, 0], [1, 0]])
    >>> settled(rows, (2, 2), {(0, 1): np.ones(4)}).tolist()
    [[0, 0], [0, 1], [1, 1], [1, 0]]
    """
    rows, sets = rows.copy(), np.array(list(wanted))
    starts = np.cumsum([0, *(table.size for table in wanted.values())])[:-1]
    off = np.concatenate([counted(rows, shape, c) - t.ravel() for c, t in wanted.items()])
    member = np.array([np.flatnonzero((sets == i).any(axis=1)) for i in range(len(shape))])
    lookups = 2 * rows.size * member.shape[1] or 1
    for turn in range(min(SWEEPS, WORK // lookups)):
        if not sweep(rows, np.array(shape), sets, starts, member, off, SHIFTS, turn):
            break
    return rows


def scattered(n: int, column: int) -> NDArray[np.uint64]:
    """Return n words that look like chance and are none: what rows start from is public.

    >>> sorted(np.argsort(scattered(4, 1)).tolist())
    [0, 1, 2, 3]
    """
    words = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(2 * column + 1) * _FACTORS[0]
    words = (words ^ words >> np.uint64(31)) * _FACTORS[1]
    mixed: NDArray[np.uint64] = words ^ words >> np.uint64(29)
    return mixed
