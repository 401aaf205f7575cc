"""A class as a table for the searches: whole where it is small, else on a few telling points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    LISTED_A_SECOND,
    Concept,
    ConceptClass,
    Points,
    integers,
)
from tacit.core.errors import TooLarge
from tacit.kernels.bits.bit_columns import transpose
from tacit.kernels.bits.packing import pack
from tacit.kernels.deadline import Deadline
from tacit.theory.solving.incidence import Incidence, first_of_equals

WIDEST = 1 << 20
"""Bits of a number of labellings that is computed: about a second's work."""


def sauer(dimension: int, points: int) -> int:
    """Bound the labellings of `points` points by a class of this VC dimension [Sau72].

    >>> sauer(1, 10), sauer(3, 3)
    (11, 8)
    """
    if min(dimension, points) * points.bit_length() > WIDEST:
        raise TooLarge(f"labellings of that many points are counted up to {WIDEST} bits")
    total = many = 1
    for size in range(min(dimension, points)):
        many = many * (points - size) // (size + 1)  # from one binomial coefficient to the next
        total += many
    return total


def shares(alpha: Fraction) -> list[Fraction]:
    """Return the parts of alpha that a planner tries for gamma."""
    return [alpha * j / 20 for j in range(1, 16)]


ENTRIES = 1 << 26
"""A class with more values than this is not listed as a whole."""

PATTERNS = 1 << 12
"""On some points, a class is listed if it makes at most so many labellings."""

LINES = 256
"""Concepts that are evaluated together, before the clock is looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """A table, what its columns and lines stand for, and whether it is all of the class."""

    table: Incidence
    points: Points
    concepts: list[Concept]
    whole: bool


def listed(concepts: ConceptClass[Any], *, time_limit: float | None = None) -> Listing | None:
    """List a class on its whole domain, of equal concepts the first; None if too large or too late.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> whole = listed(Thresholds(3))
    >>> whole.table.n, whole.table.m, listed(Thresholds(64))
    (8, 8, None)
    """
    size = named(concepts)
    if size is None or size * concepts.domain_size > ENTRIES:
        return None
    if time_limit is not None and size > concepts.listed_a_second * time_limit:
        return None
    deadline = Deadline(time_limit)
    points, known, parts = concepts.domain(), [], []
    everything = iter(concepts.concepts())
    while some := list(islice(everything, LINES)):
        if deadline.over:
            return None
        known += some
        parts.append(pack(np.array([concept(points) for concept in some])))
    rows = np.concatenate(parts)
    first = first_of_equals(rows)
    table = Incidence(len(first), len(points), transpose(rows[first], len(points)))
    return Listing(table, points, [known[i] for i in first.tolist()], whole=True)


def restrictions(
    concepts: ConceptClass[Any], *, time_limit: float | None = None
) -> Iterator[Listing]:
    """Yield the class on few points near a corner, in the middle and on the far side.

    What is found there holds of the class; for the named families it is often all there is. Nothing
    is yielded if even that would take too long.

    >>> from tacit.concepts.grid.halfspaces import Halfspaces
    >>> max(some.table.n for some in restrictions(Halfspaces(6, 2)))
    18
    """
    sets = _telling_points(concepts) if concepts.tells_points_apart else ()
    rate, size = concepts.listed_a_second, named(concepts)
    if size is None or (
        time_limit is not None and rate < LISTED_A_SECOND and size > rate * time_limit
    ):
        return  # even the labellings of few points take all the functions at once
    for points in sets:
        if sauer(concepts.vc.upper, len(points)) <= PATTERNS:
            known = concepts.dichotomies(points)
            table = Incidence.of(np.array([concept(points) for concept in known]))
            yield Listing(table, points, known, whole=False)


def _telling_points(concepts: ConceptClass[Any]) -> Iterator[Points]:
    """Yield a corner and its neighbours, the neighbours alone, and the like of other places."""
    dims = concepts.features
    if sauer(concepts.vc.upper, dims) > PATTERNS:  # each set has as many points as dimensions
        return
    if dims == 1:
        last = concepts.domain_size - 1
        spread = {0, 1, 2, last // 2, last - 1, last}
        yield integers([x for x in sorted(spread) if 0 <= x <= last])
        return
    corner = np.zeros((1, dims), dtype=np.int64)
    last = concepts.clip(corner + (1 << 61))[0]
    if max(int(x) for x in last) >= 1 << 61:
        return
    middle = (last // 2).astype(np.int64)
    units = np.minimum(np.eye(dims, dtype=np.int64), last)
    ends = [_moved(middle, i, end) for i in range(dims) for end in (0, int(last[i]))]
    for points in (units, [corner[0], *units], ends, last - units, [middle, *ends]):
        yield np.unique(np.array(points, dtype=np.int64), axis=0)


def _moved(point: NDArray[Any], place: int, value: int) -> NDArray[Any]:
    moved = point.copy()
    moved[place] = value
    return moved


def counted(concepts: ConceptClass[Any]) -> int | None:
    """Return the number of concepts, or None if it is not known.

    Classes that name a function twice, such as rules, are not counted.

    >>> from tacit.concepts.rules.scorecards import Scorecards
    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> counted(Thresholds(8)), counted(Scorecards("4x4"))
    (256, None)
    """
    return named(concepts) if concepts.distinct else None


def named(concepts: ConceptClass[Any]) -> int | None:
    """Return the number of concepts, equal ones counted as often as they are named, if known."""
    try:
        return concepts.size
    except TooLarge:
        return None


def at_least(concepts: ConceptClass[Any]) -> int:
    """Return the number of concepts, or what shattering alone gives."""
    return counted(concepts) or 1 << concepts.vc.lower


def at_most(concepts: ConceptClass[Any]) -> int:
    """Return the number of concepts, or Sauer's bound on it.

    >>> from tacit.concepts.rules.scorecards import Scorecards
    >>> at_least(Scorecards("4x4")), at_most(Scorecards("4x4"))
    (8, 697)
    """
    if (known := counted(concepts)) is not None:
        return known
    by_shattering = sauer(concepts.vc.upper, concepts.domain_size)
    return min(by_shattering, named(concepts) or by_shattering)
