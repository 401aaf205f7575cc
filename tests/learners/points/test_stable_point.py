"""The stable point learner: its law, its promise, its golden numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.contract.concept_class import Concept
from tacit.concepts.line.points import Point, Points
from tacit.concepts.outputs.never import NEVER, Never
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.cost import Approximate
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.privacy import Privacy
from tacit.learners import CATALOGUE, Request, StablePointLearner
from tacit.mechanisms import StableRelease
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm, failures
from tests.support.coin_tree import law_of
from tests.support.promises import kept, masses, needed

F = Fraction
GOAL = Accuracy("0.1", "0.05")


def _learner(bits: int, **options: object) -> StablePointLearner:
    return StablePointLearner(Points(bits), epsilon=1, delta="1e-6", **options)


def _sample(rows: list[tuple[int, int]]) -> LabelCounts:
    return LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)


def _run(learner: StablePointLearner, sample: LabelCounts, rng: Random) -> Concept:
    return learner(sample, rng=rng)


def test_the_law_is_the_formula() -> None:
    learner = StablePointLearner(Points(2), epsilon=1, delta="1/100")
    release = StableRelease(1, "1/100")
    sample = _sample([(3, 1)] * 6 + [(1, 1)] * 2 + [(0, 0)] * 9 + [(3, 0)])
    told = 1 - release.failure(2)
    assert learner.law(sample).probabilities == {Point(3): told, NEVER: 1 - told}
    proper = StablePointLearner(Points(2), epsilon=1, delta="1/100", proper=True).law(sample)
    assert proper[Point(3)] == told + (1 - told) / 4
    assert proper[Point(0)] == proper[Point(1)] == proper[Point(2)] == (1 - told) / 4


def test_the_sampler_has_the_law() -> None:
    """Walk all coins of the proper learner with a table of few bits: none is left out."""
    learner = StablePointLearner(Points(2), epsilon=20, delta="1/2", proper=True)
    for rows in ([(2, 1)] * 3, [(2, 1), (1, 1)], []):
        sample = _sample(rows)
        distance = -(-len(rows) // 2) if len(rows) != 2 else 0
        assert StableRelease(20, "1/2").failure(distance) in (0, 1)
        walked = law_of(partial(_run, learner, sample))
        assert walked.probabilities == {
            h: p for h, p in learner.law(sample).probabilities.items() if p
        }


def test_sampled_frequencies() -> None:
    """Each share is within 6.5 deviations of the law: false alarm below 1e-9."""
    learner = StablePointLearner(Points(2), epsilon=1, delta="1/10", proper=True)
    sample = _sample([(1, 1)] * 4 + [(2, 0)])
    rng, runs = Seeded(3), 4000
    drawn, law = [learner(sample, rng=rng) for _ in range(runs)], learner.law(sample)
    assert set(drawn) <= law.probabilities.keys()
    for hypothesis, p in law.probabilities.items():
        spread = (float(p * (1 - p)) / runs) ** 0.5
        assert abs(drawn.count(hypothesis) / runs - p) < 6.5 * spread


@given(
    st.lists(st.tuples(st.integers(-5, 300), st.integers(0, 1)), max_size=12),
    st.booleans(),
    st.integers(0, 3),
)
def test_any_sample_gives_a_hypothesis(
    rows: list[tuple[int, int]], proper: bool, nulls: int
) -> None:
    learner = StablePointLearner(Points(8), epsilon=3, delta="1/10", proper=proper)
    counted = _sample(rows)
    sample = LabelCounts(counted.n + nulls, 1, counted.points, counted.totals, counted.positives)
    found = learner(sample, rng=Seeded(1))
    assert isinstance(found, Point | Never)
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found
    assert isinstance(found, Point) or not proper
    assert sum(learner.law(sample).probabilities.values()) == 1


def test_golden_sizes() -> None:
    """The sizes do not depend on the domain and are the least by the exact binomial sum."""
    learner = _learner(64)
    assert [learner.sample_size(Accuracy("0.1", beta)) for beta in ("0.05", "0.01")] == [370, 420]
    assert _learner(1024).sample_size(GOAL) == 370
    assert _learner(12, proper=True).sample_size(GOAL) == 389
    assert _learner(32, proper=True).sample_size(GOAL) == 370
    release = StableRelease(1, "1e-6")

    def failure(n: int) -> F:
        p = F(1, 10)
        return sum(
            comb(n, k) * p**k * (1 - p) ** (n - k) * release.failure(-(-k // 2))
            for k in range(n + 1)
        ) + F(0)

    assert failure(370) <= F(1, 20) < failure(369)
    assert abs(float(learner.failure(370, GOAL) / failure(370)) - 1) < 1e-12


@settings(max_examples=30)
@given(st.integers(1, 3000), st.booleans())
def test_accuracy_inverts_sample_size(n: int, proper: bool) -> None:
    learner = _learner(20, proper=proper)
    promised = learner.accuracy(n, "0.05")
    if promised is None:
        assert n < 60
    else:
        assert learner.sample_size(promised) <= n
        worse = Accuracy(promised.alpha * F(999, 1000), promised.beta)
        assert learner.failure(n, worse) > worse.beta


def _population(*weights: F | int, at: int = 0, size: int = 1 << 20) -> Population:
    points = np.linspace(0, size - 1, len(weights)).astype(np.int64)
    yes = tuple(F(int(i == at)) for i in range(len(weights)))
    return Population(points, masses(*weights), yes)


JUST = F(1001, 10000)
POPULATIONS = {
    "one heavy negative": _population(JUST, 1 - JUST),
    "many negatives": _population(JUST, *[(1 - JUST) / 50] * 50),
    "negatives as heavy as the target": _population(*[JUST] * 9, 1 - 9 * JUST),
    "light target": _population(F(1, 20), F(19, 20)),
    "heavy target": _population(F(1, 2), F(1, 2)),
    "nothing but the target": _population(F(1)),
    "a target that never occurs": _population(*[1] * 20, at=99),
}


@pytest.mark.parametrize("proper", [False, True])
def test_the_promise(proper: bool) -> None:
    learner = _learner(20, proper=proper)
    n = kept(learner, POPULATIONS, GOAL)
    worst = needed(learner, POPULATIONS["many negatives"], GOAL, most=n)
    assert n / worst == pytest.approx(1.0, abs=0.1)


def test_the_proper_promise_in_a_domain_just_large_enough() -> None:
    """In 256 points a uniform one often weighs something; 12 of them weigh 1/13 each."""
    learner = _learner(8, proper=True)
    n = learner.sample_size(GOAL)
    rest = 1 - F(1, 50)
    points = np.arange(14, dtype=np.int64)
    heavy = Population(points, (F(1, 50), *[rest / 13] * 13), (F(1), *[F(0)] * 13))
    failed = failures(learner, heavy, n=n, limit=GOAL.alpha, runs=400, rng=Seeded(5))
    assert failed < alarm(400, GOAL.beta)


def test_too_few_rows_set_off_the_alarm() -> None:
    hard = POPULATIONS["one heavy negative"]
    failed = failures(_learner(20), hard, n=280, limit=GOAL.alpha, runs=300, rng=Seeded(6))
    assert failed >= alarm(300, GOAL.beta)


def test_exact_failure_on_all_small_samples() -> None:
    """On every population of two points the exact failure is at most the bound."""
    learner = StablePointLearner(Points(1), epsilon=3, delta="1/5")
    n, alpha = 5, F(3, 10)
    for tenths in range(11):
        mass = F(tenths, 10)
        failed = F(0)
        for rows in product((0, 1), repeat=n):
            law = learner.law(_sample([(x, 1 - x) for x in rows]))
            chance = F(1)
            for x in rows:
                chance *= 1 - mass if x else mass
            failed += chance * sum(
                p
                for h, p in law.probabilities.items()
                if (mass if h == NEVER else F(0) if h == Point(0) else F(1)) > alpha
            )
        assert failed <= learner.failure(n, Accuracy(alpha, "1/2"))


def test_requests() -> None:
    request = Request(Points(16), Privacy(1, "1e-6"), 400, None, F(1, 20), agnostic=False)
    made = CATALOGUE["stable-point"](request)
    assert made.sample_size(GOAL) == 370
    assert StablePointLearner(Points(4), epsilon=1, delta="1e-6").cost == Approximate(1, "1e-6")
    with pytest.raises(InvalidArgument, match="delta"):
        StablePointLearner(Points(4), epsilon=1, delta=0)
    with pytest.raises(InvalidArgument, match="epsilon"):
        StablePointLearner(Points(4), epsilon=0, delta="1e-6")
    with pytest.raises(InvalidArgument, match="no n suffices"):
        _learner(4, proper=True).sample_size(GOAL)
    assert _learner(4, proper=True).accuracy(10**6, "0.05") is None
    with pytest.raises(TooLarge):
        _learner(40, proper=True).law(_sample([(1, 1)]))
