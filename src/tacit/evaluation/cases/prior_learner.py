"""The learner with a prior: its weights are public, so the generic learner's proof serves."""

from __future__ import annotations

from itertools import product

from tacit.concepts.thresholds import Threshold, Thresholds
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.prior import PriorLearner
from tacit.statistics import LabelCounts

Row = tuple[int, tuple[int]]


def _case(concepts: Thresholds, n: int, epsilon: str) -> Case:
    learner = PriorLearner(concepts, epsilon=epsilon)
    points = range(concepts.domain_size)
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(points, (0, 1)))

    def law(database: tuple[Row, ...]) -> Law[Threshold]:
        return learner.law(LabelCounts.of(database, labels=1))

    setting = f"{concepts}, n={n}, epsilon={epsilon}"
    return Case("prior-learner", setting, "learner", learner.cost, universe, n, law, tight=True)


CASES = (
    _case(Thresholds(2), 3, "1"),
    _case(Thresholds(values=3), 4, "1/10"),
    _case(Thresholds(values=3, direction="both"), 3, "2"),
)
