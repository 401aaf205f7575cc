"""Lines by vote: the bad scales counted exactly, golden numbers, the sampler, totality."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.concepts.lines import Line, Lines
from tacit.concepts.lines_or_points import PlanePoint
from tacit.concepts.never import NEVER
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.core.randomness import Seeded
from tacit.evaluation.cases.line_learner import CROWD
from tacit.evaluation.cases.parity_learner import counted
from tacit.evaluation.simulation import Population, failures
from tacit.learners import ConfidenceBooster, VotingLineLearner, named
from tacit.learners.listing import Request
from tacit.learners.voting_line import BAD_SCALES, basic
from tacit.mechanisms import StableRelease
from tacit.statistics import LabelCounts

F = Fraction
GOLDEN = {"epsilon": 1, "delta": "1e-6", "smallest": 3, "scales": 7, "voters": 157}


def test_the_golden_number() -> None:
    base = VotingLineLearner(Lines(7), **GOLDEN)
    assert base.size == 157 * 512
    booster = ConfidenceBooster(base, rows=base.size, repeats=29, epsilon="0.6795")
    assert 29 * base.size + 2619 == 2_333_755
    promised = booster.accuracy(2_333_755, "0.05")
    assert promised is not None
    assert promised.alpha <= F(1, 10)
    assert booster.sample_size(Accuracy("0.1", "0.05")) <= 2_333_755


def test_the_best_sizes_need_fewer_rows() -> None:
    goal = Accuracy("0.1", "0.05")
    booster = VotingLineLearner.boosted(Lines(7), epsilon=1, delta="1e-6", accuracy=goal)
    assert 1_800_000 < booster.sample_size(goal) < 1_900_000
    assert booster.base.beta**booster.repeats < goal.beta
    request = Request(Lines(7), Privacy(1, "1e-6"), 1000, goal.alpha, goal.beta, agnostic=False)
    assert named("voting-line")(request).learner == booster


def _shares(heavy: float, light: float, parts: int, t: int) -> tuple[float, float, float]:
    """Return how likely a block of t rows votes for the line, its heaviest point, and never."""
    r = heavy + parts * light
    none = (1 - r) ** t
    point = (1 - r + heavy) ** t - none
    return 1 - none - point - parts * ((1 - r + light) ** t - none), point, none


def _bad_scales(heavy: float, light: float, parts: int, alpha: float) -> int:
    """Count the block sizes at which no accurate hypothesis is expected to get 2/3 of the votes."""
    start = max(0, math.ceil(math.log2(math.log(1.5) / alpha)))
    bad = 0
    for k in range(start, start + 40):
        line, point, _ = _shares(heavy, light, parts, 1 << k)
        good = max(line, point if parts * light <= alpha else 0.0)
        bad += good < 2 / 3 - 1e-9
    return bad


@pytest.mark.parametrize("parts", [1, 2, 10, 1000])
def test_at_most_six_scales_are_bad(parts: int) -> None:
    most = 0
    for alpha in (0.1, 0.25, 0.011):
        for i in range(1, 30):
            r = alpha * (1 + i / 10)
            for off in range(1, 50):
                rest = r * 0.8**off
                light = rest / parts
                if light <= r - rest:
                    most = max(most, _bad_scales(r - rest, light, parts, alpha))
    assert 3 <= most <= BAD_SCALES


def test_five_scales_can_be_bad() -> None:
    """The counterexample to the printed claim of at most three."""
    light = (0.2501 - 0.2164) / 1000
    shares = [max(_shares(0.2164, light, 1000, 1 << k)) for k in range(1, 6)]
    assert shares == pytest.approx([0.5624, 0.5556, 0.6601, 0.5678, 0.6660], abs=1e-4)
    assert max(shares) < 2 / 3


def test_the_probability_of_an_undecided_vote() -> None:
    release, voters = StableRelease(1, "1e-6"), 31
    exact = sum(
        math.comb(voters, c)
        * F(2, 3) ** c
        * F(1, 3) ** (voters - c)
        * release.failure(-(-max(2 * c - voters, 0) // 2))
        for c in range(voters + 1)
    )
    learner = VotingLineLearner(Lines(7), **(GOLDEN | {"voters": voters}))
    assert learner.beta >= F(6, 7) + exact
    assert float(learner.beta) == pytest.approx(float(F(6, 7) + exact), rel=1e-12)


def test_the_basic_learner_is_total() -> None:
    lines = Lines(5)
    made = {
        (): NEVER,
        ((1, 2),): PlanePoint(1, 2),
        ((1, 2), (1, 4)): PlanePoint(1, 2),
        ((1, 2), (1, 4), (2, 0)): Line(3, 4, 5),
        ((3, 3), (0, 0), (4, 4)): Line(1, 0, 5),
    }
    for positive, found in made.items():
        rows = [(z, (1,)) for z in positive] + [((2, 2), (0,))]
        assert basic(lines, LabelCounts.of(rows, labels=1)) == found


def test_the_sampler_follows_the_law() -> None:
    learner = VotingLineLearner(Lines(3), epsilon=2, delta="1/4", smallest=0, scales=2, voters=2)
    sample = counted((CROWD[0], CROWD[0], CROWD[1], CROWD[1], CROWD[2]))
    law, rng, runs = learner.law(sample), Seeded(3), 1500
    seen = Counter(learner(sample, rng=rng) for _ in range(runs))
    expected = {found: float(p) * runs for found, p in law.probabilities.items() if p}
    assert set(seen) <= set(expected)
    assert len(expected) >= 3
    statistic = sum((seen[h] - e) ** 2 / e for h, e in expected.items())
    assert statistic < chi2.isf(1e-9, len(expected) - 1)


def test_a_good_scale_is_learned() -> None:
    """With one good block size only, the learner fails as rarely as its undecided votes say."""
    on = [(x, 3 * x + 1) for x in range(40)]
    points = [*on, (90, 2)]
    masses = [F(1, 200)] * 40 + [F(4, 5)]
    population = Population(np.array(points), tuple(masses), (*[F(1)] * 40, F(0)))
    learner = VotingLineLearner(Lines(101), **(GOLDEN | {"smallest": 4, "scales": 1}))
    assert _shares(1 / 200, 1 / 200, 39, 16)[0] > 2 / 3
    found = failures(learner, population, n=learner.size, limit=F(1, 10), runs=40, rng=Seeded(1))
    assert found <= 9


@given(
    st.lists(st.tuples(st.tuples(*[st.integers(-2, 8)] * 2), st.tuples(st.integers(0, 1)))),
    st.integers(0, 2**32),
)
@settings(max_examples=40)
def test_any_sample_gives_a_hypothesis(
    rows: list[tuple[tuple[int, int], tuple[int]]], seed: int
) -> None:
    learner = VotingLineLearner(Lines(7), epsilon=5, delta="1/2", smallest=1, scales=3, voters=4)
    found = learner(LabelCounts.of(rows, labels=1), rng=Seeded(seed))
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found


def test_promises_and_bad_requests() -> None:
    learner = VotingLineLearner(Lines(7), **GOLDEN)
    assert learner.sample_size(Accuracy("0.1", "0.9")) == learner.size
    assert learner.accuracy(learner.size - 1, "0.9") is None
    assert learner.accuracy(learner.size, "0.5") is None
    assert learner.accuracy(learner.size, "0.9") == Accuracy(learner.alpha, "0.9")
    assert not learner.proper
    assert not learner.agnostic
    assert learner.largest_sample is None
    assert learner.theorem == "FX14"
    with pytest.raises(InvalidArgument, match="boosted"):
        learner.sample_size(Accuracy("0.1", "0.05"))
    with pytest.raises(InvalidArgument, match="voters"):
        VotingLineLearner(Lines(7), **(GOLDEN | {"voters": 0}))
