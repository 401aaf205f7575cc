"""Rows that are changed one value at a time until their marginals are those wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.value_changes import sweep
from tacit.kernels.value_draws import redraw
from tacit.sanitizers.contract.attributes import counted
from tacit.sanitizers.contract.rounding import whole

WORK = 1 << 30
"""So many entries of marginals are looked up at most."""
SWEEPS, SHIFTS, TURNS = 12, 3, 40
_FACTORS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


def settled(
    rows: NDArray[np.int64], shape: Sequence[int], wanted: Mapping[tuple[int, ...], NDArray[Any]]
) -> NDArray[np.int64]:
    """Return rows with nearly the wanted marginals, of equally many attributes each.

    Rounding counts of many more cells than there are rows is like drawing rows at random: all
    marginals are off by the square root of n. Wanted counts below 0, which no rows have, move
    marginals as well. Here the sum of their squared errors goes down, by changing one value of a
    row wherever that helps, a few times over. It is a function of public things.

    >>> rows = np.array([[0, 0], [0, 1], [1, 0], [1, 0]])
    >>> settled(rows, (2, 2), {(0, 1): np.ones(4)}).tolist()
    [[0, 0], [0, 1], [1, 1], [1, 0]]
    """
    rows, (sets, starts, member) = rows.copy(), _places(shape, wanted)
    off = np.concatenate([counted(rows, shape, c) - t.ravel() for c, t in wanted.items()])
    lookups = 2 * rows.size * member.shape[1] or 1
    for turn in range(min(SWEEPS, WORK // lookups)):
        if not sweep(rows, np.array(shape), sets, starts, member, off, SHIFTS, turn):
            break
    return rows


def most_random(
    n: int,
    shape: Sequence[int],
    alone: Sequence[NDArray[np.float64]],
    wanted: Mapping[tuple[int, ...], NDArray[np.float64]],
) -> NDArray[np.int64]:
    """Return n rows of about these counts of attributes and of all pairs, else as if by chance.

    They start as if attributes were independent, and are `settled` from there too: where attributes
    say nearly the same, drawing gets stuck, and the rows nearer to the pairs are taken.

    >>> table = np.array([[40.0, 10.0], [10.0, 40.0]])
    >>> rows = most_random(100, (2, 2), [table.sum(axis=1)] * 2, {(0, 1): table})
    >>> bool(abs(counted(rows, (2, 2), (0, 1)) - table.ravel()).max() < 15)
    True
    """
    values = [np.repeat(np.arange(len(held)), whole(held, n)) for held in alone]
    mixed = [held[np.argsort(scattered(n, i))] for i, held in enumerate(values)]
    rows, flat = np.stack(mixed, axis=1), np.concatenate([t.ravel() for t in wanted.values()])
    turns = min(TURNS, 2 * WORK // (n * sum(shape) * (len(shape) - 1) or 1))
    plain, drawn = settled(rows, shape, wanted), rows.copy()
    redraw(drawn, np.array(shape), np.concatenate(alone), flat, *_places(shape, wanted), turns)
    return min(
        (settled(drawn, shape, wanted), plain),
        key=lambda each: sum(
            ((counted(each, shape, c) - t.ravel()) ** 2).sum() for c, t in wanted.items()
        ),
    )


def _places(shape: Sequence[int], wanted: Mapping[tuple[int, ...], NDArray[Any]]) -> Any:
    """Return the sets of attributes, where the marginal of each starts, and who is in which."""
    sets = np.array(list(wanted))
    starts = np.cumsum([0, *(table.size for table in wanted.values())])[:-1]
    return (
        sets,
        starts,
        np.array([np.flatnonzero((sets == i).any(axis=1)) for i in range(len(shape))]),
    )


def scattered(n: int, column: int) -> NDArray[np.uint64]:
    """Return n words that look like chance and are none: what rows start from is public.

    >>> sorted(np.argsort(scattered(4, 1)).tolist())
    [0, 1, 2, 3]
    """
    words = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(2 * column + 1) * _FACTORS[0]
    words = (words ^ words >> np.uint64(31)) * _FACTORS[1]
    mixed: NDArray[np.uint64] = words ^ words >> np.uint64(29)
    return mixed
