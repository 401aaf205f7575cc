"""Tracing 1,000 users over 10^6 columns beside one bare pass over the same packed code.

The pass adds up all words of the code, on as many threads: nothing that looks at every word can be
faster than the memory. Tracing places the word, counts differing bits kind by kind, and weighs.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit
from tests.support.pirates import interleaving

from benchmarks.side_by_side import Row, compare
from tacit.core.chance.randomness import Seeded
from tacit.theory.codes import SymmetricTardos

USERS, COLUMNS, COALITION = 1000, 10**6, 100


def measure() -> list[Row]:
    """Measure one trace; twice the time of the bare pass is half of the memory's bandwidth."""
    rng = Seeded(7)
    code = SymmetricTardos(USERS, soundness="1e-6", coalition=COALITION, columns=COLUMNS)
    book = code.generate(rng=rng)
    word = interleaving(book.issued(list(range(COALITION))), rng)
    found = code.trace(book, word)
    assert found.fired[:COALITION].any(), "nobody was traced"
    assert not found.fired[COALITION:].any(), "an innocent user was accused"
    parts = np.array_split(book.rows, os.cpu_count() or 1)
    with ThreadPoolExecutor(len(parts)) as threads:
        row = compare(
            f"tracing {USERS} users x {COLUMNS:.0e} columns",
            lambda: code.trace(book, word),
            f"one pass over the code's {book.rows.nbytes / 1e6:.0f} MB",
            lambda: list(threads.map(_sum, parts)),
            bar=2.0,
            rounds=21,
        )
    return [row]


@njit(nogil=True)
def _sum(words: Any) -> Any:
    total = np.uint64(0)
    for word in words.ravel():
        total += word
    return total
