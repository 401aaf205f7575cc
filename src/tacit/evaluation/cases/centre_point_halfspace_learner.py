"""Halfspaces through a deep point: rows dealt to blocks by position, and in a uniform order."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.halfspaces import Halfspaces
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.centre_point_halfspace import CentrePointHalfspaceLearner
from tacit.statistics import LabelCounts

Row = tuple[Any, tuple[int]]


def _case(bits: int, n: int, epsilon: str, blocks: int, *, dealt: bool) -> Case:
    concepts = Halfspaces(bits, 1)
    learner = CentrePointHalfspaceLearner(concepts, epsilon=epsilon, blocks=blocks)
    universe: tuple[Row, ...] = tuple(product(concepts.domain()[:, 0].tolist(), ((0,), (1,))))
    size = n // blocks

    def law(database: tuple[Row, ...]) -> Law[Any]:
        if dealt:
            return learner.law(LabelCounts.of(database, labels=1))
        parts = [database[i * size : (i + 1) * size] for i in range(blocks)]
        return learner.blocks_law([LabelCounts.of(part, labels=1) for part in parts])

    by = "in a uniform order" if dealt else "by position"
    setting = f"{concepts}, n={n}, {blocks} blocks {by}, epsilon={epsilon}"
    return Case(
        "centre-point-halfspace-learner",
        setting,
        "learner",
        learner.cost,
        universe,
        n,
        law,
        symmetric=dealt,
    )


CASES = (
    _case(1, 3, "1", 3, dealt=False),
    _case(1, 4, "2", 2, dealt=True),
)
