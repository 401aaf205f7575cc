"""A public domain of attributes, its cells, and the conjunctions over few of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, TooLarge, check, hold
from tacit.core.numbers.exact import told
from tacit.statistics import Counts

LARGEST = 1 << 22


@dataclass(frozen=True, slots=True)
class Attributes:
    """How many values each attribute has; a cell is one value of each, a conjunction one of some.

    Cells are numbered in the order of `numpy`: the last attribute changes fastest.

    >>> Attributes([2, 3]).size, Attributes([2, 3]).conjunctions(1), Attributes.binary(10).size
    (6, 5, 1024)
    """

    shape: tuple[int, ...]

    def __init__(self, shape: Sequence[int]) -> None:
        hold(self, shape=tuple(check.count(values=s, least=1) for s in shape))
        if not self.shape:
            raise InvalidArgument("attributes must be at least one")
        if self.size > LARGEST:
            raise TooLarge(f"there are {told(self.size)} cells, and at most {LARGEST} can be held")

    @classmethod
    def binary(cls, dims: int) -> Attributes:
        """Return `dims` attributes of two values."""
        return cls([2] * check.count(dims=dims, least=1))

    @property
    def size(self) -> int:
        """The number of cells."""
        return prod(self.shape)

    def conjunctions(self, width: int) -> int:
        """Return how many conjunctions there are over exactly `width` attributes."""
        return sum(prod(self.shape[i] for i in chosen) for chosen in self.choices(width))

    def largest_part(self, width: int) -> int:
        """Return how many cells a conjunction over `width` attributes has at most."""
        return max(self.size // prod(self.shape[i] for i in c) for c in self.choices(width))

    def choices(self, width: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets of `width` attributes."""
        if not 1 <= width <= len(self.shape):
            raise InvalidArgument(f"width must lie between 1 and {len(self.shape)}, got {width}")
        return combinations(range(len(self.shape)), width)

    def histogram(self, counts: Counts[Any]) -> NDArray[np.int64]:
        """Count the rows of each cell; n rows in total, whatever the keys.

        A key is one code an attribute: an integer if there is one attribute, else a tuple. Codes
        outside are clipped, and a row whose key is no such thing, or null, has code 0 everywhere:
        each row is read by itself, so that neighbours stay neighbours.
        """
        held = np.zeros(self.size, dtype=np.int64)
        cells = [self._cell(name) for name in counts.table]
        np.add.at(held, cells, list(counts.table.values()))
        held[0] += counts.n - int(held.sum())
        return held

    def marginals(self, values: NDArray[Any], width: int) -> dict[tuple[int, ...], NDArray[Any]]:
        """Return the sums over all conjunctions of at most `width` attributes.

        One array for each set of attributes, small sets first; the empty set has the total. The
        attributes are summed out one after the other, for all sets at once.

        >>> Attributes([2, 2]).marginals(np.array([1, 2, 3, 4]), 1)[(1,)].tolist()
        [4, 6]
        """
        tables: dict[tuple[int, ...], NDArray[Any]] = {(): values.reshape(1, -1)}
        for attribute, size in enumerate(self.shape):
            longer = {}
            for chosen, table in tables.items():
                cut = table.reshape(len(table), size, -1)
                longer[chosen] = cut.sum(axis=1)
                if len(chosen) < width:
                    longer[(*chosen, attribute)] = cut.reshape(len(table) * size, -1)
            tables = longer
        order = sorted(tables, key=lambda chosen: (len(chosen), chosen))
        return {chosen: tables[chosen][:, 0] for chosen in order}

    def deviations(self, one: NDArray[Any], other: NDArray[Any], width: int) -> list[Any]:
        """Return by how much two tables differ at most on conjunctions, for each width."""
        largest = [0] * (width + 1)
        for chosen, part in self.marginals(one - other, width).items():
            largest[len(chosen)] = max(largest[len(chosen)], abs(part).max())
        return largest[1:]

    def _cell(self, name: Any) -> int:
        codes = name if isinstance(name, tuple) else (name,)
        if len(codes) != len(self.shape) or not all(isinstance(code, int) for code in codes):
            return 0
        cell = 0
        for code, size in zip(codes, self.shape, strict=True):
            cell = cell * size + min(max(code, 0), size - 1)
        return cell


def counted(
    rows: NDArray[np.int64],
    shape: Sequence[int],
    chosen: tuple[int, ...],
    times: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Count rows by the values of the chosen attributes; each row so many times, or once.

    >>> counted(np.array([[0, 1], [1, 1]]), (2, 2), (1,)).tolist()
    [0, 2]
    """
    sizes = [shape[i] for i in chosen]
    cells = np.ravel_multi_index(tuple(rows[:, i] for i in chosen), sizes)
    return np.bincount(cells, times, prod(sizes)).astype(np.int64)
