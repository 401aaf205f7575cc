"""Lines over a prime field."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    Bracket,
    Cells,
    Concept,
    ConceptClass,
    Gains,
    Points,
    clip,
    integers,
    listable,
    of_cells,
    one_by_one,
    one_each,
)
from tacit.concepts.contract.feature import identifier, spoken
from tacit.concepts.contract.named_problem import OnTheLine
from tacit.core import InvalidArgument, check

Vector = NDArray[np.int64]
BOUND = 1 << 31
"""Primes below it: products of two residues, plus a third, fit into 64 bits."""


@dataclass(frozen=True, slots=True)
class Line(Concept):
    """Yes on the points (x, y) with y = slope x + intercept modulo p.

    >>> line = Line(3, 5, p=7)
    >>> line.rule(["x", "y"]), line.sql(["x", "y"])
    ('y equals 3 times x plus 5, modulo 7', '("y" = (3 * CAST("x" AS BIGINT) + 5) % 7)')
    """

    slope: int
    intercept: int
    p: int

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        """Evaluate on many points at once; below 2^63 for all p below 2^31."""
        x, y = points[:, 0].astype(np.int64), points[:, 1].astype(np.int64)
        return np.asarray((self.slope * x + self.intercept) % self.p == y, dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        x, y = map(spoken, names[:2])
        if self.slope == 0:
            return f"{y} equals {self.intercept}"
        plus = f" plus {self.intercept}" if self.intercept else ""
        return f"{y} equals {self.slope} times {x}{plus}, modulo {self.p}"

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the function as a SQL expression, in 64 bits."""
        x, y = map(identifier, columns[:2])
        return f"({y} = ({self.slope} * CAST({x} AS BIGINT) + {self.intercept}) % {self.p})"


@dataclass(frozen=True, slots=True)
class Lines(ConceptClass[Line]):
    """All lines y = a x + c over the integers modulo a prime p < 2^31; vertical ones are not lines.

    >>> Lines(7).size, str(Lines(7))
    (49, 'lines(p=7)')
    """

    p: int

    family: ClassVar[str] = "lines"
    in_words: ClassVar[str] = "the points of one line of a small plane"
    example: ClassVar[str] = "lines(p=7)"
    tells_points_apart: ClassVar[bool] = True
    features: ClassVar[int] = 2
    vc: ClassVar[Bracket] = Bracket(2, 2, "two points are shattered, and determine their line")
    """Two points with different x are shattered; two lines share at most one point."""
    largest_sample: ClassVar[int | None] = 5_000
    """Rows: pairs of points are listed, some ten million of them in seconds."""
    littlestone: ClassVar[Bracket] = Bracket(
        2, 2, "the lines through a point are disjoint elsewhere"
    )
    """After one yes the lines left are disjoint apart from one point."""

    def __post_init__(self) -> None:
        check.count(p=self.p, least=2)
        if self.p >= BOUND or not all(self.p % q for q in range(2, isqrt(self.p) + 1)):
            raise InvalidArgument(f"p must be a prime below 2^31, got {self.p}")

    @property
    def domain_size(self) -> int:
        return self.p**2

    @property
    def size(self) -> int:
        return self.p**2

    @property
    def problem(self) -> OnTheLine:
        """Whether a line goes through a point."""
        return OnTheLine(self.p)

    def clip(self, points: Points, /) -> Points:
        return clip(points, self.p)

    def domain(self) -> Points:
        """Return all points, x first."""
        numbers = np.arange(listable(self.domain_size, what="points"), dtype=np.int64)
        return np.stack(np.divmod(numbers, self.p), axis=1)

    def nth(self, index: int, /) -> Line:
        """Return the line of this number: by slope, then by intercept."""
        return Line(*divmod(index, self.p), self.p)

    def cells(self, points: Points, gains: Gains, /) -> Cells[Line]:
        """Cut the class by the points that a line meets.

        Each line through two points or more is a cell; the lines that meet one point only are a
        cell for each point, and the lines that meet none are the last. O(m^2 log m) for m points,
        whatever p; with p <= m points all p^2 lines are scored one by one, in O(p m).
        """
        plane = np.asarray(points, dtype=np.int64).reshape(-1, 2)
        x, y = plane[:, 0], plane[:, 1]
        if self.p <= len(plane):
            return one_by_one(self._scores(x, y, gains), self.nth)
        return _Pencils.of(x, y, gains, self.p).cells(gains)

    def dichotomies(self, points: Points, /) -> list[Line]:
        """Return one line for each labelling of the points."""
        cells = self.cells(points, np.zeros(len(points), dtype=np.int64))
        return one_each(of_cells(cells), points)

    def encode(self, concept: Line, /) -> dict[str, Any]:
        return {"slope": concept.slope, "intercept": concept.intercept}

    def decode(self, encoded: dict[str, Any], /) -> Line:
        slope = check.count(slope=encoded["slope"])
        intercept = check.count(intercept=encoded["intercept"])
        if max(slope, intercept) >= self.p:
            raise InvalidArgument(f"slope={slope}, intercept={intercept} is no concept of {self}")
        return Line(slope, intercept, self.p)

    def _scores(self, x: Vector, y: Vector, gains: Gains) -> Vector:
        scores = np.zeros((self.p, self.p), dtype=np.int64)
        for slope in range(self.p):
            np.add.at(scores[slope], (y - slope * x) % self.p, gains)
        return scores.ravel()


