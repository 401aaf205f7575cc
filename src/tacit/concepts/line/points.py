"""Single points of an integer line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract import concept_class
from tacit.concepts.contract.concept_class import (
    Bracket,
    Cells,
    Concept,
    Gains,
    Packed,
    Packing,
    integers,
    of_cells,
)
from tacit.concepts.contract.domains import LineClass
from tacit.concepts.contract.feature import identifier, ranged
from tacit.concepts.contract.named_problem import Equality
from tacit.core import InvalidArgument, check


@dataclass(frozen=True, slots=True)
class Point(Concept):
    """Yes at `at` and nowhere else.

    >>> Point(7).rule(["ward"]), Point(7).sql(["ward"])
    ('ward is 7', '("ward" = 7)')
    """

    at: int

    def __call__(self, points: concept_class.Points, /) -> NDArray[np.bool_]:
        return np.asarray(points == self.at, dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        return ranged(names[0], self.at, self.at)

    def sql(self, columns: Sequence[str], /) -> str:
        return f"({identifier(columns[0])} = {self.at})"


@dataclass(frozen=True, slots=True, init=False)
class Points(LineClass[Point]):
    """All functions 1[x = z] over {0, ..., values - 1}, where values = 2^bits if bits are given.

    >>> Points(8).size, str(Points(8)), str(Points(values=3))
    (256, 'points(bits=8)', 'points(values=3)')
    """

    family: ClassVar[str] = "points"
    in_words: ClassVar[str] = "exactly one value: “ward = 7”"
    tells_points_apart: ClassVar[bool] = True
    littlestone: ClassVar[Bracket] = Bracket(1, 1, "the first yes tells the concept")
    """Always predict no: the first mistake tells the concept."""
    vc: ClassVar[Bracket] = Bracket(1, 1, "no concept says yes on two points")
    """Two points never both say yes; one of them may or may not."""

    @property
    def size(self) -> int:
        return self.values

    @property
    def problem(self) -> Equality:
        """Whether two numbers are equal."""
        return Equality(self.values)

    @property
    def packings(self) -> tuple[Packing[Point], ...]:
        """Put alpha on one's own point and the rest on point 0 [BKN10]."""
        return (Packing(self.values - 1, 1, _packed),) if self.values > 2 else ()

    def uniform_cover(self, radius: Fraction, /) -> tuple[Point] | None:
        """Return any point: two differ at two points of the domain."""
        return (Point(0),) if radius * self.values >= 2 else None

    def nth(self, index: int, /) -> Point:
        return Point(index)

    def cells(self, points: concept_class.Points, gains: Gains, /) -> Cells[Point]:
        """Give every point that occurs a cell of its own, and all others one cell of gain 0.

        O(m log m) for m points, whatever the size of the domain.
        """
        places = points.tolist()
        absent = [place - index for index, place in enumerate(sorted(places))]

        def member(cell: int, rank: int) -> Point:
            if cell < len(places):
                return Point(places[cell])
            return Point(rank + bisect_right(absent, rank))

        rest = self.size - len(places)
        scores = np.concatenate((gains, [0])).astype(np.int64)
        return Cells(scores, integers([1] * len(places) + [rest]), member)

    def dichotomies(self, points: concept_class.Points, /) -> list[Point]:
        return of_cells(self.cells(points, np.zeros(len(points), dtype=np.int64)))

    def encode(self, concept: Point, /) -> dict[str, Any]:
        return {"at": concept.at}

    def decode(self, encoded: dict[str, Any], /) -> Point:
        match encoded:
            case {"at": at} if check.count(at=at) < self.values:
                return Point(at)
        raise InvalidArgument(f"{encoded} is no concept of {self}")


def _packed(index: int) -> Packed[Point]:
    at = index + 1
    return Packed(Point(at), light=integers([at]), heavy=integers([0]))
