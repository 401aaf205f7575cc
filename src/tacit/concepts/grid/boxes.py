"""Axis-parallel boxes of an integer grid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, count, islice, product, takewhile
from math import comb, prod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    ENUMERABLE,
    Bracket,
    Cells,
    Concept,
    ConceptClass,
    Gains,
    Packed,
    Packing,
    Points,
    clip,
    integers,
    listable,
)
from tacit.concepts.contract.domains import within
from tacit.concepts.contract.feature import both
from tacit.concepts.grid.strips import Sides, Sizes, count_boxes, counted, nth_box
from tacit.concepts.line.intervals import EMPTY, Interval, Intervals
from tacit.core import InvalidArgument, Random, check, hold
from tacit.core.numbers.exact import integer, told

VISITS = 10**7
"""So many points of lines may be visited when boxes are counted; see the cost of `Strips`."""

SEARCHED = frozenset({(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2)})
"""The (bits, dims) where a search over all mistake trees meets the upper bound."""


@dataclass(frozen=True, slots=True)
class Box(Concept):
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
        inside = [side(points[:, axis]) for axis, side in enumerate(self.sides)]
        return np.asarray(np.all(inside, axis=0), dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        return both(side.rule([name]) for side, name in zip(self.sides, names, strict=True))

    def sql(self, columns: Sequence[str], /) -> str:
        if self.empty:
            return "(1 = 0)"
        sides = zip(self.sides, columns, strict=True)
        written = [s.sql([name]) for s, name in sides if s.rule([name]) != "always"]
        return f"({' AND '.join(written) or '1 = 1'})"


@dataclass(frozen=True, slots=True)
class Boxes(ConceptClass[Box]):
    """All products of nonempty intervals, one for each column, and the constant 0 once.

    The columns hold 0, ..., 2^bits - 1, all `dims` of them; or each as many values as `values`
    says, such as (121, 2) or "121x2". With one bit these are the conjunctions of literals.

    >>> Boxes(8, 2).size, str(Boxes(8, 2)), str(Boxes(values=(121, 2)))
    (1082146817, 'boxes(bits=8, dims=2)', 'boxes(values=121x2)')
    """

    values: Sizes

    family: ClassVar[str] = "boxes"
    in_words: ClassVar[str] = "between values in several columns at once"
    tells_points_apart: ClassVar[bool] = True

    def __init__(
        self,
        bits: int | None = None,
        dims: int | None = None,
        *,
        values: Iterable[int] | str | int | None = None,
    ) -> None:
        hold(self, values=_sizes(bits, dims, values))

    def __str__(self) -> str:
        if self._bits is None:
            return f"boxes(values={'x'.join(map(str, self.values))})"
        return f"boxes(bits={self._bits}, dims={self.dims})"

    @classmethod
    def over(cls, sizes: Sequence[int], _: Sequence[bool], /) -> Self:
        """Return the boxes over columns of so many values each."""
        return cls(values=[max(2, size) for size in sizes])

    @property
    def instead(self) -> str:
        """Boxes over one column are intervals, whose points are plain integers."""
        return "intervals" if self.dims == 1 else ""

    @property
    def dims(self) -> int:
        """How many columns make up a point."""
        return len(self.values)

    @property
    def features(self) -> int:
        return self.dims

    @property
    def domain_size(self) -> int:
        return prod(self.values)

    @property
    def size(self) -> int:
        return count_boxes(self.values) + 1

    @property
    def vc(self) -> Bracket:
        """Two points a side with room for a point between, else one; see docs/proofs/boxes.md."""
        value = max(2, sum(min(side - 1, 2) for side in self.values))
        return Bracket(value, value, "one point a face, no two on faces of a variable of one bit")

    @property
    def littlestone(self) -> Bracket:
        """Binary searches for the faces once a point inside is known; see docs/proofs/boxes.md.

        >>> Boxes(1, 5).littlestone.upper, Boxes(3, 2).littlestone.exact
        (6, True)
        >>> Boxes(16, 2).littlestone.lower, Boxes(16, 2).littlestone.upper
        (60, 61)
        """
        if self.dims == 1:
            return Intervals(values=self.values[0]).littlestone
        upper = prod((side + 1) ** 2 // 4 for side in self.values).bit_length()
        if (self._bits, self.dims) in SEARCHED:
            return Bracket(upper, upper, "search over all mistake trees")
        faces = [choices for side in self.values for choices in ((side + 1) // 2, side // 2 + 1)]
        lower = max(self.dims + 1, sum(choices.bit_length() - 1 for choices in faces))
        return Bracket(lower, upper, "a binary search a face; log2 of the boxes around one point")

    @property
    def interval_columns(self) -> int:
        """All of them."""
        return self.dims

    @property
    def threshold_line(self) -> int:
        """Those of the widest column."""
        return max(self.values)

    @property
    def packings(self) -> tuple[Packing[Box], ...]:
        """Put alpha on either side of each face, in line with a point inside, which has the rest.

        Whoever is right at all of these has the faces of the box.
        """
        middle = [side // 2 for side in self.values]
        choices = [(m, side - 1 - m) for m, side in zip(middle, self.values, strict=True)]
        if any(side < 4 for side in self.values):
            return ()

        def member(index: int) -> Packed[Box]:
            sides, light = [], []
            for axis, (below, above) in enumerate(choices):
                index, place = divmod(index, below * above)
                low, high = 1 + place // above, middle[axis] + place % above
                sides.append(Interval(low, high))
                ends = (low - 1, low, high, high + 1)
                light += [[*middle[:axis], at, *middle[axis + 1 :]] for at in ends]
            wide = max(self.values) >= 1 << 62
            points = np.array([*light, middle], dtype=object if wide else np.int64)
            return Packed(Box(tuple(sides)), light=points[:-1], heavy=points[-1:])

        total = prod(below * above for below, above in choices)
        return (Packing(total, 4 * self.dims, member),)

    @property
    def largest_sample(self) -> int | None:
        """How many rows `cells` can take in seconds to a minute or two; None if any number.

        >>> [Boxes(16, dims).largest_sample for dims in (1, 2, 3, 4)]
        [1000000, 390, 63, 30]
        >>> Boxes(8, 2).largest_sample, Boxes(5, 2).largest_sample
        (39062, None)
        """
        if self.dims == 1:
            return Intervals(values=self.values[0]).largest_sample
        if self.size <= ENUMERABLE:
            return None
        *others, longest = sorted(self.values)
        if count_boxes(tuple(others)) * longest <= VISITS:
            return VISITS // longest
        few = takewhile(lambda m: comb(m + 2 * self.dims - 2, 2 * self.dims - 1) <= VISITS, count())
        return max(few)

    def clip(self, points: Points, /) -> Points:
        if len(set(self.values)) == 1:
            return clip(points, self.values[0])
        columns = [clip(points[:, axis], side) for axis, side in enumerate(self.values)]
        return np.stack(columns, axis=1)

    def domain(self) -> Points:
        places = np.arange(listable(self.domain_size, what="points"), dtype=np.int64)
        axes = np.unravel_index(places, self.values)
        return np.stack(axes, axis=1).astype(np.int64)

    def concepts(self) -> Iterator[Box]:
        """Yield all concepts in canonical order: the empty one, then by their sides."""
        listable(self.size, what="concepts")
        yield self._empty
        for sides in product(*(islice(line.concepts(), 1, None) for line in self._lines)):
            yield Box(sides)

    def cells(self, points: Points, gains: Gains, /) -> Cells[Box]:
        """Count the boxes of each gain: one cell a gain.

        In one dimension O(n log^2 n) for n rows; in d >= 2 dimensions O(m^(2d - 1)) for m points,
        whatever the size of the domain: seconds at `largest_sample` rows.
        """
        order = sorted(range(self.dims), key=lambda axis: self.values[axis])
        places = map(tuple, points[:, order].tolist())
        found = counted(
            dict(zip(places, gains.tolist(), strict=True)),
            sizes=tuple(self.values[axis] for axis in order),
        )
        scores = sorted(found.counts)

        def member(cell: int, rank: int) -> Box:
            gain = scores[cell]
            if gain == 0 and rank == found.counts[0]:
                return self._empty
            sides = dict(zip(order, found.sides(gain, rank), strict=True))
            return _box(tuple(sides[axis] for axis in range(self.dims)))

        counts = integers([found.counts[gain] + (gain == 0) for gain in scores])
        return Cells(np.array(scores, dtype=np.int64), counts, member)

    def dichotomies(self, points: Points, /) -> list[Box]:
        """Return the empty box, and for each other labelling the least box around its points."""
        found, columns = {(1 << len(points)) - 1}, points.T.tolist()
        for column in columns:
            ends = combinations_with_replacement(sorted(set(column)), 2)
            masks = {_mask(low, high, column) for low, high in ends}
            found = {inside & mask for inside in found for mask in masks}

        def around(inside: int) -> Box:
            held = [place for place in range(len(points)) if inside >> place & 1]
            ends = ([column[place] for place in held] for column in columns)
            return Box(tuple(Interval(min(each), max(each)) for each in ends))

        return [self._empty, *map(around, sorted(found - {0}))]

    def draw(self, *, rng: Random) -> Box:
        rank = rng.below(self.size)
        if rank == self.size - 1:
            return self._empty
        return _box(nth_box(rank, sizes=self.values))

    def encode(self, concept: Box, /) -> dict[str, Any]:
        return {
            "low": [side.low for side in concept.sides],
            "high": [side.high for side in concept.sides],
        }

    def decode(self, encoded: dict[str, Any], /) -> Box:
        match encoded:
            case {"low": [*low], "high": [*high]} if len(low) == len(high) == self.dims:
                ends = zip(self._lines, low, high, strict=True)
                concept = Box(tuple(line.decode({"low": s, "high": t}) for line, s, t in ends))
                if not concept.empty or concept == self._empty:
                    return concept
        raise InvalidArgument(f"{encoded} is no concept of {self}")

    @property
    def _empty(self) -> Box:
        return Box((EMPTY,) * self.dims)

    @property
    def _lines(self) -> tuple[Intervals, ...]:
        return tuple(Intervals(values=side) for side in self.values)

    @property
    def _bits(self) -> int | None:
        """The bits of every column, if they are all the same power of two."""
        bits = self.values[0].bit_length() - 1
        return bits if set(self.values) == {1 << bits} else None


def _sizes(bits: int | None, dims: int | None, values: Iterable[int] | str | int | None) -> Sizes:
    if values is None:
        if bits is None or dims is None:
            raise InvalidArgument("boxes needs bits and dims, or values, such as values=121x2")
        bits, dims = check.count(bits=bits, least=1), check.count(dims=dims, least=1)
        within(bits * dims, said="bits x dims")
        return (1 << bits,) * dims
    if bits is not None or dims is not None:
        raise InvalidArgument("boxes takes bits and dims, or values, not both")
    if isinstance(values, str | int):
        sides = str(values).split("x")
        if not all(side.isdecimal() for side in sides):
            raise InvalidArgument(f"values must look like 121x2, got {told(values)!r}")
        within(len(sides), said="the number of columns")
        values = [integer(side, name="values") for side in sides]
    read = tuple(check.count(values=side, least=2) for side in values)
    within(sum((side - 1).bit_length() for side in read), said="the bits of all values")
    return read


def _box(sides: Sides) -> Box:
    return Box(tuple(Interval(low, high) for low, high in sides))


def _mask(low: int, high: int, column: list[int]) -> int:
    return sum(1 << index for index, x in enumerate(column) if low <= x <= high)
