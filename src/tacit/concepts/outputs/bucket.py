"""Domains cut into buckets by a public function: each bucket is a hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Cells, Concept, Gains, Points

SMALL = 1 << 62  # values below it are 64-bit integers, with room for a sum of two


class Bucketing(Protocol):
    """A public function from a domain to 0, ..., buckets - 1; a frozen, hashable value."""

    @property
    def buckets(self) -> int:
        """How many values the function may take."""

    def __call__(self, points: Points, /) -> NDArray[Any]:
        """Return the bucket of each point."""

    def words(self, names: Sequence[str], /) -> str:
        """Say in English what the function computes."""

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the function as a SQL expression."""


@dataclass(frozen=True, slots=True)
class Bucket(Concept):
    """Yes where a public function takes one value."""

    of: Bucketing
    value: int

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        return np.asarray(self.of(points) == self.value, dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        return f"{self.of.words(names)} is {self.value}"

    def sql(self, columns: Sequence[str], /) -> str:
        return f"({self.of.sql(columns)} = {self.value})"


@dataclass(frozen=True, slots=True)
class Buckets:
    """The buckets of one function, as a set of hypotheses."""

    of: Bucketing

    @property
    def size(self) -> int:
        """The number of buckets."""
        return self.of.buckets

    def cells(self, points: Points, gains: Gains, /) -> Cells[Bucket]:
        """Give every bucket that is hit a cell of its own, and all others one cell of gain 0.

        O(m log m) for m points, whatever the number of buckets.
        """
        return cut(self.of(points), gains, self.size, lambda value: Bucket(self.of, value))


def cut(
    values: NDArray[Any], gains: Gains, size: int, named: Callable[[int], Bucket]
) -> Cells[Bucket]:
    """Cut `size` buckets by the values that occur, with the gain of each occurrence."""
    small = values.astype(np.int64) if size < SMALL else values
    hit, where = np.unique(small, return_inverse=True)
    scores = np.zeros(len(hit) + 1, dtype=np.int64)
    np.add.at(scores, where, gains)
    absent = hit - np.arange(len(hit))

    def member(cell: int, rank: int) -> Bucket:
        free = rank + int(np.searchsorted(absent, rank, side="right"))
        return named(int(hit[cell]) if cell < len(hit) else free)

    many = np.ones(len(hit) + 1, dtype=np.int64 if size < SMALL else object)
    many[-1] = size - len(hit)
    return Cells(scores, many, member)
