"""All databases of a tiny universe, and all their neighbours."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import Any, TypeVar

R = TypeVar("R", bound=Hashable)
Database = tuple[R, ...]
Related = Callable[[Any, Any], bool]
"""Which record may take another's place."""


def always(record: object, other: object) -> bool:  # noqa: ARG001
    """Let any record take any other's place: the neighbours of full privacy."""
    return True


def same_point(row: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Let a row (point, labels) be replaced by one with other labels: label privacy."""
    return bool(row[0] == other[0])


def databases(universe: Sequence[R], n: int, *, symmetric: bool) -> Iterator[Database[R]]:
    """List the databases of n records: multisets if order cannot matter, else sequences.

    >>> [len(list(databases("ab", 3, symmetric=symmetric))) for symmetric in (True, False)]
    [4, 8]
    """
    if symmetric:
        return combinations_with_replacement(universe, n)
    return product(universe, repeat=n)


def neighbours(
    database: Database[R],
    universe: Sequence[R],
    *,
    symmetric: bool,
    related: Related = always,
) -> Iterator[Database[R]]:
    """List the databases that differ from this one in exactly one record, by a related one.

    >>> list(neighbours(("a", "b"), "ab", symmetric=True))
    [('b', 'b'), ('a', 'a')]
    """
    seen: set[R] = set()
    for i, record in enumerate(database):
        if symmetric and record in seen:
            continue
        seen.add(record)
        for other in universe:
            if other != record and related(record, other):
                changed = (*database[:i], other, *database[i + 1 :])
                yield _canonical(changed, universe) if symmetric else changed


def _canonical(database: Database[R], universe: Sequence[R]) -> Database[R]:
    return tuple(sorted(database, key=universe.index))
