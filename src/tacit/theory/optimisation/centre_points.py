"""Centre points as an optimisation problem, over any finite set of points in any dimension.

Proof in docs/proofs/optimisation.md.

Of the papers: BNS19 Ex 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, lcm

from flint import fmpz_mat

from tacit.core import Exact, InvalidArgument, TooLarge, check
from tacit.theory.optimisation.problem import WorstTest

Place = tuple[Exact, ...]
Vector = tuple[int, ...]
MOST = 1 << 16
"""Planes through points that are gone through: about a minute."""


def centre_points(points: Sequence[Place], places: Sequence[Place]) -> WorstTest[Place, Place]:
    """Return the problem to find a deep place among records that are points; both are rational.

    The quality is the Tukey depth, as a share of the rows.

    >>> corners = ((0, 0), (0, 2), (2, 0), (2, 2))
    >>> problem = centre_points(corners, (*corners, (1, 1), ("1/2", 1)))
    >>> problem.good(corners, 0), problem.quality(corners, ("1/2", 1))
    (((1, 1),), Fraction(1, 4))
    """
    if len({len(place) for place in (*points, *places)}) != 1:
        raise InvalidArgument("points and places must have as many coordinates as each other")
    if len(places) * comb(len(points), len(places[0]) - 1) > MOST:
        raise TooLarge("the halfspaces of so many points and places are too many to list")
    return WorstTest(points, places, [_halfspaces(points, place) for place in places])


def _halfspaces(points: Sequence[Place], place: Place) -> list[list[bool]]:
    """Return which points are in a closed halfspace that holds the place, for the least of them."""
    vectors = [_whole(point, place) for point in points]
    away = [i for i, vector in enumerate(vectors) if any(vector)]
    found = set()
    for signs in sides([vectors[i] for i in away]):
        found.add(frozenset(i for i, above in zip(away, signs, strict=True) if above))
    least = [held for held in found if not any(other < held for other in found)]
    at = set(range(len(points))) - set(away)
    return [
        [i in held or i in at for i in range(len(points))] for held in sorted(least, key=sorted)
    ]


def _whole(point: Place, place: Place) -> Vector:
    """Return the vector from a place to a point, or a positive multiple, in whole numbers."""
    pairs = zip(point, place, strict=True)
    moved = [check.exact(point=x) - check.exact(place=y) for x, y in pairs]
    scale = lcm(*(step.denominator for step in moved))
    return tuple(int(scale * step) for step in moved)


def sides(vectors: Sequence[Vector]) -> set[tuple[bool, ...]]:
    """Return on which side of a plane through 0, that meets none of them, vectors can lie.

    >>> sorted(sides([(1, 0), (-2, 0), (0, 1)]))
    [(False, True, False), (False, True, True), (True, False, False), (True, False, True)]
    """
    if not vectors:
        return {()}
    seen, rank = _independent(vectors)
    if rank == 1:
        along = tuple(v[0] * seen[0][0] > 0 for v in seen)
        return {along, tuple(not above for above in along)}
    found = set()
    for chosen in combinations(dict.fromkeys(seen), rank - 1):
        normals, free = fmpz_mat([list(v) for v in chosen]).nullspace()
        if free != 1:
            continue
        normal = [int(normals[i, 0]) for i in range(rank)]
        heights = [sum(a * b for a, b in zip(normal, v, strict=True)) for v in seen]
        on = [i for i, height in enumerate(heights) if not height]
        for signs in sides([seen[i] for i in on]):
            turned = dict(zip(on, signs, strict=True))
            for way in (1, -1):
                found.add(tuple(turned.get(i, way * h > 0) for i, h in enumerate(heights)))
    return found


def _independent(vectors: Sequence[Vector]) -> tuple[list[Vector], int]:
    """Keep as many coordinates as the vectors have dimensions: the first that are independent."""
    kept: list[int] = []
    for axis in range(len(vectors[0])):
        trial = [*kept, axis]
        if fmpz_mat([[v[i] for i in trial] for v in vectors]).rank() == len(trial):
            kept = trial
    return [tuple(v[i] for i in kept) for v in vectors], len(kept)
