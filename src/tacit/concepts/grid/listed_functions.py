"""A class on at most 64 points, listed: one 64-bit code a concept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Cells, Concept, Gains, Points, one_by_one
from tacit.concepts.grid.numbering import grid, places
from tacit.core.chance.randomness import Random
from tacit.kernels.bits.packing import pack

C = TypeVar("C", bound=Concept)
Codes = NDArray[np.uint64]
"""One integer a concept; bit i is what it says at point i."""


def codes(labels: NDArray[np.bool_]) -> Codes:
    """Return each row of at most 64 labels as one integer; bit i is the label of point i.

    >>> codes(np.array([[True, False, True]])).tolist()
    [5]
    """
    return pack(labels).ravel()


def labels(code: int, count: int) -> NDArray[np.bool_]:
    """Read the labels of `count` points back from their code.

    >>> labels(5, 3).tolist()
    [True, False, True]
    """
    return np.array([bool(code >> place & 1) for place in range(count)], dtype=np.bool_)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ListedFunctions(Generic[C]):
    """All concepts on a grid in increasing order of their codes; `concept(i)` is the i-th one."""

    bits: int
    dims: int
    codes: Codes
    concept: Callable[[int], C]

    @property
    def size(self) -> int:
        """The number of concepts."""
        return len(self.codes)

    def concepts(self) -> Iterator[C]:
        """Yield all concepts."""
        return (self.concept(index) for index in range(self.size))

    def cells(self, points: Points, gains: Gains, /) -> Cells[C]:
        """Score every concept: one cell each, O(size) for each point."""
        scores = np.zeros(self.size, dtype=np.int64)
        for column, gain in zip(self._columns(points), gains, strict=True):
            scores += column * gain
        return one_by_one(scores, self.concept)

    def dichotomies(self, points: Points, /) -> list[C]:
        """Return the first concept for each labelling of the points."""
        labels = np.zeros(self.size, dtype=np.uint64)
        for place, column in enumerate(self._columns(points)):
            labels |= column.astype(np.uint64) << np.uint64(place)
        _, first = np.unique(labels, return_index=True)
        return [self.concept(int(index)) for index in np.sort(first)]

    def draw(self, *, rng: Random) -> C:
        """Draw a concept uniformly."""
        return self.concept(rng.below(self.size))

    def same(self, concept: C) -> C | None:
        """Return the concept of the list that is the same function on the grid, if there is one."""
        (code,) = codes(concept(grid(self.bits, self.dims))[None, :])
        index = int(np.searchsorted(self.codes, code))
        found = index < self.size and self.codes[index] == code
        return self.concept(index) if found else None

    def _columns(self, points: Points) -> Iterator[NDArray[np.int64]]:
        for place in places(points, self.bits, self.dims).astype(np.uint64):
            yield (self.codes >> place & np.uint64(1)).astype(np.int64)
