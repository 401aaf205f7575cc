"""Covers of the points: the splits of a line, and the points that occur often."""

from __future__ import annotations

from typing import Any

from tacit.concepts.points import Points
from tacit.concepts.thresholds import Thresholds
from tacit.core.cost import Approximate, Pure
from tacit.core.exact import Exact
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.covers_of_points import SplitCover, ToldCover
from tacit.statistics import Counts

UNIVERSE = (0, 1, 2)


def _split(n: int, depth: int, epsilon: Exact) -> Case:
    cover = SplitCover(Thresholds(values=3), epsilon=epsilon, depth=depth)

    def law(database: tuple[int, ...]) -> Law[Any]:
        return cover.law(Counts.of(database))

    setting = f"3 points, n={n}, depth {depth}, epsilon={epsilon} a level"
    claim = Pure(depth * cover.epsilon)
    return Case("split-cover", setting, "mechanism", claim, UNIVERSE, n, law)


def _told(n: int, epsilon: Exact, delta: Exact) -> Case:
    cover = ToldCover(Points(values=3), epsilon=epsilon, delta=delta)

    def law(database: tuple[int, ...]) -> Law[Any]:
        return cover.law(Counts.of(database))

    setting = f"3 points, n={n}, epsilon={epsilon}, delta={delta}"
    claim = Approximate(cover.epsilon, cover.delta)
    return Case("told-cover", setting, "mechanism", claim, UNIVERSE, n, law)


CASES = (
    _split(3, 1, "1"),
    _split(4, 2, "1/2"),
    _split(3, 1, "2"),
    _told(4, "1", "1/10"),
    _told(5, "1/2", "1/50"),
)
