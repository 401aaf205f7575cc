"""A class on few points: its labellings, counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Cells, ConceptClass, Gains, Points, integers
from tacit.concepts.contract.finite import Row
from tacit.core.errors import InvalidArgument

WIDTH = 60


@dataclass(frozen=True, slots=True)
class Restriction:
    """A class on few points: its labellings, with the number of concepts that make each.

    Point i is called i, so that a learner can be run on it as on any class, and fast. Nothing
    changes: given a sample of these points, concepts with one labelling have one score, so a
    labelling is chosen with probability proportional to its number of concepts times q^(-score),
    whether the concepts are listed one by one or counted; and the error of a concept on a
    population of these points depends on its labelling alone.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> restriction = restrict(Thresholds(40), np.array([5, 9]))
    >>> restriction.labels.astype(int).tolist(), restriction.multiplicities.tolist()
    ([[0, 0], [0, 1], [1, 1]], [1099511627766, 4, 6])
    """

    points: Points
    labels: NDArray[np.bool_]
    multiplicities: NDArray[Any]
    member: Callable[[int], Any]

    @property
    def size(self) -> int:
        """The number of concepts of the whole class."""
        return sum(map(int, self.multiplicities))

    @property
    def largest_sample(self) -> None:
        """No number of rows is too large."""

    def clip(self, points: Points, /) -> Points:
        """Return the points: all are inside."""
        return points

    def cells(self, points: Points, gains: Gains, /) -> Cells[Row]:
        """Score every labelling."""
        scores = self.labels[:, points].astype(np.int64) @ gains
        return Cells(
            scores, self.multiplicities, lambda cell, _: Row(cell, tuple(self.labels[cell]))
        )


def restrict(concepts: ConceptClass[Any], points: Points) -> Restriction:
    """Restrict a class of any size to at most 60 points, by gains that spell the labelling.

    Gains 1, 2, 4, ... tell labellings apart, whatever the class does to group its concepts.
    """
    if len(points) > WIDTH:
        raise InvalidArgument(f"points must be at most {WIDTH}, got {len(points)}")
    cells = concepts.cells(points, np.left_shift(1, np.arange(len(points), dtype=np.int64)))
    counts: dict[int, int] = {}
    where: dict[int, int] = {}
    for cell, gain in enumerate(cells.gains.tolist()):
        if more := int(cells.multiplicities[cell]):
            counts[gain] = counts.get(gain, 0) + more
            where.setdefault(gain, cell)
    found = sorted(counts)
    labels = np.array([[gain >> i & 1 for i in range(len(points))] for gain in found], np.bool_)
    many = integers([counts[gain] for gain in found])
    return Restriction(points, labels, many, lambda row: cells.member(where[found[row]], 0))
