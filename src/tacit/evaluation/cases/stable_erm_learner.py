"""Votes of the standard optimal algorithm: records dealt to the blocks by position."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.specification import parse
from tacit.core.composition import price
from tacit.core.cost import Approximate
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.stable_erm import StableErmLearner
from tacit.statistics import LabelCounts

Row = tuple[Any, tuple[int]]


def _case(
    spec: str, blocks: int, size: int, epsilon: str, delta: str, *, tight: bool = False
) -> Case:
    concepts = parse(spec)
    learner = StableErmLearner(concepts, epsilon=epsilon, delta=delta, blocks=blocks)
    universe: tuple[Row, ...] = tuple(
        (x, (y,)) for x, y in product(concepts.domain().tolist(), (0, 1))
    )

    def law(database: tuple[Row, ...]) -> Law[Any]:
        starts = range(0, blocks * size, size)
        dealt = [LabelCounts.of(database[i : i + size], labels=1) for i in starts]
        sample = LabelCounts.of(database, labels=1)
        return learner.law_of_votes(map(learner.vote, dealt), sample)

    total = price(learner.cost, delta).privacy
    setting = f"{spec}, {blocks} blocks of {size}, epsilon={epsilon}, delta={delta}"
    return Case(
        "stable-erm-learner",
        setting,
        "learner",
        Approximate(total.epsilon, total.delta),
        universe,
        blocks * size,
        law,
        symmetric=False,
        tight=tight,
    )


CASES = (
    _case("thresholds(bits=1)", 4, 1, "2", "1/5"),
    _case("thresholds(bits=1)", 2, 2, "1", "1/10"),
    _case("points(bits=1)", 3, 1, "4", "1/3", tight=True),
)
