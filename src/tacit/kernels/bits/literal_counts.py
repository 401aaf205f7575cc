"""Count the rows on which every small set of literals holds, 64 rows at a time.

How it works. The sets of at most `width` literals are a tree: below a set are those with one more,
later literal. `_accumulate` walks it depth first with a stack of bitmaps, where level k holds the
rows on which the first k literals of the current set hold; so each set costs one AND. All is done
block by block of words, and a block meets all sets while the nearest cache holds it.

Most sets are leaves of the tree, so these have a loop of their own (`_leaves`): four literals meet
two masks at a time (`_meet_tile`), and each word that is read serves two to four counts. The eight
sums are eight variables because then they stay in registers, and the compiler makes the loop out
of vector instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.bits.words import ALL_BITS, ones
from tacit.kernels.compiled import compiled

Bits = NDArray[np.uint64]
BLOCK = 512
"""Words of a bitmap done together: 4 KiB a literal, so that a few share the nearest cache."""
TILE = 4
"""Literals that meet a mask together: with two masks, as many sums as registers hold."""


def supports(
    literals: Bits, masks: Bits, *, width: int, choices: int, places: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count, for each selection and each mask, the rows of the mask where the selection holds.

    `literals` and `masks` are bitmaps, one row of words each. A selection is a set of at most
    `width` literals with at most one of each `choices` consecutive ones; the selections of size w
    stand in lexicographic order from `places[w]` on, and `places` ends with their number.

    Cost:
        Selections x masks x words steps, vectorised by the compiler (its loops become the popcount
        instructions of the machine). Each block of words meets all selections while in the cache,
        and four selections meet two masks at a time, which reads a word once for two to four
        counts. `python -m benchmarks kernels` measures it beside a tight loop over two bitmaps.

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


@compiled
def _meet(one: Any, other: Any) -> Any:
    total = np.uint64(0)
    for i in range(one.shape[0]):
        total += ones(one[i] & other[i])
    return np.int64(total)


@compiled
def _keep(one: Any, other: Any, both: Any) -> Any:
    for i in range(one.shape[0]):
        both[i] = one[i] & other[i]


@compiled
def _meet_tile(base: Any, a: Any, b: Any, c: Any, d: Any, mask: Any, other: Any, sums: Any) -> Any:
    """Count what four literals have in common with a base and each of two masks."""
    s, t, u, v = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    w, x, y, z = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    for i in range(base.shape[0]):
        m, o = base[i] & mask[i], base[i] & other[i]
        s += ones(a[i] & m)
        t += ones(b[i] & m)
        u += ones(c[i] & m)
        v += ones(d[i] & m)
        w += ones(a[i] & o)
        x += ones(b[i] & o)
        y += ones(c[i] & o)
        z += ones(d[i] & o)
    sums[0, 0], sums[1, 0], sums[2, 0], sums[3, 0] = s, t, u, v
    sums[0, 1], sums[1, 1], sums[2, 1], sums[3, 1] = w, x, y, z


@compiled
def _leaves(
    base: Any, literals: Any, first: Any, masks: Any, start: Any, spare: Any, counts: Any
) -> Any:
    """Count a base with each of the literals from the first on; the last tile may repeat some."""
    number, many, stop = literals.shape[0], masks.shape[0], start + base.shape[0]
    sums = np.empty((TILE, 2), dtype=np.uint64)
    if many % 2:
        _keep(base, masks[many - 1, start:stop], spare)
    for chosen in range(first, number, TILE):
        a = literals[chosen, start:stop]
        b = literals[min(chosen + 1, number - 1), start:stop]
        c = literals[min(chosen + 2, number - 1), start:stop]
        d = literals[min(chosen + 3, number - 1), start:stop]
        filled = min(TILE, number - chosen)
        for j in range(0, many - 1, 2):
            _meet_tile(base, a, b, c, d, masks[j, start:stop], masks[j + 1, start:stop], sums)
            for place in range(filled):
                counts[chosen - first + place, j] += np.int64(sums[place, 0])
                counts[chosen - first + place, j + 1] += np.int64(sums[place, 1])
        if many % 2:
            for place in range(filled):
                met = _meet(spare, literals[chosen + place, start:stop])
                counts[chosen - first + place, many - 1] += met


@compiled
def _accumulate(
    literals: Any, masks: Any, width: Any, choices: Any, places: Any, counts: Any
) -> Any:
    """Walk the tree of selections depth first, once a block of words."""
    number, words = literals.shape
    kept = np.full((width, BLOCK), ALL_BITS, dtype=np.uint64)
    spare = np.empty(BLOCK, dtype=np.uint64)
    candidate = np.zeros(width, dtype=np.int64)
    for start in range(0, words, BLOCK):
        stop = min(start + BLOCK, words)
        size = stop - start
        place = places.copy()
        for j in range(masks.shape[0]):
            counts[0, j] += _meet(kept[0, :size], masks[j, start:stop])
        depth = 0
        candidate[0] = 0
        while depth >= 0:
            chosen = candidate[depth]
            index = place[depth + 1]
            if depth + 1 == width and chosen < number:
                base, rest = kept[depth, :size], counts[index:]
                _leaves(base, literals, chosen, masks, start, spare[:size], rest)
                place[width] = index + number - chosen
            if depth + 1 == width or chosen >= number:
                depth -= 1
                continue
            candidate[depth] = chosen + 1
            place[depth + 1] = index + 1
            depth += 1
            _keep(kept[depth - 1, :size], literals[chosen, start:stop], kept[depth, :size])
            for j in range(masks.shape[0]):
                counts[index, j] += _meet(kept[depth, :size], masks[j, start:stop])
            candidate[depth] = (chosen // choices + 1) * choices
