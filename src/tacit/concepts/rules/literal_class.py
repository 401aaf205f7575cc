"""Classes whose concepts are selections of literals: scored by popcounts, one cell a concept."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    Cells,
    Concept,
    ConceptClass,
    Gains,
    Points,
    listable,
    one_by_one,
)
from tacit.concepts.rules.bitmaps import gains_of_labels, point_gains
from tacit.concepts.rules.selections import Selections

C = TypeVar("C", bound=Concept)


class LiteralClass(ConceptClass[C]):
    """All conjunctions of selected literals; a class says which they are and where they hold."""

    __slots__ = ()

    @property
    @abstractmethod
    def selections(self) -> Selections:
        """Which literals make a concept."""

    @abstractmethod
    def truths(self, points: Points, /) -> NDArray[np.bool_]:
        """Evaluate each literal on each point, one line a literal."""

    @abstractmethod
    def conjunction(self, chosen: tuple[int, ...], /) -> C:
        """Return the concept that takes the literals of these numbers."""

    @property
    def size(self) -> int:
        """The number of selections."""
        return self.selections.size

    def nth(self, index: int, /) -> C:
        """Return the concept of this number: short ones first."""
        return self.conjunction(self.selections.pick(index))

    def concepts(self) -> Iterator[C]:
        """Yield all concepts in canonical order: short ones first."""
        listable(self.size, what="concepts")
        return map(self.conjunction, self.selections)

    def cells(self, points: Points, gains: Gains, /) -> Cells[C]:
        """Score each concept by popcounts: one cell a concept.

        O(size x m / 64) for m points and each binary digit of the gains; at most 2^24 concepts.
        """
        return self.scored(point_gains(self.selections, self.truths(points), gains))

    def cells_of_labels(
        self, points: Points, totals: NDArray[np.int64], positives: NDArray[np.int64], /
    ) -> Iterator[Cells[C]]:
        """Yield what `cells` returns for each label, from walks that the labels share."""
        scores = gains_of_labels(self.selections, self.truths(points), totals, positives)
        return map(self.scored, scores)

    def scored(self, gains: Gains) -> Cells[C]:
        """Return the cells for one gain a concept."""
        return one_by_one(gains, self.nth)
