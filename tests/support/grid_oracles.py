"""Slow and independent ways to the same numbers, for classes on grids."""

from __future__ import annotations

from itertools import combinations
from math import gcd

import numpy as np
from numpy.typing import NDArray

Vector = tuple[int, ...]


def cell_count(vectors: list[Vector]) -> int:
    """Count the cells of an arrangement by deletion and restriction."""
    if not vectors:
        return 1
    if len(vectors[0]) == 2:
        return 2 * len({_line(v) for v in vectors})
    cells, seen = 1, set()
    for index, vector in enumerate(vectors):
        if _line(vector) not in seen:
            seen.add(_line(vector))
            cells += cell_count(_restricted(vectors[:index], vector))
    return cells


def _restricted(vectors: list[Vector], to: Vector) -> list[Vector]:
    pivot = next(i for i, entry in enumerate(to) if entry)
    images = {
        _line(tuple(v[i] * to[pivot] - to[i] * v[pivot] for i in range(len(v)) if i != pivot))
        for v in vectors
    }
    return sorted(image for image in images if any(image))


def _line(vector: Vector) -> Vector:
    divisor = gcd(*vector) or 1
    sign = -1 if next((entry for entry in vector if entry), 1) < 0 else 1
    return tuple(sign * entry // divisor for entry in vector)


def littlestone_at_least(matrix: NDArray[np.bool_], depth: int) -> bool:
    """Search all mistake trees of this depth over distinct rows."""
    table = np.ascontiguousarray(matrix, dtype=np.uint8)
    memo: dict[tuple[bytes, int], bool] = {}

    def has_tree(rows: NDArray[np.int32], depth: int) -> bool:
        if len(rows) < 1 << depth:
            return False
        if depth <= 1:
            return True
        key = rows.tobytes(), depth
        if key not in memo:
            part = table[rows]
            yes = part.sum(axis=0, dtype=np.int64)
            smaller = np.minimum(yes, len(rows) - yes)
            memo[key] = any(
                all(has_tree(half, depth - 1) for half in _halves(rows, part[:, x] == 1))
                for x in np.argsort(-smaller, kind="stable")
                if smaller[x] >= 1 << (depth - 1)
            )
        return memo[key]

    return has_tree(np.arange(len(table), dtype=np.int32), depth)


def _halves(rows: NDArray[np.int32], yes: NDArray[np.bool_]) -> list[NDArray[np.int32]]:
    """Split the rows, the smaller part first: it is more likely to have no tree."""
    return sorted([rows[yes], rows[~yes]], key=len)


def shatters_some(matrix: NDArray[np.bool_], size: int) -> bool:
    """Whether some set of so many points is shattered."""
    weights = 1 << np.arange(size)
    return any(
        len(np.unique(matrix[:, chosen] @ weights)) == 1 << size
        for chosen in combinations(range(matrix.shape[1]), size)
    )
