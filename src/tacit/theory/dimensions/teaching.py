"""Teaching dimension: how many labelled points tell a concept from all others of its class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tacit.concepts.contract.concept_class import Bracket
from tacit.kernels.deadline import Deadline
from tacit.theory.solving.hitting_sets import HittingSet, smallest_hitting_set
from tacit.theory.solving.incidence import Incidence, Table


@dataclass(frozen=True, slots=True)
class Teaching(Bracket):
    """`lower <= dimension <= upper`: each concept is told by its set, of at most `upper` points.

    `hardest` is a concept that is not told by fewer than `lower`.
    """

    sets: tuple[tuple[int, ...], ...]
    hardest: int


def teaching(table: Table, *, time_limit: float | None = None) -> Teaching:
    """Return the teaching dimension of a class, with a teaching set for each concept [GK95].

    Exactness:
        For each concept a smallest hitting set of the points on which it differs from each other
        one, by exhaustive search; `teaches` checks a set.

    Cost:
        Exponential at worst. With `time_limit`, in seconds, the search stops in time.

    >>> found = teaching(Incidence.of(np.arange(8)[None, :] >= np.arange(8)[:, None]))
    >>> found.lower, found.upper, found.sets[3]
    (2, 2, (2, 3))
    """
    table = Incidence.read(table)
    deadline = Deadline(time_limit)
    rows, columns = table.bit_rows, table.bit_columns
    found: list[HittingSet] = []
    for i, row in enumerate(rows):
        if deadline.over:
            found.append(HittingSet(min(1, table.n - 1), _greedy(columns, i, table.n)))
        else:
            found.append(smallest_hitting_set(_differences(rows, i, row), deadline))
    sets = tuple(each.chosen for each in found)
    hardest = max(range(len(found)), key=lambda i: found[i].lower)
    lower, upper = found[hardest].lower, max(map(len, sets))
    why = "exhaustive search" if lower == upper else deadline.why
    return Teaching(lower, upper, why, sets, hardest)


def teaches(table: Table, concept: int, points: Iterable[int]) -> bool:
    """Check that no other concept agrees with this one on all of the points.

    >>> teaches(Incidence.of(np.array([[0, 1], [1, 1]])), 0, (1,))
    False
    """
    table = Incidence.read(table)
    left = np.ones(table.n, dtype=np.bool_)
    everybody = np.arange(table.n)
    for x in points:
        said = table.values(everybody, np.full(table.n, x))
        left &= said == said[concept]
    return int(left.sum()) == 1


def _greedy(columns: list[int], concept: int, n: int) -> tuple[int, ...]:
    """Return points that tell a concept, each leaving fewest others."""
    everybody, left, chosen = (1 << n) - 1, (1 << n) - 1, []
    agreeing = [column if column >> concept & 1 else everybody ^ column for column in columns]
    while left & (left - 1):
        best = min(range(len(columns)), key=lambda x: (left & agreeing[x]).bit_count())
        left &= agreeing[best]
        chosen.append(best)
    return tuple(sorted(chosen))


def _differences(rows: list[int], i: int, row: int) -> Iterable[int]:
    return (row ^ other for j, other in enumerate(rows) if j != i)
