"""Classes on a grid of integer points whose different functions are found once and kept."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

from tacit.concepts.contract.concept_class import (
    Cells,
    Concept,
    ConceptClass,
    Gains,
    Points,
    clip,
    listable,
)
from tacit.concepts.contract.line_length import LONGEST, within
from tacit.concepts.grid.numbering import grid
from tacit.core import check
from tacit.core.chance.randomness import Random

C = TypeVar("C", bound=Concept)


class Functions(Protocol[C]):
    """The different functions that a class makes on a grid, each with one way to write it."""

    @property
    def size(self) -> int:
        """How many there are."""

    def concepts(self) -> Iterator[C]:
        """Yield them all."""

    def cells(self, points: Points, gains: Gains, /) -> Cells[C]:
        """Cut them into cells of equal gain."""

    def dichotomies(self, points: Points, /) -> list[C]:
        """Return one for each labelling of the points."""

    def draw(self, *, rng: Random) -> C:
        """Draw one uniformly."""

    def same(self, concept: C, /) -> C | None:
        """Return the one that is this function on the grid, if there is one."""


@dataclass(frozen=True, slots=True)
class GridClass(ConceptClass[C]):
    """A class over {0, ..., 2^bits - 1}^dims whose functions are made once and kept."""

    bits: int = 3
    dims: int = 2

    def __post_init__(self) -> None:
        check.count(bits=self.bits, least=1)
        dims = check.count(dims=self.dims, least=1)
        within(self.bits * dims, said="bits x dims", up_to=LONGEST)

    @classmethod
    def over(cls, sizes: Sequence[int], _: Sequence[bool], /) -> Self:
        """Return the class over columns that hold as many values as the longest."""
        return cls(bits=(max(2, *sizes) - 1).bit_length(), dims=len(sizes))

    @property
    @abstractmethod
    def functions(self) -> Functions[C]:
        """The functions, found when they are first asked for."""

    @property
    def features(self) -> int:
        return self.dims

    @property
    def domain_size(self) -> int:
        return 1 << self.bits * self.dims

    def clip(self, points: Points, /) -> Points:
        return clip(points, 1 << self.bits)

    def domain(self) -> Points:
        """Return all points in lexicographic order, one a row."""
        return grid(self.bits, self.dims)

    def concepts(self) -> Iterator[C]:
        """Yield all concepts in canonical order."""
        listable(self.size, what="concepts")
        return self.functions.concepts()

    def cells(self, points: Points, gains: Gains, /) -> Cells[C]:
        """Cut the class into cells of equal gain, at the cost of its functions."""
        return self.functions.cells(points, gains)

    def dichotomies(self, points: Points, /) -> list[C]:
        return self.functions.dichotomies(points)

    def draw(self, *, rng: Random) -> C:
        return self.functions.draw(rng=rng)
