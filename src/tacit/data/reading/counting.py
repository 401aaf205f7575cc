"""Count equal rows of words: of one word with labels beside it, or of any number of words.

Both ways give the same arrays; which is taken is decided by the sizes of the columns.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.reading.narrow_tally import NarrowTally
from tacit.kernels.reading.tally import WORD, Tally

Rows = tuple[NDArray[np.int64], NDArray[np.uint8]]
"""Words, one row each; and a 0 or 1 for each label."""
Sums = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The different rows of words, sorted; of each the number of rows, and of ones label by label."""


def count(batches: Iterable[Rows], width: int, labels: int, values: int) -> Sums:
    """Count rows that have this many words, of that many values in all, and labels.

    >>> rows = np.array([[7], [3], [7]]), np.array([[1], [0], [0]], dtype=np.uint8)
    >>> [part.tolist() for part in count([rows], 1, 1, 10)]
    [[[3], [7]], [[1, 0], [2, 1]]]
    """
    if width == 1 and values << labels <= WORD:
        narrow = NarrowTally(labels)
        for words, marks in batches:
            narrow.add(words[:, 0], marks)
        words, sums = narrow.sorted()
        return words[:, None], sums
    tally = Tally(width, labels)
    for words, marks in batches:
        tally.add(words, marks)
    return tally.sorted()
