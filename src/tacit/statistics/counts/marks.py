"""Marks of 0 and 1 that one column says together: which of them can hold in one row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.statistics.counts.joint_counts import JointCounts


class Marks(NamedTuple):
    """So many marks of a row, of which at most one holds; or nested, each implies those before.

    A row is in one of `many` + 1 bins: marks that do not fit are read as if they did, row by row.

    >>> Marks(3, nested=True).holding.astype(int).tolist()
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]

    Proof: docs/proofs/joint_marks.md
    """

    many: int
    nested: bool

    @property
    def holding(self) -> NDArray[np.bool_]:
        """The marks of each bin; in the first one none holds."""
        below = np.tri(self.many + 1, self.many, -1, dtype=np.bool_)
        return below if self.nested else below & ~np.tri(self.many + 1, self.many, -2, np.bool_)

    def bins(self, marks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the bin of each row: by the first mark that holds; or that does not, if nested.

        >>> Marks(3, nested=False).bins(np.array([[0, 0, 0], [0, 1, 0], [1, 0, 1]], bool)).tolist()
        [0, 2, 1]
        >>> Marks(3, nested=True).bins(np.array([[0, 0, 0], [1, 1, 0], [1, 0, 1]], bool)).tolist()
        [0, 2, 1]
        """
        if self.nested:
            return np.asarray(np.logical_and.accumulate(marks, axis=1).sum(axis=1, dtype=np.int64))
        return np.where(marks.any(axis=1), marks.argmax(axis=1) + 1, 0).astype(np.int64)


def binned(sample: JointCounts, outcomes: tuple[Marks, ...]) -> list[NDArray[np.int64]]:
    """Return for each outcome the bin of every record."""
    ends = np.cumsum([marks.many for marks in outcomes])[:-1]
    parts = np.split(sample.marks, ends, axis=1)
    return [marks.bins(part) for marks, part in zip(outcomes, parts, strict=True)]


def joined(outcomes: tuple[Marks, ...]) -> bool:
    """Whether a column has several marks, which one row moves together."""
    return any(marks.many > 1 for marks in outcomes)
