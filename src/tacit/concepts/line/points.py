"""Single points of an integer line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract import concept_class
from tacit.concepts.contract.concept_class import Bracket, Cells, Gains, clip, integers, listable
from tacit.concepts.contract.feature import identifier, ranged
from tacit.concepts.contract.line_length import read_extent, write_extent
from tacit.core import check
from tacit.core.chance.randomness import Random
from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold


@dataclass(frozen=True, slots=True)
class Point:
    """Yes at `at` and nowhere else.

    >>> Point(7).rule(["ward"]), Point(7).sql(["ward"])
    ('ward is 7', '("ward" = 7)')
    """

    at: int

    def __call__(self, points: concept_class.Points, /) -> NDArray[np.bool_]:
        """Evaluate on many points at once."""
        return np.asarray(points == self.at, dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        """Say in English when the answer is yes."""
        return ranged(names[0], self.at, self.at)

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the function as a SQL expression."""
        return f"({identifier(columns[0])} = {self.at})"


@dataclass(frozen=True, slots=True)
class Points:
    """All functions 1[x = z] over {0, ..., values - 1}, where values = 2^bits if bits are given.

    >>> Points(8).size, str(Points(8)), str(Points(values=3))
    (256, 'points(bits=8)', 'points(values=3)')
    """

    values: int

    features: ClassVar[int] = 1
    largest_sample: ClassVar[int | None] = None
    """How many rows `cells` can take: no limit, it sorts them."""

    def __init__(self, bits: int | None = None, *, values: int | None = None) -> None:
        hold(self, values=read_extent(bits, values))

    def __str__(self) -> str:
        return f"points({write_extent(self.values)})"

    @property
    def bits(self) -> int:
        """How many bits hold a point."""
        return (self.values - 1).bit_length()

    @property
    def domain_size(self) -> int:
        """The number of points."""
        return self.values

    @property
    def size(self) -> int:
        """The number of concepts."""
        return self.domain_size

    @property
    def vc(self) -> Bracket:
        """Two points never both say yes; one of them may or may not."""
        return Bracket(1, 1, "no concept says yes on two points")

    @property
    def littlestone(self) -> Bracket:
        """Always predict no: the first mistake tells the concept."""
        return Bracket(1, 1, "the first yes tells the concept")

    def clip(self, points: concept_class.Points, /) -> concept_class.Points:
        """Return each point, or the nearest one of the domain."""
        return clip(points, self.domain_size)

    def domain(self) -> concept_class.Points:
        """Return all points."""
        return np.arange(listable(self.domain_size, what="points"), dtype=np.int64)

    def concepts(self) -> Iterator[Point]:
        """Yield all concepts in canonical order."""
        return (Point(z) for z in range(listable(self.size, what="concepts")))

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
        """Return one concept for each labelling of the points."""
        cells = self.cells(points, np.zeros(len(points), dtype=np.int64))
        return [cells.member(c, 0) for c, many in enumerate(cells.multiplicities) if many]

    def draw(self, *, rng: Random) -> Point:
        """Draw a concept uniformly."""
        return Point(rng.below(self.size))

    def encode(self, concept: Point, /) -> dict[str, Any]:
        """Return a JSON object for a concept."""
        return {"at": concept.at}

    def decode(self, encoded: dict[str, Any], /) -> Point:
        """Read back what `encode` wrote."""
        match encoded:
            case {"at": at} if check.count(at=at) < self.domain_size:
                return Point(at)
        raise InvalidArgument(f"{encoded} is no concept of {self}")
