"""A local learner on made-up reports: exact law, sampler, sizes; promises are tried with its kin.

Simulations on hard populations are in test_statistical_query.py.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

from tacit.concepts.contract.specification import parse
from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.learners import LocalLearner, SimulatedLocalLearner, StatisticalQueryLearner, named
from tacit.learners.contract.entry import Request
from tacit.mechanisms import RandomisedResponse
from tacit.statistics import LabelCounts
from tacit.theory.enough.simulated_zero_test import SimulatedZeroTest
from tacit.theory.enough.zero_test import LocalZeroTest, gap, size

F = Fraction
GOAL = Accuracy("0.1", "0.05")
FALSE_ALARM = 1e-9


def _few(spec: str, *, reports: int = 4, epsilon: str = "1") -> SimulatedLocalLearner[Any]:
    local = LocalLearner(parse(spec), epsilon=2, beta="1/2")
    return SimulatedLocalLearner(local, reports=reports, epsilon=epsilon, beta="3/4")


def test_golden_sizes() -> None:
    """Less than twice what its own queries need without a local learner in between."""
    sizes = {
        "thresholds(bits=10)": (910, 1900),
        "points(bits=8)": (697, 2780),
        "conjunctions(dims=5, width=3)": (10626, 6856),
    }
    for spec, expected in sizes.items():
        learner = SimulatedLocalLearner.planned(parse(spec), epsilon=1, accuracy=GOAL)
        n = learner.sample_size(GOAL)
        assert (learner.reports, n) == expected
        best = StatisticalQueryLearner(parse(spec), epsilon=1).sample_size(GOAL)
        assert best < n < 2 * best


@given(st.integers(-3, 12), st.integers(0, 9), st.fractions(F(1, 10), 6))
def test_a_report_is_that_of_a_row_drawn_with_the_noisy_share(
    told: int, rows: int, epsilon: Fraction
) -> None:
    local = LocalLearner(Thresholds(2), epsilon=epsilon)
    learner = SimulatedLocalLearner(local, reports=3, epsilon=1)
    share = F(min(max(told, 0), rows), rows) if rows else F(0)
    response = RandomisedResponse(epsilon)
    assert (
        learner.chance(told, rows) == (1 - share) * response.law(0)[1] + share * response.law(1)[1]
    )


def test_the_law_is_the_formula() -> None:
    """One query: noise on the count, the share of it, a binomial number of yeses, the cut."""
    learner = _few("thresholds(bits=1)")
    rows = [(0, 1), (0, 1), (1, 1), (0, 0)]
    q, flip, cut = Decay.of(F(1)).ratio, 1 - RandomisedResponse(2).keep, learner._test.cut(0)
    some = F(0)
    for z in range(-250, 250):
        share = F(min(max(2 + z, 0), 4), 4)
        yes = flip + (1 - 2 * flip) * share
        heard = [comb(4, k) * yes**k * (1 - yes) ** (4 - k) for k in range(5)]
        above = [sum(heard[max(cut.count + i, 0) :], F(0)) for i in (1, 2)]
        chance = (1 - cut.share) * above[0] + cut.share * above[1]
        some += (1 - q) / (1 + q) * q ** abs(z) * chance
    law = learner.law(LabelCounts.of([(x, (y,)) for x, y in rows], labels=1))
    assert abs(law[Threshold(0)] - some) < F(1, 10**60)
    assert 0.1 < some < 0.9


@pytest.mark.parametrize(
    ("spec", "rows"),
    [
        ("thresholds(bits=2)", [(0, 1), (1, 0), (2, 1), (3, 1), (1, 1), (0, 1)]),
        ("points(bits=1)", [(1, 1), (0, 0), (1, 1), (0, 1)]),
        ("conjunctions(dims=1, width=1)", [((0,), 1), ((1,), 1), ((1,), 0)]),
    ],
)
def test_samples_follow_the_law(spec: str, rows: list[tuple[Any, int]]) -> None:
    learner, rng, runs = _few(spec), Seeded(3), 800
    sample = LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)
    law = learner.law(sample)
    seen = Counter(learner(sample, rng=rng) for _ in range(runs))
    outcomes = list(law.probabilities)
    expected = [runs * float(law[h]) for h in outcomes]
    assert min(expected) > 5
    assert chisquare([seen[h] for h in outcomes], expected).pvalue > FALSE_ALARM


def _wrong(test: SimulatedZeroTest, m: int, p: float, *, some: bool) -> float:
    """Return the chance of a wrong verdict in floating point: a sum over count and noise."""
    q, flip, cut = float(test.decay.ratio), float(test.local.flip), test.cut(0)
    counts, noises = np.arange(m + 1)[:, None], np.arange(-200, 200)
    weights = binom.pmf(counts, m, p) * (1 - q) / (1 + q) * q ** abs(noises)
    told = np.clip(counts + noises, 0, m)
    chances = flip + (1 - 2 * flip) * np.arange(m + 1) / m
    below = [binom.cdf(cut.count + i, test.reports, chances) for i in (0, 1)]
    none = (1 - float(cut.share)) * below[0] + float(cut.share) * below[1]
    return float((weights * (none if some else 1 - none)[told]).sum())


@pytest.mark.parametrize(("rate", "m"), [(1, 30), (2, 18)])
def test_the_bound_is_above_the_chance_and_near_it(rate: int, m: int) -> None:
    local = LocalZeroTest(Decay.of(F(3)), F(1, 100))
    test = SimulatedZeroTest(local, 40, Decay.of(F(rate)), F(1, 20))
    alarm, missed = _wrong(test, m, 0.0, some=False), _wrong(test, m, 0.4, some=True)
    assert alarm <= float(test._false_alarm(m)) < 1.6 * alarm
    assert missed <= float(test._missed(m, F(2, 5))) < 1.6 * missed
    assert test.miss(0, F(2, 5)) == 1


def test_promises() -> None:
    learner = SimulatedLocalLearner.planned(Thresholds(3), epsilon=1, accuracy=GOAL)
    n = learner.sample_size(GOAL)
    promised, later = learner.accuracy(n, "0.05"), learner.accuracy(3 * n, "0.05")
    assert promised is not None
    assert later is not None
    assert GOAL.alpha / 2 < later.alpha < promised.alpha <= GOAL.alpha
    assert learner.accuracy(n, "0.01") is None
    assert learner.accuracy(2, "0.05") is None


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_sample_gives_a_hypothesis(data: st.DataObject) -> None:
    specs = [
        "thresholds(bits=2, direction=both)",
        "points(values=6)",
        "conjunctions(dims=3, width=2)",
    ]
    learner = _few(data.draw(st.sampled_from(specs)), epsilon=data.draw(st.sampled_from("19")))
    features, values = learner.local.concepts.features, st.integers(-2, 20)
    point = values if features == 1 else st.tuples(*[values] * features)
    rows = data.draw(st.lists(st.tuples(point, st.tuples(st.integers(0, 1))), max_size=20))
    sample = LabelCounts.of(rows, labels=1)
    shape = (len(sample.points),) if features == 1 else (len(sample.points), features)
    n = sample.n + data.draw(st.integers(0, 3))
    sample = LabelCounts(n, 1, sample.points.reshape(shape), sample.totals, sample.positives)
    found = learner(sample, rng=Seeded(data.draw(st.integers(0, 99))))
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found


def test_sizes_and_gaps_are_inverse() -> None:
    local = LocalZeroTest(Decay.of(F(3)), F(1, 1600))
    test = SimulatedZeroTest(local, 500, Decay.of(F(1)), F(1, 100))
    for wanted in (F(1, 10), F(1, 3)):
        m = size(test, wanted)
        found = gap(test, m)
        assert found is not None
        assert test.miss(m, wanted) <= test.level < test.miss(m - 1, wanted)
        assert found <= wanted
        assert all(test.miss(m * k // 8, wanted) <= test.level for k in (10, 13, 20, 40))
    assert not test.reachable(F(1, 40))


def test_offered_by_name() -> None:
    request = Request(Thresholds(5), Privacy(1), 100, F(1, 5), F(1, 10), agnostic=False)
    learner = named("simulated-local")(request).learner
    assert learner == SimulatedLocalLearner.planned(
        Thresholds(5), epsilon=1, accuracy=Accuracy("0.2", "0.1")
    )
    assert (learner.proper, learner.agnostic, learner.cost.epsilon) == (True, False, 1)
    assert named("simulated-local").beaten_by == "statistical-query"


def test_bad_requests() -> None:
    local = LocalLearner(Points(3), epsilon=1)
    with pytest.raises(InvalidArgument, match="reports"):
        SimulatedLocalLearner(local, reports=0, epsilon=1)
    with pytest.raises(InvalidArgument, match="epsilon"):
        SimulatedLocalLearner(local, reports=1, epsilon=0)
    with pytest.raises(TooLarge, match="reports"):
        SimulatedLocalLearner(local, reports=1 << 28, epsilon=1)
    with pytest.raises(InvalidArgument, match="too few"):
        SimulatedLocalLearner(local, reports=20, epsilon=1, beta="0.9").sample_size(GOAL)
    with pytest.raises(InvalidArgument, match="made for"):
        SimulatedLocalLearner.planned(Points(3), epsilon=1, accuracy=GOAL).sample_size(
            Accuracy("0.1", "0.01")
        )
