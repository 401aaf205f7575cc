"""What one budget is divided among: noisy sums over cells, and ranks of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.chance.law import Law, product
from tacit.core.chance.randomness import Random
from tacit.core.cost import Cost, Sequential
from tacit.mechanisms import DiscreteGaussianVector, DiscreteLaplace, PrivateQuantile
from tacit.sanitizers import Synthetic, TreeSanitizer
from tacit.statistics import Counts, LineCounts
from tacit.workflows.counting.bins import Bins

SAFE = 1 << 62
LISTED = 2
"""Rows that laws are listed for, where their number is secret."""
Noise = DiscreteLaplace | DiscreteGaussianVector
Ends = tuple[int, int, int]
"""A quantile as codes: not below, about, and not above."""


@dataclass(frozen=True, slots=True)
class Sums:
    """The number of rows of each cell, or the sum of a column over them, with noise.

    Of a column the codes 0, ..., top are centred and doubled, from -top to top: so a row that is
    replaced moves the sums by 2 top in total, whether it stays in its cell or not.

    Guarantee:
        As the noise, whose sensitivity is `moved`: 2 rows, and 1 if there are two cells, of which
        the first is counted and the second is the rest of n; or 2 top. Noisy sums are clipped to
        what they could be, or for rows to -n and 2n, which brings none further from the truth. A
        row that is added moves one cell, by 1 or by top; where their number is secret, `public` is
        what sums are clipped by, all cells are counted, and no number of rows is used.
    """

    place: int | None
    top: int
    cells: int
    noise: Noise
    public: int | None = None

    @staticmethod
    def moved(place: int | None, top: int, cells: int, *, added: bool = False) -> tuple[int, int]:
        """Return by how much one row moves the sums: in total, and in squares.

        >>> Sums.moved(None, 0, 6), Sums.moved(None, 0, 2), Sums.moved(3, 120, 6)
        ((2, 2), (1, 1), (240, 57600))
        >>> Sums.moved(None, 0, 2, added=True), Sums.moved(3, 120, 6, added=True)
        ((1, 1), (120, 14400))
        """
        if added:
            return (1, 1) if place is None else (max(top, 1), max(top, 1) ** 2)
        if place is None:
            return (1, 1) if cells == 2 else (2, 2)
        return 2 * max(top, 1), 4 * max(top, 1) ** 2

    @property
    def cost(self) -> Cost:
        """What the sums cost."""
        return self.noise.cost

    def width(self, n: int, miss: Fraction) -> int:  # noqa: ARG002
        """Return how far off a sum may be, but with probability `miss`."""
        return self.noise.deviation(miss, size=1) - 1

    def __call__(self, table: Table, *, rng: Random) -> tuple[int, ...]:
        """Return noisy sums, cell by cell."""
        low, high = self._ends(table.n if self.public is None else self.public)
        noisy = self.noise(self._sums(table), rng=rng).tolist()
        return tuple(min(max(value, low), high) for value in noisy)

    def law(self, table: Table) -> Law[tuple[int, ...]]:
        """Return the law of the sums, for few cells and rows; cut to 2 rows if these are secret."""
        low, high = self._ends(table.n if self.public is None else LISTED)
        values = [int(value) for value in self._sums(table)]
        if isinstance(self.noise, DiscreteLaplace):
            wide = {"low": min(low, *values), "high": max(high, *values)}
            told = self.noise.law(values, **wide)
            return told.map(lambda each: tuple(min(max(v, low), high) for v in each))
        return self.noise.law(values).map(lambda told: tuple(min(max(v, low), high) for v in told))

    def _ends(self, n: int) -> tuple[int, int]:
        return (-n, 2 * n) if self.place is None else (-max(self.top, 1) * n, max(self.top, 1) * n)

    def _sums(self, table: Table) -> NDArray[Any]:
        weights: NDArray[Any] = table.times
        if self.place is not None:
            wide = np.int64 if 2 * (self.top + 1) * table.n < SAFE else object
            codes = table.codes[:, self.place].astype(wide)
            weights = (2 * codes - self.top) * table.times.astype(wide)
        sums = np.zeros(self.cells, dtype=weights.dtype)
        np.add.at(sums, table.cells, weights)
        alone = self.place is None and self.cells == 2 and self.public is None
        return sums[:1] if alone else sums


@dataclass(frozen=True, slots=True)
class Ranks:
    """Quantiles of a column, each drawn by itself with one before and one after it.

    The ends are drawn `off` ranks before and after: the first is then not above the quantile, the
    second not below it, but with the probability that a rank is missed by more than `off`. An end
    that would lie outside of the table is that of the column.

    Guarantee:
        As the draws, one after the other.
    """

    place: int
    size: int
    ranks: tuple[tuple[int, int, int], ...]
    off: int
    draws: tuple[PrivateQuantile, ...]

    @classmethod
    def of(
        cls,
        place: int,
        column: tuple[int, int],
        levels: Sequence[Fraction],
        n: int,
        miss: Fraction,
        each: Any,
    ) -> Ranks:
        """Draw with `each(k)` a draw, if k are drawn; `column` has the bits and the size."""
        (bits, size), middle = column, [max(1, min(-(-level * n // 1), n)) for level in levels]
        count, off, ranks = 3 * len(middle), 0, tuple[tuple[int, int, int], ...]()
        for _ in range(2):  # an end outside of the table needs no draw, which leaves more to others
            epsilon = each(count)
            off = PrivateQuantile(bits, level=0, epsilon=epsilon).rank_error(miss / 2)
            if not ranks:
                ranks = tuple((k - off, k, k + off) for k in middle)
                count = sum(1 <= rank <= n for triple in ranks for rank in triple)
                kept = [tuple(1 <= rank <= n for rank in triple) for triple in ranks]
        ranks = tuple(
            (k - off if low else 0, k, k + off if high else n + 1)
            for k, (low, _, high) in zip(middle, kept, strict=True)
        )
        inside = [Fraction(rank, n) for triple in ranks for rank in triple if 1 <= rank <= n]
        drawn = tuple(PrivateQuantile(bits, level=level, epsilon=epsilon) for level in inside)
        return cls(place, size, ranks, off, drawn)

    @property
    def cost(self) -> Cost:
        """What all draws cost."""
        return Sequential(*(draw.cost for draw in self.draws))

    def width(self, n: int, miss: Fraction) -> int:  # noqa: ARG002
        """Return by how many ranks a draw may be off."""
        return self.off

    def __call__(self, table: Table, *, rng: Random) -> tuple[Ends, ...]:
        """Return the quantiles, in the order of their levels."""
        line = table.line(self.place, self.size)
        return self._told([draw(line, rng=rng) for draw in self.draws], table.n)

    def law(self, table: Table) -> Law[tuple[Ends, ...]]:
        """Return the exact law of the quantiles, for a small column."""
        line = table.line(self.place, self.size)
        drawn = product([draw.law(line) for draw in self.draws])
        return drawn.map(lambda codes: self._told(codes, table.n))

    def _told(self, codes: Sequence[int], n: int) -> tuple[Ends, ...]:
        given, last, told = iter(codes), self.size - 1, []
        for low, _, high in self.ranks:
            first = min(next(given), last) if 1 <= low <= n else 0
            about = min(next(given), last)
            end = min(next(given), last) if 1 <= high <= n else last
            end = max(first, end)
            told.append((first, min(max(about, first), end), end))
        return tuple(told)


@dataclass(frozen=True, slots=True)
class TreeRanks:
    """Quantiles of a column, all of them read off one noisy tree of counts.

    No number of rows up to a value is off by more than `off`, but with the probability that it was
    asked for: so the quantile of rank k is between those of ranks k - off and k + off of the tree.

    Guarantee:
        As `TreeSanitizer`.
    """

    place: int
    size: int
    ranks: tuple[int, ...]
    off: int
    tree: TreeSanitizer

    @property
    def cost(self) -> Cost:
        """What the tree costs."""
        return self.tree.cost

    def width(self, n: int, miss: Fraction) -> int:  # noqa: ARG002
        """Return by how many ranks a quantile may be off."""
        return self.off

    def __call__(self, table: Table, *, rng: Random) -> tuple[Ends, ...]:
        """Return the quantiles, in the order of their levels."""
        return self._told(self.tree(table.points(self.place), rng=rng))

    def law(self, table: Table) -> Law[tuple[Ends, ...]]:
        """Return the law of the quantiles, for few values and rows."""
        return self.tree.law(table.points(self.place)).map(self._told)

    def _told(self, made: Synthetic) -> tuple[Ends, ...]:
        points, counts = zip(*made.table, strict=True)
        upto, last = np.cumsum(counts), self.size - 1

        def at(rank: int) -> int:
            if not 1 <= rank <= made.n:
                return 0 if rank < 1 else last
            return int(min(points[int(np.searchsorted(upto, rank))], last))

        return tuple((at(k - self.off), at(k), at(k + self.off)) for k in self.ranks)


Part = Sums | Ranks | TreeRanks


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """The rows of a table for all parts: codes, how often each occurs, and the cell it is in."""

    n: int
    codes: NDArray[np.int64]
    times: NDArray[np.int64]
    cells: NDArray[np.int64]

    @classmethod
    def of(cls, counts: Counts[Any], columns: int, bins: Sequence[Bins]) -> Table:
        """Read counts by the codes of the columns, the first of which are in bins."""
        codes = np.array(list(counts.table), dtype=np.int64).reshape(-1, columns)
        cells = np.zeros(len(codes), dtype=np.int64)
        for each, held in zip(bins, codes.T, strict=False):
            cells = cells * each.size + each.of(held)
        return cls(counts.n, codes, np.array(list(counts.table.values()), dtype=np.int64), cells)

    def line(self, place: int, size: int) -> LineCounts:
        """Return one column in order."""
        points, at = np.unique(self.codes[:, place], return_inverse=True)
        counts = np.zeros(len(points), dtype=np.int64)
        np.add.at(counts, at, self.times)
        return LineCounts(self.n, max(1, (size - 1).bit_length()), points, counts)

    def points(self, place: int) -> Counts[Any]:
        """Return one column by its codes."""
        line = self.line(place, 2 << 62)
        return Counts(self.n, dict(zip(line.points.tolist(), line.counts.tolist(), strict=True)))


@dataclass(frozen=True, slots=True)
class TableParts:
    """All parts that are asked of a table, one after the other.

    Guarantee:
        As the parts together: their costs in sequence.

    Proof: docs/proofs/table_counts.md
    """

    columns: int
    bins: tuple[Bins, ...]
    parts: tuple[Part, ...]

    @property
    def cost(self) -> Cost:
        """What all parts cost."""
        return Sequential(*(part.cost for part in self.parts))

    def __call__(self, counts: Counts[Any], *, rng: Random) -> tuple[Any, ...]:
        """Answer all parts."""
        table = Table.of(counts, self.columns, self.bins)
        return tuple(part(table, rng=rng) for part in self.parts)

    def law(self, counts: Counts[Any]) -> Law[tuple[Any, ...]]:
        """Return the law of all answers."""
        table = Table.of(counts, self.columns, self.bins)
        return product([part.law(table) for part in self.parts])
