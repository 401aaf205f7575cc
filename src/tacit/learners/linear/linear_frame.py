"""How a table looks to a linear learner: each column centred and scaled, each row shortened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from tacit.concepts import Halfspaces
from tacit.concepts.contract.concept_class import Points
from tacit.concepts.rules.scorecards import Scorecards, weights_of

NARROWEST = 10
"""No number is scaled up more than so many times: its spread counts as a tenth of the unit."""

FARTHEST = 3
"""Numbers in steps are cut at so many spreads from their centre: beyond, their points are flat."""

BENT = 3
"""A square weighs so many times less than its number."""

REACH = Fraction(3, 5)
LEAST = Fraction(3, 2)
"""The squared norm of a row is cut at this share of its columns, but at no less than this."""


@dataclass(frozen=True, slots=True)
class FramedColumn:
    """One column: how many codes and which kind, and what has been told of it.

    `centres` has the mean of a number, then the share of its missing cells if it has some; or the
    share of each code of a category; all in units of 1 / `unit`, as `spread` is.
    """

    size: int
    kind: str
    unit: int
    centres: tuple[int, ...]
    spread: int

    @property
    def inside(self) -> int:
        """How many codes stand for a value."""
        return self.size - (self.kind == "n")

    @property
    def bent(self) -> bool:
        """Whether the square has a weight too."""
        return self.kind in ("q", "s", "n") and self.inside > 2

    @property
    def usual(self) -> tuple[int, ...]:
        """For each weight what its number is in the mean, by the public range; 0 for a square.

        >>> FramedColumn(5, "n", 8, (-2, 1), 4).usual
        (-2, 0, 1)
        """
        return self.centres[:1] + (0,) * self.bent + self.centres[1:]

    def coordinates(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one row a code, one entry a weight.

        >>> FramedColumn(5, "s", 8, (0,), 4).coordinates(np.arange(5)).tolist()
        [[-16, 8], [-8, 0], [0, -3], [8, 0], [16, 8]]
        >>> FramedColumn(3, "c", 8, (2, 2, 4), 8).coordinates(np.arange(3)).tolist()
        [[6, -2, -4], [-2, 6, -4], [-2, -2, 4]]
        """
        unit = self.unit
        if self.kind == "c":
            shares = np.array(self.centres, dtype=np.int64)
            hot = np.where(codes[:, None] == np.arange(self.size), unit, 0)
            return (hot - shares) * unit // self.spread
        scaled = (placed(codes, self.inside, unit) - self.centres[0]) * unit // self.spread
        if self.kind in ("s", "n"):
            scaled = np.clip(scaled, -FARTHEST * unit, FARTHEST * unit)
        made = [scaled]
        if self.bent:
            made.append((scaled * scaled // unit - unit) // BENT)
        if self.kind == "n":
            null = codes >= self.inside
            made = [np.where(null, 0, each) for each in made]
            made.append(np.where(null, unit, 0) - self.centres[1])
        return np.column_stack(made)

    def line(self) -> tuple[Fraction, Fraction]:
        """Return slope and start of the scaled number as a function of its code."""
        top, pace = max(self.inside - 1, 1), Fraction(self.unit, self.spread)
        return 2 * self.unit * pace / top, -(self.unit + self.centres[0]) * pace


@dataclass(frozen=True, slots=True)
class LinearFrame:
    """All columns of a table, with their public centres and spreads.

    >>> frame = LinearFrame((FramedColumn(5, "", 8, (0,), 4), FramedColumn(2, "", 8, (4,), 8)))
    >>> rows = frame.rows(np.array([[4, 1], [2, 0]]))
    >>> rows.tolist(), shortened(rows, 200).tolist()
    ([[16, 4, 4], [0, -12, 4]], [[13, 3, 3], [0, -12, 4]])
    """

    columns: tuple[FramedColumn, ...]

    @property
    def unit(self) -> int:
        """What 1 is."""
        return self.columns[0].unit

    @property
    def constant(self) -> int:
        """The last entry of every row, before it is shortened."""
        return max(self.unit // 2, 1)

    def rows(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return an integer vector for each point: its coordinates, and a constant."""
        parts = [c.coordinates(each) for c, each in zip(self.columns, codes.T, strict=True)]
        return np.column_stack((*parts, np.full(len(codes), self.constant, dtype=np.int64)))

    def split(self, weights: Sequence[int]) -> Iterator[tuple[FramedColumn, tuple[int, ...]]]:
        """Yield each column with its weights."""
        start = 0
        for column in self.columns:
            end = start + weights_of(column.kind, column.size)
            yield column, tuple(weights[start:end])
            start = end


def shortened(rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Shorten rows whose squared norm is above `most`.

    Exactness:
        Every entry is rounded towards 0, by roots that are rounded to the safe side: no row has a
        squared norm above `most` afterwards.
    """
    squares = (rows * rows).sum(axis=1)
    roots = np.array([isqrt(max(square - 1, 0)) + 1 for square in squares.tolist()])
    short = np.sign(rows) * (abs(rows) * isqrt(most) // roots.astype(np.int64)[:, None])
    return np.where((squares > most)[:, None], short, rows)


def placed(codes: NDArray[np.int64], size: int, unit: int) -> NDArray[np.int64]:
    """Scale codes of a public range to [-unit, unit], rounded down.

    >>> placed(np.array([0, 3, 4]), 5, 10).tolist()
    [-10, 5, 10]
    """
    return ((2 * np.minimum(codes, size - 1) - size + 1) * unit) // max(size - 1, 1)


def norm_squared(concepts: Scorecards, unit: int) -> int:
    """Return what the squared norms of rows are cut to before they are added up.

    >>> norm_squared(Scorecards("5x5x5"), 10), norm_squared(Scorecards("x".join("9" * 9)), 10)
    (206, 566)
    """
    return int((max(LEAST, REACH * concepts.features) + Fraction(1, 4)) * unit**2) + 1


def codes_of(concepts: Scorecards, points: Points) -> NDArray[np.int64]:
    """Return the codes of points, one row each, all within the class's domain."""
    return concepts.clip(points).reshape(len(points), concepts.features)


def moments(
    concepts: Scorecards, unit: int, points: Points, totals: NDArray[np.int64]
) -> list[int]:
    """Return sums over all rows, column by column.

    Of a number z in [-unit, unit] 2 unit z and 3 z^2, of one of two values the first alone; of
    missing cells and of each code of a category 2 unit^2.

    Guarantee:
        Replacing a row moves them by at most `moments_moved` in squared Euclidean distance.
    """
    told: list[int] = []
    codes = codes_of(concepts, points)
    for each, size, kind in zip(codes.T, concepts.sizes, concepts.kinds, strict=True):
        if kind == "c":
            counts = [int(totals[each == code].sum()) for code in range(size)]
            told.extend(2 * unit * unit * count for count in counts)
            continue
        inside = size - (kind == "n")
        there = each < inside
        z = np.where(there, placed(each, inside, unit), 0)
        told.append(2 * unit * int(totals @ z))
        if inside > 2:
            told.append(3 * int(totals @ (z * z)))
        if kind == "n":
            told.append(2 * unit * unit * int(totals[~there].sum()))
    return told


def moments_moved(concepts: Scorecards, unit: int, *, added: bool = False) -> int:
    """Return 16 unit^4 a number, 17 if it may be missing, 8 a category; docs/proofs/margin.md.

    An added row moves a number by at most 13 unit^4, by 4 in the first and 9 in the second moment,
    and a category by 4: docs/proofs/added.md.
    """
    known = {"c": 4} if added else {"c": 8, "n": 17}
    return sum(known.get(kind, 13 if added else 16) for kind in concepts.kinds) * unit**4


def framed(concepts: Scorecards, unit: int, told: Sequence[int], n: int, blur: int) -> LinearFrame:
    """Read all columns off noisy moments of n rows that are off by about `blur`.

    >>> sums = moments(Scorecards("3xc2"), 8, np.array([[2, 0], [1, 2]]), np.array([3, 1]))
    >>> framed(Scorecards("3"), 8, sums[:2], 4, 0).columns[0].centres
    (6,)
    """
    rows, next_ = max(n, 1), iter(told)
    made = []
    for size, kind in zip(concepts.sizes, concepts.kinds, strict=True):
        if kind == "c":
            shares = tuple(_cut(next(next_) // (2 * unit * rows), 0, unit) for _ in range(size))
            square = sum(share * (unit - share) for share in shares)
            made.append(FramedColumn(size, kind, unit, shares, max(isqrt(square), unit // 4, 1)))
            continue
        first = next(next_) // (2 * unit)
        second = next(next_) // 3 if size - (kind == "n") > 2 else None
        lost = _cut(next(next_) // (2 * unit * rows), 0, unit) if kind == "n" else 0
        there = max(rows * (unit - lost) // unit, 1)
        centre = _cut(first // there, -unit, unit)
        centres = (centre, lost) if kind == "n" else (centre,)
        if second is None:
            made.append(FramedColumn(size, kind, unit, centres, unit))
            continue
        least = max((unit // NARROWEST) ** 2, blur // (4 * there), 1)
        square = max(min(second // there - centre * centre, unit * unit), least)
        made.append(FramedColumn(size, kind, unit, centres, isqrt(square)))
    return LinearFrame(tuple(made))


def wrapped(sums: Sequence[int]) -> list[int]:
    """Return noisy sums modulo 2^64, as sums without noise wrap where there are too many rows.

    What is told is then a function of the true sum with its noise, however many rows there are.

    >>> wrapped([-5, 1 << 63])
    [-5, -9223372036854775808]
    """
    return [(told + (1 << 63)) % (1 << 64) - (1 << 63) for told in sums]


def _cut(number: int, low: int, high: int) -> int:
    return max(low, min(high, number))


def columns_of(concepts: Halfspaces | Scorecards) -> Scorecards:
    """Return the scorecards over the columns of a class.

    >>> str(columns_of(Halfspaces(bits=3, dims=2)))
    'scorecards(values=8x8)'
    """
    if isinstance(concepts, Scorecards):
        return concepts
    return Scorecards("x".join([str(1 << concepts.bits)] * concepts.dims))
