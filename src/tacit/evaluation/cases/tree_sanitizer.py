"""Synthetic rows for thresholds from a noisy tree, over all tiny databases."""

from __future__ import annotations

from typing import Any

from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.sanitizers import TreeSanitizer
from tacit.statistics import Counts


def _case(bits: int, n: int, epsilon: str, *, tight: bool = False) -> Case:
    sanitizer = TreeSanitizer(bits, epsilon=epsilon)

    def law(database: tuple[Any, ...]) -> Law[Any]:
        return sanitizer.law(Counts.of(database))

    setting = f"{1 << bits} points, n={n}, epsilon={epsilon}"
    universe = tuple(range(1 << bits))
    return Case(
        "tree-sanitizer", setting, "sanitizer", sanitizer.cost, universe, n, law, tight=tight
    )


CASES = (
    _case(2, 3, "1", tight=True),
    _case(2, 2, "3", tight=True),
    _case(1, 4, "1/2", tight=True),
)
