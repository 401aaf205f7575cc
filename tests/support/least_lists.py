"""Exact representation dimensions by brute force: all lists of functions, all kinds of challenges.

It shares nothing with the library: challenges are the least families of light sets over a grid of
masses, lists are all of them, and the game is one linear program.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations, product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

UNIT = 60
"""Masses are tried in so many parts: a multiple of 2, 3, 4 and 5, and 1/4 is met and passed."""


@lru_cache(maxsize=32)
def light_families(points: int, alpha: Fraction) -> tuple[frozenset[int], ...]:
    """Return the least families of sets of mass at most alpha, over all masses of the grid."""
    unit = UNIT if points < 4 else UNIT // 3
    found = set()
    for cuts in product(range(unit + 1), repeat=points - 1):
        if sum(cuts) <= unit:
            masses = (*cuts, unit - sum(cuts))
            found.add(
                frozenset(
                    s
                    for s in range(1 << points)
                    if sum(m for x, m in enumerate(masses) if s >> x & 1) <= alpha * unit
                )
            )
    return tuple(f for f in found if not any(other < f for other in found))


def best_share(concepts: NDArray[np.bool_], alpha: Fraction, size: int) -> float:
    """Return the share of challenges that a lottery over lists of so many functions meets."""
    points = concepts.shape[1]
    rows = [sum(1 << x for x in range(points) if row[x]) for row in concepts]
    goods = [{c ^ s for s in light} for c in rows for light in light_families(points, alpha)]
    met = np.array([[h in good for good in goods] for h in range(1 << points)])
    lists = np.array(list(combinations(range(1 << points), size)))
    covered = np.unique(met[lists].any(axis=1), axis=0).astype(float)
    n, m = covered.shape
    solved = linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.hstack((-covered.T, np.ones((m, 1)))),
        b_ub=np.zeros(m),
        A_eq=np.append(np.ones(n), 0.0)[None],
        b_eq=[1.0],
        bounds=[*[(0, None)] * n, (None, None)],
    )
    return float(-solved.fun)


def least_list(concepts: NDArray[np.bool_], alpha: Fraction, beta: Fraction) -> int:
    """Return the least size of lists whose lottery fails with at most beta."""
    distinct = np.unique(concepts, axis=0)
    return next(
        size
        for size in range(1, len(distinct) + 1)
        if best_share(distinct, alpha, size) >= float(1 - beta) - 1e-9
    )


def up_to_symmetry(points: int, most: int) -> list[NDArray[np.bool_]]:
    """Return the classes of at most so many concepts, one of those that symmetries carry over.

    Renaming points and flipping all labels of a point change no representation.
    """
    moves = [
        [sum((s >> x & 1) << names[x] for x in range(points)) ^ flip for s in range(1 << points)]
        for names in permutations(range(points))
        for flip in range(1 << points)
    ]
    seen: set[frozenset[int]] = set()
    found = []
    for size in range(1, most + 1):
        for chosen in combinations(range(1 << points), size):
            if frozenset(chosen) not in seen:
                seen.update(frozenset(move[s] for s in chosen) for move in moves)
                found.append(np.array([[s >> x & 1 for x in range(points)] for s in chosen], bool))
    return found
