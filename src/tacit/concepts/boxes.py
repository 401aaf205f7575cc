"""Axis-parallel boxes of an integer grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, count, product, takewhile
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.concept_class import (
    ENUMERABLE,
    Bracket,
    Cells,
    Gains,
    Points,
    clip,
    integers,
    listable,
)
from tacit.concepts.intervals import EMPTY, Interval, Intervals
from tacit.concepts.strips import Sides, count_boxes, counted, nth_box
from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.core.randomness import Random

VISITS = 10**7
"""So many points of lines may be visited when boxes are counted; see the cost of `Strips`."""

SEARCHED = frozenset({(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2)})
"""The (bits, dims) where a search over all mistake trees meets the upper bound."""


@dataclass(frozen=True, slots=True)
class Box:
    """Yes where every coordinate lies in its side.

    >>> Box((Interval(18, 65), Interval(1, 1))).rule(["age", "ward"])
    'age is between 18 and 65 and ward is 1'
    >>> Box((Interval(18, 65), Interval(1, 1))).sql(["age", "ward"])
    '(("age" BETWEEN 18 AND 65) AND ("ward" BETWEEN 1 AND 1))'
    """

    sides: tuple[Interval, ...]

    @property
    def empty(self) -> bool:
        """Whether the answer is always no."""
        return any(side.empty for side in self.sides)

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        """Evaluate on many points at once."""
        inside = [side(points[:, axis]) for axis, side in enumerate(self.sides)]
        return np.asarray(np.all(inside, axis=0), dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        """Say in English when the answer is yes."""
        if self.empty:
            return "never"
        said = zip(self.sides, names, strict=True)
        return " and ".join(side.rule([name]) for side, name in said)

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the function as a SQL expression."""
        if self.empty:
            return "(1 = 0)"
        written = zip(self.sides, columns, strict=True)
        return f"({' AND '.join(side.sql([column]) for side, column in written)})"


