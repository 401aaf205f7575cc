"""Does a class have Littlestone dimension at least d? Compiled, with a memory that keeps full keys.

The columns of a version space are compacted at every split (`bit_columns.compact`), so equal
sub-problems become equal arrays; what is remembered is compared word by word, never by hash alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.bits.bit_columns import compact, distinct, ones, side, transpose
from tacit.kernels.compiled import compiled

YES, NO, UNDECIDED = 1, 0, -1
_WORK, _ENTRIES, _USED, _SOURCES = 0, 1, 2, 3
DEEPEST = 62
_TRIED = 4


class Memory(NamedTuple):
    """What is known of sub-problems: `low <= dimension <= high`, and a column that splits so.

    `child` are the two sides of that split, if they are known, and `sources`, from `origin` on, say
    which columns theirs were.
    """

    slots: NDArray[np.int64]
    keys: NDArray[np.uint64]
    start: NDArray[np.int64]
    shape: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    split: NDArray[np.int64]
    arena: NDArray[np.uint64]
    child: NDArray[np.int64]
    origin: NDArray[np.int64]
    sources: NDArray[np.int64]
    state: NDArray[np.int64]


@compiled
def memory(entries: Any, words: Any) -> Any:
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
        np.empty((entries, 2), dtype=np.int64),
        np.empty((entries, 2), dtype=np.int64),
        np.empty(words // 8 + 4096, dtype=np.int64),
        np.zeros(4, dtype=np.int64),
    )


@compiled
def find(known: Any, columns: Any, n: Any, key: Any) -> Any:
    """Return the entry of a sub-problem, made if there is room; -1 if there is none.

    The first one asked for is the whole class. No other has as many rows, so it is not copied.
    """
    m, w = columns.shape
    size = known.slots.shape[0]
    if known.state[_ENTRIES] and known.shape[0, 0] == n:
        return 0
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
    if entry == 0:
        m = 0
    if entry >= known.keys.shape[0] or used + m * w > known.arena.shape[0]:
        return -1
    known.slots[place] = entry
    known.keys[entry] = key
    known.start[entry] = used
    known.shape[entry, 0], known.shape[entry, 1] = n, m
    known.low[entry], known.high[entry], known.split[entry] = 0, DEEPEST, -1
    known.child[entry, 0], known.child[entry, 1] = -1, -1
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
def _bring(order: Any, smaller: Any, place: Any) -> None:
    """Put the column that splits most evenly, of those from a place on, into this place.

    Mostly the first few are enough, so only then the rest is sorted.
    """
    if place == _TRIED:
        rest = order[place:].copy()
        order[place:] = rest[np.argsort(-smaller[rest])]
    elif place < _TRIED:
        best = place
        for i in range(place + 1, order.shape[0]):
            if smaller[order[i]] > smaller[order[best]]:
                best = i
        order[place], order[best] = order[best], order[place]


@compiled
def halves(columns: Any, mask: Any, size: Any, start: Any) -> Any:
    """Return a column that has two ones and two zeros among the rows of a mask, or -1."""
    m, w = columns.shape
    for y in range(start, m):
        total = np.uint64(0)
        for i in range(w):
            total += ones(columns[y, i] & mask[i])
        if 2 <= np.int64(total) <= size - 2:
            return y
    return -1


@compiled
def _keep(known: Any, entry: Any, label: Any, child: Any, source: Any) -> None:
    """Remember a side of a split, if there is room."""
    start = known.state[_SOURCES]
    known.child[entry, label] = -1
    if child >= 0 and start + source.shape[0] <= known.sources.shape[0]:
        known.child[entry, label], known.origin[entry, label] = child, start
        for i in range(source.shape[0]):
            known.sources[start + i] = source[i]
        known.state[_SOURCES] = start + source.shape[0]


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
    candidates = 0
    for y in range(m):
        candidates += half <= number[y] <= n - half
    if candidates == 0:
        return NO
    if d == 2:
        return YES
    entry = find(known, columns, n, key)
    if entry >= 0:
        if known.low[entry] >= d:
            return YES
        if known.high[entry] < d:
            return NO
    smaller, order = np.empty(m, dtype=np.int64), np.empty(candidates, dtype=np.int64)
    i = 0
    for y in range(m):
        smaller[y] = min(number[y], n - number[y])
        if smaller[y] >= half:
            order[i] = y
            i += 1
    rows = np.empty((0, 0), dtype=np.uint64)
    wide = (m + 63) >> 6
    last = np.uint64(0xFFFFFFFFFFFFFFFF)
    if m & 63:
        last = (np.uint64(1) << np.uint64(m & 63)) - np.uint64(1)
    for i in range(candidates):
        _bring(order, smaller, i)
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
        if d == 3:
            if halves(columns, mask, smaller[x], 0) < 0:
                continue
            other = side(columns, n, x, 1 - few)
            answer = YES if halves(columns, other, n - smaller[x], 0) >= 0 else NO
        else:
            cols, source, num, size, name = compact(columns, mask)
            answer = decide(cols, num, size, d - 1, name, known)
            if answer == UNDECIDED:
                return UNDECIDED
            if answer == NO:
                continue
            known.state[_WORK] -= m * w
            more, origin, nums, rest, key_rest = compact(columns, side(columns, n, x, 1 - few))
            answer = decide(more, nums, rest, d - 1, key_rest, known)
            if answer == UNDECIDED:
                return UNDECIDED
            if answer == YES and entry >= 0 and known.low[entry] < d:
                _keep(known, entry, few, find(known, cols, size, name), source)
                _keep(known, entry, 1 - few, find(known, more, rest, key_rest), origin)
        if answer == YES:
            if entry >= 0 and known.low[entry] < d:
                known.low[entry], known.split[entry] = d, x
            return YES
    if entry >= 0 and known.high[entry] >= d:
        known.high[entry] = d - 1
    return NO


@compiled
def begun(columns: Any, n: Any) -> Any:
    """Return the columns of the whole class to search, which points they are, and their counts.

    They are moved only if many are left out.
    """
    m, w = columns.shape
    number = distinct(columns, n)
    names = np.flatnonzero(number)
    if 4 * names.shape[0] > 3 * m:
        return columns, np.arange(m), number
    kept = np.empty((names.shape[0], w), dtype=np.uint64)
    for i in range(names.shape[0]):
        kept[i] = columns[names[i]]
    return kept, names, number[names]


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


__all__ = ["Memory", "begun", "decide", "find", "halves", "memory", "root", "search"]
