"""Intervals of an integer line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    ENUMERABLE,
    Bracket,
    Cells,
    Concept,
    Gains,
    Packed,
    Packing,
    Points,
    integers,
    listable,
)
from tacit.concepts.contract.domains import LineClass
from tacit.concepts.contract.feature import identifier, ranged
from tacit.concepts.line.gaps import Gaps, pair
from tacit.core import InvalidArgument, Random, check


@dataclass(frozen=True, slots=True)
class Interval(Concept):
    """Yes from `low` to `high`, both included; never if low > high.

    >>> Interval(18, 65).rule(["age"]), Interval(18, 65).sql(["age"])
    ('age is between 18 and 65', '("age" BETWEEN 18 AND 65)')
    """

    low: int
    high: int

    @property
    def empty(self) -> bool:
        """Whether the answer is always no."""
        return self.low > self.high

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        above = np.asarray(points >= self.low, dtype=np.bool_)
        return above & np.asarray(points <= self.high, dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        return ranged(names[0], self.low, self.high)

    def sql(self, columns: Sequence[str], /) -> str:
        if self.empty:
            return "(1 = 0)"
        return f"({identifier(columns[0])} BETWEEN {self.low} AND {self.high})"


EMPTY = Interval(1, 0)
"""The one empty interval that belongs to the class."""


@dataclass(frozen=True, slots=True, init=False)
class Intervals(LineClass[Interval]):
    """All functions 1[s <= x <= t] over {0, ..., values - 1}, and the constant 0 once.

    Given bits, values = 2^bits.

    >>> Intervals(16).size, str(Intervals(16)), str(Intervals(values=121))
    (2147516417, 'intervals(bits=16)', 'intervals(values=121)')
    """

    family: ClassVar[str] = "intervals"
    in_words: ClassVar[str] = "between two values: “40 ≤ age ≤ 65”"
    tells_points_apart: ClassVar[bool] = True
    interval_columns: ClassVar[int] = 1
    """The line itself."""
    vc: ClassVar[Bracket] = Bracket(
        2, 2, "an interval cannot leave out the middle one of three points"
    )
    """Two points are shattered; of three, the middle one cannot be left out."""

    @property
    def size(self) -> int:
        """The number of concepts: pairs of cuts, and the empty interval."""
        return self.values * (self.values + 1) // 2 + 1

    @property
    def littlestone(self) -> Bracket:
        """The first yes leaves two binary searches; see docs/proofs/boxes.md."""
        below, above = (_mistakes(bits) for bits in (self.values.bit_length() - 1, self.bits))
        around = ((self.values + 1) ** 2 // 4).bit_length()
        return Bracket(
            below, min(above, around), "after the first yes, a binary search for each end"
        )

    @property
    def threshold_line(self) -> int:
        """The intervals up to the last point."""
        return self.values

    @property
    def packings(self) -> tuple[Packing[Interval], ...]:
        """Put alpha on either side of each end, or of the lower one; the rest on a point inside."""
        middle = self.values // 2
        above = self.values - 1 - middle

        def both(index: int) -> Packed[Interval]:
            low, high = 1 + index // above, middle + index % above
            return _packed(Interval(low, high), [low - 1, low, high, high + 1], middle)

        def one(index: int) -> Packed[Interval]:
            low, last = 1 + index, self.values - 1
            return _packed(Interval(low, last), [low - 1, low], last)

        lower = Packing(self.values - 1, 2, one)
        return (lower, Packing(middle * above, 4, both)) if self.values > 3 else ()

    @property
    def largest_sample(self) -> int | None:
        return None if self.size <= ENUMERABLE else 10**6

    def concepts(self) -> Iterator[Interval]:
        """Yield all concepts in canonical order: the empty one, then by low and high end."""
        listable(self.size, what="concepts")
        yield EMPTY
        for start, end in combinations(range(self.values + 1), 2):
            yield Interval(start, end - 1)

    def cells(self, points: Points, gains: Gains, /) -> Cells[Interval]:
        """Count the intervals of each gain: one cell a gain.

        O(n log^2 n) for n rows, whatever the size of the domain; a member takes O(m) for m points.
        """
        gaps = Gaps(dict(zip(points.tolist(), gains.tolist(), strict=True)), size=self.values)
        scores = sorted(gaps.counts)

        def member(cell: int, rank: int) -> Interval:
            gain = scores[cell]
            if gain == 0 and rank == gaps.counts[0]:
                return EMPTY
            ((low, high),) = gaps.sides(gain, rank)
            return Interval(low, high)

        counts = integers([gaps.counts[gain] + (gain == 0) for gain in scores])
        return Cells(np.array(scores, dtype=np.int64), counts, member)

    def dichotomies(self, points: Points, /) -> list[Interval]:
        """Return the intervals between two of the points, and the empty one."""
        ends = combinations_with_replacement(sorted(points.tolist()), 2)
        return [EMPTY, *(Interval(low, high) for low, high in ends)]

    def draw(self, *, rng: Random) -> Interval:
        rank = rng.below(self.size)
        if rank == self.size - 1:
            return EMPTY
        start, end = pair(rank)
        return Interval(start, end - 1)

    def encode(self, concept: Interval, /) -> dict[str, Any]:
        return {"low": concept.low, "high": concept.high}

    def decode(self, encoded: dict[str, Any], /) -> Interval:
        match encoded:
            case {"low": low, "high": high}:
                concept = Interval(check.count(low=low), check.count(high=high))
                if concept == EMPTY or low <= high < self.values:
                    return concept
        raise InvalidArgument(f"{encoded} is no concept of {self}")


def _packed(concept: Interval, light: list[int], heavy: int) -> Packed[Interval]:
    return Packed(concept, integers(light), integers([heavy]))


def _mistakes(bits: int) -> int:
    """Return the Littlestone dimension of the intervals of {0, ..., 2^bits - 1}."""
    return {1: 2, 2: 3}.get(bits, 2 * bits - 2)
