"""Count equal rows that are one word each, of any number of different ones.

How it works. A small table, which a core's cache holds, counts the rows that find a place in it:
the hash of a word says where to look, and a few places from there on are tried. Rows that find none
are laid aside as they are, word and labels in one integer, and sorted from time to time, which
makes them counts. Where some rows are frequent they come early and are in the table; where all are
different nearly everything is sorted, in long runs that memory likes. Nothing waits for a table
that is larger than the caches. Only integers are added, so the result depends neither on the order
of the rows nor on which of them found a place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiled import compiled
from tacit.kernels.reading.tally import MIX

_BITS = 15
"""The table has 2^15 places: with one label 768 KiB, less than most cores' second cache."""
_TRIES = 4
"""Places that are tried: the words that share a hash with frequent ones are few."""
_ASIDE = 1 << 25
"""Rows laid aside, 8 bytes each, before they are sorted into counts."""

Ints = NDArray[np.int64]


class NarrowTally:
    """The different words that were added, how many there are of each, and their ones."""

    def __init__(self, labels: int) -> None:
        self._labels = labels
        self._bits = _BITS
        self._table = np.zeros(((1 << _BITS) + _TRIES, 2 + labels), dtype=np.int64)
        self._aside: list[Ints] = []
        self._counts: list[tuple[Ints, Ints]] = []

    def add(self, words: Ints, marks: NDArray[np.uint8]) -> None:
        """Add words, each with a 0 or 1 for each label."""
        aside = np.empty(len(words), dtype=np.int64)
        laid = _add(words, marks, self._bits, self._table, aside)
        self._aside.append(aside[:laid].copy())
        if sum(map(len, self._aside)) > _ASIDE:
            self._sort()

    def sorted(self) -> tuple[Ints, Ints]:
        """Return the different words, sorted, and their sums: rows, then ones label by label."""
        self._sort()
        held = self._table[self._table[:, 1] > 0]
        order = np.argsort(held[:, 0])
        return _merged([*self._counts, (held[order, 0], held[order, 1:])])

    def _sort(self) -> None:
        """Make counts of the rows laid aside."""
        if not self._aside:
            return
        keys = np.concatenate(self._aside)
        self._aside.clear()
        keys.sort()
        words = keys >> self._labels
        starts = np.flatnonzero(np.diff(words, prepend=-1))
        sums = np.empty((len(starts), 1 + self._labels), dtype=np.int64)
        sums[:, 0] = np.diff(starts, append=len(keys))
        for j in range(self._labels if len(starts) else 0):
            sums[:, 1 + j] = np.add.reduceat(keys >> j & 1, starts)
        self._counts = [_merged([*self._counts, (words[starts], sums)])]


def _merged(counts: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    """Add up counts whose words are sorted."""
    if len(counts) == 1:
        return counts[0]
    words = np.concatenate([words for words, _ in counts])
    order = np.argsort(words, kind="stable")
    words, sums = words[order], np.concatenate([sums for _, sums in counts])[order]
    starts = np.flatnonzero(np.diff(words, prepend=-1))
    if len(starts) == len(words):
        return words, sums
    return words[starts], np.add.reduceat(sums, starts, axis=0)


@compiled
def _add(words: Any, marks: Any, bits: int, table: Any, aside: Any) -> int:
    """Count the words that find a place, lay the others aside, and say how many those are."""
    labels, laid = marks.shape[1], 0
    shift = np.uint64(64 - bits)
    for row in range(len(words)):
        word = words[row]
        place = (np.uint64(word) * MIX) >> shift
        for _ in range(_TRIES):
            if table[place, 1] == 0:
                table[place, 0] = word
            if table[place, 0] == word:
                table[place, 1] += 1
                for j in range(labels):
                    table[place, 2 + j] += marks[row, j]
                break
            place += np.uint64(1)
        else:
            joined = word << labels
            for j in range(labels):
                joined |= np.int64(marks[row, j]) << j
            aside[laid] = joined
            laid += 1
    return laid
