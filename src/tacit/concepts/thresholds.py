"""Thresholds on an integer line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.concept_class import Bracket, Cells, Gains, Points, clip, integers, listable
from tacit.concepts.feature import identifier, shown
from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.core.randomness import Random

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
        if self.at == 0:
            return "always" if self.up else "never"
        return f"{names[0]} is {'at least' if self.up else 'below'} {shown(names[0], self.at)}"

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the function as a SQL expression."""
        return f"({identifier(columns[0])} {'>=' if self.up else '<'} {self.at})"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All thresholds over {0, ..., 2^bits - 1}.

    Up: 1[x >= z] for z = 0, ..., 2^bits - 1 (the constant 1 is z = 0). Down: the complements, with
    the constant 0. Both: their union.

    >>> Thresholds(32).size, str(Thresholds(8, direction="both"))
    (4294967296, 'thresholds(bits=8, direction=both)')
    """

    bits: int
    direction: Direction = "up"

    def __post_init__(self) -> None:
        check.count(bits=self.bits, least=1)
        if self.direction not in ("up", "down", "both"):
            raise InvalidArgument(f"direction must be up, down or both, got {self.direction!r}")

    def __str__(self) -> str:
        said = "" if self.direction == "up" else f", direction={self.direction}"
        return f"thresholds(bits={self.bits}{said})"

    @property
    def features(self) -> int:
        """How many columns make up a point."""
        return 1

    @property
    def domain_size(self) -> int:
        """The number of points."""
        return 1 << self.bits

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
        """Binary search over 2^bits thresholds; one more query tells the direction."""
        value = self.bits + (self.direction == "both")
        return Bracket(value, value, "binary search, and no more than log2 of the size")

    @property
    def largest_sample(self) -> int | None:
        """Any number of rows can be scored."""
        return None

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
        order = np.argsort(points, kind="stable")
        small = self.bits < 62 and points.dtype != object
        edges = np.empty(len(points) + 2, dtype=np.int64 if small else object)
        edges[0], edges[-1] = 0, self.domain_size
        edges[1:-1] = points[order]
        edges[1:-1] += 1
        widths = np.diff(edges)
        above = np.concatenate(([0], np.cumsum(gains[order][::-1])))[::-1]
        scores = np.concatenate([above if up else int(gains.sum()) - above for up in self._ways])
        many = np.concatenate([widths] * len(self._ways))

        def member(cell: int, rank: int) -> Threshold:
            way, place = divmod(cell, len(widths))
            return Threshold(int(edges[place]) + rank, self._ways[way])

        return Cells(scores.astype(np.int64), many if small else integers(many.tolist()), member)

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
