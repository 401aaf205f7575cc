"""Gaussian elimination over two elements, 64 columns or labels at a time.

This file compiles with Numba, whose import takes most of a second: ask for it through
`tacit.statistics.linear_system`, which loads it when something is solved.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Bits = NDArray[np.uint64]

BATCH = 64
DIGITS = 16  # of four bits each in a word
_ONE, _LAST, _DIGIT = np.uint64(1), np.uint64(63), np.uint64(15)


def _compiled(function: Any) -> Any:
    return njit(cache=True, nogil=True)(function)


@_compiled
def _bit(line: Any, column: Any) -> Any:
    return (line[column >> 6] >> (np.uint64(column) & _LAST)) & _ONE


@_compiled
def _add(line: Any, other: Any) -> Any:
    for word in range(line.shape[0]):
        line[word] ^= other[word]


@_compiled
def echelon(left: Any, right: Any, kept: Any, dims: Any, every: Any) -> Any:
    """Reduce the equations of the kept rows; return (lines, pivot marks, clash).

    Line c of the result, if c is a pivot, has a one in column c and none in another pivot's column;
    behind the columns stand the right-hand sides, one bit a label. `clash` has a one for each label
    that some combination of the rows contradicts; the reduction stops when it has all of `every`,
    because nothing is left to solve.

    Rows come in batches. A row's digits at the pivots say which lines are to be added, all at once,
    because lines do not meet each other's pivots; `sums` holds the sums for every digit of four
    bits. What is left of the batch is eliminated one by one and then becomes part of the lines.
    """
    width, words = left.shape[1], right.shape[1]
    lines = np.zeros((dims, width + words), dtype=np.uint64)
    pivot = np.zeros(dims, dtype=np.bool_)
    clash = np.zeros(words, dtype=np.uint64)
    sums = np.zeros((width * DIGITS, 16, width + words), dtype=np.uint64)
    line = np.empty(width + words, dtype=np.uint64)
    born = np.empty(BATCH, dtype=np.int64)
    number, taken = 0, 0
    for row in range(left.shape[0]):
        if not kept[row]:
            continue
        _reduced(left[row], right[row], sums, line)
        for place in range(number):
            if _bit(line, born[place]):
                _add(line, lines[born[place]])
        new = _first(line, width)
        if new >= 0:
            lines[new] = line
            born[number] = new
            number += 1
        elif _all_clash(line[width:], clash, every):
            break
        taken += 1
        if taken == BATCH:
            if number:
                _absorb(lines, pivot, born[:number], sums)
            number, taken = 0, 0
    if number:
        _absorb(lines, pivot, born[:number], sums)
    return lines, pivot, clash


@_compiled
def _reduced(left: Any, right: Any, sums: Any, line: Any) -> Any:
    """Write a row into `line` and add what its digits call for."""
    width = left.shape[0]
    line[:width] = left
    line[width:] = right
    for word in range(width):
        digits, group = left[word], word * DIGITS
        while digits:
            digit = digits & _DIGIT
            if digit:
                _add(line, sums[group, digit])
            digits >>= np.uint64(4)
            group += 1


@_compiled
def _first(line: Any, width: Any) -> Any:
    """Return the first column with a one, or -1."""
    for word in range(width):
        if line[word]:
            column = 64 * word
            while not _bit(line, column):
                column += 1
            return column
    return -1


@_compiled
def _all_clash(rest: Any, clash: Any, every: Any) -> Any:
    """Note what an equation 0 = rest contradicts; say whether no label is left."""
    missing = np.uint64(0)
    for word in range(rest.shape[0]):
        clash[word] |= rest[word]
        missing |= every[word] & ~clash[word]
    return missing == 0


@_compiled
def _absorb(lines: Any, pivot: Any, born: Any, sums: Any) -> Any:
    """Clear the new pivots' columns in all other lines, the last first, and sum up again."""
    for place in range(born.shape[0]):
        pivot[born[place]] = True
    for place in range(born.shape[0] - 1, -1, -1):
        column = born[place]
        for other in range(lines.shape[0]):
            if other != column and pivot[other] and _bit(lines[other], column):
                _add(lines[other], lines[column])
    for group in range(sums.shape[0]):
        for digit in range(1, 16):
            low, place = digit, 0
            while not low & 1:
                low >>= 1
                place += 1
            column = 4 * group + place
            sums[group, digit] = sums[group, digit & (digit - 1)]
            if column < pivot.shape[0] and pivot[column]:
                _add(sums[group, digit], lines[column])


@_compiled
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
