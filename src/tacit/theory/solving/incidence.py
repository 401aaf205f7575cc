"""A class as bits: one bitmap of concepts for each point, repeated concepts left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import ConceptClass, listable
from tacit.concepts.contract.finite import Finite
from tacit.concepts.contract.specification import as_class
from tacit.core.errors import InvalidArgument
from tacit.kernels.bits.bit_columns import transpose
from tacit.kernels.bits.packing import Words, bit_sets, pack, unpack

LARGEST = 1 << 33  # values of a class that is listed: a gigabyte of bits


@dataclass(frozen=True, slots=True, eq=False)
class Incidence:
    """Which of n distinct concepts say yes at which of m points: `columns` has one bitmap a point.

    >>> table = Incidence.of(np.array([[0, 1], [1, 1], [0, 1]]))
    >>> table.n, table.m, table.value(1, 0)
    (2, 2, True)
    """

    n: int
    m: int
    columns: Words

    @classmethod
    def of(cls, matrix: NDArray[Any]) -> Incidence:
        """Read a 0/1 matrix, one row a concept; of equal rows the first is kept."""
        table = np.asarray(matrix)
        if table.ndim != 2 or not np.isin(table, (0, 1)).all():
            raise InvalidArgument("a class is a matrix of zeros and ones, one row a concept")
        if not table.shape[0]:
            raise InvalidArgument("a class needs at least one concept")
        rows = pack(table.astype(np.bool_))
        kept = rows[first_of_equals(rows)]
        return cls(len(kept), table.shape[1], transpose(kept, table.shape[1]))

    @classmethod
    def read(cls, given: Incidence | NDArray[Any] | ConceptClass[Any] | str) -> Incidence:
        """Return a table, given itself, a matrix, a class, or the specification of one.

        >>> Incidence.read("thresholds(bits=3)").n, Incidence.read(np.eye(2)).m
        (8, 2)
        """
        if isinstance(given, Incidence):
            return given
        return cls.of(given) if isinstance(given, np.ndarray) else cls.of_class(as_class(given))

    @classmethod
    def of_class(cls, concepts: ConceptClass[Any]) -> Incidence:
        """List a class on its whole domain."""
        listable(concepts.size, what="concepts")
        listable(concepts.domain_size * concepts.size // (LARGEST >> 20), what="values")
        points = concepts.domain()
        return cls.of(np.array([concept(points) for concept in concepts.concepts()]))

    def value(self, concept: int, point: int) -> bool:
        """Return what a concept says at a point."""
        return bool(int(self.columns[point, concept >> 6]) >> (concept & 63) & 1)

    def values(self, concepts: NDArray[np.int64], points: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return what concepts say at points, pair by pair."""
        words = self.columns[points, concepts >> 6]
        bits = words >> (concepts & 63).astype(np.uint64) & np.uint64(1)
        return np.asarray(bits, dtype=np.bool_)

    @property
    def dual(self) -> Incidence:
        """The same table with points for concepts; equal points are one."""
        columns = self.columns[first_of_equals(self.columns)]
        return Incidence(len(columns), self.n, transpose(columns, self.n))

    @property
    def truth(self) -> NDArray[np.bool_]:
        """The matrix: what each concept says at each point."""
        return np.ascontiguousarray(unpack(self.columns, self.n).T)

    @property
    def bit_rows(self) -> list[int]:
        """One integer a concept, bit x for point x.

        >>> Incidence.of(np.array([[0, 1, 1], [1, 0, 0]])).bit_rows
        [6, 1]
        """
        return bit_sets(transpose(self.columns, self.n))

    @property
    def bit_columns(self) -> list[int]:
        """One integer a point, bit c for concept c.

        >>> Incidence.of(np.array([[0, 1, 1], [1, 0, 0]])).bit_columns
        [2, 1, 1]
        """
        return bit_sets(self.columns)


def first_of_equals(lines: Words) -> NDArray[np.int64]:
    """Return the places of the lines that equal no earlier one, in order.

    >>> first_of_equals(np.array([[7], [3], [7]], dtype=np.uint64)).tolist()
    [0, 1]
    """
    return np.sort(np.unique(lines, axis=0, return_index=True)[1])


Table = Incidence | NDArray[Any] | ConceptClass[Any] | str
"""What `Incidence.read` takes."""


def class_of(given: Table) -> ConceptClass[Any]:
    """Return the class that a table is of; a matrix is a class by itself, its equal rows once.

    >>> class_of("thresholds(bits=3)").size, class_of(np.eye(3)).domain_size
    (8, 3)
    """
    if isinstance(given, (Incidence, np.ndarray)):
        return Finite(Incidence.read(given).truth.tolist())
    return as_class(given)


@lru_cache(maxsize=64)
def rows_of(concepts: ConceptClass[Any]) -> NDArray[np.bool_]:
    """Return what each concept says at each point of its domain, of equal concepts the first.

    >>> rows_of(class_of(np.eye(2))).astype(int).tolist()
    [[1, 0], [0, 1]]
    """
    truth = Incidence.of_class(concepts).truth
    truth.flags.writeable = False
    return truth
