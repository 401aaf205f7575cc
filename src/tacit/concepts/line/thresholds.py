"""Thresholds on an integer line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self, overload

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    Bracket,
    Cells,
    Concept,
    Gains,
    Packed,
    Packing,
    Points,
    integers,
    of_cells,
    one_each,
)
from tacit.concepts.contract.domains import LineClass, line_length
from tacit.concepts.contract.feature import identifier, ranged
from tacit.concepts.contract.named_problem import AtLeast
from tacit.core import InvalidArgument, TooLarge, check, hold

Direction = Literal["up", "down", "both"]

COVERED = 1 << 26
"""Thresholds of a cover: no learner chooses from more."""


@dataclass(frozen=True, slots=True)
class Threshold(Concept):
    """Yes from `at` on (up), or below `at` (down).

    >>> Threshold(65).rule(["age"]), Threshold(65, up=False).sql(["age"])
    ('age is at least 65', '("age" < 65)')
    """

    at: int
    up: bool = True

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        return np.asarray((points >= self.at) == self.up, dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        return ranged(names[0], self.at) if self.up else ranged(names[0], 0, self.at - 1)

    def sql(self, columns: Sequence[str], /) -> str:
        return f"({identifier(columns[0])} {'>=' if self.up else '<'} {self.at})"


@dataclass(frozen=True, slots=True, init=False)
class Thresholds(LineClass[Threshold]):
    """All thresholds over {0, ..., values - 1}, where values = 2^bits if bits are given.

    Up: 1[x >= z] for z = 0, ..., values - 1 (the constant 1 is z = 0). Down: the complements, with
    the constant 0. Both: their union.

    >>> Thresholds(32).size, str(Thresholds(8, direction="both")), str(Thresholds(values=121))
    (4294967296, 'thresholds(bits=8, direction=both)', 'thresholds(values=121)')
    """

    direction: Direction

    family: ClassVar[str] = "thresholds"
    in_words: ClassVar[str] = "at least a value: “age ≥ 65”"
    tells_points_apart: ClassVar[bool] = True
    chains: ClassVar[int] = 2
    """From the target's cut onwards, cyclically: the others differ on a beginning or an end."""

    def __init__(
        self, bits: int | None = None, direction: Direction = "up", *, values: int | None = None
    ) -> None:
        hold(self, values=line_length(bits, values), direction=direction)
        if direction not in ("up", "down", "both"):
            raise InvalidArgument(f"direction must be up, down or both, got {direction!r}")

    def __str__(self) -> str:
        said = "" if self.direction == "up" else f", direction={self.direction}"
        return f"{LineClass.__str__(self)[:-1]}{said})"

    @classmethod
    def over(cls, sizes: Sequence[int], _: Sequence[bool], /) -> Self:
        """Return the thresholds over one column; which way a label goes is for the data to say."""
        return cls(values=cls.one_column(sizes), direction="both")

    @property
    def ways(self) -> tuple[bool, ...]:
        """Whether thresholds go up: the directions of the class."""
        return {"up": (True,), "down": (False,), "both": (True, False)}[self.direction]

    @property
    def size(self) -> int:
        return self.values * len(self.ways)

    @property
    def vc(self) -> Bracket:
        """One direction shatters a point; both shatter two neighbours, never three points."""
        value = len(self.ways)
        return Bracket(value, value, "an up and a down threshold never alternate thrice")

    @property
    def littlestone(self) -> Bracket:
        """Binary search over the thresholds; the last point tells the direction."""
        value = self.values.bit_length() - 1 + (self.direction == "both")
        return Bracket(value, value, "binary search, and no more than log2 of the size")

    @property
    def problem(self) -> AtLeast | None:
        """Whether one number is at least another."""
        return AtLeast(self.values) if self.direction == "up" else None

    @property
    def sides(self) -> int | None:
        """In one direction, the points below: the stand-in is the lowest threshold above them."""
        return 1 if len(self.ways) == 1 else None

    @property
    def threshold_line(self) -> int:
        """The line; of those down, which are read from the right, the first says yes nowhere."""
        return self.values - (self.direction == "down")

    @property
    def packings(self) -> tuple[Packing[Threshold], ...]:
        """Put alpha on either side of a threshold, and the rest on the last point [BKN10]."""

        def member(index: int) -> Packed[Threshold]:
            concept, last = Threshold(index + 1, self.ways[0]), self.values - 1
            return Packed(concept, integers([index, index + 1]), heavy=integers([last]))

        return (Packing(self.values - 1, 2, member),) if self.values > 2 else ()

    def uniform_cover(self, radius: Fraction, /) -> EquallySpaced:
        """Return thresholds at equal distances."""
        return EquallySpaced.within(self, radius)

    def nth(self, index: int, /) -> Threshold:
        """Return the concept of this number: by direction, then by place."""
        way, at = divmod(index, self.values)
        return Threshold(at, self.ways[way])

    def cells(self, points: Points, gains: Gains, /) -> Cells[Threshold]:
        """Cut the class at the points that occur: between two of them all thresholds agree.

        O(m log m) for m points, whatever the size of the domain.
        """
        if not (points[1:] > points[:-1]).all():
            order = np.argsort(points, kind="stable")
            points, gains = points[order], gains[order]
        small = self.values < 1 << 62 and points.dtype != object
        edges = np.empty(len(points) + 2, dtype=np.int64 if small else object)
        edges[0], edges[-1] = 0, self.values
        edges[1:-1] = points
        edges[1:-1] += 1
        widths = np.diff(edges)
        below = np.zeros(len(points) + 1, dtype=np.int64)
        np.cumsum(gains, out=below[1:])
        scores = [below[-1] - below if up else below for up in self.ways]
        many = widths if small else integers(widths.tolist())

        def member(cell: int, rank: int) -> Threshold:
            way, place = divmod(cell, len(widths))
            return Threshold(int(edges[place]) + rank, self.ways[way])

        return Cells(_joined(scores), _joined([many] * len(scores)), member)

    def dichotomies(self, points: Points, /) -> list[Threshold]:
        """Return one threshold for each labelling of the points."""
        different = np.unique(points)
        cells = self.cells(different, np.zeros(len(different), dtype=np.int64))
        return one_each(of_cells(cells), points)

    def encode(self, concept: Threshold, /) -> dict[str, Any]:
        return {"at": concept.at, "up": concept.up}

    def decode(self, encoded: dict[str, Any], /) -> Threshold:
        concept = Threshold(check.count(at=encoded["at"]), bool(encoded["up"]))
        if concept.at >= self.values or concept.up not in self.ways:
            raise InvalidArgument(f"at={concept.at}, up={concept.up} is no concept of {self}")
        return concept


