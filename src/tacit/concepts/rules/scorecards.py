"""Scorecards: integer points for each column of a table, numbers and categories alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import Any, ClassVar, Never, Self

import numpy as np

from tacit.concepts.contract.concept_class import Bracket, ConceptClass, Gains, Points, listable
from tacit.concepts.contract.domains import within
from tacit.concepts.rules.scorecard import Parabola, Scorecard, Steps, Weight
from tacit.core import InvalidArgument, Random, TooLarge, check, hold
from tacit.core.numbers.exact import DIGITS, told

WIDEST = {"": 1 << 40, "c": 1 << 16, "n": 1 << 40, "q": 1 << 20, "s": 1 << 40}
"""Codes of a column of each kind: squares fit into 64 bits, and categories into a list."""

FEW = 1 << 10
"""With more weights, labellings are bounded by a power and no sum."""

LISTED = ("c", "n", "s")
"""Columns of which every code may have points of its own."""

LARGEST = 1 << 62
"""No sum of points is larger in absolute value: sums of two fit into 64 bits."""


@dataclass(frozen=True, slots=True)
class Scorecards(ConceptClass[Scorecard]):
    """All functions 1[sum of points >= threshold] on a table's codes.

    `values` lists how many codes each column has. A number has one weight, which multiplies its
    code; a category, with a c before it, has points for each of its codes; a number with an s has
    points in steps, and so has one with an n, whose last code says that it is missing; a number
    with a q has a weight for its square too. Halfspaces are the scorecards of plain numbers, and
    balls are among those of squares. The class is never listed or counted.

    >>> cards = Scorecards("121xc4x2")
    >>> cards.sizes, cards.dims, str(cards)
    ((121, 4, 2), 6, 'scorecards(values=121xc4x2)')
    """

    values: str

    family: ClassVar[str] = "scorecards"
    largest_sample: ClassVar[int | None] = 0
    """None can be scored by counting cells; margin and counted do not ask for them."""

    def __init__(self, values: str | int) -> None:
        parts = str(values).split("x")
        within(len(parts), said="the number of columns")
        hold(self, values="x".join(parts))
        for part in parts:
            if (
                not part.removeprefix(_kind(part)).isdecimal()
                or len(part) > DIGITS
                or not 1 <= _size(part) <= WIDEST[_kind(part)]
            ):
                raise InvalidArgument(
                    f"values must look like 121xc4xq9: sizes up to {WIDEST}, got {told(values)!r}"
                )
        within((self.domain_size - 1).bit_length(), said="the bits of all values")

    @classmethod
    def over(
        cls, sizes: Sequence[int], categories: Sequence[bool], /, nulls: Sequence[bool] = ()
    ) -> Self:
        """Return the scorecards over these columns: points for each category, numbers in steps.

        `nulls` says whose last code stands for what is missing.

        >>> str(Scorecards.over([81, 3, 2], [False, True, False], [True, True, False]))
        'scorecards(values=n81xc3xs2)'
        """
        missing = nulls or [False] * len(sizes)
        marks = (
            "c" if c else "n" if null else "s" for c, null in zip(categories, missing, strict=True)
        )
        return cls("x".join(f"{mark}{size}" for mark, size in zip(marks, sizes, strict=True)))

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many codes each column has."""
        return tuple(_size(part) for part in self.values.split("x"))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Which columns are categories, steps, squares; two codes need none of them."""
        return tuple(_kind(p) if _size(p) > 2 else "" for p in self.values.split("x"))

    @property
    def features(self) -> int:
        return len(self.sizes)

    @property
    def dims(self) -> int:
        """How many weights a linear learner has; for steps, those of a number and its square."""
        return sum(map(weights_of, self.kinds, self.sizes))

    @property
    def domain_size(self) -> int:
        return prod(self.sizes)

    @property
    def size(self) -> int:
        """Refused: nobody knows how many different functions there are."""
        raise TooLarge("scorecards are too many to count; choose halfspaces, or the learner margin")

    @property
    def vc(self) -> Bracket:
        """One more than the weights that matter: a corner and its neighbours are shattered."""
        counted = zip(self.kinds, self.sizes, strict=True)
        free = sum(size - 1 if kind in LISTED else weights_of(kind, size) for kind, size in counted)
        free -= sum(size == 1 for size in self.sizes)
        return Bracket(free + 1, free + 1, "Radon's theorem; a corner and its next points")

    @property
    def littlestone(self) -> Bracket:
        """At least the VC dimension; at most log2 of Cover's count of labellings."""
        dimension, points = self.vc.lower, self.domain_size
        if dimension > FEW:
            return Bracket(dimension, dimension * points.bit_length() + 1, "a power of the points")
        labellings = 2 * sum(comb(points - 1, i) for i in range(dimension))
        return Bracket(dimension, labellings.bit_length() - 1, "VC dimension; Cover's count")

    def clip(self, points: Points, /) -> Points:
        tops = np.array(self.sizes, dtype=np.int64) - 1
        inside = np.minimum(np.maximum(points.reshape(len(points), self.features), 0), tops)
        return inside.astype(np.int64).reshape(points.shape)

    def domain(self) -> Points:
        """Return all points in lexicographic order, one a row."""
        listable(self.domain_size, what="points")
        grid = np.indices(self.sizes, dtype=np.int64).reshape(self.features, -1).T
        return grid[:, 0] if self.features == 1 else grid

    def concepts(self) -> Iterator[Scorecard]:
        """Refuse: they are too many to list."""
        self._refuse()

    def cells(self, points: Points, gains: Gains, /) -> Any:  # noqa: ARG002
        """Refuse: they are too many to count."""
        self._refuse()

    def draw(self, *, rng: Random) -> Scorecard:  # noqa: ARG002
        """Refuse: they are too many to count."""
        self._refuse()

    def encode(self, concept: Scorecard, /) -> dict[str, Any]:
        weights = [_encoded(weight) for weight in concept.weights]
        edges = {"edges": list(concept.edges)} if concept.edges else {}
        return {"weights": weights, "threshold": concept.threshold, **edges}

    def decode(self, encoded: dict[str, Any], /) -> Scorecard:
        match encoded:
            case {"weights": [*weights], "threshold": threshold, **rest} if (
                rest.keys() <= {"edges"} and len(weights) == self.features
            ):
                read = tuple(map(self._weight, weights, self.sizes, self.kinds))
                edges = tuple(map(_integer, rest.get("edges", ())))
                if edges and (0 not in edges or list(edges) != sorted(set(edges))):
                    raise InvalidArgument("edges must ascend, with 0 among them")
                least = check.count(threshold=threshold, least=1 - LARGEST)
                concept = Scorecard(read, least, edges)
                most = sum(map(_reach, concept.weights, self.sizes))
                if max(most, concept.threshold) <= LARGEST:
                    return concept
        raise InvalidArgument(f"{encoded} is no hypothesis of {self}")

    def _weight(self, weight: Any, size: int, kind: str) -> Weight:
        match kind, weight:
            case "", int():
                return _integer(weight)
            case "c", [*each] if len(each) == size:
                return tuple(_integer(w) for w in each)
            case "s" | "n", {"cuts": [*cuts], "points": [*points]} if len(points) == len(cuts) + 1:
                steps = Steps(tuple(map(_integer, cuts)), tuple(map(_integer, points)))
                if list(steps.cuts) == sorted({cut for cut in steps.cuts if 0 < cut < size}):
                    return steps
            case "q", {"slope": slope, "square": square}:
                return Parabola(_integer(slope), _integer(square))
        raise InvalidArgument(f"{weight} is no weight of a column of {self}")

    def _refuse(self) -> Never:
        raise TooLarge(
            f"{self} is too large to list or count; learn it with --learner margin, or counted"
        )


