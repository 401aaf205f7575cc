"""The cells of a hyperplane arrangement, listed exactly in integers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice, product
from math import factorial

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.grid.listed_functions import Codes, codes

Integers = NDArray[np.int64]

CHUNK = 1 << 14
"""Choices of vectors that are worked on at once: some megabytes of minors."""

MERGE = 1 << 22
"""Codes, 8 bytes each, that are gathered before equal ones are dropped."""

CELLS_A_SECOND = 2 * 10**4
"""Cells: no arrangement of ours is listed faster, and all of it before the first comes out."""


def dichotomies(apex: Integers, vectors: Integers) -> Codes:
    """Return all labellings 1[w . v > 0] of the vectors by a w with w . apex < 0.

    Only labellings by a w that vanishes on no vector count. At most 64 vectors; together with the
    apex they must span the space, and none may be 0. Codes come in increasing order.

    For each linearly independent choice of one vector less than the dimension, a direction u is
    orthogonal to all of them, and each way to step off their hyperplanes, the earliest vector
    first and each next step infinitely smaller, ends in a cell. Every cell is reached so, even if
    a choice is left out whenever an earlier vector depends on the end of the choice; see
    docs/proofs/halfspaces.md.

    >>> plane = np.array([[0, 1], [1, 1], [2, 1]])
    >>> dichotomies(np.array([1, 0]), plane).tolist()
    [0, 1, 3, 7]
    """
    everything = np.concatenate([apex[None, :], vectors]).astype(np.int64)
    _refuse_overflow(everything)
    merged = np.zeros(0, dtype=np.uint64)
    fresh: list[Codes] = []
    for choice in _choices(*everything.shape):
        fresh.extend(_cells(everything, choice))
        if sum(map(len, fresh)) > MERGE:
            merged, fresh = np.unique(np.concatenate([merged, *fresh])), []
    return np.unique(np.concatenate([merged, *fresh]))


def _cells(vectors: Integers, choice: Integers) -> Iterator[Codes]:
    """Yield the cells next to the directions orthogonal to each chosen set, one code a cell."""
    rows = vectors[choice]
    away = _orthogonal(rows)
    values = away @ vectors.T
    # argmax finds the first vector on the flat: no earlier one may depend on the chosen ones.
    kept = away.any(axis=1) & ((values == 0).argmax(axis=1) == choice[:, 0])
    choice, rows, away, values = choice[kept], rows[kept], away[kept], values[kept]
    flat = values == 0
    steps = []
    kept = np.ones(len(choice), dtype=np.bool_)
    for place in range(choice.shape[1]):
        turned = rows.copy()
        turned[:, place] = away
        step = _orthogonal(turned) @ vectors.T
        own = np.take_along_axis(step, choice[:, place : place + 1], axis=1)
        step = np.where(own > 0, step, -step)
        steps.append((flat & (step > 0), flat & (step < 0)))
        flat = flat & (step == 0)
        if place + 1 < choice.shape[1]:
            kept &= flat.argmax(axis=1) == choice[:, place + 1]
    return _combined(values[kept] > 0, [(up[kept], down[kept]) for up, down in steps])


def _combined(
    base: NDArray[np.bool_], steps: list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]
) -> Iterator[Codes]:
    """Put the labels together for all signs of the steps; turn them over where the apex is yes."""
    everywhere = codes(np.ones((1, base.shape[1] - 1), dtype=np.bool_))
    whole = (base[:, 0], codes(base[:, 1:]))
    parts = [[(part[:, 0], codes(part[:, 1:])) for part in step] for step in steps]
    for signs in product(*parts):
        apex, code = whole
        for above, labels in signs:
            apex, code = apex | above, code | labels
        yield np.where(apex, everywhere ^ code, code)


def _orthogonal(rows: Integers) -> Integers:
    """Return for each k - 1 rows of k numbers the vector of their signed minors."""
    count, height, width = rows.shape
    minors: dict[tuple[int, ...], Integers] = {(): np.ones(count, dtype=np.int64)}
    for row in range(height):
        larger = {}
        for columns in combinations(range(width), row + 1):
            larger[columns] = np.zeros(count, dtype=np.int64)
            for place, column in enumerate(columns):
                minor = minors[columns[:place] + columns[place + 1 :]]
                larger[columns] += (-1) ** (row + place) * rows[:, row, column] * minor
        minors = larger
    # The only missing column: combinations come in the order in which it falls from last to first.
    signed = [(-1) ** c * m for c, m in zip(reversed(range(width)), minors.values(), strict=True)]
    return np.stack(signed[::-1], axis=1)


def _choices(count: int, dims: int) -> Iterator[Integers]:
    subsets = combinations(range(count), dims - 1)
    while block := list(islice(subsets, CHUNK)):
        yield np.array(block, dtype=np.int64)


def _refuse_overflow(vectors: Integers) -> None:
    """Assert that no minor, and no product with a vector, leaves 64 bits."""
    dims = vectors.shape[1]
    largest = int(np.abs(vectors).max())
    away = factorial(dims - 1) * largest ** (dims - 1)
    step = factorial(dims - 1) * largest ** (dims - 2) * away
    assert dims * largest * step < 1 << 63, "the vectors are too long for exact 64-bit arithmetic"
