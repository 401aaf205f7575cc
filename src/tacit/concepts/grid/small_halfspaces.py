"""Halfspaces on small grids of three or more dimensions: the least weights for each function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Cells, Concept, ConceptClass, Gains, Points
from tacit.concepts.grid.halfspace import Halfspace
from tacit.concepts.grid.listed_functions import Codes, ListedFunctions, codes
from tacit.concepts.grid.numbering import grid
from tacit.core.chance.randomness import Random

SIZES = {(1, 3): 104, (2, 3): 35516, (1, 4): 1882, (1, 5): 94572}
"""The number of functions by (bits, dims): the cells of an arrangement, counted by the tests."""

CHUNK = 1 << 12  # weights that are worked on at once: some megabytes of cuts


@lru_cache(maxsize=len(SIZES))
def small_halfspaces(bits: int, dims: int) -> ListedFunctions[Halfspace]:
    """List all halfspaces on a grid, each with the weights of least absolute sum.

    Weights are tried by the sum of their absolute values and then in lexicographic order, the
    largest first, until as many functions are found as there are. The threshold is the least value
    of the weighted sum where the answer is yes.

    >>> listing = small_halfspaces(1, 3)
    >>> listing.size, listing.concept(1)
    (104, Halfspace(weights=(-1, -1, -1), threshold=0))
    """
    points, size = grid(bits, dims), SIZES[bits, dims]
    found = [np.zeros(1, dtype=np.uint64), codes(np.ones((1, len(points)), dtype=np.bool_))]
    rows = [np.array([[0] * dims + [1]]), np.array([[0] * (dims + 1)])]
    for total in count(1):
        if sum(map(len, found)) == size:
            break
        shell = _shell(dims, total)
        for start in range(0, len(shell), CHUNK):
            new, made = _cuts(shell[start : start + CHUNK], points)
            fresh = ~np.isin(new, np.concatenate(found))
            found.append(new[fresh])
            rows.append(made[fresh])
    listed = np.concatenate(found)
    order = np.argsort(listed)
    table = np.concatenate(rows)[order]

    def concept(index: int) -> Halfspace:
        *weights, threshold = table[index].tolist()
        return Halfspace(tuple(weights), threshold)

    return ListedFunctions(bits, dims, listed[order], concept)


def _cuts(weights: NDArray[np.int64], points: NDArray[np.int64]) -> tuple[Codes, NDArray[np.int64]]:
    """Return the different cuts that these weights make, with the first weights for each."""
    values = weights @ points.T
    made, rows = [], []
    for threshold in range(int(values.min()), int(values.max()) + 1):
        attained = (values == threshold).any(axis=1) & (values < threshold).any(axis=1)
        made.append(codes(values[attained] >= threshold))
        rows.append(np.insert(weights[attained], weights.shape[1], threshold, axis=1))
    table = np.concatenate(rows)
    # Of equal cuts, the one whose weights came first; weights are in decreasing order.
    order = np.lexsort(-table.T[::-1])
    different, first = np.unique(np.concatenate(made)[order], return_index=True)
    return different, table[order][first]


def _shell(dims: int, total: int) -> NDArray[np.int64]:
    """Return the integer vectors of absolute sum `total` and divisor 1, in decreasing order."""
    vectors = np.array(_vectors(dims, total), dtype=np.int64)
    return np.asarray(vectors[np.gcd.reduce(vectors, axis=1) == 1], dtype=np.int64)


def _vectors(dims: int, total: int) -> list[tuple[int, ...]]:
    if dims == 1:
        return [(total,), (-total,)] if total else [(0,)]
    return [
        (first, *rest)
        for first in range(total, -total - 1, -1)
        for rest in _vectors(dims - 1, total - abs(first))
    ]


S = TypeVar("S", bound=Concept)
C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OnALine(Generic[S, C]):
    """The same functions as `source`; points have one column instead of none.

    `told` writes a concept of the source in the other way; `same` finds, for any concept of the
    other kind, the one of this class that is the same function on the domain.
    """

    source: ConceptClass[S]
    told: Callable[[S], C]
    same: Callable[[C], C | None]

    @property
    def size(self) -> int:
        """The number of concepts."""
        return self.source.size

    def concepts(self) -> Iterator[C]:
        """Yield all concepts."""
        return map(self.told, self.source.concepts())

    def cells(self, points: Points, gains: Gains, /) -> Cells[C]:
        """Cut the class as the source does."""
        cells = self.source.cells(points.reshape(len(points)), gains)
        return Cells(
            cells.gains,
            cells.multiplicities,
            lambda cell, rank: self.told(cells.member(cell, rank)),
        )

    def dichotomies(self, points: Points, /) -> list[C]:
        """Return one concept for each labelling of the points."""
        return [self.told(found) for found in self.source.dichotomies(points.reshape(len(points)))]

    def draw(self, *, rng: Random) -> C:
        """Draw a concept uniformly."""
        return self.told(self.source.draw(rng=rng))
