"""How far each user's word is from a traced one, kind by kind: one pass over the packed code."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.bits.bit_distances import count
from tacit.kernels.bits.packing import Words
from tacit.theory.codes.codebook import Codebook

SMALL = 1 << 20
"""Up to so many words NumPy is quick enough; beyond, it pays to load the compiled kernel."""


def disagreements(book: Codebook, placed: Words) -> NDArray[np.int64]:
    """Count, for each user and each kind of column, the bits in which both words differ.

    Cost:
        One pass over the code, on all processors, near the speed of the memory.
    """
    if book.rows.size <= SMALL:
        different = np.bitwise_count(book.rows ^ placed)
        return np.add.reduceat(different, book.starts, axis=1, dtype=np.int64)
    ends = np.append(book.starts, book.rows.shape[1])
    counts = np.empty((book.users, len(book.starts)), dtype=np.int64)
    cuts = np.linspace(0, book.users, (os.cpu_count() or 1) + 1).astype(np.int64).tolist()
    parts = [slice(low, high) for low, high in pairwise(cuts)]
    with ThreadPoolExecutor(len(parts)) as threads:
        list(threads.map(lambda p: count(book.rows[p], placed, ends, counts[p]), parts))
    return counts
