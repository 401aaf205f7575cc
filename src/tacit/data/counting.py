"""Two ways to count equal rows of words: into a table, or by sorting where most are different.

Both give the same arrays. The first rows decide which is taken, and nothing but time depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tacit.data.tally import WORD, Tally

Rows = tuple[NDArray[np.int64], NDArray[np.uint8]]
"""Words, one row each; and a 0 or 1 for each label."""
Sums = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The different rows of words, sorted; of each the number of rows, and of ones label by label."""

_SAMPLE = 1 << 14
"""Rows that are looked at to choose."""
_SORTED = 1 << 25
"""Rows that are sorted at most, 8 bytes each."""


def count(batches: Iterable[Rows], width: int, labels: int, values: int) -> Sums:
    """Count rows that have this many words, of that many values in all, and labels.

    >>> rows = np.array([[7], [3], [7]]), np.array([[1], [0], [0]], dtype=np.uint8)
    >>> [part.tolist() for part in count([rows], 1, 1, 10)]
    [[[3], [7]], [[1, 0], [2, 1]]]
    """
    stream, kept = iter(batches), list[NDArray[np.int64]]()
    if width == 1 and values << labels <= WORD:
        rows = 0
        for words, marks in stream:
            if not kept and not _mostly_different(words[:_SAMPLE, 0]):
                stream = chain([(words, marks)], stream)
                break
            kept.append(_joined(words, marks))
            rows += len(words)
            if rows > _SORTED:
                break
        else:
            return _by_sorting(kept, labels)
    tally = Tally(width, labels)
    for words, marks in chain((_parted(keys, labels) for keys in kept), stream):
        tally.add(words, marks)
    return tally.sorted()


def _mostly_different(keys: NDArray[np.int64]) -> bool:
    return 2 * len(np.unique(keys)) > len(keys)


def _joined(words: NDArray[np.int64], marks: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Put the labels below the word."""
    keys: NDArray[np.int64] = words[:, 0] << marks.shape[1]
    for j, ones in enumerate(marks.T):
        keys |= ones.astype(np.int64) << j
    return keys


def _parted(keys: NDArray[np.int64], labels: int) -> Rows:
    marks = keys[:, None] >> np.arange(labels) & 1
    return keys[:, None] >> labels, marks.astype(np.uint8)


def _by_sorting(kept: list[NDArray[np.int64]], labels: int) -> Sums:
    keys = np.concatenate([np.empty(0, dtype=np.int64), *kept])
    keys.sort()
    words = keys >> labels
    starts = np.flatnonzero(np.diff(words, prepend=-1))
    sums = np.empty((len(starts), 1 + labels), dtype=np.int64)
    sums[:, 0] = np.diff(starts, append=len(keys))
    for j in range(labels if len(starts) else 0):
        sums[:, 1 + j] = np.add.reduceat(keys >> j & 1, starts)
    return words[starts][:, None], sums
