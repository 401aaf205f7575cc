"""Integers of any length, sorted and compared mostly by their leading words."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
WORD = 64


def sorting(values: NDArray[Any], *, bits: int) -> Integers:
    """Return an order in which integers of {0, ..., 2^bits - 1} do not decrease.

    Python integers are sorted by one word after the other, and by a later word only where all
    earlier ones are equal.

    >>> sorting(np.array([2**70 + 5, 9, 2**70], dtype=object), bits=71).tolist()
    [1, 2, 0]
    """
    if values.dtype != object:
        return np.argsort(values, kind="stable")
    order: Integers = np.arange(len(values))
    group: Integers = np.zeros(len(values), dtype=np.int64)
    for shift in range(WORD * ((bits - 1) // WORD), -1, -WORD):
        tied = np.zeros(len(values) + 1, dtype=np.bool_)
        tied[1:-1] = group[1:] == group[:-1]
        places = np.flatnonzero(tied[1:] | tied[:-1])
        if not len(places):
            break
        word = _words(values[order[places]], shift)
        finer = np.lexsort((word, group[places]))
        order[places] = order[places[finer]]
        digits = np.zeros(len(values), dtype=np.uint64)
        digits[places] = word[finer]
        change = (group[1:] != group[:-1]) | (digits[1:] != digits[:-1])
        group = np.concatenate(([0], np.cumsum(change)))
    return order


def shared_bits(values: NDArray[Any], *, bits: int) -> Integers:
    """Return how many of `bits` leading bits each integer shares with the next one.

    >>> shared_bits(np.array([4, 7, 7]), bits=3).tolist()
    [1, 3]
    """
    differ = [(x ^ y).bit_length() for x, y in pairwise(values.tolist())]
    return bits - np.array(differ, dtype=np.int64)


def _words(values: NDArray[Any], shift: int) -> NDArray[np.uint64]:
    mask = (1 << WORD) - 1
    return np.array([x >> shift & mask for x in values.tolist()], dtype=np.uint64)
