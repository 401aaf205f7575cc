"""The line learner: golden sizes, the bound against exact sums, promises in simulation."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.concepts.algebra.lines import Lines
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.learners import LineLearner, named
from tacit.learners.algebra import line as line_file
from tacit.learners.algebra.line import LineBound, stages
from tacit.learners.contract.entry import Request
from tacit.mechanisms import StableRelease
from tacit.probability.binomial_masses import binomial_masses
from tacit.statistics import LabelCounts
from tacit.verify.cases.algebra import CROWD, counted
from tacit.verify.enough.simulation import Population, alarm, failures

F = Fraction
GOLDEN = [
    ("1", "1e-6", "0.1", "0.05", 1915),
    ("1", "1e-6", "0.1", "0.001", 2475),
    ("0.5", "1e-9", "0.05", "0.01", 11220),
    ("0.1", "1e-6", "0.1", "0.05", 14260),
]
PRIME = 2**31 - 1
RELEASE = StableRelease(1, "1e-6")


@pytest.mark.parametrize(("epsilon", "delta", "alpha", "beta", "n"), GOLDEN)
def test_golden_sizes(epsilon: str, delta: str, alpha: str, beta: str, n: int) -> None:
    learner, goal = LineLearner(Lines(7), epsilon=epsilon, delta=delta), Accuracy(alpha, beta)
    assert learner.suffices(n, goal)
    assert not learner.suffices(n * 97 // 100, goal)


def test_the_size_is_the_least_up_to_two_in_a_hundred_of_the_golden_one() -> None:
    learner, goal = LineLearner(Lines(7), epsilon=1, delta="1e-6"), Accuracy("0.1", "0.05")
    n = learner.sample_size(goal)
    assert stages(1915) == (1149, 766)
    assert 1870 < n <= 1915
    assert not learner.suffices(n - 1, goal)


@pytest.mark.parametrize("chance", [F(0), F(1, 1000), F(1, 3), F(9, 10), F(1)])
@pytest.mark.parametrize("n", [0, 1, 30, 400])
def test_binomial_masses(n: int, chance: Fraction) -> None:
    for top in (0, 7, n):
        found = binomial_masses(n, chance, top)
        exact = [math.comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]
        assert len(found) == min(top, n) + 1
        for mass, true in zip(found, exact, strict=False):
            assert abs(F(mass) - true) <= true * F(5 * (n + 1), 2**53) + F(1, 2**1000)


def _exact_misses(bound: LineBound, alpha: Fraction, share: Fraction) -> tuple[float, float]:
    """Compute the two failure bounds from their definitions, by plain sums."""
    told = bound.release.table.probability
    x, line = float(share * alpha), 0.0
    at_most = [
        np.cumsum(
            [math.comb(bound.first, k) * m**k * (1 - m) ** (bound.first - k) for k in range(99)]
        )
        for m in (x, float(alpha) / 2)
    ]
    for k in range(1, 99):
        step = float(told(-(-k // 2)) - told(-(-(k - 1) // 2)))
        line += step * min(1.0, at_most[0][k - 1] + at_most[1][k - 1])
    n, point, q = bound.second, 0.0, float(alpha) - x
    for k in range(n + 1):
        for a in range(n + 1 - k):
            mass = math.comb(n, k) * math.comb(n - k, a) * x**k * q**a
            mass *= (1 - float(alpha)) ** (n - k - a)
            point += mass * float(1 - told(-(-max(a - k, 0) // 2)))
    return line, point


@pytest.mark.parametrize("share", [F(0), F(1, 10), F(2, 5)])
def test_the_bound_is_what_it_says(share: Fraction) -> None:
    bound, alpha = LineBound(StableRelease(1, "1/100"), 80, 60), F(1, 2)
    line, point = _exact_misses(bound, alpha, share)
    assert bound._line_missed(alpha, [share])[0] == pytest.approx(line, rel=1e-9)
    assert bound._point_missed(alpha, [share])[0] == pytest.approx(point, rel=1e-9)


def test_between_two_shares_the_worst_of_both_ends_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """From one cell, whose ends are harmless, the bound finds its way to where it fails."""
    enough, short = (LineBound(RELEASE, *stages(n)) for n in (1915, 1800))
    monkeypatch.setattr(line_file, "CELLS", 1)
    assert short.about(F(1, 10)) < F(1, 20)
    assert enough.suffices(F(1, 10), F(1, 20))
    assert not short.suffices(F(1, 10), F(1, 20))


def test_floats_that_come_to_beta_are_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    for stage, missed in (("_line_missed", 1.0), ("_point_missed", 0.25)):
        monkeypatch.setattr(
            LineBound, stage, lambda _, __, ends, missed=missed: np.full(len(ends), missed)
        )
    bound = LineBound(RELEASE, 3, 2)
    assert not bound.suffices(F(1, 10), F(1, 4))
    assert bound.suffices(F(1, 10), F(1, 4) + F(1, 10**9))


def test_a_share_of_a_half_counts_as_a_miss() -> None:
    bound = LineBound(StableRelease(1, "1/100"), 80, 60)
    assert bound._point_missed(F(1, 2), [F(1, 2)]).tolist() == [1.0]


def _population(r: Fraction, rest: Fraction, parts: int) -> Population:
    """Put mass r on a line: r - rest on one point, `rest` on others; negatives off the line."""
    on = [(x, 3 * x + 1) for x in range(parts + 1)]
    masses = [r - rest, *[rest / parts] * parts]
    points = np.array([*on, (5, 5), (90, 2)])
    half = (1 - r) / 2
    return Population(points, (*masses, half, half), (*[F(1)] * len(on), F(0), F(0)))


def _populations(alpha: Fraction) -> dict[str, Population]:
    r = alpha * F(1001, 1000)
    return {
        "two points, a tenth off": _population(r, r / 10, 1),
        "two points, a quarter off": _population(r, r / 4, 1),
        "a quarter off, in parts": _population(r, r / 4, 20),
        "two halves": _population(r, r / 2, 1),
        "in parts": _population(r, r * 19 / 20, 19),
        "one point and a little": _population(r, r / 100, 20),
        "all on the line": _population(F(99, 100), F(1, 9), 20),
    }


def test_the_promise_is_kept_and_not_wasteful() -> None:
    goal, runs = Accuracy("0.1", "0.05"), 200
    learner = LineLearner(Lines(PRIME), epsilon=1, delta="1e-6")
    n, rng = learner.sample_size(goal), Seeded(8)
    few = {}
    for name, population in _populations(goal.alpha).items():
        rest = {"limit": goal.alpha, "runs": runs, "rng": rng}
        assert failures(learner, population, n=n, **rest) < alarm(runs, goal.beta), name
        if "quarter" in name:
            few[name] = failures(learner, population, n=n * 7 // 10, **rest)
    assert max(few.values()) >= alarm(runs, goal.beta), "seven tenths of the rows are not enough"


def test_the_sampler_follows_the_law() -> None:
    learner = LineLearner(Lines(3), epsilon=2, delta="1/4")
    sample = counted((*CROWD[:3], CROWD[0], CROWD[5], CROWD[1], CROWD[0]))
    law, rng, runs = learner.law(sample), Seeded(3), 1500
    seen = Counter(learner(sample, rng=rng) for _ in range(runs))
    expected = {found: float(p) * runs for found, p in law.probabilities.items() if p}
    assert set(seen) <= set(expected)
    assert len(expected) >= 3
    statistic = sum((seen[h] - e) ** 2 / e for h, e in expected.items())
    assert statistic < chi2.isf(1e-9, len(expected) - 1)


@given(
    st.lists(st.tuples(st.tuples(*[st.integers(-2, 8)] * 2), st.tuples(st.integers(0, 1)))),
    st.integers(0, 2**32),
)
@settings(max_examples=60)
def test_any_sample_gives_a_hypothesis(
    rows: list[tuple[tuple[int, int], tuple[int]]], seed: int
) -> None:
    learner = LineLearner(Lines(7), epsilon=5, delta="1/2")
    found = learner(LabelCounts.of(rows, labels=1), rng=Seeded(seed))
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found


def test_accuracy_inverts_sample_size() -> None:
    learner = LineLearner(Lines(7), epsilon=1, delta="1e-6")
    for n in (2000, 50_000):
        promised = learner.accuracy(n, "0.05")
        assert promised is not None
        assert learner.suffices(n, promised)
        better = Accuracy(promised.alpha - F(1, 1 << 20), promised.beta)
        assert not learner.suffices(n, better)
    assert learner.accuracy(10, "0.05") is None


def test_the_catalogue_offers_it() -> None:
    request = Request(Lines(7), Privacy(1, "1e-6"), 1000, None, F(1, 20), agnostic=False)
    learner = named("line")(request).learner
    assert learner == LineLearner(Lines(7), epsilon=1, delta="1e-6")
    assert not learner.proper
    assert not learner.agnostic
    assert learner.largest_sample is None
    assert learner.theorem == "FX14"


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="delta"):
        LineLearner(Lines(7), epsilon=1, delta=0)
    with pytest.raises(InvalidArgument, match="epsilon"):
        LineLearner(Lines(7), epsilon=0, delta="1e-6")
