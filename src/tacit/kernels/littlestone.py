"""Does a class have Littlestone dimension at least d? A search with a memory that keeps full keys.

How it works. The dimension of a set of rows (concepts) is at least d + 1 if some column (point)
splits them in two sides of dimension at least d each. `decide` follows this definition, and is fast
by what it does not do:

- *Counting.* Dimension d needs 2^d rows, so only columns with 2^(d-1) rows on both sides are
  candidates; with none the answer is NO. At d = 2 a compacted column, which has two rows on either
  side, is a YES; at d = 3 both sides only need such a column (`two_and_two`), and nothing is built.
- *The even ones first.* Candidates are tried by the size of their smaller side (`_bring`): the most
  even split most often succeeds, and the smaller side, which fails first, is asked first.
- *A look ahead.* Before the smaller side is compacted, it is checked that some column splits it
  evenly enough, for all columns at once by adding the rows as binary digits (`_splits_again`). It
  reads the transposed table, so it pays only where the side has few rows.
- *Memory.* Sides are compacted (`bit_columns.compact`), so equal sub-problems become equal arrays.
  `Memory` keeps `low <= dimension <= high` of each, and the split that shows `low`, from which
  `mistake_tree` grows a tree. What is remembered is compared word by word, never by hash alone.

`search` closes in on the dimension from both ends in turn. Work is counted in words looked at, in
`known.state[WORK]`; when it is used up, everybody returns UNDECIDED, and what was learned is kept.

Whoever passes `known` on pays for it: each array among the arguments is counted up and down,
atomically, and it has twelve. So short steps on it are written out where they are done.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.bits.bit_columns import compact, distinct, everything, side, transpose
from tacit.kernels.bits.words import ALL_BITS, NO_BITS, first_bits, lowest, ones, place
from tacit.kernels.compiled import compiled, inlined

YES, NO, UNDECIDED = 1, 0, -1

DEEPEST = 62
"""Tables with 2^63 rows do not exist."""

WORK, ENTRIES, _WORDS, _SOURCES = 0, 1, 2, 3
"""What `Memory.state` counts: the work left, and how many entries, words and sources are used."""

_PICKED = 4
"""So many candidates are picked one by one before all are sorted: mostly the first few decide."""

_ROW_PRICE = 6
"""A row added up as binary digits takes about as long as so many words of a compacted column."""


class Memory(NamedTuple):
    """What is known of sub-problems: `low <= dimension <= high`, and a column that splits so.

    Entry e has the rows and columns `shape[e]` and the words of `arena` from `start[e]` on. `child`
    are the two sides of its split, if they are entries, and `sources`, from `origin` on, say which
    columns theirs were. `slots` is the open hash table of entries by `keys`.
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
    if known.state[ENTRIES] and known.shape[0, 0] == n:
        return 0
    slot = np.int64(key & np.uint64(size - 1))
    while known.slots[slot] >= 0:
        entry = known.slots[slot]
        if known.keys[entry] == key and known.shape[entry, 0] == n and known.shape[entry, 1] == m:
            start, equal = known.start[entry], True
            for y in range(m):
                for i in range(w):
                    equal = equal and known.arena[start + y * w + i] == columns[y, i]
            if equal:
                return entry
        slot = (slot + 1) & (size - 1)
    entry, used = known.state[ENTRIES], known.state[_WORDS]
    if entry == 0:
        m = 0
    if entry >= known.keys.shape[0] or used + m * w > known.arena.shape[0]:
        return -1
    known.slots[slot] = entry
    known.keys[entry] = key
    known.start[entry] = used
    known.shape[entry, 0], known.shape[entry, 1] = n, m
    known.low[entry], known.high[entry], known.split[entry] = 0, DEEPEST, -1
    known.child[entry, 0], known.child[entry, 1] = -1, -1
    for y in range(m):
        for i in range(w):
            known.arena[used + y * w + i] = columns[y, i]
    known.state[ENTRIES] = entry + 1
    known.state[_WORDS] = used + m * w
    return entry


@compiled
def _remember_side(known: Any, entry: Any, label: Any, child: Any, source: Any) -> None:
    """Remember a side of a split, and which columns are its own, if there is room."""
    start = known.state[_SOURCES]
    known.child[entry, label] = -1
    if child >= 0 and start + source.shape[0] <= known.sources.shape[0]:
        known.child[entry, label], known.origin[entry, label] = child, start
        for i in range(source.shape[0]):
            known.sources[start + i] = source[i]
        known.state[_SOURCES] = start + source.shape[0]


