"""What a concept class is: a finite set of 0/1 functions that can be scored without listing it.

A family is one module with two frozen dataclasses: its concept, a `Concept`, and its class, which
inherits from `ConceptClass`; what they override is described here, and there only if there is more
to say. Adding one touches three files: the module, one line in `specification.FAMILIES`,
and its test, which calls `check_contract`. CONTRIBUTING.md shows it on an example that a test runs.

What a family must say: `family`, `features`, `domain_size`, `size`, `clip`, `domain`, one of `nth`
and `concepts`, `encode`, `decode`. The domains that families share (`contract/domains.py`) say most
of that already. Everything else has a default that is true of every class, and slow or wide where
nothing better can be known: `cells`, `dichotomies` and `draw` list the class, dimensions lie
between 1 and log2 of the size, facts are "not known". A family replaces a default by what is
proved of it, with the proof in the docstring or in docs/proofs/; no other module asks which family
a class is from. What only some families have (a named problem, chains, a packing) is such a fact,
a plain value that the theory and the learners read. A new fact is added here, with a default that
claims nothing, and in `check_contract`, which compares it with the matrix of small classes.

What may never change, because models are stored and promises were made with it:
- a family's name, the names of its parameters and what `str` writes: `parse` reads old models;
- the keys that `encode` writes, and that `decode` refuses what is no concept of the class;
- `size` counts what `cells` counts: a private choice is proved for exactly these multiplicities;
- `clip` and `cells` are total: after construction nothing raises because of a point or a gain;
- the canonical order of `concepts` and `domain`, which witnesses and symmetries refer to.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from itertools import islice
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.named_problem import Problem
from tacit.core import InvalidArgument, Random, TooLarge

Points = NDArray[Any]
"""Points of a domain: integers of shape (m,), or of shape (m, d) for domains of vectors."""

Gains = NDArray[np.int64]
"""For each point, its rows labelled 1 minus its rows labelled 0."""

ENUMERABLE = 1 << 20
"""Points, or concepts, of what is listed: a second of work and some hundred megabytes."""

LISTED_A_SECOND = 10**5
"""Concepts: no class is listed faster, so that searches do not begin what would take too long."""


class Concept(Protocol):
    """A total 0/1 function on a domain; a frozen, hashable value."""

    __slots__ = ()

    def __hash__(self) -> int:
        return object.__hash__(self)  # a frozen dataclass hashes its fields instead

    @property
    def levels(self) -> tuple[int, ...]:
        """Scores, ascending and 0 among them, that part the rows into some of about equal risk."""
        return (0,)

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        """Evaluate on many points at once."""

    def score(self, points: Points, /) -> NDArray[np.int64]:
        """Say how far each point is on the side of yes: the answer is yes from 0 on."""
        return self(points).astype(np.int64) - 1

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

    def met(self, other: Bracket) -> Bracket:
        """Put what a family tells and what a search found together; the narrower says why.

        >>> Bracket(1, 4, "log2 of the size").met(Bracket(2, 2, "exhaustive search"))
        Bracket(lower=2, upper=2, why='exhaustive search')
        """
        lower, upper = max(self.lower, other.lower), min(self.upper, other.upper)
        assert lower <= upper, "a search and a proof agree"
        narrower = min(other, self, key=lambda each: each.upper - each.lower)
        return Bracket(lower, upper, narrower.why)


class HypothesisClass(Protocol[C]):
    """What a learner's outputs belong to: enough to store and to read them back."""

    __slots__ = ()

    family: ClassVar[str]
    """The name before the bracket of a specification."""

    @property
    @abstractmethod
    def features(self) -> int:
        """How many columns of a table make up a point."""

    def __str__(self) -> str:
        """Return the specification that `parse` reads back: by default, the fields in order."""
        told = (f"{each.name}={getattr(self, each.name)}" for each in fields(self))  # type: ignore[arg-type]
        return f"{self.family}({', '.join(told)})"

    @abstractmethod
    def clip(self, points: Points, /) -> Points:
        """Return each point, or the nearest one of the domain: a total map, record by record."""

    @abstractmethod
    def encode(self, concept: C, /) -> dict[str, Any]:
        """Return a JSON object for a hypothesis."""

    @abstractmethod
    def decode(self, encoded: dict[str, Any], /) -> C:
        """Read back what `encode` wrote; refuse what is no hypothesis of this class."""


