"""The stable point learner, with and without its proper fall-back, over all labelled databases."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.points import Points
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.stable_point import StablePointLearner
from tacit.statistics import LabelCounts

Row = tuple[int, tuple[int]]


def _case(
    bits: int, n: int, epsilon: str, delta: str, *, proper: bool, tight: bool = False
) -> Case:
    learner = StablePointLearner(Points(bits), epsilon=epsilon, delta=delta, proper=proper)
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(range(1 << bits), (0, 1)))

    def law(database: tuple[Row, ...]) -> Law[Any]:
        return learner.law(LabelCounts.of(database, labels=1))

    kind = "proper" if proper else "improper"
    setting = f"{learner.concepts}, {kind}, n={n}, epsilon={epsilon}, delta={delta}"
    return Case(
        "stable-point-learner", setting, "learner", learner.cost, universe, n, law, tight=tight
    )


CASES = (
    _case(1, 7, "1", "1/100", proper=False, tight=True),
    _case(2, 4, "1/2", "1/20", proper=False, tight=True),
    _case(1, 6, "2", "1/10", proper=True),
    _case(2, 4, "1", "1/100", proper=True),
)
