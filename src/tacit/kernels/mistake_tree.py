"""Mistake trees from what a Littlestone search remembers: equal sub-problems share one subtree.

How it works. After a search, `Memory` has for many sub-problems a column that splits them well, and
for the sides of that split the entries that they are. `_grow` walks down these splits and writes
the tree; where nothing is remembered it searches again (`_split`).

- *Own numbers.* A subtree is written in the numbering of its own compacted columns and rows, root
  first, then the subtree where its column is 0, then the other; its leaves are rows. Whoever holds
  it translates both to its own numbering (`_translate`). So a subtree that was grown once is
  copied, not grown again, wherever its sub-problem comes up (`Subtrees`).
- *The last questions.* Columns that tell only one row from the rest are not among the compacted
  ones, so the question above a pair of leaves is left open (`_LAST`). Compacting also exchanges
  labels where it takes complements. Both are settled at the end by the class itself: `_settle`
  looks up what the two leaves really say, and finds a point that tells them apart.
- *Heap order.* The result has the children of node j at 2 j + 1 (label 0) and 2 j + 2 (label 1).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.bits.bit_columns import compact, everything, side
from tacit.kernels.bits.words import NO_BITS, lowest, ones, place
from tacit.kernels.compiled import compiled
from tacit.kernels.littlestone import (
    DEEPEST,
    ENTRIES,
    WORK,
    YES,
    decide,
    find,
    memory,
    root,
    search,
    two_and_two,
)

_LAST = -1
"""Stands for a question that tells the two concepts of a last pair apart."""

_UNKNOWN = -1
"""Stands for the entry of a sub-problem that is not remembered."""


class Subtrees(NamedTuple):
    """Subtrees by the sub-problem they were grown for: where, how deep, and how much is used."""

    place: NDArray[np.int64]
    depth: NDArray[np.int64]
    arena: NDArray[np.int64]
    used: NDArray[np.int64]


@compiled
def _no_subtrees(known: Any, d: Any) -> Any:
    """Return no subtrees, with room for all that a tree of depth d may have."""
    entries = known.state[ENTRIES]
    return Subtrees(
        np.zeros(entries, dtype=np.int64),
        np.zeros(entries, dtype=np.int64),
        np.empty(max(d - 3, 0) << (d + 1), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@compiled
def _copied(trees: Any, entry: Any, points: Any, leaves: Any) -> None:
    """Write a subtree that was grown before."""
    start, inner = trees.place[entry], points.shape[0]
    points[:] = trees.arena[start : start + inner]
    leaves[:] = trees.arena[start + inner : start + 2 * inner + 1]


@compiled
def _kept(trees: Any, entry: Any, d: Any, points: Any, leaves: Any) -> None:
    """Keep a subtree for the next time, if there is room."""
    start, inner = trees.used[0], points.shape[0]
    end = start + 2 * inner + 1
    if end <= trees.arena.shape[0]:
        trees.arena[start : start + inner] = points
        trees.arena[start + inner : end] = leaves
        trees.place[entry], trees.depth[entry] = start, d
        trees.used[0] = end


@compiled
def _size(mask: Any) -> Any:
    total = NO_BITS
    for i in range(mask.shape[0]):
        total += ones(mask[i])
    return np.int64(total)


@compiled
def _first_rows(mask: Any, rows: Any) -> None:
    """Write the first rows of a mask, as many as there is room for."""
    count = 0
    for i in range(mask.shape[0]):
        left = mask[i]
        while left and count < rows.shape[0]:
            low = lowest(left)
            left ^= low
            rows[count] = (i << 6) + place(low)
            count += 1


@compiled
def _depth_two(columns: Any, mask: Any, size: Any, points: Any, leaves: Any) -> Any:
    """Write a subtree of depth 2 on the rows of a mask; False if there is none."""
    y = two_and_two(columns, mask, size)
    if y < 0:
        return False
    points[0], points[1], points[2] = y, _LAST, _LAST
    part = np.empty_like(mask)
    for label in range(2):
        for i in range(mask.shape[0]):
            part[i] = mask[i] & (columns[y, i] if label else ~columns[y, i])
        _first_rows(part, leaves[2 * label : 2 * label + 2])
    return True


@compiled
def _split(columns: Any, number: Any, n: Any, d: Any, key: Any, known: Any, entry: Any) -> Any:
    """Return a column both of whose sides have dimension d - 1 at least, or -1."""
    if entry >= 0:
        if known.low[entry] < d:
            decide(columns, number, n, d, key, known)
        return known.split[entry] if known.low[entry] >= d else -1
    half = 1 << (d - 1)
    for y in range(columns.shape[0]):
        if min(number[y], n - number[y]) < half:
            continue
        good = True
        for label in range(2):
            cols, _, num, size, name = compact(columns, side(columns, n, y, label))
            good = good and decide(cols, num, size, d - 1, name, known) == YES
        if good:
            return y
    return -1


@compiled
def _grow(
    columns: Any,
    number: Any,
    n: Any,
    d: Any,
    key: Any,
    known: Any,
    trees: Any,
    points: Any,
    leaves: Any,
    entry: Any,
) -> Any:
    """Write a subtree of depth d >= 2 in the numbering of these columns; False if work ran out.

    `entry` is where the sub-problem is remembered, or unknown; then it is looked up. Counts and key
    are needed only for what is not known yet.
    """
    if d == 2:
        return _depth_two(columns, everything(n), n, points, leaves)
    if entry < 0:
        entry = find(known, columns, n, key)
    # Entries that came after `trees` was made have no place in it; at depth 3 growing is as quick.
    shared = 0 <= entry < trees.place.shape[0] and d > 3
    if shared and trees.depth[entry] == d:
        _copied(trees, entry, points, leaves)
        return True
    x = _split(columns, number, n, d, key, known, entry)
    if x < 0:
        return False
    points[0] = x
    half = 1 << (d - 1)
    for label in range(2):
        mask = side(columns, n, x, label)
        below = points[1:half] if label == 0 else points[half:]
        ends = leaves[:half] if label == 0 else leaves[half:]
        if d == 3:
            if not _depth_two(columns, mask, _size(mask), below, ends):
                return False
            continue
        child = _UNKNOWN
        if entry >= 0 and known.low[entry] >= d:
            child = known.child[entry, label]
        if child >= 0 and known.low[child] >= d - 1:
            # The side is remembered as it was compacted, and its splits are known: read it.
            size, m = known.shape[child]
            start, origin = known.start[child], known.origin[entry, label]
            cols = known.arena[start : start + m * ((size + 63) >> 6)].reshape((m, -1))
            source, num, name = known.sources[origin : origin + m], known.low[:0], key
        else:
            cols, source, num, size, name = compact(columns, mask)
            child = _UNKNOWN
        if not _grow(cols, num, size, d - 1, name, known, trees, below, ends, child):
            return False
        _translate(source, mask, size, below, ends)
    if shared:
        _kept(trees, entry, d, points, leaves)
    return True


@compiled
def _translate(source: Any, mask: Any, size: Any, points: Any, leaves: Any) -> None:
    """Turn the numbers of a part into those of what it is a part of."""
    for i in range(points.shape[0]):
        if points[i] != _LAST:
            points[i] = source[points[i]]
    rows = np.empty(size, dtype=np.int64)
    _first_rows(mask, rows)
    for i in range(leaves.shape[0]):
        leaves[i] = rows[leaves[i]]


@compiled
def _value(whole: Any, x: Any, row: Any) -> Any:
    return np.int64(whole[x, row >> 6] >> np.uint64(row & 63) & np.uint64(1))


@compiled
def _apart(whole: Any, one: Any, other: Any, near: Any) -> Any:
    """Return a point on which two rows differ, the nearest to a given one.

    In most classes rows that agree on everything above differ near the last point asked.
    """
    m = whole.shape[0]
    for step in range(m):
        for x in (near - step, near + step):
            if 0 <= x < m and _value(whole, x, one) != _value(whole, x, other):
                return x
    return -1


@compiled
def _settle(whole: Any, names: Any, d: Any, grown: Any, ends: Any, points: Any, leaves: Any) -> Any:
    """Write a tree in heap order, left for label 0, from one in the order it was grown.

    The stack holds, for each subtree to be written: where it starts in `grown`, its first leaf in
    `ends`, its depth, its node in the heap, and the point asked above it.
    """
    stack = np.empty((2 * DEEPEST, 5), dtype=np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, 0, d, 0, 0
    top = 1
    while top:
        top -= 1
        start, first, depth, node = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
        half = 1 << (depth - 1)
        one, other = ends[first], ends[first + half]
        if grown[start] == _LAST:
            x = _apart(whole, one, other, stack[top, 4])
            if x < 0:
                return False
        else:
            x = names[grown[start]]
        points[node] = x
        turned = _value(whole, x, one)  # 1 if the part grown for 0 is really the one labelled 1
        if depth == 1:
            leaves[2 * node + 1 - points.shape[0]] = other if turned else one
            leaves[2 * node + 2 - points.shape[0]] = one if turned else other
            continue
        for part in range(2):
            stack[top, 0] = start + 1 if part == 0 else start + half
            stack[top, 1] = first if part == 0 else first + half
            stack[top, 2], stack[top, 4] = depth - 1, x
            stack[top, 3] = 2 * node + 1 + (turned if part == 0 else 1 - turned)
            top += 1
    return True


@compiled
def tree(
    whole: Any, names: Any, columns: Any, number: Any, n: Any, key: Any, known: Any, d: Any
) -> Any:
    """Return the points and leaves of a mistake tree of depth d in heap order, and whether it grew.

    `whole` are the columns of the class, of which `columns`, compacted, stand for `names`.
    """
    points = np.full((1 << d) - 1, -1, dtype=np.int64)
    leaves = np.zeros(1 << d, dtype=np.int64)
    if d == 0:
        return points, leaves, True
    grown, ends = np.full((1 << d) - 1, _LAST, dtype=np.int64), np.zeros(1 << d, dtype=np.int64)
    if d == 1:
        ends[1] = 1  # rows are distinct concepts, so the first two of them differ somewhere
    else:
        trees, entry = _no_subtrees(known, d), np.int64(_UNKNOWN)
        if not _grow(columns, number, n, d, key, known, trees, grown, ends, entry):
            return points, leaves, False
    return points, leaves, _settle(whole, names, d, grown, ends, points, leaves)


@compiled
def at_once(whole: Any, n: Any, low: Any, high: Any, work: Any) -> Any:
    """Search and grow in one go, for classes so small that calls are what takes the time.

    If the work is used up before both ends meet, there is no tree.
    """
    columns, names, number, n, key = root(whole, n)
    known = memory(max(64, 4 * whole.size), 64 * columns.size + 4096)
    known.state[WORK] = work
    low, high = search(columns, number, n, key, known, low, high)
    points, leaves, grew = tree(
        whole, names, columns, number, n, key, known, low if low == high else 0
    )
    return low, high, points, leaves, grew and low == high
