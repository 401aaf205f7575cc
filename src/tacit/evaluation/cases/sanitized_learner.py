"""Sanitize, then learn: records dealt to the two pools by position."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from tacit.concepts.thresholds import Thresholds
from tacit.core.composition import price
from tacit.core.cost import Pure
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.covers_of_points import SplitCover
from tacit.learners.sanitized import SanitizedLearner
from tacit.statistics import Counts, LabelCounts

Row = tuple[int, tuple[int, ...]]


def _case(values: int, pools: tuple[int, int], cover: str, depth: int, epsilon: str) -> Case:
    splits = SplitCover(Thresholds(values=values), epsilon=cover, depth=depth)
    learner = SanitizedLearner(splits, epsilon=epsilon, share="1/2")
    first, n = pools[0], sum(pools)

    @cache
    def told(points: tuple[int, ...], rows: tuple[Row, ...]) -> Law[Any]:
        return learner.law_of_pools(Counts.of(points), LabelCounts.of(rows, labels=1))

    def law(database: tuple[Row, ...]) -> Law[Any]:
        points = tuple(sorted(x for x, _ in database[:first]))
        return told(points, tuple(sorted(database[first:])))

    claim = Pure(price(learner.cost).privacy.epsilon)
    name = f"{learner.concepts}, pools of {pools[0]} and {pools[1]}, cover {depth} x {cover}"
    setting = f"{name}, choice {epsilon}"
    universe = tuple(product(range(values), ((0,), (1,))))
    return Case("sanitized-learner", setting, "learner", claim, universe, n, law, symmetric=False)


CASES = (
    _case(3, (2, 1), "1/2", 1, "1/2"),
    _case(2, (2, 2), "1/4", 2, "1/2"),
    _case(3, (1, 2), "1/3", 2, "1"),
)