class ConceptClass(HypothesisClass[C]):
    """A finite class of concepts over a public finite domain; a frozen value with a text form."""

    __slots__ = ()

    in_words: ClassVar[str] = ""
    """When its concepts say yes, with an example; for people who choose a class."""

    example: ClassVar[str] = ""
    """A specification, for families whose sizes no schema tells."""

    boolean: ClassVar[bool] = False
    """Whether all columns of a point are yes or no."""

    distinct: ClassVar[bool] = True
    """Whether all concepts are different functions; else `size` counts some functions twice."""

    tells_points_apart: ClassVar[bool] = False
    """Whether for any two points some concept says yes on one of them only; False if unknown."""

    @property
    @abstractmethod
    def domain_size(self) -> int:
        """The exact number of points."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The exact number of concepts."""

    @property
    def vc(self) -> Bracket:
        """The Vapnik-Chervonenkis dimension."""
        return Bracket(int(self.size > 1), self.size.bit_length() - 1, "log2 of the size")

    @property
    def littlestone(self) -> Bracket:
        """The Littlestone dimension."""
        return Bracket(self.vc.lower, self.size.bit_length() - 1, "log2 of the size")

    @property
    def problem(self) -> Problem | None:
        """The named problem that c(x) is, for concept number c and point number x; None if none."""
        return None

    @property
    def chains(self) -> int | None:
        """Into how many chains the other concepts fall, whatever the target; None if unknown.

        A chain is ordered by inclusion of the sets on which its members differ from the target.
        """
        return None

    @property
    def interval_columns(self) -> int | None:
        """On how many columns a concept says yes between two values, and no if one is outside.

        None if its concepts are not known to be such products of intervals.
        """
        return None

    @property
    def sides(self) -> int | None:
        """From how many sides points close in on a concept's stand-in, or None: public_cover.md."""
        return None if self.interval_columns is None else 2 * self.interval_columns

    @property
    def threshold_line(self) -> int | None:
        """On how many points some concepts are thresholds, all saying yes on the last of them.

        The i-th says yes from the i-th point on; None if there are no such points to be known.
        """
        return None

    @property
    def packings(self) -> tuple[Packing[C], ...]:
        """Sets of concepts of which no two have a common good hypothesis; none if unknown."""
        return ()

    @property
    def distance(self) -> Fraction | None:
        """With what chance at least two concepts differ at a uniform point; None if unknown."""
        return None

    @property
    def instead(self) -> str:
        """The family to choose for a table's columns in place of this one; empty if none."""
        return ""

    @property
    def largest_sample(self) -> int | None:
        """The number of rows up to which `cells` is practical; None if there is no limit."""
        return None

    def scorable_by_rows(self, labels: int, /) -> bool:  # noqa: ARG002
        """Whether an engine may score all concepts where the rows are, for so many labels."""
        return False

    def lacking(self, sizes: Sequence[int], /) -> tuple[int, int] | None:
        """Return the first of some columns with a code that no point has, and how many it reads."""
        top = np.array([size - 1 for size in sizes], dtype=object)
        held = self.clip(top if len(sizes) == 1 else top.reshape(1, -1)).ravel().tolist()
        short = ((at, int(last) + 1) for at, last in enumerate(held) if last + 1 < sizes[at])
        return next(short, None)

    @property
    def listed_a_second(self) -> int:
        """How many concepts `concepts` yields in a second, at most."""
        return LISTED_A_SECOND

    @classmethod
    def over(cls, sizes: Sequence[int], categories: Sequence[bool], /) -> Self:  # noqa: ARG003
        """Return the class over columns of so many values each, some of them categories."""
        said = cls.example or f"{cls.family}(...)"
        raise InvalidArgument(f"class {cls.family!r} needs its sizes, as in {said}")

    @abstractmethod
    def domain(self) -> Points:
        """Return all points, of domains small enough to list."""

    def nth(self, index: int, /) -> C:
        """Return the concept of this number in the canonical order."""
        return next(islice(self.concepts(), index, None))

    def concepts(self) -> Iterator[C]:
        """Yield all concepts in their canonical order, of classes small enough to list."""
        return map(self.nth, range(listable(self.size, what="concepts")))

    def cells(self, points: Points, gains: Gains, /) -> Cells[C]:
        """Cut the class into cells of equal gain; points are distinct, in any order.

        By default every concept is a cell: O(size) for each point.
        """
        scores = [int(gains[concept(points)].sum()) for concept in self.concepts()]
        return one_by_one(np.array(scores, dtype=np.int64), self.nth)

    def dichotomies(self, points: Points, /) -> list[C]:
        """Return one concept for each labelling of the points that the class can make."""
        return one_each(self.concepts(), points)

    def shattered(self) -> Points | None:
        """Return a largest shattered set where it is known without a search."""
        return None

    def uniform_cover(self, radius: Fraction, /) -> Sequence[C] | None:  # noqa: ARG002
        """Return concepts, one within `radius` of each if points are uniform; None if unknown."""
        return None

    def draw(self, *, rng: Random) -> C:
        """Draw a concept uniformly."""
        return self.nth(rng.below(self.size))

    def carried(self) -> dict[str, Any]:
        """Return what a stored model holds of the class besides its specification."""
        return {}


