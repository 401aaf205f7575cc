"""Thresholds on an integer line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    Bracket,
    Cells,
    Gains,
    Points,
    clip,
    integers,
    listable,
)
from tacit.concepts.contract.feature import identifier, ranged
from tacit.concepts.contract.line_length import read_extent, write_extent
from tacit.core import check
from tacit.core.chance.randomness import Random
from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold

Direction = Literal["up", "down", "both"]


@dataclass(frozen=True, slots=True)
class Threshold:
    """Yes from `at` on (up), or below `at` (down).

    >>> Threshold(65).rule(["age"]), Threshold(65, up=False).sql(["age"])
    ('age is at least 65', '("age" < 65)')
    """

    at: int
    up: bool = True

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        """Evaluate on many points at once."""
        return np.asarray((points >= self.at) == self.up, dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        """Say in English when the answer is yes."""
        return ranged(names[0], self.at) if self.up else ranged(names[0], 0, self.at - 1)

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the function as a SQL expression."""
        return f"({identifier(columns[0])} {'>=' if self.up else '<'} {self.at})"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All thresholds over {0, ..., values - 1}, where values = 2^bits if bits are given.

    Up: 1[x >= z] for z = 0, ..., values - 1 (the constant 1 is z = 0). Down: the complements, with
    the constant 0. Both: their union.

    >>> Thresholds(32).size, str(Thresholds(8, direction="both")), str(Thresholds(values=121))
    (4294967296, 'thresholds(bits=8, direction=both)', 'thresholds(values=121)')
    """

    values: int
    direction: Direction

    features: ClassVar[int] = 1
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self, bits: int | None = None, direction: Direction = "up", *, values: int | None = None
    ) -> None:
        hold(self, values=read_extent(bits, values), direction=direction)
        if direction not in ("up", "down", "both"):
            raise InvalidArgument(f"direction must be up, down or both, got {direction!r}")

    def __str__(self) -> str:
        said = "" if self.direction == "up" else f", direction={self.direction}"
        return f"thresholds({write_extent(self.values)}{said})"

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
        return self.domain_size * len(self._ways)

    @property
    def vc(self) -> Bracket:
        """One direction shatters a point; both shatter two neighbours, never three points."""
        value = 2 if self.direction == "both" else 1
        return Bracket(value, value, "an up and a down threshold never alternate thrice")

    @property
    def littlestone(self) -> Bracket:
        """Binary search over the thresholds; the last point tells the direction."""
        value = self.values.bit_length() - 1 + (self.direction == "both")
        return Bracket(value, value, "binary search, and no more than log2 of the size")

    def clip(self, points: Points, /) -> Points:
        """Return each point, or the nearest one of the domain."""
        return clip(points, self.domain_size)

    def domain(self) -> Points:
        """Return all points."""
        return np.arange(listable(self.domain_size, what="points"), dtype=np.int64)

    def concepts(self) -> Iterator[Threshold]:
        """Yield all concepts in canonical order."""
        listable(self.size, what="concepts")
        return (Threshold(z, up) for up in self._ways for z in range(self.domain_size))

    def cells(self, points: Points, gains: Gains, /) -> Cells[Threshold]:
        """Cut the class at the points that occur: between two of them all thresholds agree.

        O(m log m) for m points, whatever the size of the domain.
        """
        if not (points[1:] > points[:-1]).all():
            order = np.argsort(points, kind="stable")
            points, gains = points[order], gains[order]
        small = self.values < 1 << 62 and points.dtype != object
        edges = np.empty(len(points) + 2, dtype=np.int64 if small else object)
        edges[0], edges[-1] = 0, self.domain_size
        edges[1:-1] = points
        edges[1:-1] += 1
        widths = np.diff(edges)
        below = np.zeros(len(points) + 1, dtype=np.int64)
        np.cumsum(gains, out=below[1:])
        scores = [below[-1] - below if up else below for up in self._ways]
        many = widths if small else integers(widths.tolist())

        def member(cell: int, rank: int) -> Threshold:
            way, place = divmod(cell, len(widths))
            return Threshold(int(edges[place]) + rank, self._ways[way])

        return Cells(_joined(scores), _joined([many] * len(scores)), member)

    def dichotomies(self, points: Points, /) -> list[Threshold]:
        """Return one threshold for each labelling of the points."""
        cells = self.cells(np.unique(points), np.zeros(len(np.unique(points)), dtype=np.int64))
        members = [cells.member(c, 0) for c, m in enumerate(cells.multiplicities) if m]
        return list({tuple(h(points).tolist()): h for h in members}.values())

    def draw(self, *, rng: Random) -> Threshold:
        """Draw a concept uniformly."""
        way, at = divmod(rng.below(self.size), self.domain_size)
        return Threshold(at, self._ways[way])

    def encode(self, concept: Threshold, /) -> dict[str, Any]:
        """Return a JSON object for a concept."""
        return {"at": concept.at, "up": concept.up}

    def decode(self, encoded: dict[str, Any], /) -> Threshold:
        """Read back what `encode` wrote."""
        concept = Threshold(check.count(at=encoded["at"]), bool(encoded["up"]))
        if concept.at >= self.domain_size or concept.up not in self._ways:
            raise InvalidArgument(f"at={concept.at}, up={concept.up} is no concept of {self}")
        return concept

    @property
    def _ways(self) -> tuple[bool, ...]:
        return {"up": (True,), "down": (False,), "both": (True, False)}[self.direction]


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
