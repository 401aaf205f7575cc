"""Few rows for many cells: changed one value at a time until their marginals are those wanted."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

Chosen = tuple[int, ...]
WORK = 1 << 30
"""So many entries of marginals are looked up at most."""
PASSES, SHIFTS, PART = 24, 3, 16


def settled(
    rows: NDArray[np.int64], shape: tuple[int, ...], wanted: Mapping[Chosen, NDArray[Any]]
) -> NDArray[np.int64]:
    """Return rows with nearly the wanted marginals; a function of public things.

    Rounding counts of many more cells than there are rows is like drawing rows at random: all
    marginals are off by the square root of n. Here the sum of their squared errors goes down, by
    changing the value of one attribute in those rows where that helps most.

    >>> rows = np.array([[0, 0], [0, 1], [1, 0], [1, 0]])
    >>> settled(rows, (2, 2), {(0, 1): np.array([1, 1, 1, 1])}).tolist()
    [[0, 0], [0, 1], [1, 1], [1, 0]]
    """
    rows = rows.copy()
    off = {chosen: _counted(rows, shape, chosen) - values for chosen, values in wanted.items()}
    lookups = 2 * len(rows) * sum(map(len, off)) or 1
    for sweep in range(min(PASSES, WORK // lookups)):
        for attribute in range(len(shape)):
            sets = [chosen for chosen in off if attribute in chosen]
            for shift in range(1, min(shape[attribute], SHIFTS + 1)):
                _change(rows, shape, off, sets, attribute, shift, len(rows) // (PART + 4 * sweep))
    return rows


def _change(
    rows: NDArray[np.int64],
    shape: tuple[int, ...],
    off: dict[Chosen, NDArray[np.float64]],
    sets: list[Chosen],
    attribute: int,
    shift: int,
    most: int,
) -> None:
    """Shift one attribute in the rows that gain most, as long as all of them together gain."""
    size = shape[attribute]
    old = rows[:, attribute]
    new = (old + shift) % size
    gain = np.zeros(len(rows))
    for chosen in sets:
        stride = prod(shape[i] for i in chosen if i > attribute)
        cells = _cells(rows, shape, chosen)
        gain += off[chosen][cells] - off[chosen][cells + stride * (new - old)] - 1
    best = np.argsort(-gain, kind="stable")[: max(1, most)]
    best = best[gain[best] > 0]
    while len(best):
        before, moved = 0.0, {}
        after = 0.0
        for chosen in sets:
            stride = prod(shape[i] for i in chosen if i > attribute)
            cells = _cells(rows[best], shape, chosen)
            values = off[chosen].copy()
            np.subtract.at(values, cells, 1)
            np.add.at(values, cells + stride * (new[best] - old[best]), 1)
            before += float((off[chosen] ** 2).sum())
            after += float((values**2).sum())
            moved[chosen] = values
        if after < before:
            rows[best, attribute] = new[best]
            off.update(moved)
            return
        best = best[: len(best) // 2]


def _cells(rows: NDArray[np.int64], shape: tuple[int, ...], chosen: Chosen) -> NDArray[np.int64]:
    cells = rows[:, chosen[0]]
    for i in chosen[1:]:
        cells = cells * shape[i] + rows[:, i]
    return cells


def _counted(
    rows: NDArray[np.int64], shape: tuple[int, ...], chosen: Chosen
) -> NDArray[np.float64]:
    size = prod(shape[i] for i in chosen)
    return np.bincount(_cells(rows, shape, chosen), minlength=size).astype(np.float64)
