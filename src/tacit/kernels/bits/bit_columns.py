"""Steps on bit-packed columns: take a side of a split, compact what is left of them, transpose.

How it works. A class of n concepts on m points is m *columns*, each a bitmap of the n concepts that
say yes at that point (`tacit.kernels.bits.words` says how bits are laid out). To ask a point is to
split the rows (the concepts) by its column; a search then goes on with one side.

`side` is the bitmap of the rows on one side. `compact` restricts all columns to such a bitmap and
brings them to a standard form, so that equal sub-problems become equal arrays and can be looked up:

1. *Restrict.* Bits of the rows that are left are gathered side by side (`_restrict`).
2. *Standardise.* A column and its complement split alike, so of the two the one whose first bit is
   clear is kept; on the way its ones are counted and its hash is made. (Here and in `distinct` this
   loop is written out: as a step of its own it takes half as long again for short columns.)
3. *Leave out.* A column with fewer than two rows on a side is good for no question but the last one
   on a path, and that one is found without it; of equal columns one is enough (`_is_new`).
4. *Order.* By hash, and by content where hashes agree (`_order`), so that the same set of columns
   comes out the same, whatever order the points had; `_arrange` moves the lines in place.

Nothing rests on hashes being different: whatever they find equal is compared word by word.

The lines are written where the next new one belongs and simply overwritten if they are left out, so
there is one allocation for all; that and `gather`, one instruction a word, are why this is fast.
Lines are passed as (array, index), not as slices: making a slice counts references, atomically.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.kernels.bits.words import ALL_BITS, FIRST_BIT, NO_BITS, first_bits, gather, ones
from tacit.kernels.compiled import compiled, inlined

_FEW = 24
"""Up to so many columns are compared with each other and sorted by insertion: no table is made."""

_SEED, _FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
"""2^64 over the golden ratio, and the factors of the generator SplitMix64."""


@compiled
def mix(word: Any) -> Any:
    """Scatter a word: each bit of it changes about half of the bits of the result."""
    word = (word ^ (word >> np.uint64(30))) * _FACTOR
    word = (word ^ (word >> np.uint64(27))) * _SECOND_FACTOR
    return word ^ (word >> np.uint64(31))


@compiled
def everything(n: Any) -> Any:
    """Return the bitmap of all n rows."""
    mask = np.full((n + 63) >> 6, ALL_BITS)
    if n & 63:
        mask[-1] = first_bits(n)
    return mask


@compiled
def side(columns: Any, n: Any, x: Any, label: Any) -> Any:
    """Return the bitmap of the rows where column x has this label."""
    w = columns.shape[1]
    mask = np.empty(w, dtype=np.uint64)
    for i in range(w):
        mask[i] = columns[x, i] if label else ~columns[x, i]
    if not label:
        mask[w - 1] &= first_bits(n)  # the complement also set the bits beyond the last row
    return mask


@compiled
def compact(columns: Any, mask: Any) -> Any:
    """Restrict columns to the rows of a mask, and keep one of each that still divides them twice.

    A column is kept with its first bit cleared by taking complements, if at least two rows are on
    either side of it; of equal ones the first. Returned in one order that depends only on what they
    hold: the columns, which ones they were, their counts, the number of rows, and a hash of it all.
    """
    m = columns.shape[0]
    words, n = _words_in_use(mask)
    used, width, last = words.shape[0], (n + 63) >> 6, first_bits(n)
    whole = n == used << 6  # whole words only: nothing to gather
    lines = np.empty((m, width), dtype=np.uint64)
    source, number = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    hashes = np.empty(m, dtype=np.uint64)
    table = _hash_table(m if m > _FEW else 0)
    count = 0
    for y in range(m):
        if whole:
            for i in range(used):
                lines[count, i] = columns[y, words[i]]
        else:
            _restrict(columns, y, mask, words, lines, count)
        flip = ALL_BITS if width and lines[count, 0] & FIRST_BIT else NO_BITS
        bits, h = NO_BITS, _SEED
        for i in range(width):
            word = lines[count, i] ^ flip
            if i == width - 1:
                word &= last
            lines[count, i] = word
            bits += ones(word)
            h = _stirred(h, word)
        total = np.int64(bits)
        if total < 2 or n - total < 2:
            continue
        hashes[count], number[count], source[count] = mix(h), total, y
        if _is_new(table, hashes, lines, count, last):
            count += 1
    order = _order(lines, hashes, count)
    key = mix(np.uint64(n) + _SEED)
    for i in range(count):
        key = mix(key ^ hashes[order[i]]) + _SEED
    _arrange(lines, source, number, order)
    return lines[:count], source[:count], number[:count], n, key


@compiled
def distinct(columns: Any, n: Any) -> Any:
    """Count the ones of each column; a column that equals an earlier one, or its complement, has 0.

    Nothing is moved: what `compact` would leave out keeps its place, with a count that says so.
    """
    m, last = columns.shape[0], first_bits(n)
    hashes, number = np.empty(m, dtype=np.uint64), np.zeros(m, dtype=np.int64)
    table = _hash_table(m)
    for y in range(m):
        flip = ALL_BITS if columns[y, 0] & FIRST_BIT else NO_BITS
        bits, h = NO_BITS, _SEED
        for i in range(columns.shape[1]):
            word = columns[y, i] ^ flip
            if i == columns.shape[1] - 1:
                word &= last
            bits += ones(word)
            h = _stirred(h, word)
        total, hashes[y] = np.int64(bits), mix(h)
        if total < 2 or n - total < 2:
            continue
        if _is_new(table, hashes, columns, y, last):
            number[y] = n - total if flip else total
    return number


@inlined
def _words_in_use(mask: Any) -> Any:
    """Return the words of a mask that have rows, and how many rows there are."""
    words, used, n = np.empty(mask.shape[0], dtype=np.int64), 0, np.int64(0)
    for i in range(mask.shape[0]):
        if mask[i]:
            n += np.int64(ones(mask[i]))
            words[used] = i
            used += 1
    return words[:used], n


@inlined
def _restrict(columns: Any, y: Any, mask: Any, words: Any, lines: Any, at: Any) -> None:
    """Write the bits that column y has in the rows of a mask, side by side, to a line."""
    word, filled, k = NO_BITS, NO_BITS, 0
    for i in range(words.shape[0]):
        bits, taken = columns[y, words[i]], ones(mask[words[i]])
        if taken != np.uint64(64):
            bits = gather(bits, mask[words[i]])
        word |= bits << filled
        if filled + taken >= np.uint64(64):
            lines[at, k] = word
            k += 1
            # What did not fit any more begins the next word; a shift by 64 would be undefined.
            word = bits >> (np.uint64(64) - filled) if filled else NO_BITS
            filled = filled + taken - np.uint64(64)
        else:
            filled += taken
    if filled:
        lines[at, k] = word


@inlined
def _stirred(h: Any, word: Any) -> Any:
    """Add a word to a hash: one turn and one product; `mix` at the end does the rest."""
    return (((h << np.uint64(29)) | (h >> np.uint64(35))) ^ word) * _FACTOR


@inlined
def _hash_table(lines: Any) -> Any:
    """Return an empty table for so many lines, at most half full; none for none."""
    size = 16 if lines else 0
    while size < 2 * lines + 2 and lines:
        size *= 2
    return np.full(size, -1, dtype=np.int64)


@inlined
def _is_new(table: Any, hashes: Any, lines: Any, new: Any, last: Any) -> Any:
    """Whether no line before is equal or complementary; a new one is entered, if there is a table.

    Where there is no table, all lines before are looked at.
    """
    size = table.shape[0]
    if size == 0:
        for other in range(new):
            if hashes[other] == hashes[new] and _alike(lines, other, new, last):
                return False
        return True
    slot = np.int64(hashes[new] & np.uint64(size - 1))
    while table[slot] >= 0:
        if hashes[table[slot]] == hashes[new] and _alike(lines, table[slot], new, last):
            return False
        slot = (slot + 1) & (size - 1)
    table[slot] = new
    return True


@inlined
def _alike(lines: Any, one: Any, other: Any, last: Any) -> Any:
    """Whether two lines are equal or complements of each other."""
    width = lines.shape[1]
    flip = ALL_BITS if (lines[one, 0] ^ lines[other, 0]) & FIRST_BIT else NO_BITS
    for i in range(width):
        word = lines[one, i] ^ lines[other, i] ^ flip
        if i == width - 1:
            word &= last
        if word:
            return False
    return True


@compiled
def _order(lines: Any, hashes: Any, count: Any) -> Any:
    """Order lines by hash, and those of equal hash by what they hold."""
    if count > _FEW:
        order = np.argsort(hashes[:count])
    else:
        order = np.empty(count, dtype=np.int64)
        for i in range(count):
            j = i
            while j > 0 and hashes[order[j - 1]] > hashes[i]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = i
    for i in range(1, count):  # different lines of equal hash are rare, but must not depend on luck
        j = i
        while (
            j > 0
            and hashes[order[j]] == hashes[order[j - 1]]
            and _before(lines, order[j], order[j - 1])
        ):
            order[j], order[j - 1] = order[j - 1], order[j]
            j -= 1
    return order


@compiled
def _before(lines: Any, one: Any, other: Any) -> Any:
    for i in range(lines.shape[1]):
        if lines[one, i] != lines[other, i]:
            return lines[one, i] < lines[other, i]
    return False


@compiled
def _arrange(lines: Any, source: Any, number: Any, order: Any) -> None:
    """Bring line order[i] to place i for all i, cycle by cycle; the order is used up."""
    width = lines.shape[1]
    first = np.empty(width, dtype=np.uint64)
    for start in range(order.shape[0]):
        if order[start] == start:
            continue
        for j in range(width):
            first[j] = lines[start, j]
        source_first, number_first, place = source[start], number[start], start
        while order[place] != start:
            after = order[place]
            for j in range(width):
                lines[place, j] = lines[after, j]
            source[place], number[place] = source[after], number[after]
            order[place] = place
            place = after
        for j in range(width):
            lines[place, j] = first[j]
        source[place], number[place] = source_first, number_first
        order[place] = place


@compiled
def transpose(columns: Any, n: Any) -> Any:
    """Turn m columns of n bits into n rows of m bits, by blocks of 64 x 64."""
    m, w = columns.shape
    rows = np.zeros((n, (m + 63) >> 6), dtype=np.uint64)
    block = np.empty(64, dtype=np.uint64)
    for across in range((m + 63) >> 6):
        for i in range(w):
            for k in range(64):
                y = across * 64 + k
                block[k] = columns[y, i] if y < m else NO_BITS
            _transpose_block(block)
            for k in range(min(64, n - i * 64)):
                rows[i * 64 + k, across] = block[k]
    return rows


@compiled
def _transpose_block(block: Any) -> None:
    """Transpose 64 x 64 bits in place, lowest bit first.

    The off-diagonal quarters change places, then those of each quarter, and so on: six rounds of 32
    exchanges, each by three exclusive-ors.
    """
    width = 32
    mask = np.uint64(0x00000000FFFFFFFF)
    while width:
        k = 0
        while k < 64:
            shift = np.uint64(width)
            moved = ((block[k] >> shift) ^ block[k + width]) & mask
            block[k] ^= moved << shift
            block[k + width] ^= moved
            k = (k + width + 1) & ~width  # the next line in the upper half of its pair
        width >>= 1
        if width:
            mask ^= mask << np.uint64(width)