def _kind(part: str) -> str:
    return part[:1] if part[:1] in WIDEST else ""


def _size(part: str) -> int:
    return int(part.removeprefix(_kind(part)))


def weights_of(kind: str, size: int) -> int:
    """Return how many weights a linear learner has for a column.

    >>> [weights_of(kind, 9) for kind in ("", "c", "n", "q", "s")]
    [1, 9, 3, 2, 2]
    """
    if kind == "c":
        return size
    null = kind == "n"
    return 1 + null + (kind in ("n", "q", "s") and size - null > 2)


def _integer(weight: int) -> int:
    return check.count(weight=weight, least=-LARGEST)


def _encoded(weight: Weight) -> Any:
    match weight:
        case int():
            return weight
        case Parabola(slope, square):
            return {"slope": slope, "square": square}
        case Steps(cuts, points):
            return {"cuts": list(cuts), "points": list(points)}
    return list(weight)


def _reach(weight: Weight, size: int) -> int:
    """Return the most that a column can add, in absolute value."""
    match weight:
        case int():
            return abs(weight) * (size - 1)
        case Parabola(slope, square):
            return (abs(slope) + abs(square) * (size - 1)) * (size - 1)
        case Steps(points=points):
            return max(map(abs, points))
    return max(map(abs, weight))
