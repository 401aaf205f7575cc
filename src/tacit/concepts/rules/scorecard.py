"""One scorecard: points for every column, and a threshold for their sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, Points
from tacit.concepts.contract.feature import identifier, ranged, shown, spoken
from tacit.concepts.grid.numbering import columns


@dataclass(frozen=True, slots=True)
class Parabola:
    """Points for a number: a multiple of its code and one of the code's square."""

    slope: int
    square: int


@dataclass(frozen=True, slots=True)
class Steps:
    """Points for a number in steps: a new step begins at each cut, so there is one step more.

    >>> Steps((18, 65), (0, 3, 7)).at(np.array([17, 18, 90])).tolist()
    [0, 3, 7]
    """

    cuts: tuple[int, ...]
    points: tuple[int, ...]

    def at(self, codes: NDArray[Any]) -> NDArray[np.int64]:
        """Return the points of codes."""
        return np.array(self.points)[np.searchsorted(self.cuts, codes, side="right")]

    def ranges(self) -> list[tuple[int, int | None, int]]:
        """Return the first code of each step, its last, None for the last one's, and its points."""
        ends: list[int | None] = [cut - 1 for cut in self.cuts]
        return list(zip((0, *self.cuts), [*ends, None], self.points, strict=True))


Weight = int | Parabola | Steps | tuple[int, ...]
"""What a column counts: a multiple of its code, also of its square, or points by step or code."""


@dataclass(frozen=True, slots=True)
class Scorecard(Concept):
    """Yes where the points of all columns add up to at least the threshold.

    `edges` are scores, ascending and 0 among them, that part rows into groups of about equal size,
    as far as whoever made the card can say; empty if nobody did.

    >>> card = Scorecard((2, (0, 7, 3)), 40)
    >>> card(np.array([[17, 0], [17, 1]])).tolist()
    [False, True]
    >>> card.rule(["age", "ward"])
    '2*age + (7 if ward is 1, 3 if ward is 2) is at least 40'
    >>> card.sql(["age", "ward"])
    '(CAST("age" AS BIGINT) * 2 + CASE "ward" WHEN 1 THEN 7 WHEN 2 THEN 3 ELSE 0 END >= 40)'
    >>> Scorecard((Parabola(8, -1), Parabola(6, -1)), 0).rule(["x", "y"])
    '8*x - x^2 + 6*y - y^2 is at least 0'
    >>> Scorecard((Steps((18, 65), (0, 3, 7)),), 3).rule(["age"])
    '(3 if age is between 18 and 64, 7 if age is at least 65) is at least 3'
    """

    weights: tuple[Weight, ...]
    threshold: int
    edges: tuple[int, ...] = ()

    @property
    def levels(self) -> tuple[int, ...]:
        """The edges, or 0 alone."""
        return self.edges or (0,)

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        return self.score(points) >= 0

    def score(self, points: Points, /) -> NDArray[np.int64]:
        """Add up the points, and subtract the threshold."""
        total = np.full(len(points), -self.threshold, dtype=np.int64)
        for weight, codes in zip(self.weights, columns(points, len(self.weights)), strict=True):
            total = total + _points(weight, codes)
        return total

    def always(self, sizes: Sequence[int]) -> bool | None:
        """Return the answer to all points of columns of such sizes, if it is one and the same.

        >>> Scorecard((2, (0, 7, 3)), 40).always((18, 3)), Scorecard((2,), 40).always((20,))
        (None, False)
        """
        each = [_points(w, _turning(w, size)) for w, size in zip(self.weights, sizes, strict=True)]
        if sum(int(points.max()) for points in each) < self.threshold:
            return False
        return True if sum(int(points.min()) for points in each) >= self.threshold else None

    def rule(self, names: Sequence[str], /) -> str:
        terms = "".join(_said(w, name) for w, name in zip(self.weights, names, strict=True))
        if not terms:
            return "always" if self.threshold <= 0 else "never"
        return f"{terms.removeprefix(' + ').lstrip()} is at least {self.threshold}"

    def sql(self, names: Sequence[str], /) -> str:
        """Write the function as a SQL expression; 64 bits wide, so that nothing overflows."""
        terms = [
            _written(weight, identifier(name))
            for weight, name in zip(self.weights, names, strict=True)
            if _counts(weight)
        ]
        return f"({' + '.join(terms) or '0'} >= {self.threshold})"


def _counts(weight: Weight) -> bool:
    """Whether a column has points at all."""
    match weight:
        case Steps(points=points):
            return any(points)
        case tuple():
            return any(weight)
        case Parabola(slope, square):
            return bool(slope or square)
    return bool(weight)


def _turning(weight: Weight, size: int) -> NDArray[np.int64]:
    """Return codes among which a column has its most and its fewest points."""
    codes: Sequence[int] = (0, size - 1)
    match weight:
        case Parabola(slope, square) if square:
            middle = -slope // (2 * square)
            codes = (0, middle, middle + 1, size - 1)
        case Steps(cuts):
            codes = (0, *cuts)
        case tuple():
            codes = range(size)
    return np.clip(np.array(codes, dtype=np.int64), 0, size - 1)


def _points(weight: Weight, codes: NDArray[Any]) -> NDArray[Any]:
    match weight:
        case int():
            return np.asarray(weight * codes)
        case Parabola(slope, square):
            return np.asarray((slope + square * codes) * codes)
        case Steps():
            return weight.at(codes)
    return np.asarray(np.array(weight)[codes])


def _said(weight: Weight, name: str) -> str:
    match weight:
        case int():
            return _term(weight, spoken(name))
        case Parabola(slope, square):
            return _term(slope, spoken(name)) + _term(square, f"{spoken(name)}^2")
        case Steps():
            parts = [f"{w} if {ranged(name, a, b)}" for a, b, w in weight.ranges() if w]
        case tuple():
            parts = [f"{w} if {name} is {shown(name, code)}" for code, w in enumerate(weight) if w]
    return f" + ({', '.join(parts)})" if parts else ""


def _term(weight: int, what: str) -> str:
    times = "" if abs(weight) == 1 else f"{abs(weight)}*"
    return f" {'+' if weight > 0 else '-'} {times}{what}" if weight else ""


def _written(weight: Weight, column: str) -> str:
    wide = f"CAST({column} AS BIGINT)"
    match weight:
        case int():
            return f"{wide} * {weight}"
        case Parabola(slope, square):
            return f"{wide} * ({slope} + {wide} * {square})"
        case Steps(cuts, (*points, last)):
            begun = " ".join(
                f"WHEN {column} < {cut} THEN {w}" for cut, w in zip(cuts, points, strict=True)
            )
            return f"CASE {begun} ELSE {last} END" if begun else str(last)
        case Steps():
            return "0"
    parts = " ".join(f"WHEN {code} THEN {w}" for code, w in enumerate(weight) if w)
    return f"CASE {column} {parts} ELSE 0 END" if parts else "0"