@dataclass(frozen=True, slots=True, repr=False)
class _Pencils:
    """The lines through m < p points, and those that miss them all.

    `slopes`, `intercepts`, `scores` describe the lines with two points or more; `bundles[i]` is
    their number through point i. `special` are the different slopes among them, increasing, and
    `saved[j]` is how many intercepts the points have less than m on the first j of these slopes.
    """

    x: Vector
    y: Vector
    p: int
    slopes: Vector
    intercepts: Vector
    scores: Vector
    bundles: Vector
    special: Vector
    saved: Vector

    @classmethod
    def of(cls, x: Vector, y: Vector, gains: Gains, p: int) -> _Pencils:
        """Go through the points; each finds the lines to the others, and keeps those it leads."""
        bundles = np.zeros(len(x), dtype=np.int64)
        kept = [np.empty((4, 0), dtype=np.int64)]
        for i in range(len(x)):
            others = np.flatnonzero(x != x[i])
            toward = _toward(x, y, i, others, p)
            slopes, first, line = np.unique(toward, return_index=True, return_inverse=True)
            bundles[i] = len(slopes)
            scores = np.full(len(slopes), gains[i], dtype=np.int64)
            np.add.at(scores, line, gains[others])
            shared = np.bincount(line, minlength=len(slopes))
            led = others[first] > i
            found = np.stack([slopes, (y[i] - slopes * x[i]) % p, scores, shared])
            kept.append(found[:, led])
        slopes, intercepts, scores, shared = np.concatenate(kept, axis=1)
        special, which = np.unique(slopes, return_inverse=True)
        saved = np.zeros(len(special) + 1, dtype=np.int64)
        np.add.at(saved, which + 1, shared)
        return cls(x, y, p, slopes, intercepts, scores, bundles, special, np.cumsum(saved))

    def cells(self, gains: Gains) -> Cells[Line]:
        """Return the cells: lines with two points or more, one point's own, and the rest."""
        once = [self.p - int(bundle) for bundle in self.bundles]
        missing = self.p**2 - len(self.slopes) - sum(once)
        return Cells(
            np.concatenate([self.scores, gains, [0]]).astype(np.int64),
            integers([1] * len(self.slopes) + once + [missing]),
            self.member,
        )

    def member(self, cell: int, rank: int) -> Line:
        """Return the line of a rank in a cell."""
        if cell < len(self.slopes):
            return Line(int(self.slopes[cell]), int(self.intercepts[cell]), self.p)
        point = cell - len(self.slopes)
        if point < len(self.x):
            others = np.flatnonzero(self.x != self.x[point])
            slope = _absent(_toward(self.x, self.y, point, others, self.p), rank)
            x, y = int(self.x[point]), int(self.y[point])
            return Line(slope, (y - slope * x) % self.p, self.p)
        slope = bisect_right(range(self.p), rank, key=self._missing_below) - 1
        taken = (self.y - slope * self.x) % self.p
        return Line(slope, _absent(taken, rank - self._missing_below(slope)), self.p)

    def _missing_below(self, slope: int) -> int:
        """How many lines with a smaller slope miss all points."""
        saved = int(self.saved[np.searchsorted(self.special, slope)])
        return slope * (self.p - len(self.x)) + saved


def _toward(x: Vector, y: Vector, i: int, others: Vector, p: int) -> Vector:
    """Return the slopes of the lines from point i to others with a different x."""
    slopes: Vector = (y[others] - y[i]) % p * inverses((x[others] - x[i]) % p, p) % p
    return slopes


def inverses(values: Vector, p: int) -> Vector:
    """Invert nonzero residues modulo a prime, by one inversion and three products each.

    >>> inverses(np.array([1, 2, 3, 4]), 5).tolist()
    [1, 3, 2, 4]
    """
    if len(values) <= 1:
        return np.array([pow(int(value), -1, p) for value in values], dtype=np.int64)
    half = len(values) // 2
    left, right, odd = values[:half], values[half : 2 * half], values[2 * half :]
    both = inverses(np.concatenate([left * right % p, odd]), p)
    product, last = both[:half], both[half:]
    return np.concatenate([product * right % p, product * left % p, last])


def _absent(taken: Vector, rank: int) -> int:
    """Return the natural number of a rank among those that are not taken."""
    ordered = np.unique(taken)
    return rank + int(np.searchsorted(ordered - np.arange(len(ordered)), rank, side="right"))
