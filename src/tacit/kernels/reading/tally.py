"""Count equal rows of codes.

How it works. The codes of a row are packed into words of 62 bits, digits of mixed radix, the first
column the highest digit; so words compare as rows do. A table that is at most half full holds the
words of each different row beside its sums, where one look into memory finds both: the hash of the
words says where to look, and if another row is there, the next place is tried. A place whose number
of rows is 0 is free. When half of the places are taken the kernel stops and says at which row, the
table is made anew twice as large, and it goes on. Only integers are added, so the result depends
neither on the order of the rows nor on where the kernel stopped; sorted by their words the rows
come out the same each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.frozen import hold
from tacit.kernels.compiled import compiled

WORD = 1 << 62
"""The number of values that one word holds."""
_FIRST = 1 << 14
"""Places to begin with, a power of two."""
MIX = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: its multiples are spread evenly over the words."""
_FOLD = np.uint64(29)


@dataclass(frozen=True, slots=True)
class Words:
    """How rows of codes, of columns with these sizes, are packed into words.

    >>> both = Words((3, 2**60, 5))
    >>> packed = both.pack([np.array([2, 0]), np.array([7, 1]), np.array([4, 0])])
    >>> packed.shape, both.unpack(packed).tolist()
    ((2, 2), [[2, 7, 4], [0, 1, 0]])
    """

    sizes: tuple[int, ...]
    groups: tuple[range, ...] = field(init=False)
    """Which columns share a word: as many as fit, from the first on."""

    def __post_init__(self) -> None:
        groups, start, values = [], 0, 1
        for i, size in enumerate(self.sizes):
            if values * max(size, 2) > WORD:  # a word that is full is not shared by one value more
                groups.append(range(start, i))
                start, values = i, 1
            values *= size
        hold(self, groups=(*groups, range(start, len(self.sizes))))

    def pack(self, codes: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
        """Return one row of words for each row of codes."""
        groups = self.groups
        if len(codes) == 1:
            return codes[0][:, None]
        words = np.zeros((len(codes[0]), len(groups)), dtype=np.int64)
        for word, group in zip(words.T, groups, strict=True):
            word += codes[group[0]]
            for i in group[1:]:
                word *= self.sizes[i]
                word += codes[i]
        return words

    def unpack(self, words: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of codes."""
        codes = np.empty((len(words), len(self.sizes)), dtype=np.int64)
        for word, group in zip(words.T, self.groups, strict=True):
            rest = word
            for i in reversed(group):
                rest, codes[:, i] = np.divmod(rest, self.sizes[i])
        return codes


class Tally:
    """The different rows of words that were added, how many there are of each, and their ones."""

    def __init__(self, width: int, labels: int) -> None:
        self._width = width
        self._table = np.zeros((_FIRST, width + 1 + labels), dtype=np.int64)
        self._taken = 0

    def add(self, words: NDArray[np.int64], marks: NDArray[np.uint8]) -> None:
        """Add rows of words, each with a 0 or 1 for each label."""
        row = 0
        while True:
            row, self._taken = _add(words, marks, row, self._table, self._taken)
            if row == len(words):
                return
            larger = np.zeros((2 * len(self._table), self._table.shape[1]), dtype=np.int64)
            _move(self._table, self._width, larger)
            self._table = larger

    def sorted(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the different rows of words, sorted, and their sums: rows, then ones by label."""
        held = self._table[self._table[:, self._width] > 0]
        words = held[:, : self._width]
        order = np.argsort(words[:, 0]) if self._width == 1 else np.lexsort(words.T[::-1])
        held = held[order]
        return held[:, : self._width], held[:, self._width :]


@compiled
def _hash(words: Any, row: int, width: int) -> Any:
    value = np.uint64(0)
    for i in range(width):
        value = (value ^ np.uint64(words[row, i])) * MIX
        value ^= value >> _FOLD
    return value


@compiled
def _add(words: Any, marks: Any, row: int, table: Any, taken: int) -> tuple[int, int]:
    """Add rows from one on until all are added or half the places are taken; say where it stopped.

    The second number is how many places are taken.
    """
    width, labels, most = words.shape[1], marks.shape[1], len(table) // 2
    mask = np.uint64(len(table) - 1)
    while row < len(words):
        place = _hash(words, row, width) & mask
        while True:
            if table[place, width] == 0:
                if taken == most:
                    return row, taken
                for i in range(width):
                    table[place, i] = words[row, i]
                taken += 1
                break
            same = True
            for i in range(width):
                same &= table[place, i] == words[row, i]
            if same:
                break
            place = (place + np.uint64(1)) & mask
        table[place, width] += 1
        for j in range(labels):
            table[place, width + 1 + j] += marks[row, j]
        row += 1
    return row, taken


@compiled
def _move(table: Any, width: int, larger: Any) -> None:
    """Copy what is taken to where a larger table has it."""
    mask = np.uint64(len(larger) - 1)
    for row in range(len(table)):
        if table[row, width]:
            place = _hash(table, row, width) & mask
            while larger[place, width]:
                place = (place + np.uint64(1)) & mask
            for i in range(table.shape[1]):
                larger[place, i] = table[row, i]
