"""The prefix learner of thresholds: length, prefix and threshold all told, over all databases."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.line.thresholds import Direction, Thresholds
from tacit.core.chance.law import Law
from tacit.core.cost import Approximate
from tacit.learners.thresholds.prefix_threshold import PrefixThresholdLearner
from tacit.statistics import LabelCounts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int]]


def _case(
    bits: int,
    n: int,
    epsilon: str,
    delta: str,
    bars: tuple[int, int],
    direction: Direction = "up",
    *,
    points: tuple[int, ...] = (0, 1, 2, 3),
) -> Case:
    learner = PrefixThresholdLearner(
        Thresholds(bits, direction), epsilon=epsilon, delta=delta, bars=bars
    )
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(points, (0, 1)))

    def law(database: tuple[Row, ...]) -> Law[Any]:
        return learner.transcript(LabelCounts.of(database, labels=1))

    setting = f"{learner.concepts}, n={n}, bars={bars}, epsilon={epsilon}, delta={delta}"
    claim = Approximate(learner.epsilon, learner.delta)
    return Case(
        "prefix-threshold-learner",
        setting,
        "learner",
        claim,
        universe,
        n,
        law,
        drawn=Route(learner, labelled),
    )


CASES = (
    _case(2, 3, "1", "1/20", (1, 1)),
    _case(2, 4, "2", "1/10", (1, 0)),
    _case(3, 4, "1/2", "1/100", (1, 1), "down", points=(3, 4, 5)),
    _case(2, 3, "3", "1/5", (1, 2), "both"),
    _case(2, 3, "6", "1/10", (1, 1)),
)

PROBES = tuple(
    Probe(_case(2, 1000, epsilon, "1/100", bars), 600, neighbours=1)
    for epsilon, bars in (("1/20", (20, 20)), ("8", (2, 2)))
)
