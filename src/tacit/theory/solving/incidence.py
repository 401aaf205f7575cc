"""A class as bits: one bitmap of concepts for each point, repeated concepts left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import ConceptClass, listable
from tacit.concepts.contract.specification import as_class
from tacit.concepts.rules.bitmaps import Bitmaps, pack
from tacit.core.errors import InvalidArgument
from tacit.kernels.bits.bit_columns import transpose

LARGEST = 1 << 33


@dataclass(frozen=True, slots=True, eq=False)
class Incidence:
    """Which of n distinct concepts say yes at which of m points: `columns` has one bitmap a point.

    >>> table = Incidence.of(np.array([[0, 1], [1, 1], [0, 1]]))
    >>> table.n, table.m, table.value(1, 0)
    (2, 2, True)
    """

    n: int
    m: int
    columns: Bitmaps

    @classmethod
    def of(cls, matrix: NDArray[Any]) -> Incidence:
        """Read a 0/1 matrix, one row a concept; of equal rows the first is kept."""
        table = np.asarray(matrix)
        if table.ndim != 2 or not np.isin(table, (0, 1)).all():
            raise InvalidArgument("a class is a matrix of zeros and ones, one row a concept")
        if not table.shape[0]:
            raise InvalidArgument("a class needs at least one concept")
        rows = pack(table.astype(np.bool_))
        _, first = np.unique(rows, axis=0, return_index=True)
        kept = np.ascontiguousarray(rows[np.sort(first)])
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
        _, first = np.unique(self.columns, axis=0, return_index=True)
        columns = np.ascontiguousarray(self.columns[np.sort(first)])
        return Incidence(len(columns), self.n, transpose(columns, self.n))


Table = Incidence | NDArray[Any] | ConceptClass[Any] | str
"""What `Incidence.read` takes."""
