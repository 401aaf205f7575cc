"""Count the rows on which every small set of literals holds, 64 rows at a time.

This file compiles with Numba, whose import takes most of a second: ask for it through
`tacit.concepts.bitmaps`, which loads it when something is counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Bits = NDArray[np.uint64]
BLOCK = 512

_ONE, _TWO, _FOUR, _TOP = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_PAIRS, _QUADS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


def supports(
    literals: Bits, masks: Bits, *, width: int, choices: int, places: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count, for each selection and each mask, the rows of the mask where the selection holds.

    `literals` and `masks` are bitmaps, one row of words each. A selection is a set of at most
    `width` literals with at most one of each `choices` consecutive ones; the selections of size w
    stand in lexicographic order from `places[w]` on, and `places` ends with their number.

    Cost:
        Selections x masks x words steps, vectorised by the compiler (its loops become the popcount
        instructions of the machine); each block of words meets all selections while in the cache.

    >>> two = np.array([[0b0011], [0b0101]], dtype=np.uint64)
    >>> everything = np.array([[0b1111]], dtype=np.uint64)
    >>> places = np.array([0, 1, 3, 4])
    >>> supports(two, everything, width=2, choices=1, places=places).ravel().tolist()
    [4, 2, 2, 1]
    """
    counts = np.zeros((int(places[-1]), len(masks)), dtype=np.int64)
    _accumulate(
        np.ascontiguousarray(literals), np.ascontiguousarray(masks), width, choices, places, counts
    )
    return counts


def _compiled(function: Any) -> Any:
    return njit(cache=True, nogil=True)(function)


@_compiled
def _ones(word: Any) -> Any:
    """Count the bits of a word; compilers know this formula and emit one instruction."""
    word = word - ((word >> _ONE) & _PAIRS)
    word = (word & _QUADS) + ((word >> _TWO) & _QUADS)
    return (((word + (word >> _FOUR)) & _NIBBLES) * _BYTES) >> _TOP


@_compiled
def _meet(one: Any, other: Any) -> Any:
    total = np.uint64(0)
    for i in range(one.shape[0]):
        total += _ones(one[i] & other[i])
    return np.int64(total)


@_compiled
def _keep(one: Any, other: Any, both: Any) -> Any:
    total = np.uint64(0)
    for i in range(one.shape[0]):
        both[i] = one[i] & other[i]
        total += _ones(both[i])
    return np.int64(total)


@_compiled
def _accumulate(
    literals: Any, masks: Any, width: Any, choices: Any, places: Any, counts: Any
) -> Any:
    """Walk the tree of selections depth first, once a block of words."""
    number, words = literals.shape
    kept = np.empty((width + 1, masks.shape[0], BLOCK), dtype=np.uint64)
    candidate = np.zeros(width + 1, dtype=np.int64)
    for start in range(0, words, BLOCK):
        stop = min(start + BLOCK, words)
        size = stop - start
        place = places.copy()
        for j in range(masks.shape[0]):
            mask = masks[j, start:stop]
            counts[0, j] += _keep(mask, mask, kept[0, j, :size])
        depth = 0
        candidate[0] = 0
        while depth >= 0:
            chosen = candidate[depth]
            if chosen >= number or depth == width:
                depth -= 1
                continue
            candidate[depth] = chosen + 1
            literal = literals[chosen, start:stop]
            index = place[depth + 1]
            place[depth + 1] += 1
            for j in range(masks.shape[0]):
                mask = kept[depth, j, :size]
                if depth + 1 == width:
                    counts[index, j] += _meet(mask, literal)
                else:
                    counts[index, j] += _keep(mask, literal, kept[depth + 1, j, :size])
            if depth + 1 < width:
                depth += 1
                candidate[depth] = (chosen // choices + 1) * choices
