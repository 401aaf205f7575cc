"""Synthetic rows for points, over all tiny databases."""

from __future__ import annotations

from typing import Any

from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.sanitizers import Line, PointSanitizer
from tacit.statistics import Counts


def _case(size: int, n: int, epsilon: str, delta: str, *, tight: bool = False) -> Case:
    sanitizer = PointSanitizer(Line(size), epsilon=epsilon, delta=delta)

    def law(database: tuple[Any, ...]) -> Law[Any]:
        return sanitizer.law(Counts.of(database))

    setting = f"{size} points, n={n}, epsilon={epsilon}, delta={delta}"
    universe = tuple(range(size))
    return Case(
        "point-sanitizer", setting, "sanitizer", sanitizer.cost, universe, n, law, tight=tight
    )


CASES = (
    _case(3, 4, "1", "1/7"),
    _case(4, 3, "2", "1/20"),
    _case(3, 6, "1/2", "1/5"),
)
