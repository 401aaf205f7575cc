"""A class on a line of integers, written with concepts of another kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from tacit.concepts.contract.concept_class import Cells, Concept, ConceptClass, Gains, Points
from tacit.core.chance.randomness import Random

S = TypeVar("S", bound=Concept)
C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OnALine(Generic[S, C]):
    """The same functions as `source`; points have one column instead of none.

    `told` writes a concept of the source in the other way; `same` finds, for any concept of the
    other kind, the one of this class that is the same function on the domain.
    """

    source: ConceptClass[S]
    told: Callable[[S], C]
    same: Callable[[C], C | None]

    @property
    def size(self) -> int:
        """The number of concepts."""
        return self.source.size

    def concepts(self) -> Iterator[C]:
        """Yield all concepts."""
        return map(self.told, self.source.concepts())

    def cells(self, points: Points, gains: Gains, /) -> Cells[C]:
        """Cut the class as the source does."""
        cells = self.source.cells(points.reshape(len(points)), gains)
        return Cells(
            cells.gains,
            cells.multiplicities,
            lambda cell, rank: self.told(cells.member(cell, rank)),
        )

    def dichotomies(self, points: Points, /) -> list[C]:
        """Return one concept for each labelling of the points."""
        return [self.told(found) for found in self.source.dichotomies(points.reshape(len(points)))]

    def draw(self, *, rng: Random) -> C:
        """Draw a concept uniformly."""
        return self.told(self.source.draw(rng=rng))
