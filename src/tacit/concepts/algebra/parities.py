"""Parities over Boolean variables, by linear algebra over two elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    Bracket,
    Cells,
    Concept,
    Gains,
    Packed,
    Packing,
    Points,
    coordinate,
    integers,
    listable,
)
from tacit.concepts.contract.domains import CubeClass
from tacit.concepts.contract.feature import identifier, spoken
from tacit.concepts.contract.named_problem import InnerProduct
from tacit.core import InvalidArgument, TooLarge, check
from tacit.kernels.bits.packing import bit_sets, pack

LARGEST_RANK = 24
"""Of points that are scored: a table of 2^24 sums is 128 megabytes, transformed in a second."""

WORD = 62
"""Columns, one bit each, that fit into a 64-bit integer with room for its sign."""

SMALLEST_SUM = 127
"""Columns of one byte each whose sum fits into a byte: the narrowest integers that engines have."""


@dataclass(frozen=True, slots=True)
class Parity(Concept):
    """Yes where the named columns hold an odd number of ones; the columns are bits of `mask`.

    >>> odd = Parity(0b101)
    >>> odd.rule(["a", "b", "c"]), odd.sql(["a", "b", "c"])
    ('the number of ones among a and c is odd', '(("a" + "c") % 2 = 1)')
    """

    mask: int

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns that are added up."""
        return tuple(i for i in range(self.mask.bit_length()) if self.mask >> i & 1)

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        odd = np.zeros(len(points), dtype=np.bool_)
        for column in self.columns:
            odd ^= coordinate(points, column).astype(np.bool_)
        return odd

    def rule(self, names: Sequence[str], /) -> str:
        chosen = [spoken(names[column]) for column in self.columns]
        if len(chosen) < 2:
            return f"{chosen[0]} is 1" if chosen else "never"
        return f"the number of ones among {', '.join(chosen[:-1])} and {chosen[-1]} is odd"

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the function as a SQL expression; long sums are taken in 64 bits."""
        chosen = [identifier(columns[column]) for column in self.columns]
        if len(chosen) > SMALLEST_SUM:
            chosen[0] = f"CAST({chosen[0]} AS BIGINT)"
        return f"(({' + '.join(chosen)}) % 2 = 1)" if chosen else "(1 = 0)"


@dataclass(frozen=True, slots=True)
class Parities(CubeClass[Parity]):
    """All parities x -> c.x mod 2 over {0, 1}^dims, the constant 0 among them.

    >>> Parities(16).size, Parities(16).vc.upper, str(Parities(16))
    (65536, 16, 'parities(dims=16)')
    """

    family: ClassVar[str] = "parities"
    in_words: ClassVar[str] = "an odd number of yes among some columns"
    tells_points_apart: ClassVar[bool] = True
    distance: ClassVar[Fraction] = Fraction(1, 2)
    """The difference of two parities is a parity, which says yes on half of the points."""

    @classmethod
    def over(cls, sizes: Sequence[int], _: Sequence[bool], /) -> Self:
        """Return the parities of these columns."""
        return cls(len(sizes))

    @property
    def size(self) -> int:
        return 1 << self.dims

    @property
    def vc(self) -> Bracket:
        """The unit vectors are shattered."""
        return Bracket(self.dims, self.dims, "unit vectors are shattered; log2 of the size")

    @property
    def littlestone(self) -> Bracket:
        """At least the VC dimension and at most log2 of the size."""
        return Bracket(self.dims, self.dims, "unit vectors are shattered; log2 of the size")

    @property
    def largest_sample(self) -> int | None:
        """All 2^dims are scored if they are few; else the sample must have few points."""
        return None if self.dims <= LARGEST_RANK else LARGEST_RANK

    @property
    def problem(self) -> InnerProduct:
        """The inner product of two vectors of bits."""
        return InnerProduct(self.dims)

    @property
    def packings(self) -> tuple[Packing[Parity], ...]:
        """Put 4 alpha on all points evenly and the rest on 0: two parities are 2 alpha apart."""

        def member(index: int) -> Packed[Parity]:
            return Packed(Parity(index), self.domain(), np.zeros((1, self.dims), dtype=np.int64))

        return (Packing(self.size, 4, member, proper=False, common=True),)

    def shattered(self) -> Points:
        """Return the unit vectors."""
        return np.eye(self.dims, dtype=np.int64)

    def nth(self, index: int, /) -> Parity:
        """Return the parity whose columns are the binary digits of this number."""
        return Parity(index)

    def cells(self, points: Points, gains: Gains, /) -> Cells[Parity]:
        """Cut the class into cosets: all parities that agree on the points' span.

        O(m r) word operations and r 2^r additions, where r is the rank of the m points: one fast
        Walsh-Hadamard transform of the gains scores 2^r cells of 2^(dims - r) parities. Refused
        when dims and m both exceed 24; a learner refuses by its public n before it comes here.
        """
        if min(self.dims, len(points)) > LARGEST_RANK:
            raise TooLarge(f"{self} needs at most {LARGEST_RANK} points, or as many dims")
        codes = self._codes(points)
        span = _Span.of(codes, self.dims)
        table = np.zeros(1 << len(span.pivots), dtype=np.int64)
        table[span.coordinates(codes)] = gains
        scores = (int(gains.sum()) - walsh_hadamard(table)) >> 1
        same = integers([1 << (self.dims - len(span.pivots))])
        return Cells(scores, np.repeat(same, len(table)), span.parity)

    def dichotomies(self, points: Points, /) -> list[Parity]:
        """Return one parity for each labelling of the points: 2^rank of them."""
        span = _Span.of(self._codes(points), self.dims)
        return [
            span.parity(cell, 0)
            for cell in range(listable(1 << len(span.pivots), what="labellings"))
        ]

    def encode(self, concept: Parity, /) -> dict[str, Any]:
        return {"columns": list(concept.columns)}

    def decode(self, encoded: dict[str, Any], /) -> Parity:
        columns = [check.count(column=column) for column in encoded["columns"]]
        if sorted(set(columns)) != columns or any(column >= self.dims for column in columns):
            raise InvalidArgument(f"columns={columns} is no concept of {self}")
        return Parity(sum(1 << column for column in columns))

    def _codes(self, points: Points) -> NDArray[Any]:
        """Return each point as one integer, column i at bit i."""
        table = np.asarray(points, dtype=np.bool_).reshape(-1, self.dims)
        if self.dims <= WORD:
            powers = np.int64(1) << np.arange(self.dims)
            return np.asarray(table @ powers, dtype=np.int64)
        codes = np.empty(len(table), dtype=object)
        codes[:] = bit_sets(pack(table))
        return codes


def walsh_hadamard(table: NDArray[Any]) -> NDArray[Any]:
    """Replace t by the sums over x of (-1)^(s.x) t(x), for all s; in place, of integers or floats.

    >>> walsh_hadamard(np.array([5, 1, 0, 0])).tolist()
    [6, 4, 6, 4]
    """
    half = 1
    while half < len(table):
        pairs = table.reshape(-1, 2, half)
        difference = pairs[:, 0] - pairs[:, 1]
        pairs[:, 0] += pairs[:, 1]
        pairs[:, 1] = difference
        half *= 2
    return table


@dataclass(frozen=True, slots=True)
class _Span:
    """The span of some points: a reduced basis, row j with a one at pivot j and at no other pivot.

    A parity's values on the basis rows, its syndrome, decide its values on the whole span.
    """

    pivots: tuple[int, ...]
    rows: tuple[int, ...]
    free: tuple[int, ...]

    @classmethod
    def of(cls, codes: NDArray[Any], dims: int) -> _Span:
        """Eliminate: each round takes a row that is left and clears its lowest bit elsewhere."""
        basis: dict[int, int] = {}
        left = codes[codes != 0]
        while len(left):
            row = int(left[0])
            pivot = (row & -row).bit_length() - 1
            left = left ^ (left >> pivot & 1) * row
            left = left[left != 0]
            basis = {p: b ^ row if b >> pivot & 1 else b for p, b in basis.items()}
            basis[pivot] = row
        free = tuple(column for column in range(dims) if column not in basis)
        return cls(tuple(basis), tuple(basis.values()), free)

    def coordinates(self, codes: NDArray[Any]) -> NDArray[np.int64]:
        """Write each point of the span in the basis: bit j says whether row j is added."""
        places = np.zeros(len(codes), dtype=np.int64)
        for j, pivot in enumerate(self.pivots):
            places |= (codes >> pivot & 1).astype(np.int64) << j
        return places

    def parity(self, syndrome: int, rank: int) -> Parity:
        """Return the parity of this rank among those with a syndrome.

        The rank's digits are the coefficients off the pivots; the syndrome decides the others.
        """
        mask = sum((rank >> i & 1) << column for i, column in enumerate(self.free))
        pivots = ((syndrome >> j ^ (row & mask).bit_count()) & 1 for j, row in enumerate(self.rows))
        return Parity(mask + sum(bit << p for p, bit in zip(self.pivots, pivots, strict=True)))
