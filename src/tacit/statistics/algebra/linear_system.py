"""Linear equations over two elements: rows of bits, and one right-hand side for each label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Points
from tacit.core import InvalidArgument, Random, check
from tacit.kernels.bits.elimination import complete, echelon
from tacit.kernels.bits.packing import Words, bit_sets, pack, unpack
from tacit.statistics.private import PUBLIC, Private

CHUNK = 4096


@dataclass(frozen=True, slots=True, repr=False)
class LinearSystem(Private):
    """Equations c.x = y: each row a point x of `dims` bits and a y for each of k labels, as words.

    >>> table = np.array([[1, 0], [1, 1]], dtype=np.bool_)
    >>> LinearSystem.of(table, np.array([[True], [False]]))
    LinearSystem(dims=2, labels=1, left=<private>, right=<private>)
    """

    dims: int = field(metadata=PUBLIC)
    labels: int = field(metadata=PUBLIC)
    left: Words
    right: Words

    def __post_init__(self) -> None:
        check.count(dims=self.dims, least=1)
        check.count(labels=self.labels, least=1)
        rows = len(self.left)
        shapes = (rows, -(-self.dims // 64)), (rows, -(-self.labels // 64))
        if (self.left.shape, self.right.shape) != shapes:
            raise InvalidArgument(f"left and right must have shapes {shapes[0]} and {shapes[1]}")

    @classmethod
    def of(cls, points: NDArray[Any], marks: NDArray[np.bool_]) -> LinearSystem:
        """Make the system of points, shape (m, dims), and marks, shape (m, k); zero or not zero."""
        return cls(points.shape[1], marks.shape[1], packed(points), packed(marks))

    def solve(self, kept: NDArray[np.bool_]) -> SolutionSpace:
        """Solve the equations of the kept rows, for all labels at once.

        Cost:
            For m kept rows of rank r: O(m r (dims + k) / 64) word operations.
        """
        tail = self.labels % 64
        every = np.full(self.right.shape[1], np.iinfo(np.uint64).max, dtype=np.uint64)
        if tail:
            every[-1] = (1 << tail) - 1
        lines, pivots, clash = echelon(
            np.ascontiguousarray(self.left),
            np.ascontiguousarray(self.right),
            np.ascontiguousarray(kept),
            self.dims,
            every,
        )
        return SolutionSpace(self.labels, lines, pivots, clash)


@dataclass(frozen=True, slots=True, repr=False)
class SolutionSpace(Private):
    """All solutions of a linear system, for each label that has any.

    `lines` is the reduced echelon form, line c for the pivot in column c, right-hand sides behind
    the columns; `clash` marks the labels without solutions.
    """

    labels: int = field(metadata=PUBLIC)
    lines: Words
    pivots: NDArray[np.bool_]
    clash: Words

    @property
    def rank(self) -> int:
        """How many equations were independent; a label has 2^(dims - rank) solutions, or none."""
        return int(self.pivots.sum())

    @property
    def consistent(self) -> NDArray[np.bool_]:
        """Which labels have a solution."""
        return ~unpack(self.clash, self.labels)

    def draw(self, *, rng: Random) -> Words:
        """Draw a uniform solution for each consistent label, independently.

        Line c of the result holds the coefficients of column c, one bit a label. Every choice of
        the coefficients off the pivots extends to exactly one solution, so uniform bits there are
        a uniform solution.
        """
        words = len(self.clash)
        chosen = np.zeros((len(self.pivots), words), dtype=np.uint64)
        free = ~self.pivots
        chosen[free] = rng.words(int(free.sum()) * words).reshape(-1, words)
        width = self.lines.shape[1] - words
        complete(self.lines, self.pivots, width, chosen)
        return chosen


def coefficients(chosen: Words, label: int = 0) -> int:
    """Read one label's solution as an integer, the coefficient of column c at bit c.

    >>> coefficients(np.array([[1], [0], [3]], dtype=np.uint64)), coefficients(
    ...     np.array([[1], [0], [3]], dtype=np.uint64), 1
    ... )
    (5, 4)
    """
    column = chosen[:, label // 64] >> np.uint64(label % 64) & np.uint64(1)
    return bit_sets(pack(column.astype(np.bool_)[None]))[0]


def packed(table: NDArray[Any], read: Callable[[Points], Points] = np.asarray) -> Words:
    """Pack each line of a table into words, a few lines at a time; what is not zero is one.

    >>> packed(np.array([[1, 0, 1]])).tolist()
    [[5]]
    """
    starts = range(0, max(len(table), 1), CHUNK)
    lines = (read(table[start : start + CHUNK]) for start in starts)
    return np.concatenate([pack(np.asarray(part, dtype=np.bool_)) for part in lines])