@dataclass(frozen=True, slots=True)
class Boxes:
    """All products of `dims` nonempty intervals of {0, ..., 2^bits - 1}, and the constant 0 once.

    With one bit these are the conjunctions of literals.

    >>> Boxes(8, 2).size, str(Boxes(8, 2))
    (1082146817, 'boxes(bits=8, dims=2)')
    """

    bits: int
    dims: int

    def __post_init__(self) -> None:
        check.count(bits=self.bits, least=1)
        check.count(dims=self.dims, least=1)

    def __str__(self) -> str:
        return f"boxes(bits={self.bits}, dims={self.dims})"

    @property
    def features(self) -> int:
        """How many columns make up a point."""
        return self.dims

    @property
    def domain_size(self) -> int:
        """The number of points."""
        return 1 << self.bits * self.dims

    @property
    def size(self) -> int:
        """The number of concepts."""
        return count_boxes(1 << self.bits, self.dims) + 1

    @property
    def vc(self) -> Bracket:
        """Two points a side, if a side has room for a point between; see docs/proofs/boxes.md."""
        if self.bits == 1 and self.dims > 1:
            return Bracket(self.dims, self.dims, "one literal a point, no two of a variable")
        return Bracket(2 * self.dims, 2 * self.dims, "one point a face of the box")

    @property
    def littlestone(self) -> Bracket:
        """Binary searches for the faces once a point inside is known; see docs/proofs/boxes.md.

        >>> Boxes(1, 5).littlestone.upper, Boxes(3, 2).littlestone.exact
        (6, True)
        >>> Boxes(16, 2).littlestone.lower, Boxes(16, 2).littlestone.upper
        (60, 61)
        """
        if self.dims == 1:
            return Intervals(self.bits).littlestone
        half = 1 << self.bits - 1
        upper = ((half * (half + 1)) ** self.dims).bit_length()
        if (self.bits, self.dims) in SEARCHED:
            return Bracket(upper, upper, "search over all mistake trees")
        lower = self.dims + 1 if self.bits == 1 else 2 * self.dims * (self.bits - 1)
        return Bracket(lower, upper, "a binary search a face; log2 of the boxes around one point")

    @property
    def largest_sample(self) -> int | None:
        """How many rows `cells` can take in seconds to a minute or two; None if any number.

        >>> [Boxes(16, dims).largest_sample for dims in (1, 2, 3, 4)]
        [1000000, 390, 63, 30]
        >>> Boxes(8, 2).largest_sample, Boxes(5, 2).largest_sample
        (39062, None)
        """
        side = 1 << self.bits
        if self.dims == 1 or self.size <= ENUMERABLE:
            return Intervals(self.bits).largest_sample if self.dims == 1 else None
        if count_boxes(side, self.dims - 1) * side <= VISITS:
            return VISITS // side
        few = takewhile(lambda m: comb(m + 2 * self.dims - 2, 2 * self.dims - 1) <= VISITS, count())
        return max(few)

    def clip(self, points: Points, /) -> Points:
        """Return each point, or the nearest one of the domain."""
        return clip(points, 1 << self.bits)

    def domain(self) -> Points:
        """Return all points."""
        places = np.arange(listable(self.domain_size, what="points"), dtype=np.int64)
        axes = np.unravel_index(places, (1 << self.bits,) * self.dims)
        return np.stack(axes, axis=1).astype(np.int64)

    def concepts(self) -> Iterator[Box]:
        """Yield all concepts in canonical order: the empty one, then by their sides."""
        listable(self.size, what="concepts")
        yield self._empty
        _, *intervals = Intervals(self.bits).concepts()
        for sides in product(intervals, repeat=self.dims):
            yield Box(sides)

    def cells(self, points: Points, gains: Gains, /) -> Cells[Box]:
        """Count the boxes of each gain: one cell a gain.

        In one dimension O(n log^2 n) for n rows; in d >= 2 dimensions O(m^(2d - 1)) for m points,
        whatever the size of the domain: seconds at `largest_sample` rows.
        """
        places = map(tuple, points.tolist())
        found = counted(
            dict(zip(places, gains.tolist(), strict=True)), size=1 << self.bits, dims=self.dims
        )
        scores = sorted(found.counts)

        def member(cell: int, rank: int) -> Box:
            gain = scores[cell]
            if gain == 0 and rank == found.counts[0]:
                return self._empty
            return _box(found.sides(gain, rank))

        counts = integers([found.counts[gain] + (gain == 0) for gain in scores])
        return Cells(np.array(scores, dtype=np.int64), counts, member)

    def dichotomies(self, points: Points, /) -> list[Box]:
        """Return the empty box, and one box between the points for each other labelling."""
        found: dict[int, tuple[Interval, ...]] = {(1 << len(points)) - 1: ()}
        for column in points.T.tolist():
            ends = combinations_with_replacement(sorted(set(column)), 2)
            sides = {_mask(low, high, column): Interval(low, high) for low, high in ends}
            found = {
                inside & mask: (*box, side)
                for inside, box in found.items()
                for mask, side in sides.items()
            }
        return [self._empty, *(Box(sides) for inside, sides in found.items() if inside)]

    def draw(self, *, rng: Random) -> Box:
        """Draw a concept uniformly."""
        rank = rng.below(self.size)
        if rank == self.size - 1:
            return self._empty
        return _box(nth_box(rank, size=1 << self.bits, dims=self.dims))

    def encode(self, concept: Box, /) -> dict[str, Any]:
        """Return a JSON object for a concept."""
        return {
            "low": [side.low for side in concept.sides],
            "high": [side.high for side in concept.sides],
        }

    def decode(self, encoded: dict[str, Any], /) -> Box:
        """Read back what `encode` wrote."""
        match encoded:
            case {"low": [*low], "high": [*high]} if len(low) == len(high) == self.dims:
                line, ends = Intervals(self.bits), zip(low, high, strict=True)
                concept = Box(tuple(line.decode({"low": s, "high": t}) for s, t in ends))
                if not concept.empty or concept == self._empty:
                    return concept
        raise InvalidArgument(f"{encoded} is no concept of {self}")

    @property
    def _empty(self) -> Box:
        return Box((EMPTY,) * self.dims)


def _box(sides: Sides) -> Box:
    return Box(tuple(Interval(low, high) for low, high in sides))


def _mask(low: int, high: int, column: list[int]) -> int:
    return sum(1 << index for index, x in enumerate(column) if low <= x <= high)
