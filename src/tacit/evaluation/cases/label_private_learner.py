"""The label-private learner: neighbours differ in one label, and all points are public."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from tacit.concepts.specification import parse
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.label_private import LabelPrivateLearner
from tacit.statistics import LabelCounts

Row = tuple[int, tuple[int]]


def _case(spec: str, n: int, epsilon: str, *, tight: bool = False) -> Case:
    concepts = parse(spec)
    learner = LabelPrivateLearner(concepts, epsilon=epsilon)
    universe: tuple[Row, ...] = tuple(
        (x, (y,)) for x, y in product(concepts.domain().tolist(), (0, 1))
    )

    def law(database: tuple[Row, ...]) -> Law[Any]:
        points = np.array([point for point, _ in database])
        return learner.law(points, LabelCounts.of(database, labels=1))

    return Case(
        "label-private-learner",
        f"{spec}, n={n}, epsilon={epsilon}",
        "learner",
        learner.privacy,
        universe,
        n,
        law,
        tight=tight,
    )


CASES = (
    _case("thresholds(bits=2)", 3, "1"),
    _case("points(bits=2)", 4, "1/2"),
    _case("intervals(bits=2)", 3, "2"),
    _case("thresholds(bits=1)", 24, "1", tight=True),
)