@dataclass(frozen=True, slots=True)
class Packed(Generic[C]):
    """One concept of a packing: its light points share some mass, the heavy point has the rest."""

    concept: C
    light: Points
    heavy: Points


@dataclass(frozen=True, slots=True)
class Packing(Generic[C]):
    """So many concepts, and a distribution for each under which no other has its good hypotheses.

    The light points of each, which `member` gives, have mass `share` alpha together, each as much
    and just above that; the heavy point, at which all the concepts agree, has the rest. If
    `proper`, only the hypotheses of the class are meant. If `common`, the points have the same
    distribution for all, so that k labels may have a concept each.
    """

    concepts: int
    share: int
    member: Callable[[int], Packed[C]] = field(repr=False, compare=False)
    proper: bool = True
    common: bool = False


def one_by_one(scores: NDArray[np.int64], nth: Callable[[int], C]) -> Cells[C]:
    """Return the cells of a class whose concepts are scored one by one, in canonical order."""
    return Cells(scores, np.ones(len(scores), dtype=np.int64), lambda cell, _: nth(cell))


def one_each(concepts: Iterable[C], points: Points) -> list[C]:
    """Return the first of some concepts for each labelling of the points that they make."""
    found: dict[bytes, C] = {}
    for concept in concepts:
        found.setdefault(concept(points).tobytes(), concept)
    return list(found.values())


def of_cells(cells: Cells[C]) -> list[C]:
    """Return one concept of each cell that has any."""
    return [cells.member(cell, 0) for cell, many in enumerate(cells.multiplicities) if many]


def family_of(concepts: HypothesisClass[Any]) -> str:
    """Return the name of the family that a class is from: its specification without the sizes."""
    return str(concepts).partition("(")[0]


def listable(size: int, *, what: str) -> int:
    """Return `size` if so many things may be listed, else say that they are too many."""
    if size > ENUMERABLE:
        raise TooLarge(f"there are at least 2^{size.bit_length() - 1} {what}: too many to list")
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