@dataclass(frozen=True, slots=True)
class EquallySpaced(Sequence[Threshold]):
    """Thresholds at equal distances, each made when it is asked for.

    >>> list(EquallySpaced.within(Thresholds(4), Fraction(1, 8)))[1:]
    [Threshold(at=7, up=True), Threshold(at=12, up=True), Threshold(at=15, up=True)]
    """

    places: range
    last: int
    ways: tuple[bool, ...]

    @classmethod
    def within(cls, concepts: Thresholds, radius: Fraction) -> EquallySpaced:
        """Return thresholds of which the nearest is at most `radius` of the domain away."""
        reach = int(radius * concepts.values)
        step, last = 2 * reach + 1, concepts.values - 1
        if concepts.values // step > COVERED:
            raise TooLarge(f"radius {radius} asks for too many thresholds")
        return cls(range(min(reach, last), concepts.values + reach, step), last, concepts.ways)

    def __len__(self) -> int:
        """Return how many there are, of all directions."""
        return len(self.ways) * len(self.places)

    @overload
    def __getitem__(self, at: int) -> Threshold: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Threshold]: ...

    def __getitem__(self, at: int | slice) -> Threshold | Sequence[Threshold]:
        """Return one of them, or some."""
        if isinstance(at, slice):
            return [self[i] for i in range(len(self))[at]]
        way, place = divmod(range(len(self))[at], len(self.places))
        return Threshold(min(self.places[place], self.last), self.ways[way])


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
