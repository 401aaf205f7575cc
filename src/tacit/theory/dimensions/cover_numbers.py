"""Covering and packing numbers of a table of concepts under a distribution, by disagreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.concepts.contract.concept_class import Bracket
from tacit.core import Exact, InvalidArgument, TooLarge, check
from tacit.kernels.bits.packing import bit_sets, pack
from tacit.kernels.deadline import Deadline
from tacit.theory.dimensions.covers import whole
from tacit.theory.solving.hitting_sets import members, smallest_hitting_set
from tacit.theory.solving.incidence import Incidence, Table

ENTRIES = 1 << 27  # distances, or values, that are computed: some seconds
SEARCHED = 512
"""Among more concepts than this, only what greedy choices certify is told."""


@dataclass(frozen=True, slots=True)
class Centres(Bracket):
    """`lower <= number <= upper`, and the concepts that show one of them: a cover or a packing."""

    centres: tuple[int, ...]


def covering_number(
    table: Table, masses: Sequence[Exact], radius: Exact, *, time_limit: float | None = None
) -> Centres:
    """Return fewest concepts such that every concept is within `radius` of one of them.

    The distance of two concepts is the mass of the points where they differ, exact. `centres` is a
    cover of `upper` concepts; no two of `lower` concepts share a centre.

    >>> thresholds = Incidence.of(np.arange(8)[None, :] >= np.arange(8)[:, None])
    >>> covering_number(thresholds, ["1/8"] * 8, "1/8").centres
    (0, 3, 6)
    """
    table = Incidence.read(table)
    deadline = Deadline(time_limit)
    near = _near(table, masses, radius)
    far = _independent(_overlapping(near))
    if table.n > SEARCHED:
        cover = _greedy_cover(near)
        return Centres(len(far), len(cover), "greedy, from either side", cover)
    found = smallest_hitting_set(near, deadline)
    lower = max(found.lower, len(far))
    why = "exhaustive search" if found.exact else deadline.why
    return Centres(lower, len(found.chosen), why, found.chosen)


def packing_number(
    table: Table, masses: Sequence[Exact], radius: Exact, *, time_limit: float | None = None
) -> Centres:
    """Return most concepts of which any two are more than `radius` apart.

    >>> thresholds = Incidence.of(np.arange(8)[None, :] >= np.arange(8)[:, None])
    >>> packing_number(thresholds, ["1/8"] * 8, "1/8").centres
    (0, 2, 4, 7)
    """
    table = Incidence.read(table)
    deadline = Deadline(time_limit)
    near = _near(table, masses, radius)
    centres, upper = _independent(near), _cliques(near)
    why = "greedy, from either side"
    if table.n <= SEARCHED and len(centres) < upper:
        centres, finished = _largest_independent(near, centres, deadline)
        upper = len(centres) if finished else upper
        why = "exhaustive search" if finished else deadline.why
    return Centres(len(centres), upper, why, tuple(sorted(centres)))


def is_cover(table: Table, masses: Sequence[Exact], radius: Exact, centres: Sequence[int]) -> bool:
    """Check that every concept is within `radius` of a centre."""
    table = Incidence.read(table)
    near = _near(table, masses, radius)
    return all(any(near[c] >> other & 1 for other in centres) for c in range(table.n))


def is_packing(
    table: Table, masses: Sequence[Exact], radius: Exact, centres: Sequence[int]
) -> bool:
    """Check that any two centres are more than `radius` apart."""
    table = Incidence.read(table)
    near = _near(table, masses, radius)
    return len(set(centres)) == len(centres) and not any(
        near[c] >> other & 1 for c in centres for other in centres if c != other
    )


def _near(table: Incidence, masses: Sequence[Exact], radius: Exact) -> list[int]:
    """Return for each concept the bitmap of those within the radius, itself among them."""
    exact = [check.exact(mass=mass) for mass in masses]
    if len(exact) != table.m or sum(exact) != 1 or min(exact) < 0:
        raise InvalidArgument("masses must be at least 0 and add up to 1, one for each point")
    if table.n * max(table.n, table.m) > ENTRIES:
        raise TooLarge(f"{table.n} concepts have too many distances; restrict the class")
    weights, limit = whole(exact, check.small_probability(radius=radius))
    truth = table.truth
    apart = ((truth != row).astype(weights.dtype, copy=False) @ weights for row in truth)
    return bit_sets(pack(np.array([far <= limit for far in apart], dtype=np.bool_)))


def _overlapping(near: list[int]) -> list[int]:
    """Return for each concept those with which it shares a possible centre."""
    found = []
    for mine in near:
        shared = 0
        for c in members(mine):
            shared |= near[c]
        found.append(shared)
    return found


def _independent(near: list[int]) -> list[int]:
    """Choose concepts greedily, none near another, those with few neighbours first."""
    barred, chosen = 0, []
    for c in sorted(range(len(near)), key=lambda c: (near[c].bit_count(), c)):
        if not barred >> c & 1:
            chosen.append(c)
            barred |= near[c]
    return sorted(chosen)


def _greedy_cover(near: list[int]) -> tuple[int, ...]:
    left, chosen = (1 << len(near)) - 1, []
    while left:
        best = max(range(len(near)), key=lambda c: ((near[c] & left).bit_count(), -c))
        chosen.append(best)
        left &= ~near[best]
    return tuple(sorted(chosen))


def _cliques(near: list[int], among: int | None = None) -> int:
    """Cut concepts into sets of mutual neighbours, greedily: their number bounds a packing."""
    left, count = (1 << len(near)) - 1 if among is None else among, 0
    while left:
        count += 1
        together = left
        while together:
            c = (together & -together).bit_length() - 1
            left &= ~(1 << c)
            together &= near[c] & ~(1 << c)
    return count


def _largest_independent(
    near: list[int], start: list[int], deadline: Deadline
) -> tuple[list[int], bool]:
    """Return a largest set without neighbours by branch and bound, and whether it ended."""
    best = list(start)
    stack: list[tuple[int, tuple[int, ...]]] = [((1 << len(near)) - 1, ())]
    while stack:
        if deadline.over:
            return best, False
        left, chosen = stack.pop()
        if len(chosen) > len(best):
            best = list(chosen)
        if not left or len(chosen) + _cliques(near, left) <= len(best):
            continue
        c = min(members(left), key=lambda c: (near[c] & left).bit_count())
        if (near[c] & left).bit_count() > 2:  # with at most one neighbour it is safe to take it
            stack.append((left & ~(1 << c), chosen))
        stack.append((left & ~near[c], (*chosen, c)))
    return best, True
