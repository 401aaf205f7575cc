"""Is some set of d points shattered? Depth first over sets of bit-packed columns.

How it works. k chosen columns cut the rows in 2^k parts. They can be part of a shattered set of d
only if each part keeps 2^(d - k) rows, since each later column halves every part at best. Three
things keep the tree of choices small:

1. *Pairs.* Two columns of a shattered set cut all rows in four parts of at least 2^(d - 2). `pairs`
   finds all that do, once; they are a graph, and a shattered set is a clique of it.
2. *The core.* Each column of a clique of d has d - 1 neighbours in it. `core` takes away what has
   fewer, again and again, before anything is tried.
3. *The last column at once.* With d - 1 columns chosen, the last must have a 0 and a 1 in every
   part. `_last` takes the transposed rows of a part and combines them with AND and OR, which tells
   it for 64 columns a word; the smallest part first, which leaves the fewest.

`work` counts words looked at, and is set below 0 when time is over (`tacit.kernels.deadline`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.kernels.bits.words import ALL_BITS, FIRST_BIT, NO_BITS, lowest, ones, place
from tacit.kernels.compiled import compiled

YES, NO, UNDECIDED = 1, 0, -1


@compiled
def pairs(columns: Any, number: Any, n: Any, least: Any, work: Any) -> Any:
    """Return, one bitmap a column, the columns that cut its rows in four parts of this size."""
    m, w = columns.shape
    near = np.zeros((m, (m + 63) >> 6), dtype=np.uint64)
    for x in range(m):
        work[0] -= w * (m - x)
        if work[0] < 0:
            break
        for y in range(x):
            total = NO_BITS
            for i in range(w):
                total += ones(columns[x, i] & columns[y, i])
            both = np.int64(total)
            if (
                both >= least
                and number[x] - both >= least
                and number[y] - both >= least
                and n - number[x] - number[y] + both >= least
            ):
                near[x, y >> 6] |= FIRST_BIT << np.uint64(y & 63)
                near[y, x >> 6] |= FIRST_BIT << np.uint64(x & 63)
    return near


@compiled
def core(near: Any, least: Any) -> Any:
    """Return which columns remain when those with too few neighbours go, again and again."""
    m, wide = near.shape
    alive = np.ones(m, dtype=np.bool_)
    mask = np.zeros(wide, dtype=np.uint64)
    for x in range(m):
        mask[x >> 6] |= FIRST_BIT << np.uint64(x & 63)
    changed = True
    while changed:
        changed = False
        for x in range(m):
            if not alive[x]:
                continue
            degree = NO_BITS
            for i in range(wide):
                degree += ones(near[x, i] & mask[i])
            if np.int64(degree) < least:
                alive[x] = False
                mask[x >> 6] &= ~(FIRST_BIT << np.uint64(x & 63))
                changed = True
    return alive


@compiled
def shattered(
    columns: Any,
    rows: Any,
    near: Any,
    classes: Any,
    k: Any,
    d: Any,
    left: Any,
    chosen: Any,
    work: Any,
) -> Any:
    """Extend k chosen columns to d that cut the rows in 2^d parts; `left` are the candidates.

    `classes` are the 2^k parts; each must keep 2^(d - k - 1) rows on both sides of the next column.
    The last column is sought for all candidates at once, row by row, smallest part first.
    """
    w, wide = columns.shape[1], rows.shape[1]
    if k == d - 1:
        return _last(rows, classes, left, chosen, work)
    least = 1 << (d - k - 1)
    parts = np.empty((2 * classes.shape[0], w), dtype=np.uint64)
    after = left.copy()
    for x in range(columns.shape[0]):
        if not left[x >> 6] >> np.uint64(x & 63) & FIRST_BIT:
            continue
        # Sets are built in rising order, so what comes before x is not a candidate after it.
        after[x >> 6] &= ~(FIRST_BIT << np.uint64(x & 63))
        rest, few = np.empty(wide, dtype=np.uint64), NO_BITS
        for i in range(wide):
            rest[i] = after[i] & near[x, i]
            few += ones(rest[i])
        if np.int64(few) < d - k - 1:
            continue
        # Work is taken off before it is done: a late search then stops one step early, never late.
        work[0] -= parts.size
        if work[0] < 0:
            return UNDECIDED
        good = True
        for c in range(classes.shape[0]):
            inside, outside = NO_BITS, NO_BITS
            for i in range(w):
                parts[2 * c, i] = classes[c, i] & columns[x, i]
                parts[2 * c + 1, i] = classes[c, i] & ~columns[x, i]
                inside += ones(parts[2 * c, i])
                outside += ones(parts[2 * c + 1, i])
            if np.int64(inside) < least or np.int64(outside) < least:
                good = False
                break
        if not good:
            continue
        chosen[k] = x
        answer = shattered(columns, rows, near, parts, k + 1, d, rest, chosen, work)
        if answer != NO:
            return answer
    return NO


@compiled
def _last(rows: Any, classes: Any, left: Any, chosen: Any, work: Any) -> Any:
    """Find a candidate that cuts every class."""
    wide, w = rows.shape[1], classes.shape[1]
    sizes = np.zeros(classes.shape[0], dtype=np.int64)
    for c in range(classes.shape[0]):
        total = NO_BITS
        for i in range(w):
            total += ones(classes[c, i])
        sizes[c] = np.int64(total)
    good = left.copy()
    some, every = np.empty(wide, dtype=np.uint64), np.empty(wide, dtype=np.uint64)
    for c in np.argsort(sizes):
        work[0] -= w + sizes[c] * wide
        some[:] = NO_BITS
        every[:] = ALL_BITS
        for i in range(w):
            bits = classes[c, i]
            while bits:
                low = lowest(bits)
                bits ^= low
                row = rows[(i << 6) + place(low)]
                for j in range(wide):
                    some[j] |= row[j]
                    every[j] &= row[j]
        alive = NO_BITS
        for j in range(wide):
            good[j] &= some[j] & ~every[j]
            alive |= good[j]
        if not alive:
            return NO
    for x in range(rows.shape[1] * 64):
        if good[x >> 6] >> np.uint64(x & 63) & FIRST_BIT:
            chosen[-1] = x
            return YES
    return NO
