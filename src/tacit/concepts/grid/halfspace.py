"""One halfspace with integer weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, Points
from tacit.concepts.contract.feature import identifier, ranged, spoken
from tacit.concepts.grid.numbering import columns


@dataclass(frozen=True, slots=True)
class Halfspace(Concept):
    """Yes where the weighted sum of the coordinates is at least the threshold.

    >>> h = Halfspace((2, 3), 40)
    >>> h.rule(["age", "bmi"])
    '2*age + 3*bmi is at least 40'
    >>> h.sql(["age", "bmi"])
    '(CAST("age" AS BIGINT) * 2 + CAST("bmi" AS BIGINT) * 3 >= 40)'
    """

    weights: tuple[int, ...]
    threshold: int

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        along = columns(points, len(self.weights))
        terms = [w * x for w, x in zip(self.weights, along, strict=True) if w]
        if not terms:
            return np.full(len(points), self.threshold <= 0)
        return np.asarray(sum(terms[1:], terms[0]) >= self.threshold, dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        terms = [(w, name) for w, name in zip(self.weights, names, strict=True) if w]
        if not terms:
            return "always" if self.threshold <= 0 else "never"
        way, (first, name) = 1 if terms[0][0] > 0 else -1, terms[0]
        bound, threshold = f"is at {'least' if way > 0 else 'most'}", way * self.threshold
        if len(terms) == 1 and first == way:
            return ranged(name, threshold) if way > 0 else ranged(name, 0, threshold)
        text = "".join(f"{_factor(way * w)}{spoken(name)}" for w, name in terms)
        return f"{text.removeprefix(' + ')} {bound} {threshold}"

    def sql(self, names: Sequence[str], /) -> str:
        """Write the function as a SQL expression; 64 bits wide, so that nothing overflows."""
        terms = [(w, identifier(name)) for w, name in zip(self.weights, names, strict=True) if w]
        if not terms:
            return "(1 = 1)" if self.threshold <= 0 else "(1 = 0)"
        if len(terms) == 1 and abs(terms[0][0]) == 1:
            way, column = terms[0]
            return f"({column} {'>=' if way > 0 else '<='} {way * self.threshold})"
        text = " + ".join(f"CAST({column} AS BIGINT) * {w}" for w, column in terms)
        return f"({text} >= {self.threshold})"


def _factor(weight: int) -> str:
    times = "" if abs(weight) == 1 else f"{abs(weight)}*"
    return f" {'+' if weight > 0 else '-'} {times}"
