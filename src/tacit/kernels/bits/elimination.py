"""Gaussian elimination over two elements, 64 columns or labels at a time.

How it works. The method of four Russians [ADKF70]: pivots are found for eight columns at a time, on
a copy of those columns that is one byte a row (`_eliminate`). Then all 2^8 sums of the new pivots'
rows are written into a table (`_sum_up`), and every other row clears its eight columns by adding
one line of it: one pass over the memory instead of eight. Words before the current column are zero
in the pivots' rows, so additions start there (`_add_from`).

With many labels the rows are much longer than the columns. Then only the columns are reduced, with
a unit vector behind each row (`_reduced`); these become the combination of the original rows that
each reduced row is, and `_combine` multiplies it with the right-hand sides, four tables a pass.

Rows come in portions (`echelon`): a few more than there are columns nearly always have full rank,
and with noisy labels these few already contradict every label, so the rest is never read. How many
are read is a function of the private rows, and shows in nothing but the time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiled import compiled

Bits = NDArray[np.uint64]

SPARE = 64
"""So many rows more than columns come first: on consistent rows they are nearly always enough."""
SIDE, GROUPS = 8, 4
"""Columns that are cleared in one pass, and tables that a product reads in one pass."""
FEW, NARROW = 256, 4
"""For fewer rows than that a table of all sums of eight is too long; then it is of four."""
_ONE, _LAST, _BYTE, _EIGHT = np.uint64(1), np.uint64(63), np.uint64(255), np.uint64(8)


@compiled
def _bit(line: Any, column: Any) -> Any:
    return (line[column >> 6] >> (np.uint64(column) & _LAST)) & _ONE


@compiled
def _add(line: Any, other: Any) -> Any:
    for word in range(line.shape[0]):
        line[word] ^= other[word]


@compiled
def echelon(left: Any, right: Any, kept: Any, dims: Any, every: Any) -> Any:
    """Reduce the equations of the kept rows; return (lines, pivot marks, clash).

    Line c of the result, if c is a pivot, has a one in column c and none in another pivot's column;
    behind the columns stand the right-hand sides, one bit a label. `clash` has a one for each label
    that some combination of the rows contradicts. Rows come in a few portions, each reduced with
    the lines before it; what is left stays unread when `clash` has all of `every`, because nothing
    is left to solve.
    """
    width, words = left.shape[1], right.shape[1]
    places = np.flatnonzero(kept)
    where = np.full(dims, -1, dtype=np.int64)
    clash = np.zeros(words, dtype=np.uint64)
    held = np.zeros((0, width + words), dtype=np.uint64)
    taken, rank, portion = 0, 0, dims + SPARE
    while taken < len(places):
        stop = min(taken + portion, len(places))
        rows = np.empty((rank + stop - taken, width + words), dtype=np.uint64)
        rows[:rank] = held[:rank]
        for i in range(taken, stop):
            rows[rank + i - taken, :width] = left[places[i]]
            rows[rank + i - taken, width:] = right[places[i]]
        rank = _reduced(rows, width, where)
        held, taken, portion = rows, stop, 4 * dims + SPARE
        if _all_clash(rows, rank, width, clash, every):
            break
    lines = np.zeros((dims, width + words), dtype=np.uint64)
    for column in range(dims):
        if where[column] >= 0:
            lines[column] = held[where[column]]
    return lines, where >= 0, clash


@compiled
def _reduced(rows: Any, width: Any, where: Any) -> Any:
    """Reduce rows in place; return the rank, and in `where` the row of each pivot, or -1.

    If there are many labels, only the columns are reduced, together with unit vectors: these become
    the combination of rows that each row now is, and the product with it does the rest.
    """
    number, total = rows.shape
    marks = (number + 63) >> 6
    if number < FEW:
        return _eliminate(rows, where, NARROW)
    if total - width <= 2 * (width + marks):
        return _eliminate(rows, where, SIDE)
    small = np.zeros((number, width + marks), dtype=np.uint64)
    for row in range(number):
        small[row, :width] = rows[row, :width]
        small[row, width + (row >> 6)] = _ONE << (np.uint64(row) & _LAST)
    rank = _eliminate(small, where, SIDE)
    _combine(small, rows, width)
    return rank


@compiled
def _eliminate(rows: Any, where: Any, side: Any) -> Any:
    """Clear some columns a pass: first their digits say the pivots, then each row adds one sum."""
    number, words = rows.shape
    sums = np.zeros((1 << side, words), dtype=np.uint64)
    byte = np.empty(number, dtype=np.uint8)
    born = np.empty(side, dtype=np.int64)
    where[:] = -1
    rank = 0
    for first in range(0, where.shape[0], side):
        word, shift = first >> 6, np.uint64(first) & _LAST
        for row in range(rank, number):
            byte[row] = np.uint8((rows[row, word] >> shift) & _BYTE)
        found = 0
        for column in range(first, min(first + side, where.shape[0])):
            new, place = rank + found, np.uint8(column - first)
            row = new
            while row < number and not (byte[row] >> place) & np.uint8(1):
                row += 1
            if row == number:
                continue
            _swap(rows, byte, row, new, word)
            for old in range(found):
                if _bit(rows[new], born[old]):
                    _add_from(rows, new, rows, rank + old, word)
            for old in range(found):
                if _bit(rows[rank + old], column):
                    _add_from(rows, rank + old, rows, new, word)
            _clear(byte, new, place)
            where[column] = new
            born[found] = column
            found += 1
        mask = _sum_up(rows, rank, born[:found], first, sums)
        for row in range(number):
            if row < rank or row >= rank + found:
                digit = np.int64((rows[row, word] >> shift) & np.uint64(mask))
                _add_from(rows, row, sums, digit, word)
        rank += found
    return rank


@compiled
def _swap(rows: Any, byte: Any, one: Any, other: Any, word: Any) -> Any:
    byte[one], byte[other] = byte[other], byte[one]
    for x in range(word, rows.shape[1]):
        rows[one, x], rows[other, x] = rows[other, x], rows[one, x]


@compiled
def _add_from(rows: Any, row: Any, table: Any, line: Any, word: Any) -> Any:
    """Add a line of a table to a row, from a word on; before it the line is zero."""
    for x in range(word, rows.shape[1]):
        rows[row, x] ^= table[line, x]


@compiled
def _clear(byte: Any, new: Any, place: Any) -> Any:
    """Add the new pivot's byte to those behind it that have its column."""
    pivot = byte[new]
    for row in range(new + 1, byte.shape[0]):
        byte[row] ^= pivot * ((byte[row] >> place) & np.uint8(1))


