"""Synthetic rows from a noisy histogram, over all tiny databases."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.sanitizers import Attributes, HistogramSanitizer
from tacit.statistics import Counts


def _case(shape: tuple[int, ...], n: int, epsilon: str, *, tight: bool = False) -> Case:
    sanitizer = HistogramSanitizer(Attributes(shape), epsilon=epsilon)
    universe = tuple(product(*map(range, shape)))

    def law(database: tuple[Any, ...]) -> Law[Any]:
        return sanitizer.law(Counts.of(database))

    setting = f"{shape} cells, n={n}, epsilon={epsilon}"
    return Case(
        "histogram-sanitizer", setting, "sanitizer", sanitizer.cost, universe, n, law, tight=tight
    )


CASES = (
    _case((3,), 3, "1", tight=True),
    _case((3,), 2, "1/2", tight=True),
    _case((2, 2), 1, "2", tight=True),
)
