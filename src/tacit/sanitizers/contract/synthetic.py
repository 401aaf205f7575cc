"""Synthetic rows, how many there are of each cell, and what makes them.

Of the papers: BNS16 Def 2.17.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.core import Cost, Exact, InvalidArgument, Law, Random
from tacit.statistics import Counts


@dataclass(frozen=True, slots=True)
class Synthetic:
    """A table of made-up rows that may be told: cells that occur, with their counts, by cell.

    `deviations` says, where a sanitizer compares its rows with noisy answers that it has, how far
    they are from those at most: one number for each width of a query.

    >>> made = Synthetic((2, 2), ((0, 3), (3, 1)))
    >>> made.n, made.histogram().tolist(), made.rows().tolist()
    (4, [3, 0, 0, 1], [[0, 0], [0, 0], [0, 0], [1, 1]])
    """

    shape: tuple[int, ...]
    table: tuple[tuple[int, int], ...]
    deviations: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        cells = [cell for cell, _ in self.table]
        if cells != sorted(set(cells)) or any(count < 1 for _, count in self.table):
            raise InvalidArgument("a table lists its cells in order, with counts of at least 1")

    @classmethod
    def of(
        cls, shape: Iterable[int], counts: NDArray[Any], deviations: Iterable[int] = ()
    ) -> Synthetic:
        """Make the table of an array with one count a cell."""
        held = np.flatnonzero(counts)
        pairs = zip(held.tolist(), np.asarray(counts)[held].tolist(), strict=True)
        return cls(tuple(shape), tuple(pairs), tuple(deviations))

    @property
    def n(self) -> int:
        """The number of rows."""
        return sum(count for _, count in self.table)

    def histogram(self) -> NDArray[np.int64]:
        """Return the counts of all cells."""
        counts = np.zeros(int(np.prod(self.shape)), dtype=np.int64)
        for cell, count in self.table:
            counts[cell] = count
        return counts

    def rows(self) -> NDArray[np.int64]:
        """Return the rows, one code an attribute, sorted by cell."""
        cells = np.repeat(
            np.array([cell for cell, _ in self.table], dtype=np.int64),
            [count for _, count in self.table],
        )
        return np.stack(np.unravel_index(cells, self.shape), axis=1).astype(np.int64)


@dataclass(frozen=True, slots=True)
class SyntheticRows:
    """Made-up rows over more cells than can be numbered: `codes` are theirs, row after row.

    >>> made = SyntheticRows.of((2, 1 << 60), np.array([[1, 5], [0, 7]]), [3])
    >>> made.n, made.rows().tolist()
    (2, [[1, 5], [0, 7]])
    """

    shape: tuple[int, ...]
    codes: bytes = field(repr=False)
    deviations: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, shape: Iterable[int], rows: NDArray[np.int64], deviations: Iterable[int] = ()
    ) -> SyntheticRows:
        """Hold these rows."""
        return cls(tuple(shape), rows.astype("<i8").tobytes(), tuple(deviations))

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.codes) // (8 * len(self.shape))

    def rows(self) -> NDArray[np.int64]:
        """Return the rows, one code an attribute."""
        return np.frombuffer(self.codes, dtype="<i8").reshape(-1, len(self.shape))


class Sanitizer(Protocol):
    """A frozen value that makes as many synthetic rows; the counts are an argument."""

    @property
    def cost(self) -> Cost:
        """What one table of synthetic rows costs."""

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Synthetic:
        """Make synthetic rows."""

    def law(self, counts: Counts[Any], /) -> Law[Synthetic]:
        """Return the exact law of the synthetic rows, on domains small enough to enumerate."""


class PromisingSanitizer(Sanitizer, Protocol):
    """A sanitizer whose error is promised before there are rows."""

    def error(self, n: int, beta: Exact) -> Fraction:
        """Return the error that is promised for n rows, as a share of them."""


class ErrorPromise:
    """What is promised for synthetic rows depends on their number only, and is known beforehand."""

    __slots__ = ()

    @abstractmethod
    def error(self, n: int, beta: Exact) -> Fraction:
        """Return the error that is promised for n rows, as a share of them."""

    def promised(self, synthetic: Synthetic, beta: Exact) -> Fraction:
        """Return the error that is promised for these rows."""
        return self.error(synthetic.n, beta)
