"""Count equal rows of codes.

How it works. The codes of a row are packed into words of 62 bits, digits of mixed radix, the first
column the highest digit; so words compare as rows do. A table of slots, at most half full, finds by
its hash the place where the words of a row stand; the row's ones are added to the sums there. When
the places are used up the kernel stops and says at which row, the arrays are doubled, and it goes
on. Only integers are added, so the result does not depend on the order of the rows or on where the
kernel stopped; sorted by their words the rows come out the same each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.compiled import compiled

WORD = 1 << 62
"""The number of values that one word holds."""
_FIRST = 1 << 10
"""Places to begin with."""
_MIX = np.uint64(0x9E3779B97F4A7C15)
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

    @property
    def groups(self) -> list[range]:
        """Which columns share a word: as many as fit, from the first on."""
        groups, start, values = [], 0, 1
        for i, size in enumerate(self.sizes):
            if values * size > WORD:
                groups.append(range(start, i))
                start, values = i, 1
            values *= size
        return [*groups, range(start, len(self.sizes))]

    def pack(self, codes: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
        """Return one row of words for each row of codes."""
        groups = self.groups
        words = np.zeros((len(codes[0]), len(groups)), dtype=np.int64)
        for word, group in zip(words.T, groups, strict=True):
            for i in group:
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
        self._slots = np.full(2 * _FIRST, -1, dtype=np.int64)
        self._words = np.empty((_FIRST, width), dtype=np.int64)
        self._sums = np.zeros((_FIRST, 1 + labels), dtype=np.int64)
        self._used = 0

    def add(self, words: NDArray[np.int64], marks: NDArray[np.uint8]) -> None:
        """Add rows of words, each with a 0 or 1 for each label."""
        row = 0
        while True:
            row, self._used = _add(
                words, marks, row, self._slots, self._words, self._sums, self._used
            )
            if row == len(words):
                return
            self._double()

    def sorted(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the different rows of words, sorted, and their sums: rows, then ones by label."""
        words, sums = self._words[: self._used], self._sums[: self._used]
        order = np.lexsort(words.T[::-1])
        return words[order], sums[order]

    def _double(self) -> None:
        self._words = np.concatenate((self._words, np.empty_like(self._words)))
        self._sums = np.concatenate((self._sums, np.zeros_like(self._sums)))
        self._slots = np.full(2 * len(self._slots), -1, dtype=np.int64)
        _place(self._slots, self._words, self._used)


@compiled
def _hash(words: Any, row: int) -> Any:
    value = np.uint64(0)
    for word in words[row]:
        value = (value ^ np.uint64(word)) * _MIX
        value ^= value >> _FOLD
    return value


@compiled
def _add(
    words: Any, marks: Any, row: int, slots: Any, held: Any, sums: Any, used: int
) -> tuple[int, int]:
    """Add rows from one on until all are added or no place is left; say where, and what is used."""
    mask = np.uint64(len(slots) - 1)
    width, labels = words.shape[1], marks.shape[1]
    while row < len(words):
        slot = _hash(words, row) & mask
        while True:
            place = slots[slot]
            if place < 0:
                if used == len(held):
                    return row, used
                place = used
                slots[slot] = place
                for i in range(width):
                    held[place, i] = words[row, i]
                used += 1
                break
            same = True
            for i in range(width):
                same &= held[place, i] == words[row, i]
            if same:
                break
            slot = (slot + np.uint64(1)) & mask
        sums[place, 0] += 1
        for j in range(labels):
            sums[place, 1 + j] += marks[row, j]
        row += 1
    return row, used


@compiled
def _place(slots: Any, held: Any, used: int) -> None:
    """Put the places that are used into empty slots."""
    mask = np.uint64(len(slots) - 1)
    for place in range(used):
        slot = _hash(held, place) & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = place
