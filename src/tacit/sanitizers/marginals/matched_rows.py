"""Rows that are changed one value at a time until their marginals are those wanted."""

from __future__ import annotations

from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.value_changes import sweep
from tacit.sanitizers.contract.attributes import Attributes

WORK = 1 << 30
"""So many entries of marginals are looked up at most."""
SWEEPS, SHIFTS = 12, 3


def settled(
    rows: NDArray[np.int64], attributes: Attributes, wanted: NDArray[np.float64], width: int
) -> NDArray[np.int64]:
    """Return rows with nearly the marginals of the wanted cells; a function of public things.

    Rounding counts of many more cells than there are rows is like drawing rows at random: all
    marginals are off by the square root of n. Wanted counts below 0, which no rows have, move
    marginals as well. Here the sum of their squared errors goes down, by changing one value of a
    row wherever that helps, a few times over.

    >>> rows = np.array([[0, 0], [0, 1], [1, 0], [1, 0]])
    >>> settled(rows, Attributes([2, 2]), np.ones(4), 2).tolist()
    [[0, 0], [0, 1], [1, 1], [1, 0]]
    """
    rows, shape = rows.copy(), np.array(attributes.shape)
    sets = np.array(list(combinations(range(len(shape)), width)))
    sizes = [prod(attributes.shape[i] for i in chosen) for chosen in sets]
    starts = np.cumsum([0, *sizes[:-1]])
    answers = attributes.marginals(wanted, width)
    off = -np.concatenate([answers[tuple(chosen)] for chosen in sets.tolist()])
    for chosen, start in zip(sets, starts, strict=True):
        cells = np.ravel_multi_index(tuple(rows[:, chosen].T), tuple(shape[chosen]))
        np.add.at(off, start + cells, 1.0)
    member = np.array([np.flatnonzero((sets == i).any(axis=1)) for i in range(len(shape))])
    lookups = 2 * rows.size * member.shape[1] or 1
    for _ in range(min(SWEEPS, WORK // lookups)):
        if not sweep(rows, shape, sets, starts, member, off, SHIFTS):
            break
    return rows