@compiled
def _sum_up(rows: Any, rank: Any, born: Any, first: Any, sums: Any) -> Any:
    """Write the sum of the new pivots' rows for each subset of their columns; return them all."""
    mask, word = 0, first >> 6
    for new in range(born.shape[0]):
        bit = 1 << (born[new] - first)
        subset = mask
        while True:
            for x in range(word, rows.shape[1]):
                sums[subset | bit, x] = sums[subset, x] ^ rows[rank + new, x]
            if subset == 0:
                break
            subset = (subset - 1) & mask
        mask |= bit
    return mask


@compiled
def _combine(small: Any, rows: Any, width: Any) -> Any:
    """Replace each row by the combination of rows whose marks stand behind its columns."""
    number, total = rows.shape
    result = np.zeros((number, total - width), dtype=np.uint64)
    sums = np.zeros((GROUPS, 1 << SIDE, total - width), dtype=np.uint64)
    for first in range(0, number, GROUPS * SIDE):
        for group in range(GROUPS):
            for place in range(SIDE):
                row, bit = first + group * SIDE + place, 1 << place
                for subset in range(bit):
                    _sum_of(rows, width, row, sums[group, subset], sums[group, subset | bit])
        word, shift = width + (first >> 6), np.uint64(first) & _LAST
        for row in range(number):
            digits = small[row, word] >> shift
            a, b = np.int64(digits & _BYTE), np.int64((digits >> _EIGHT) & _BYTE)
            digits >>= np.uint64(16)
            c, d = np.int64(digits & _BYTE), np.int64((digits >> _EIGHT) & _BYTE)
            for x in range(total - width):
                result[row, x] ^= sums[0, a, x] ^ sums[1, b, x] ^ sums[2, c, x] ^ sums[3, d, x]
    rows[:, :width] = small[:, :width]
    rows[:, width:] = result


@compiled
def _sum_of(rows: Any, width: Any, row: Any, before: Any, after: Any) -> Any:
    if row < rows.shape[0]:
        for x in range(before.shape[0]):
            after[x] = before[x] ^ rows[row, width + x]
    else:
        after[:] = before


@compiled
def _all_clash(rows: Any, rank: Any, width: Any, clash: Any, every: Any) -> Any:
    """Note what the equations 0 = rest contradict; say whether no label is left."""
    for row in range(rank, rows.shape[0]):
        for word in range(clash.shape[0]):
            clash[word] |= rows[row, width + word]
    missing = np.uint64(0)
    for word in range(clash.shape[0]):
        missing |= every[word] & ~clash[word]
    return missing == 0


@compiled
def complete(lines: Any, pivot: Any, width: Any, chosen: Any) -> Any:
    """Fill in the pivots' coefficients, given those of the other columns, for all labels at once.

    Line c of `chosen` holds the coefficient of column c, one bit a label.
    """
    for column in range(lines.shape[0]):
        if pivot[column]:
            chosen[column] = lines[column, width:]
            for other in range(lines.shape[0]):
                if not pivot[other] and _bit(lines[column], other):
                    _add(chosen[column], chosen[other])
