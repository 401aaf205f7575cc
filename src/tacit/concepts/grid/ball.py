"""One ball with a rational centre."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, Points
from tacit.concepts.contract.feature import identifier, ranged, spoken
from tacit.concepts.grid.numbering import columns


@dataclass(frozen=True, slots=True)
class Ball(Concept):
    """Yes where |scale * x - centre|^2 <= bound, all in integers; never if bound < 0.

    The ball has centre `centre / scale` and squared radius `bound / scale^2`.

    >>> ball = Ball((7, 6), 2, 41)
    >>> ball.rule(["age", "bmi"])
    'the squared distance of (age, bmi) from (7/2, 3) is at most 41/4'
    >>> Ball((7,), 2, 9).sql(["age"])
    '("age" BETWEEN 2 AND 5)'
    """

    centre: tuple[int, ...]
    scale: int
    bound: int

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        along = columns(points, len(self.centre))
        if len(self.centre) == 1:
            low, high = self.ends
            above = np.asarray(along[0] >= low, dtype=np.bool_)
            return above & np.asarray(along[0] <= high, dtype=np.bool_)
        offsets = [self.scale * x - c for x, c in zip(along, self.centre, strict=True)]
        return np.asarray(sum(x * x for x in offsets) <= self.bound, dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        if self.bound < 0:
            return "never"
        if len(self.centre) == 1:
            return ranged(names[0], *self.ends)
        centre = ", ".join(str(Fraction(c, self.scale)) for c in self.centre)
        square = Fraction(self.bound, self.scale**2)
        point = ", ".join(map(spoken, names))
        return f"the squared distance of ({point}) from ({centre}) is at most {square}"

    def sql(self, names: Sequence[str], /) -> str:
        """Write the function as a SQL expression; 64 bits wide, so that nothing overflows."""
        quoted = [identifier(name) for name in names]
        if self.bound < 0:
            return "(1 = 0)"
        if len(self.centre) == 1:
            low, high = self.ends
            return f"({quoted[0]} BETWEEN {low} AND {high})"
        factor = "" if self.scale == 1 else f" * {self.scale}"
        offsets = [
            f"(CAST({column} AS BIGINT){factor} {'-' if c >= 0 else '+'} {abs(c)})"
            for column, c in zip(quoted, self.centre, strict=True)
        ]
        return f"({' + '.join(f'{offset} * {offset}' for offset in offsets)} <= {self.bound})"

    @property
    def ends(self) -> tuple[int, int]:
        """Return the first and the last integer of a ball on a line."""
        if self.bound < 0:
            return 1, 0
        radius = isqrt(self.bound)
        return -((radius - self.centre[0]) // self.scale), (self.centre[0] + radius) // self.scale
