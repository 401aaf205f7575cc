"""Counted rows dealt into blocks: what each block holds, without a list of all rows.

Proof: docs/proofs/dealing.md
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, Random
from tacit.core.chance.deal import Deal, Records
from tacit.core.chance.permutation import permutation

Ints = NDArray[np.int64]

NEAR = 1 << 20
"""Up to so many rows are put in order one by one, here; of more only the counts are dealt."""


def dealt_rows(
    totals: Ints, n: int, sizes: Sequence[int], *, rng: Random
) -> list[tuple[Ints, Ints]]:
    """Deal n rows out in a uniform order; return the records of each block, and their rows.

    There are so many rows of each record, and null rows up to n, which are dealt too. What a row
    holds has no say in where it goes. How it is done depends on n alone, the law on nothing.

    >>> from tacit.core.chance.randomness import Seeded
    >>> blocks = dealt_rows(np.array([2, 0, 5]), 8, [3, 5], rng=Seeded(1))
    >>> [(which.tolist(), rows.tolist()) for which, rows in blocks]
    [([2], [2]), ([0, 2], [2, 3])]
    """
    if sum(sizes) > n or any(size < 0 for size in sizes):
        raise InvalidArgument(f"blocks of {list(sizes)} rows cannot be dealt from {n}")
    return (_in_order if n <= NEAR else _by_words)(totals, n, sizes, rng)


def _in_order(totals: Ints, n: int, sizes: Sequence[int], rng: Random) -> list[tuple[Ints, Ints]]:
    rows = np.repeat(np.arange(len(totals)), totals)
    order, ends, found = permutation(n, rng=rng), np.cumsum([0, *sizes]), []
    for start, size in zip(ends.tolist(), sizes, strict=False):
        block = order[start : start + size]
        which, held = np.unique(rows[block[block < len(rows)]], return_counts=True)
        found.append((which, held.astype(np.int64)))
    return found


def _by_words(totals: Ints, n: int, sizes: Sequence[int], rng: Random) -> list[tuple[Ints, Ints]]:
    nobody, many = np.zeros(0, dtype=np.int64), len(totals)
    if not sum(sizes):
        return [(nobody, nobody)] * len(sizes)
    all_ = np.append(totals, n - int(totals.sum()))
    records = Records(np.arange(many + 1)[:, None], all_)
    parts = list(Deal.of(records, n, sizes, rng=rng).split(records))
    which, block, rows = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.lexsort((which, block))
    which, block, rows = which[order], block[order], rows[order]
    new = np.ones(len(which), dtype=np.bool_)
    new[1:] = (which[1:] != which[:-1]) | (block[1:] != block[:-1])
    rows = np.add.reduceat(rows, np.flatnonzero(new))
    which, block = which[new], block[new]
    real = which < many
    which, block, rows = which[real], block[real], rows[real]
    ends = np.searchsorted(block, np.arange(len(sizes) + 1)).tolist()
    return [(which[a:b], rows[a:b]) for a, b in pairwise(ends)]
