"""Lines and single points of a plane: what the learners of lines put out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.algebra.lines import Line, Lines
from tacit.concepts.contract.concept_class import Concept, HypothesisClass, Points
from tacit.concepts.contract.feature import identifier, shown
from tacit.core import InvalidArgument, check


@dataclass(frozen=True, slots=True)
class PlanePoint(Concept):
    """Yes at one point (x, y) and nowhere else.

    >>> PlanePoint(3, 5).rule(["row", "seat"]), PlanePoint(3, 5).sql(["row", "seat"])
    ('row is 3 and seat is 5', '("row" = 3 AND "seat" = 5)')
    """

    x: int
    y: int

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        return np.asarray((points[:, 0] == self.x) & (points[:, 1] == self.y), dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        named = zip(names[:2], (self.x, self.y), strict=True)
        return " and ".join(f"{name} is {shown(name, value)}" for name, value in named)

    def sql(self, columns: Sequence[str], /) -> str:
        x, y = map(identifier, columns[:2])
        return f"({x} = {self.x} AND {y} = {self.y})"


@dataclass(frozen=True, slots=True)
class LinesOrPoints(HypothesisClass[Line | PlanePoint]):
    """The lines over the integers modulo a prime p, and the single points of their plane.

    >>> str(LinesOrPoints(7)), LinesOrPoints(7).decode({"x": 3, "y": 5})
    ('lines_or_points(p=7)', PlanePoint(x=3, y=5))
    """

    p: int

    family: ClassVar[str] = "lines_or_points"
    features: ClassVar[int] = 2

    def __post_init__(self) -> None:
        Lines(self.p)

    def clip(self, points: Points, /) -> Points:
        return Lines(self.p).clip(points)

    def encode(self, concept: Line | PlanePoint, /) -> dict[str, Any]:
        if isinstance(concept, PlanePoint):
            return {"x": concept.x, "y": concept.y}
        return Lines(self.p).encode(concept)

    def decode(self, encoded: dict[str, Any], /) -> Line | PlanePoint:
        if set(encoded) != {"x", "y"}:
            return Lines(self.p).decode(encoded)
        x, y = check.count(x=encoded["x"]), check.count(y=encoded["y"])
        if max(x, y) >= self.p:
            raise InvalidArgument(f"x={x}, y={y} is no hypothesis of {self}")
        return PlanePoint(x, y)
