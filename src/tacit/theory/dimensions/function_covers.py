"""Fewest functions, of the class or not, that cover it under a known distribution.

The logarithm of their number is the dimension of Def 4 for this distribution (FX14, section 1.2).

Of the papers: FX14 Def 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Bracket
from tacit.core import Exact, TooLarge, check
from tacit.kernels.bits.packing import Words, bit_sets, pack
from tacit.kernels.deadline import NO_LIMIT, Deadline, OutOfTime
from tacit.theory.dimensions.cover_numbers import covering_number, is_packing, packing_number
from tacit.theory.dimensions.covers import whole
from tacit.theory.solving.hitting_sets import smallest_hitting_set
from tacit.theory.solving.incidence import Incidence, Table
from tacit.theory.solving.matrix_game import game_value

FUNCTIONS, CONCEPTS = 1 << 16, 512
"""Classes that need more functions to be listed, or have more concepts, are bracketed."""
PLAYED = 1 << 14
"""Entries of the game of concepts against functions that is solved in rationals."""


@dataclass(frozen=True, slots=True, eq=False)
class FunctionCover(Bracket):
    """`lower <= number <= upper`: a cover of `upper` functions, and weights of the concepts.

    The weights add up to 1. If no function covers more than a share s of them, sets of fewer than
    1 / s functions cover less than all, and sets drawn at random less than 1 - beta if they have
    fewer than (1 - beta) / s. `lower` may be greater than that, by exhaustive search.
    """

    functions: NDArray[np.bool_]
    weights: tuple[Fraction, ...]


def function_cover(
    table: Table, masses: Sequence[Exact], radius: Exact, *, time_limit: float | None = None
) -> FunctionCover:
    """Return fewest functions such that every concept is within `radius` of one of them.

    Exactness:
        All functions that matter are listed, if they are few; else concepts cover, and those more
        than twice the radius apart share no function. `covers` and `most_covered` check either
        side (docs/proofs/function_covers.md).

    >>> points = np.eye(6, dtype=np.bool_)
    >>> found = function_cover(points, ["1/6"] * 6, "1/6")
    >>> found.upper, found.functions.astype(int).tolist()
    (1, [[0, 0, 0, 0, 0, 0]])
    >>> covering_number(points, ["1/6"] * 6, "1/6").upper
    6
    """
    table, deadline = Incidence.read(table), Deadline(time_limit)
    radius, part = check.small_probability(radius=radius), time_limit and time_limit / 4
    chosen = covering_number(table, masses, radius, time_limit=part)
    apart: tuple[int, ...] = (0,)
    if 2 * radius < 1:
        apart = packing_number(table, masses, 2 * radius, time_limit=part).centres
    share, cover = Fraction(1, len(apart)), table.truth[[*chosen.centres]]
    weights = tuple(share if c in apart else Fraction(0) for c in range(table.n))
    why = "concepts, from either side"
    known = FunctionCover(len(apart), chosen.upper, why, cover, weights)
    try:
        return known if known.exact else _searched(table, masses, radius, known, deadline)
    except (TooLarge, OutOfTime):
        return known


def covers(
    table: Table, masses: Sequence[Exact], radius: Exact, functions: NDArray[np.bool_]
) -> bool:
    """Check that every concept is within `radius` of one of the functions."""
    weights, limit = whole([check.exact(mass=mass) for mass in masses], check.exact(radius=radius))
    rows = Incidence.read(table).truth
    return all(((functions != row).astype(weights.dtype) @ weights).min() <= limit for row in rows)


def most_covered(
    table: Table, masses: Sequence[Exact], radius: Exact, weights: Sequence[Fraction]
) -> Fraction:
    """Return the greatest share of weighted concepts that are within `radius` of one function."""
    table, radius = Incidence.read(table), check.small_probability(radius=radius)
    held = [c for c, weight in enumerate(weights) if weight]
    if 2 * radius < 1 and is_packing(table, masses, 2 * radius, held):
        return max(weights)
    balls, _ = _balls(table, masses, radius)
    return max(
        sum((weights[c] for c in np.flatnonzero(ball).tolist()), Fraction()) for ball in balls
    )


def _searched(
    table: Incidence,
    masses: Sequence[Exact],
    radius: Fraction,
    known: FunctionCover,
    deadline: Deadline,
) -> FunctionCover:
    """Choose among functions that are near to most: of two, who is near to more is enough."""
    balls, functions = _balls(table, masses, radius, deadline)
    found = smallest_hitting_set(bit_sets(pack(balls.T)), deadline)
    fewer = len(found.chosen) < known.upper
    cover = functions[[*found.chosen]] if fewer else known.functions
    lower, weights = max(known.lower, found.lower), known.weights
    if balls.size <= PLAYED and not deadline.over:
        game = game_value(balls.T.astype(np.int64))
        if (shown := ceil(1 / game.upper)) > known.lower:
            lower, weights = max(lower, shown), game.paying
    why = "exhaustive search" if lower == len(cover) else deadline.why
    return FunctionCover(lower, len(cover), why, cover, weights)


def _balls(
    table: Incidence, masses: Sequence[Exact], radius: Fraction, deadline: Deadline = NO_LIMIT
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which concepts are near which function, largest sets only, and these functions."""
    held, limit = whole([check.exact(mass=mass) for mass in masses], radius)
    truth = table.truth
    lines, place = np.unique((truth ^ truth[0]).T, axis=0, return_inverse=True)
    groups = [np.flatnonzero(place.ravel() == line) for line in range(len(lines))]
    flips = [_flips(held[at] * lines[i].any()) for i, at in enumerate(groups)]
    shape = [len(each) for each in flips]
    if prod(shape) > FUNCTIONS or table.n > CONCEPTS:
        raise TooLarge(f"up to {FUNCTIONS} functions are listed, for up to {CONCEPTS} concepts")
    near = np.zeros((prod(shape), table.n), dtype=np.bool_)
    for c in range(table.n):
        far = np.zeros(1, dtype=held.dtype)
        for line, at, flipped in zip(lines, groups, flips, strict=True):
            wrong = (flipped != line[c]).astype(held.dtype) @ held[at]
            far = np.add.outer(far, wrong).ravel()
        near[:, c] = far <= limit
    best = _largest(pack(near), deadline)
    functions = np.tile(truth[0], (len(best), 1))
    for at, flipped, chosen in zip(groups, flips, np.unravel_index(best, shape), strict=True):
        functions[:, at] ^= flipped[chosen]
    return near[best], functions


def _flips(held: NDArray[Any]) -> NDArray[np.bool_]:
    """Return one part of some points for each mass that a part has."""
    parts = {0: 0}
    for x, mass in enumerate(held.tolist()):
        parts = {total + mass: part | 1 << x for total, part in parts.items()} | parts
        if len(parts) > FUNCTIONS:
            raise TooLarge(f"up to {FUNCTIONS} functions are listed")
    return np.array(
        [[part >> x & 1 for x in range(len(held))] for part in parts.values()], np.bool_
    )


def _largest(sets: Words, deadline: Deadline) -> NDArray[np.int64]:
    """Return the places of sets that no other one contains, of equal ones the first."""
    _, left = np.unique(sets, axis=0, return_index=True)
    left = left[np.argsort(-np.bitwise_count(sets[left]).sum(axis=1), kind="stable")]
    kept = []
    while len(left):
        deadline.check()
        kept.append(left[0])
        left = left[(sets[left] & ~sets[left[0]]).any(axis=1)]
    return np.array(kept)
