"""k points with pure privacy: golden numbers, simulation, and the planner's offers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from tacit.concepts.line.points import Point, Points
from tacit.concepts.outputs.never import NEVER
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.learners import PureHistogramLearner
from tacit.mechanisms import PureHistogram
from tacit.statistics import JointCounts
from tacit.verify.enough.simulation import alarm
from tacit.workflows.planning.plan import plan
from tests.learners.points.test_histogram_learner import _rows

GOAL = Accuracy("0.1", "0.05")


def _learner(labels: int, *, bits: int = 16, proper: bool = False) -> PureHistogramLearner:
    return PureHistogramLearner(Points(bits), labels=labels, epsilon=1, beta="0.05", proper=proper)


@pytest.mark.parametrize(
    ("bits", "labels", "proper", "rows"),
    [(16, 1000, False, 31_036), (16, 1000, True, 62_449), (64, 1000, False, 32_400)],
)
def test_golden_numbers(bits: int, labels: int, proper: bool, rows: int) -> None:
    learner, goal = _learner(labels, bits=bits, proper=proper), Accuracy("0.05", "0.05")
    n = learner.sample_size(goal)
    assert n == rows
    assert learner.failure(n, goal.alpha) <= goal.beta < learner.failure(n - 1, goal.alpha)
    promised = learner.accuracy(n, "0.05")
    assert promised is not None
    assert promised.alpha <= goal.alpha
    with pytest.raises(InvalidArgument, match="make it for that"):
        learner.sample_size(Accuracy("0.05", "0.01"))


def test_rows_follow_the_labels_the_domain_and_the_budget() -> None:
    for sizes in (
        [_learner(k).sample_size(GOAL) for k in (1, 2, 10, 1000, 10**9)],
        [_learner(9, bits=b).sample_size(GOAL) for b in (1, 16, 64, 1024)],
        [
            PureHistogramLearner(Points(8), labels=5, epsilon=e, beta="0.05").sample_size(GOAL)
            for e in ("100", "10", "1", "0.1", "0.001")
        ],
    ):
        assert sizes == sorted(sizes)
        assert sizes[0] < sizes[-1]


@pytest.mark.parametrize("proper", [False, True])
@pytest.mark.parametrize("masses", [[0.1001] * 9 + [0.0991], [0.5, 0.5], [0.05] * 20])
def test_failures_stay_below_beta(masses: list[float], proper: bool) -> None:
    k, runs = min(9, len(masses) - 1), 200
    learner, rng = _learner(k, proper=proper), Seeded(5)
    n, failed = learner.sample_size(GOAL), 0
    for _ in range(runs):
        told = learner(_rows(masses, n, k, rng), rng=rng)
        worst = max(
            sum(m for x, m in enumerate(masses) if (x == j) != bool(h(np.array([x]))[0]))
            for j, h in enumerate(told)
        )
        failed += worst > 0.1
    assert failed < alarm(runs, GOAL.beta)


def test_the_law_is_that_of_the_noise_on_every_record() -> None:
    """Told records by the histogram's own law, which lists the noisy counts too."""
    learner = PureHistogramLearner(Points(1), labels=1, epsilon=2, beta="1/2")
    sample = JointCounts.of([(0, (1,)), (0, (1,)), (1, (0,))], labels=1)
    histogram = PureHistogram(2, 4, threshold=learner.threshold)
    drawn: Counter[object] = Counter()
    for told, chance in histogram.law(learner._keys(sample)).probabilities.items():
        marked = [key >> 1 for key, _ in told if key & 1]
        drawn[(Point(min(marked)) if marked else NEVER,)] += chance  # type: ignore[assignment]
    assert drawn == dict(learner.law(sample).probabilities)


def test_a_law_of_many_records_is_within_its_slack() -> None:
    sample = JointCounts.of([(3, (1, 0, 1))] * 40, labels=3)
    law = _learner(3, bits=4).law(sample)
    assert 0 < law.slack <= Fraction(1, 20)
    assert law[(Point(3), NEVER, Point(3))] > Fraction(9, 10)


@pytest.mark.parametrize("proper", [False, True])
def test_the_planner_offers_them(proper: bool) -> None:
    asked = {"alpha": "0.05", "epsilon": 1, "labels": 1000}
    best = plan("points(bits=16)", **asked, proper=proper).best
    assert best is not None
    assert best.name == ("proper-" * proper) + "pure-histogram"
    assert best.n == (62_449 if proper else 31_036)
