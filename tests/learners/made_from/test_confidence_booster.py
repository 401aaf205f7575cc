"""The confidence booster: its promise against simulation, its law, bad requests."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.concepts.algebra.parities import Parities, Parity
from tacit.concepts.line.points import Point, Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.cost import BoundedRange, Pure
from tacit.core.errors import InvalidArgument
from tacit.learners import ConfidenceBooster, GenericLearner, ParityLearner
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm, failures

F = Fraction


def _spread(masses: dict[int, Fraction]) -> Population:
    """Return a population of points of four bits labelled by a parity; the rest is at 0."""
    masses = {0: 1 - sum(masses.values(), F(0))} | masses
    points = np.array([[x >> i & 1 for i in range(4)] for x in masses])
    said = Parity(0b1110)(points).tolist()
    return Population(points, tuple(masses.values()), tuple(F(int(yes)) for yes in said))


OVER = F(1, 10) * F(1001, 1000)
POPULATIONS = {
    "unit vectors": _spread({1 << i: OVER for i in range(4)}),
    "every wrong parity just bad": _spread(dict.fromkeys(range(1, 16), OVER / 8)),
    "uniform": _spread(dict.fromkeys(range(1, 16), F(1, 16))),
    "one bad": _spread({2: OVER, 4: F(1, 4), 8: F(1, 4), 1: F(1, 4)}),
    "never": _spread({1: F(1, 2)}),
}


def test_the_promise_is_kept_and_not_wasteful() -> None:
    """The base fails with probability above 0.21, whatever the rows; boosted, below 0.05."""
    goal, runs = Accuracy("0.1", "0.05"), 200
    base = ParityLearner(Parities(4), epsilon=1, attempts=1)
    booster = ConfidenceBooster(base, rows=180, repeats=4, epsilon=1)
    n, rng = booster.sample_size(goal), Seeded(4)
    assert n > 4 * 180
    for name, population in POPULATIONS.items():
        rest = {"limit": goal.alpha, "runs": runs, "rng": rng}
        assert failures(booster, population, n=n, **rest) < alarm(runs, goal.beta), name
    worst = POPULATIONS["every wrong parity just bad"]
    assert failures(base, worst, n=n, **rest) >= alarm(runs, goal.beta)
    assert failures(booster, worst, n=n // 4, **rest) > runs * goal.beta, "a quarter is too few"


@given(st.integers(700, 4000), st.sampled_from(["0.05", "0.001"]))
@settings(max_examples=20, deadline=None)
def test_accuracy_inverts_sample_size(n: int, beta: str) -> None:
    base = ParityLearner(Parities(8), epsilon=1, attempts=2)
    booster = ConfidenceBooster(base, rows=200, repeats=3, epsilon="1/2")
    promised = booster.accuracy(n, beta)
    assert promised is not None
    assert booster.sample_size(promised) <= n
    better = Accuracy(promised.alpha * F(99, 100), promised.beta)
    assert booster.sample_size(better) > n


def test_the_rows_that_choose_were_not_learned_from() -> None:
    seen: list[LabelCounts] = []

    class Watched:
        hypotheses = Points(2)

        def __call__(self, sample: LabelCounts, /, *, rng: Random) -> Point:
            seen.append(sample)
            return Point(rng.below(1) + len(seen))

    booster = ConfidenceBooster(Watched(), rows=1, repeats=2, epsilon=1)  # type: ignore[arg-type]
    blocks = [LabelCounts.of([(x, (1,))], labels=1) for x in range(3)]
    assert booster.learn(blocks, rng=Seeded(0)) in (Point(1), Point(2))
    assert [id(block) for block in seen] == [id(block) for block in blocks[:2]]


def test_the_sampler_follows_the_law() -> None:
    booster = ConfidenceBooster(
        GenericLearner(Points(1), epsilon=1), rows=2, repeats=2, epsilon="3"
    )
    sample = LabelCounts.of([(0, (1,)), (0, (1,)), (1, (0,)), (1, (1,)), (0, (0,))], labels=1)
    law, rng, runs = booster.law(sample), Seeded(6), 1500
    seen = Counter(booster(sample, rng=rng) for _ in range(runs))
    expected = {found: float(p) * runs for found, p in law.probabilities.items()}
    statistic = sum((seen[h] - e) ** 2 / e for h, e in expected.items())
    assert statistic < chi2.isf(1e-9, len(expected) - 1)


@given(
    st.lists(st.tuples(st.integers(-5, 20), st.tuples(st.integers(0, 1)))),
    st.integers(0, 2**32),
)
@settings(max_examples=40)
def test_any_sample_gives_a_hypothesis(rows: list[tuple[int, tuple[int]]], seed: int) -> None:
    base = GenericLearner(Thresholds(4), epsilon=1)
    booster = ConfidenceBooster(base, rows=3, repeats=2, epsilon=1)
    assert booster(LabelCounts.of(rows, labels=1), rng=Seeded(seed)).at < 16


def test_what_it_is() -> None:
    base = ParityLearner(Parities(4), epsilon=1)
    booster = ConfidenceBooster(base, rows=50, repeats=2, epsilon="1/2")
    assert booster.cost.parts == (Pure(1), Pure(1), BoundedRange("1/2"))
    assert booster.hypotheses == base.hypotheses
    assert booster.proper
    assert not booster.agnostic
    assert booster.largest_sample is None
    assert booster.theorem == "FX14"


def test_one_block_needs_no_choice() -> None:
    base = ParityLearner(Parities(4), epsilon=1)
    booster = ConfidenceBooster(base, rows=400, repeats=1, epsilon=1)
    assert booster.sample_size(Accuracy("0.1", "0.05")) == 400
    promised = booster.accuracy(400, "0.05")
    assert promised is not None
    assert promised.alpha < F(1, 10)


def test_bad_requests() -> None:
    base = ParityLearner(Parities(4), epsilon=1)
    with pytest.raises(InvalidArgument, match="rows"):
        ConfidenceBooster(base, rows=0, repeats=2, epsilon=1)
    with pytest.raises(InvalidArgument, match="repeats"):
        ConfidenceBooster(base, rows=5, repeats=0, epsilon=1)
    booster = ConfidenceBooster(base, rows=5, repeats=2, epsilon=1)
    with pytest.raises(InvalidArgument, match="larger blocks"):
        booster.sample_size(Accuracy("0.1", "0.05"))
    assert booster.accuracy(9, "0.05") is None
    assert ConfidenceBooster(base, rows=400, repeats=2, epsilon=1).accuracy(800, "0.05") is None