@compiled
def _splits_again(rows: Any, columns: Any, mask: Any, size: Any, least: Any) -> Any:
    """Whether some column has `least` ones and `least` zeros among the `size` rows of a mask.

    All columns are counted at once: plane j holds the binary digit j of 64 counts a word, and a row
    is added to them by carries.
    """
    width, planes = rows.shape[1], 1
    while size >> planes:
        planes += 1
    digits = np.zeros((planes, width), dtype=np.uint64)
    for word in range(mask.shape[0]):
        left = mask[word]
        while left:
            low = lowest(left)
            left ^= low
            row = rows[(word << 6) + place(low)]
            for i in range(width):
                carry, j = row[i], 0
                while carry:
                    both = digits[j, i] & carry
                    digits[j, i] ^= carry
                    carry, j = both, j + 1
    for i in range(width):
        enough_ones = _reach(digits, i, planes, least)
        enough_zeros = ~_reach(digits, i, planes, size - least + 1)
        good = enough_ones & enough_zeros
        if i == width - 1:
            good &= first_bits(columns.shape[0])
        if good:
            return True
    return False


@inlined
def _reach(digits: Any, i: Any, planes: Any, bound: Any) -> Any:
    """Return the columns of word i whose count is at least a bound: compared from the top digit."""
    if bound >> planes:
        return NO_BITS
    above, equal = NO_BITS, ALL_BITS
    for j in range(planes - 1, -1, -1):
        if bound >> j & 1:
            equal &= digits[j, i]
        else:
            above |= equal & digits[j, i]
            equal &= ~digits[j, i]
    return above | equal


@compiled
def _bring(order: Any, smaller: Any, at: Any) -> None:
    """Put the column that splits most evenly, of those from a place on, into this place."""
    if at == _PICKED:
        rest = order[at:].copy()
        order[at:] = rest[np.argsort(-smaller[rest])]
    elif at < _PICKED:
        best = at
        for i in range(at + 1, order.shape[0]):
            if smaller[order[i]] > smaller[order[best]]:
                best = i
        order[at], order[best] = order[best], order[at]


@compiled
def two_and_two(columns: Any, mask: Any, size: Any) -> Any:
    """Return a column that has two ones and two zeros among the rows of a mask, or -1."""
    m, w = columns.shape
    for y in range(m):
        total = NO_BITS
        for i in range(w):
            total += ones(columns[y, i] & mask[i])
        if 2 <= np.int64(total) <= size - 2:
            return y
    return -1


@compiled
def decide(columns: Any, number: Any, n: Any, d: Any, key: Any, known: Any) -> Any:
    """Return whether the dimension of n rows is at least d, or UNDECIDED if the work was used up.

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
    candidates = 0
    for y in range(m):
        smaller[y] = min(number[y], n - number[y])
        if smaller[y] >= half:
            order[candidates] = y
            candidates += 1
    rows = np.empty((0, 0), dtype=np.uint64)  # the transposed table, when it is first wanted
    wide = (m + 63) >> 6
    for i in range(candidates):
        _bring(order, smaller, i)
        x = order[i]
        few = 1 if 2 * number[x] <= n else 0  # the label of the smaller side
        mask = side(columns, n, x, few)
        if smaller[x] * wide * _ROW_PRICE < m * w:
            if rows.shape[0] == 0:
                rows = transpose(columns, n)
                known.state[WORK] -= m * w
            known.state[WORK] -= smaller[x] * wide
            if known.state[WORK] < 0:
                return UNDECIDED
            if not _splits_again(rows, columns, mask, smaller[x], half // 2):
                continue
        known.state[WORK] -= m * w
        if known.state[WORK] < 0:
            return UNDECIDED
        if d == 3:
            if two_and_two(columns, mask, smaller[x]) < 0:
                continue
            other = side(columns, n, x, 1 - few)
            answer = YES if two_and_two(columns, other, n - smaller[x]) >= 0 else NO
        else:
            cols, source, num, size, name = compact(columns, mask)
            answer = decide(cols, num, size, d - 1, name, known)
            if answer == NO:
                continue
            if answer == YES:
                known.state[WORK] -= m * w
                more, origin, nums, rest, key_rest = compact(columns, side(columns, n, x, 1 - few))
                answer = decide(more, nums, rest, d - 1, key_rest, known)
            if answer == UNDECIDED:
                return UNDECIDED
            if answer == YES and entry >= 0 and known.low[entry] < d:
                _remember_side(known, entry, few, find(known, cols, size, name), source)
                _remember_side(known, entry, 1 - few, find(known, more, rest, key_rest), origin)
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

    They are moved only if many are left out: a large table is not copied for nothing.
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
    return compact(columns, everything(n))


@compiled
def search(columns: Any, number: Any, n: Any, key: Any, known: Any, low: Any, high: Any) -> Any:
    """Narrow `low <= dimension <= high` from both ends until they meet or the work is used up.

    The ends take turns, each with a share of the work that doubles: nobody knows which of the two
    is the easier one, and so no more than a constant factor is lost.
    """
    left, share = known.state[WORK], 4 * columns.size + 4096
    while low < high and left > 0:
        for top in (True, False):
            share_now = min(share, left)
            known.state[WORK] = share_now
            answer = decide(columns, number, n, high if top else low + 1, key, known)
            left -= share_now - max(known.state[WORK], 0)
            if answer == YES:
                low = high if top else low + 1
            elif answer == NO:
                high = high - 1 if top else low
            if low >= high or left <= 0:
                break
        share *= 2
    known.state[WORK] = left
    return low, high
