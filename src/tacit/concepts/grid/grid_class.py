"""Classes on a grid of integer points whose different functions are found once and kept.

What is known of them on grids of any size is proved in docs/proofs/halfspaces.md.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
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
from tacit.concepts.contract.domains import LONGEST, within
from tacit.concepts.grid.numbering import grid
from tacit.core import Random, TooLarge, check

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


def told(sizes: Iterable[tuple[int, int]]) -> str:
    """Say which grids are in a table of sizes by (bits, dims)."""
    return ", ".join(f"{bits} with dims={dims}" for bits, dims in sorted(sizes))


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
    def listed(self) -> bool:
        """Whether the functions can be counted and scored: else only facts are known."""

    @property
    @abstractmethod
    def finest(self) -> str:
        """The grids on which they can be."""

    @property
    @abstractmethod
    def lifted(self) -> int:
        """In how many dimensions its functions are cuts by a hyperplane of points lifted there."""

    @property
    def threshold_line(self) -> int:
        """Cuts across one column."""
        return 1 << self.bits

    @property
    def least(self) -> int:
        """At least so many functions: those at the leaves of the tree."""
        return 1 << self.tree

    @property
    def most(self) -> int:
        """At most so many functions: 2 |X|^k >= 2 (C(|X| - 1, 0) + ... + C(|X| - 1, k)) [Cov65]."""
        return 2 << self.bits * self.dims * self.lifted

    @property
    def tree(self) -> int:
        """The depth of a mistake tree of halfspaces, which every class here holds."""
        return self.bits + 1 + self.bits * self.dims * (self.dims - 1) // 2

    @property
    def log_size(self) -> int:
        """log2 of the size, or of the most that it can be, rounded down."""
        return (self.size if self.listed else self.most).bit_length() - 1

    @property
    def counted_by(self) -> str:
        """What `log_size` is the logarithm of."""
        return "the size" if self.listed else "Cover's count of cuts"

    def check_listed(self) -> None:
        """Refuse a grid that is too fine to count or score the functions on."""
        if not self.listed:
            raise TooLarge(
                f"bits={self.bits} with dims={self.dims} is too fine a grid to count or score "
                f"{self.family} on; round to a coarser one ({self.finest}), or choose scorecards, "
                "which the learner margin finds on any grid, or rules"
            )

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
