"""k points from one histogram: two labels, proper and not."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.points import Points
from tacit.core.exact import Exact
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.histogram import HistogramLearner
from tacit.statistics import JointCounts

Row = tuple[int, tuple[int, ...]]


def _case(n: int, labels: int, epsilon: Exact, delta: Exact, *, proper: bool = False) -> Case:
    learner = HistogramLearner(
        Points(1), labels=labels, epsilon=epsilon, delta=delta, proper=proper
    )
    universe = tuple((x, marks) for x in (0, 1) for marks in product((0, 1), repeat=labels))

    def law(database: tuple[Row, ...]) -> Law[Any]:
        return learner.law(JointCounts.of(database, labels=labels))

    setting = f"{labels} labels, n={n}, proper={proper}, epsilon={epsilon}, delta={delta}"
    return Case("histogram-learner", setting, "learner", learner.cost, universe, n, law)


CASES = (
    _case(3, 2, "1", "1/10"),
    _case(4, 1, "2", "1/20"),
    _case(3, 2, "1/2", "1/100", proper=True),
)
