"""Number the different rows of words.

How it works. A table that is at most half full holds the words of each different row beside its
number; the hash of the words says where to look, and if another row is there, the next place is
tried. When half of the places are taken the table is made anew four times as large.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiled import compiled
from tacit.kernels.reading.tally import MIX

_FIRST = 1 << 12
_SHORT = (1 << 31) - 1
_FOLD = np.uint64(29)
Ints = NDArray[np.int64]


class Places:
    """The different rows of words that were met, numbered in the order of their first coming.

    >>> places = Places(1)
    >>> places.of(np.array([[7], [3], [7]])).tolist(), places.words.tolist()
    ([0, 1, 0], [[7], [3]])
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._table = np.zeros((_FIRST, width + 1), dtype=np.int64)
        self._taken = 0

    def of(self, words: Ints) -> NDArray[Any]:
        """Return the number of each row, in 32 bits if no number can need more."""
        wide = self._taken + len(words) > _SHORT
        found = np.empty(len(words), dtype=np.int64 if wide else np.int32)
        row = 0
        while True:
            row, self._taken = _find(words, row, self._table, self._taken, found)
            if row == len(words):
                return found
            larger = np.zeros((4 * len(self._table), self._width + 1), dtype=np.int64)
            _move(self._table, larger)
            self._table = larger

    @property
    def words(self) -> Ints:
        """The different rows, by number."""
        held = self._table[self._table[:, -1] > 0]
        listed = np.empty((len(held), self._width), dtype=np.int64)
        listed[held[:, -1] - 1] = held[:, :-1]
        return listed


@compiled
def _place(table: Any, words: Any, row: int) -> Any:
    """Return where the table has a row of words, or has room for it."""
    width, mask = table.shape[1] - 1, np.uint64(len(table) - 1)
    value = np.uint64(0)
    for i in range(width):
        value = (value ^ np.uint64(words[row, i])) * MIX
        value ^= value >> _FOLD
    place = value & mask
    while table[place, width]:
        same = True
        for i in range(width):
            same &= table[place, i] == words[row, i]
        if same:
            break
        place = (place + np.uint64(1)) & mask
    return place


@compiled
def _find(words: Any, row: int, table: Any, taken: int, found: Any) -> tuple[int, int]:
    """Number rows from one on until all are, or half the places are taken; say where it stopped."""
    width = words.shape[1]
    while row < len(words):
        place = _place(table, words, row)
        if table[place, width] == 0:
            if 2 * taken == len(table):
                return row, taken
            for i in range(width):
                table[place, i] = words[row, i]
            taken += 1
            table[place, width] = taken
        found[row] = table[place, width] - 1
        row += 1
    return row, taken


@compiled
def _move(table: Any, larger: Any) -> None:
    for row in range(len(table)):
        if table[row, -1]:
            place = _place(larger, table, row)
            for i in range(table.shape[1]):
                larger[place, i] = table[row, i]
