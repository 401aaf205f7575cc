"""What a concept class is: a finite set of 0/1 functions that can be scored without listing it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.core.chance.randomness import Random
from tacit.core.errors import TooLarge

Points = NDArray[Any]
"""Points of a domain: integers of shape (m,), or of shape (m, d) for domains of vectors."""

Gains = NDArray[np.int64]
"""For each point, its rows labelled 1 minus its rows labelled 0."""

ENUMERABLE = 1 << 20


class Concept(Hashable, Protocol):
    """A total 0/1 function on a domain; a frozen, hashable value."""

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        """Evaluate on many points at once."""

    def rule(self, names: Sequence[str], /) -> str:
        """Say in English when the answer is yes."""

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the function as a SQL expression that is true or false on the domain."""


C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True, repr=False)
class Cells(Generic[C]):
    """A concept class cut into cells of equal gain, the gain of h being the sum over h(x) = 1.

    `member(cell, rank)` is a bijection from the pairs with rank below the cell's multiplicity onto
    the class, so the multiplicities add up to its size. Gains are private; there is no `repr`.
    """

    gains: NDArray[np.int64]
    multiplicities: NDArray[Any]
    member: Callable[[int, int], C]


@dataclass(frozen=True, slots=True)
class Bracket:
    """An integer known to lie between two others, and why.

    >>> Bracket(3, 3, "brute force").exact
    True
    """

    lower: int
    upper: int
    why: str

    @property
    def exact(self) -> bool:
        """Whether both sides meet."""
        return self.lower == self.upper


class HypothesisClass(Protocol[C]):
    """What a learner's outputs belong to: enough to store and to read them back."""

    @property
    def features(self) -> int:
        """How many columns of a table make up a point."""

    def __str__(self) -> str:
        """Return the specification that `parse` reads back."""

    def clip(self, points: Points, /) -> Points:
        """Return each point, or the nearest one of the domain: a total map, record by record."""

    def encode(self, concept: C, /) -> dict[str, Any]:
        """Return a JSON object for a hypothesis."""

    def decode(self, encoded: dict[str, Any], /) -> C:
        """Read back what `encode` wrote; refuse what is no hypothesis of this class."""


class ConceptClass(HypothesisClass[C], Protocol[C]):
    """A finite class of concepts over a public finite domain; a frozen value with a text form."""

    @property
    def domain_size(self) -> int:
        """The exact number of points."""

    @property
    def size(self) -> int:
        """The exact number of concepts, all different as functions."""

    @property
    def vc(self) -> Bracket:
        """The Vapnik-Chervonenkis dimension."""

    @property
    def littlestone(self) -> Bracket:
        """The Littlestone dimension."""

    @property
    def largest_sample(self) -> int | None:
        """The number of rows up to which `cells` is practical; None if there is no limit."""

    def domain(self) -> Points:
        """Return all points, of domains small enough to list."""

    def concepts(self) -> Iterator[C]:
        """Yield all concepts in their canonical order, of classes small enough to list."""

    def cells(self, points: Points, gains: Gains, /) -> Cells[C]:
        """Cut the class into cells of equal gain; points are distinct, in any order."""

    def dichotomies(self, points: Points, /) -> list[C]:
        """Return one concept for each labelling of the points that the class can make."""

    def draw(self, *, rng: Random) -> C:
        """Draw a concept uniformly."""


def family_of(concepts: HypothesisClass[Any]) -> str:
    """Return the name of the family that a class is from: its specification without the sizes."""
    return str(concepts).partition("(")[0]


def listable(size: int, *, what: str) -> int:
    """Return `size` if so many things may be listed, else say that they are too many."""
    if size > ENUMERABLE:
        raise TooLarge(f"there are {size.bit_length()}-bit many {what}: too many to list")
    return size


def coordinate(points: Points, column: int) -> NDArray[Any]:
    """Return one column of points; points of one column may come as plain integers.

    >>> coordinate(np.array([[1, 2], [3, 4]]), 1), coordinate(np.array([5, 6]), 0)
    (array([2, 4]), array([5, 6]))
    """
    return points if points.ndim == 1 else points[:, column]


def clip(points: Points, side: int) -> Points:
    """Return each coordinate, or the nearest of 0, ..., side - 1.

    >>> clip(np.array([-5, 3, 99]), 8)
    array([0, 3, 7])
    """
    if side >= 1 << 62 or points.dtype == object:
        points = points.astype(object)
    elif points.min(initial=0) >= 0 and points.max(initial=0) < side:
        return points
    return np.minimum(np.maximum(points, 0), side - 1)


def integers(values: Sequence[int]) -> NDArray[Any]:
    """Return integers as an array: int64 where they fit, Python integers where they do not.

    >>> integers([1, 2]).dtype, integers([1 << 70]).dtype
    (dtype('int64'), dtype('O'))
    """
    fits = all(-(1 << 62) <= value <= 1 << 62 for value in values)
    return np.array(values, dtype=np.int64 if fits else object)
