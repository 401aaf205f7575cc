"""Does a class have Littlestone dimension at least d? Compiled, with a memory that keeps full keys.

The columns of a version space are compacted at every split (`bit_columns.compact`), so equal
sub-problems become equal arrays; what is remembered is compared word by word, never by hash alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.theory.bit_columns import compact, compiled, ones, side, transpose

YES, NO, UNDECIDED = 1, 0, -1
_WORK, _ENTRIES, _USED = 0, 1, 2
DEEPEST = 62


class Memory(NamedTuple):
    """What is known of sub-problems: `low <= dimension <= high`, and a column that splits so."""

    slots: NDArray[np.int64]
    keys: NDArray[np.uint64]
    start: NDArray[np.int64]
    shape: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    split: NDArray[np.int64]
    arena: NDArray[np.uint64]
    state: NDArray[np.int64]


def memory(entries: int, words: int) -> Memory:
    """Return an empty memory for so many sub-problems, of so many words together."""
    slots = 64
    while slots < 2 * entries:
        slots *= 2
    return Memory(
        np.full(slots, -1, dtype=np.int64),
        np.empty(entries, dtype=np.uint64),
        np.empty(entries, dtype=np.int64),
        np.empty((entries, 2), dtype=np.int64),
        np.empty(entries, dtype=np.int64),
        np.empty(entries, dtype=np.int64),
        np.empty(entries, dtype=np.int64),
        np.empty(words, dtype=np.uint64),
        np.zeros(3, dtype=np.int64),
    )


@compiled
def _find(known: Any, columns: Any, n: Any, key: Any) -> Any:
    """Return the entry of a sub-problem, made if there is room; -1 if there is none."""
    m, w = columns.shape
    size = known.slots.shape[0]
    place = np.int64(key & np.uint64(size - 1))
    while known.slots[place] >= 0:
        entry = known.slots[place]
        if known.keys[entry] == key and known.shape[entry, 0] == n and known.shape[entry, 1] == m:
            start, equal = known.start[entry], True
            for y in range(m):
                for i in range(w):
                    if known.arena[start + y * w + i] != columns[y, i]:
                        equal = False
                        break
                if not equal:
                    break
            if equal:
                return entry
        place = (place + 1) & (size - 1)
    entry, used = known.state[_ENTRIES], known.state[_USED]
    if entry >= known.keys.shape[0] or used + m * w > known.arena.shape[0]:
        return -1
    known.slots[place] = entry
    known.keys[entry] = key
    known.start[entry] = used
    known.shape[entry, 0], known.shape[entry, 1] = n, m
    known.low[entry], known.high[entry], known.split[entry] = 0, DEEPEST, -1
    for y in range(m):
        for i in range(w):
            known.arena[used + y * w + i] = columns[y, i]
    known.state[_ENTRIES] = entry + 1
    known.state[_USED] = used + m * w
    return entry


@compiled
def _divided(rows: Any, mask: Any, size: Any, least: Any, last: Any) -> Any:
    """Whether some column has `least` ones and `least` zeros among the `size` rows of a mask.

    All columns are counted at once: plane j holds the binary digit j of 64 counts a word.
    """
    width, planes = rows.shape[1], 1
    while size >> planes:
        planes += 1
    digits = np.zeros((planes, width), dtype=np.uint64)
    for word in range(mask.shape[0]):
        left = mask[word]
        while left:
            low = left & (~left + np.uint64(1))
            left ^= low
            row = rows[(word << 6) + np.int64(ones(low - np.uint64(1)))]
            for i in range(width):
                carry, j = row[i], 0
                while carry:
                    kept = digits[j, i] & carry
                    digits[j, i] ^= carry
                    carry, j = kept, j + 1
    for i in range(width):
        many = _reaches(digits, i, planes, least)
        few = ~_reaches(digits, i, planes, size - least + 1)
        both = many & few
        if i == width - 1:
            both &= last
        if both:
            return True
    return False


@compiled
def _reaches(digits: Any, i: Any, planes: Any, bound: Any) -> Any:
    """Return the columns of word i whose count is at least a bound."""
    if bound >> planes:
        return np.uint64(0)
    above, equal = np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)
    for j in range(planes - 1, -1, -1):
        if bound >> j & 1:
            equal &= digits[j, i]
        else:
            above |= equal & digits[j, i]
            equal &= ~digits[j, i]
    return above | equal


@compiled
def decide(columns: Any, number: Any, n: Any, d: Any, key: Any, known: Any) -> Any:
    """Return whether the dimension of n rows is at least d, or -1 if the work was used up.

    `columns` are compacted: no column left out could be asked at depth 2 or more.
    """
    if d <= 1:
        return YES if n >= 1 << d else NO
    if n >> d == 0:
        return NO
    m, w = columns.shape
    half = 1 << (d - 1)
    smaller = np.empty(m, dtype=np.int64)
    candidates = 0
    for y in range(m):
        smaller[y] = min(number[y], n - number[y])
        candidates += smaller[y] >= half
    if candidates == 0:
        return NO
    if d == 2:
        return YES
    entry = _find(known, columns, n, key)
    if entry >= 0:
        if known.low[entry] >= d:
            return YES
        if known.high[entry] < d:
            return NO
    order = np.argsort(-smaller)
    rows = np.empty((0, 0), dtype=np.uint64)
    wide = (m + 63) >> 6
    last = np.uint64(0xFFFFFFFFFFFFFFFF)
    if m & 63:
        last = (np.uint64(1) << np.uint64(m & 63)) - np.uint64(1)
    for i in range(candidates):
        x = order[i]
        few = 1 if 2 * number[x] <= n else 0
        mask = side(columns, n, x, few)
        if smaller[x] * wide * 6 < m * w:
            if rows.shape[0] == 0:
                rows = transpose(columns, n)
                known.state[_WORK] -= m * w
            known.state[_WORK] -= smaller[x] * wide
            if known.state[_WORK] < 0:
                return UNDECIDED
            if not _divided(rows, mask, smaller[x], half // 2, last):
                continue
        known.state[_WORK] -= m * w
        if known.state[_WORK] < 0:
            return UNDECIDED
        cols, _, num, size, name = compact(columns, mask)
        answer = decide(cols, num, size, d - 1, name, known)
        if answer == UNDECIDED:
            return UNDECIDED
        if answer == NO:
            continue
        known.state[_WORK] -= m * w
        cols, _, num, size, name = compact(columns, side(columns, n, x, 1 - few))
        answer = decide(cols, num, size, d - 1, name, known)
        if answer == UNDECIDED:
            return UNDECIDED
        if answer == YES:
            if entry >= 0 and known.low[entry] < d:
                known.low[entry], known.split[entry] = d, x
            return YES
    if entry >= 0 and known.high[entry] >= d:
        known.high[entry] = d - 1
    return NO


@compiled
def root(columns: Any, n: Any) -> Any:
    """Compact the columns of the whole class."""
    mask = np.full(columns.shape[1], np.uint64(0xFFFFFFFFFFFFFFFF))
    if n & 63:
        mask[-1] = (np.uint64(1) << np.uint64(n & 63)) - np.uint64(1)
    return compact(columns, mask)


@compiled
def search(columns: Any, number: Any, n: Any, key: Any, known: Any, low: Any, high: Any) -> Any:
    """Narrow `low <= dimension <= high` from both ends until they meet or the work is used up.

    The ends take turns, each with a share of the work that doubles.
    """
    left, share = known.state[_WORK], 4 * columns.size + 4096
    while low < high and left > 0:
        for top in (True, False):
            share_now = min(share, left)
            known.state[_WORK] = share_now
            answer = decide(columns, number, n, high if top else low + 1, key, known)
            left -= share_now - max(known.state[_WORK], 0)
            if answer == YES:
                low = high if top else low + 1
            elif answer == NO:
                high = high - 1 if top else low
            if low >= high or left <= 0:
                break
        share *= 2
    known.state[_WORK] = left
    return low, high


@compiled
def grow(
    columns: Any,
    number: Any,
    n: Any,
    d: Any,
    key: Any,
    names: Any,
    rows: Any,
    known: Any,
    whole: Any,
    points: Any,
    leaves: Any,
    node: Any,
) -> Any:
    """Write a mistake tree of depth d in heap order, left for label 0; False if work ran out.

    `names` are the points that the columns stand for, `rows` the concepts; node j has the children
    2 j + 1 and 2 j + 2, and leaf i is the concept at node `len(points) + i`.
    """
    if d == 0:
        leaves[node - points.shape[0]] = rows[0]
        return True
    if d == 1:
        one, other = rows[0], rows[1]
        for x in range(whole.shape[0]):
            a = whole[x, one >> 6] >> np.uint64(one & 63) & np.uint64(1)
            b = whole[x, other >> 6] >> np.uint64(other & 63) & np.uint64(1)
            if a != b:
                points[node] = x
                leaves[2 * node + 1 - points.shape[0]] = other if a else one
                leaves[2 * node + 2 - points.shape[0]] = one if a else other
                return True
        return False
    x = -1
    if d > 2:
        entry = _find(known, columns, n, key)
        if entry >= 0 and known.low[entry] < d:
            decide(columns, number, n, d, key, known)
        if entry >= 0 and known.low[entry] >= d:
            x = known.split[entry]
    half = 1 << (d - 1)
    for y in range(columns.shape[0]):
        if x >= 0 or min(number[y], n - number[y]) < half:
            continue
        good = True
        for label in range(2):
            cols, _, num, size, name = compact(columns, side(columns, n, y, label))
            good = good and decide(cols, num, size, d - 1, name, known) == YES
        if good:
            x = y
    if x < 0:
        return False
    points[node] = names[x]
    for label in range(2):
        mask = side(columns, n, x, label)
        inside = np.empty(n, dtype=np.int64)
        size = 0
        for r in range(n):
            if mask[r >> 6] >> np.uint64(r & 63) & np.uint64(1):
                inside[size] = rows[r]
                size += 1
        first = inside[0]
        true = whole[names[x], first >> 6] >> np.uint64(first & 63) & np.uint64(1)
        cols, source, num, size, name = compact(columns, mask)
        below = 2 * node + 2 if true else 2 * node + 1
        if not grow(
            cols,
            num,
            size,
            d - 1,
            name,
            names[source],
            inside[:size],
            known,
            whole,
            points,
            leaves,
            below,
        ):
            return False
    return True


__all__ = ["Memory", "decide", "grow", "memory", "root", "search"]
