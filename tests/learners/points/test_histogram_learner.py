"""k points from one histogram: golden numbers, totality, and simulation."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import poisson

from tacit.concepts.line.points import Point, Points
from tacit.concepts.outputs.never import NEVER
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.learners import HistogramLearner
from tacit.mechanisms import StabilitySelection
from tacit.statistics import JointCounts
from tacit.verify.enough.simulation import alarm
from tacit.workflows.planning.plan import plan

TENTH = Fraction(1, 10)
GOAL = Accuracy("0.1", "0.05")


def _learner(labels: int, *, proper: bool = False, bits: int = 16) -> HistogramLearner:
    return HistogramLearner(Points(bits), labels=labels, epsilon=1, delta="1e-6", proper=proper)


@pytest.mark.parametrize(
    ("alpha", "beta", "epsilon", "delta", "labels", "golden", "proper"),
    [
        ("0.1", "0.05", 1, "1e-6", 1000, 450, 946),
        ("0.05", "0.05", 1, "1e-6", 1000, 946, 1977),
        ("0.1", "0.05", "0.1", "1e-6", 1000, 3637, 7567),
        ("0.01", "0.01", 1, "1e-9", 10**6, 7366, 15121),
    ],
)
def test_rows_are_at_most_the_golden_numbers(
    alpha: str, beta: str, epsilon: str, delta: str, labels: int, golden: int, proper: int
) -> None:
    goal = Accuracy(alpha, beta)
    for is_proper, known in ((False, golden), (True, proper)):
        learner = HistogramLearner(
            Points(64), labels=labels, epsilon=epsilon, delta=delta, proper=is_proper
        )
        n = learner.sample_size(goal)
        assert 0.8 * known <= n <= known
        assert learner.failure(n, goal.alpha) <= goal.beta < learner.failure(n - 1, goal.alpha)


@pytest.mark.parametrize("proper", [False, True])
@pytest.mark.parametrize(
    ("epsilon", "delta", "beta", "saved"),
    [("1", "1e-6", "0.05", 0.07), ("4", "1e-6", "0.05", 0.05), ("1", "1e-9", "1e-6", 0.01)],
)
def test_two_factors_need_fewer_rows(
    epsilon: str, delta: str, beta: str, saved: float, *, proper: bool
) -> None:
    goal = Accuracy("0.1", beta)
    public: dict[str, Any] = {"labels": 9, "epsilon": epsilon, "delta": delta, "proper": proper}
    planned = HistogramLearner.planned(Points(16), **public, accuracy=goal)
    n, equal = planned.sample_size(goal), HistogramLearner(Points(16), **public).sample_size(goal)
    assert n <= (1 - saved) * equal
    assert planned.failure(n, goal.alpha) <= goal.beta < planned.failure(n - 1, goal.alpha)
    assert planned.cost == HistogramLearner(Points(16), **public).cost


def test_the_planner_divides_epsilon_by_the_goal() -> None:
    found = plan("points(bits=16)", alpha="0.1", epsilon=1, delta="1e-6", labels=1000)
    assert found.answer == 395 < _learner(1000).sample_size(GOAL)


def test_rows_do_not_grow_with_the_labels_or_the_domain() -> None:
    sizes = [_learner(k).sample_size(GOAL) for k in (1, 10, 100, 1000)]
    assert sizes == sorted(sizes)
    assert sizes[1:] == [433, 433, 433]
    assert _learner(10, bits=1024).sample_size(GOAL) == 433


@pytest.mark.parametrize(("labels", "needed"), [(1, 366), (2, 388), (3, 400), (5, 415), (9, 432)])
def test_labels_of_heavy_points_need_the_rows_that_are_printed(labels: int, needed: int) -> None:
    """The exact failure for so many points of mass 1/10: what is printed is at most a row more."""
    missed = StabilitySelection(1, "1e-6").table.failures().floats()

    def failure(n: int) -> float:
        """Count rows as Poisson variables, given that they are n together."""
        told = poisson.pmf(np.arange(n + 1), n / 10)
        told[: len(missed)] *= 1 - missed
        sums = poisson.pmf(np.arange(n + 1), n * (1 - labels / 10))
        for _ in range(labels):
            sums = np.convolve(sums, told)[: n + 1]
        return float(1 - sums[n] / poisson.pmf(n, n))

    assert failure(needed) <= 0.05 < failure(needed - 1)
    assert needed <= _learner(labels).sample_size(GOAL) <= needed + 1


def test_accuracy_turns_sample_size_around() -> None:
    for proper in (False, True):
        learner = _learner(50, proper=proper)
        n = learner.sample_size(GOAL)
        promised = learner.accuracy(n, "0.05")
        assert promised is not None
        assert promised.alpha <= TENTH
        assert learner.sample_size(promised) <= n
        assert learner.accuracy(3, "0.05") is None


def _rows(masses: list[float], n: int, labels: int, rng: Seeded) -> JointCounts:
    """Draw rows; label j is yes at point j, the last point has no label."""
    drawn = np.searchsorted(np.cumsum(masses)[:-1], rng.words(n) * 2.0**-64, side="right")
    totals = np.bincount(drawn, minlength=len(masses))
    marks = np.zeros((len(masses), labels), dtype=np.bool_)
    for j in range(labels):
        marks[j, j] = True
    seen = totals > 0
    return JointCounts(n, labels, np.arange(len(masses))[seen], marks[seen], totals[seen])


POPULATIONS = {
    "nine just above": [0.1001] * 9 + [0.0991],
    "two": [0.1001, 0.8999],
    "halves": [0.5, 0.5],
    "light": [0.05] * 20,
    "mixed": [0.1001, 0.3, 0.0999, 0.2, 0.3],
}


@pytest.mark.parametrize("name", POPULATIONS)
@pytest.mark.parametrize("proper", [False, True])
def test_failures_stay_below_beta(name: str, proper: bool) -> None:
    masses, runs = POPULATIONS[name], 600
    k = min(9, len(masses) - 1)
    learner, rng = _learner(k, proper=proper), Seeded(17)
    n, failed = learner.sample_size(GOAL), 0
    for _ in range(runs):
        hypotheses = learner(_rows(masses, n, k, rng), rng=rng)
        worst = max(
            sum(m for x, m in enumerate(masses) if (x == j) != bool(h(np.array([x]))[0]))
            for j, h in enumerate(hypotheses)
        )
        failed += worst > 0.1
    assert failed < alarm(runs, GOAL.beta)


def test_fewer_rows_do_fail() -> None:
    learner, rng, runs = _learner(9), Seeded(3), 300
    masses = POPULATIONS["nine just above"]
    failed = sum(NEVER in learner(_rows(masses, 250, 9, rng), rng=rng) for _ in range(runs))
    assert failed > 0.05 * runs  # so 433 is within a factor of 1.8 of what is needed here


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.integers(-3, 9), st.tuples(st.integers(0, 1), st.integers(0, 1))), max_size=40
    ),
    proper=st.booleans(),
)
def test_every_sample_gives_hypotheses(
    rows: list[tuple[int, tuple[int, int]]], proper: bool
) -> None:
    learner = HistogramLearner(Points(3), labels=2, epsilon=4, delta="0.1", proper=proper)
    learned = learner(JointCounts.of(rows, labels=2), rng=Seeded(0))
    assert len(learned) == 2
    outputs = learner.hypotheses
    assert all(outputs.decode(outputs.encode(h)) == h for h in learned)
    if proper:
        assert all(isinstance(h, Point) and 0 <= h.at < 8 for h in learned)


def test_the_sampler_has_the_law() -> None:
    """Each share is within 6.5 deviations of the law: false alarm below 1e-8."""
    learner = HistogramLearner(Points(2), labels=2, epsilon=1, delta="1/20")
    rows = [(1, (1, 0))] * 4 + [(2, (0, 1))] * 3 + [(3, (1, 1)), (0, (0, 0))]
    sample, rng, runs = JointCounts.of(rows, labels=2), Seeded(1), 4000
    drawn = Counter(learner(sample, rng=rng) for _ in range(runs))
    law = learner.law(sample).probabilities
    assert sum(p > Fraction(1, 20) for p in law.values()) >= 4
    assert drawn.keys() <= law.keys()
    for told, p in law.items():
        assert abs(drawn[told] / runs - p) <= 6.5 * (float(p * (1 - p)) / runs) ** 0.5


def test_every_point_told_leaves_no_stand_in() -> None:
    learner = HistogramLearner(Points(1), labels=1, epsilon=9, delta="0.1", proper=True)
    sample = JointCounts.of([(x, (0,)) for x in (0, 1)] * 50, labels=1)
    assert learner(sample, rng=Seeded(0)) == (Point(0),)


def test_the_planner_offers_the_proper_one_where_rules_must_be_points() -> None:
    asked = {"alpha": "0.05", "epsilon": 1, "delta": "1e-6", "labels": 1000}
    best = plan("points(bits=16)", **asked, proper=True).best
    assert best is not None
    assert (best.name, best.n, best.proper) == ("proper-histogram", 1788, True)
    free = plan("points(bits=16)", **asked).best
    assert free is not None
    assert free.n < best.n
