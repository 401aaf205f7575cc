"""The hashed point learner: its law, its promise, its golden numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.contract.hypothesis_set import Listed
from tacit.concepts.line.points import Point, Points
from tacit.concepts.outputs.bucket import Bucket
from tacit.concepts.outputs.never import NEVER
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import BoundedRange
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.data import Bits, Integer, Schema
from tacit.learners import CATALOGUE, HashedPointLearner, Model, Request
from tacit.learners.contract.choice import Choice
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm, failures
from tacit.workflows import learn
from tests.support.promises import kept, masses, needed

F = Fraction
GOAL = Accuracy("0.1", "0.05")


def _sample(rows: list[tuple[int, int]], nulls: int = 0) -> LabelCounts:
    counted = LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)
    return LabelCounts(counted.n + nulls, 1, counted.points, counted.totals, counted.positives)


def test_the_law_is_the_formula() -> None:
    """Every hash with the same probability, then a bucket or never by q^mistakes."""
    learner = HashedPointLearner(2, epsilon="1/2", buckets=3)
    rows = [(3, 1), (3, 1), (1, 0), (0, 1), (2, 0)]
    law, decay, total = learner.law(_sample(rows)), Decay.of(F(1, 4)), F(0)
    for drawn in learner.outputs.seeds():
        where = drawn(np.array([x for x, _ in rows])).tolist()
        mistakes = [
            sum((h == v) != bool(y) for h, (_, y) in zip(where, rows, strict=True))
            for v in range(4)  # bucket 3 is never hit: it stands for never
        ]
        weights = [decay.power(m) for m in mistakes]
        for v, weight in enumerate(weights[:3]):
            assert law[Bucket(drawn, v)] == weight / sum(weights) / 42
        total += weights[3] / sum(weights) / 42
    assert law[NEVER] == total


def test_the_sampler_has_the_law() -> None:
    """Given the hash, each share is within 6.5 deviations of the law: false alarm below 1e-9."""
    learner = HashedPointLearner(8, epsilon=1, buckets=4)
    rng, runs = Seeded(2), 4000
    choice = learner.given(learner.outputs.draw(rng=rng))
    sample = _sample([(7, 1)] * 3 + [(8, 0)] * 2 + [(9, 1)])
    drawn = [choice(sample, rng=rng) for _ in range(runs)]
    law = choice.law(sample)
    assert len(law.probabilities) == 5
    assert set(drawn) <= law.probabilities.keys()
    for hypothesis, p in law.probabilities.items():
        assert abs(drawn.count(hypothesis) / runs - p) < 6.5 * (float(p * (1 - p)) / runs) ** 0.5


def test_points_outside_count_as_the_nearest_inside() -> None:
    choice = Choice(Listed([Point(1), Point(3)]), Points(2), F(1))
    far, near = (_sample([(x, 1), (1, 0)]) for x in (9, 3))
    assert choice.law(far) == choice.law(near)
    assert choice.law(near)[Point(3)] > F(1, 2)


def test_the_hash_is_drawn_uniformly_and_before_the_rows() -> None:
    learner = HashedPointLearner(1, epsilon=1, buckets=2)
    few, many = _sample([(0, 1)]), _sample([(1, 0)] * 50)
    same = [
        learner(few, rng=Seeded(seed)) == NEVER
        or learner(many, rng=Seeded(seed)) == NEVER
        or learner(few, rng=Seeded(seed)).of == learner(many, rng=Seeded(seed)).of
        for seed in range(40)
    ]
    assert all(same)
    drawn = [learner.outputs.draw(rng=Seeded(seed)) for seed in range(600)]
    counts = [drawn.count(h) for h in learner.outputs.seeds()]
    assert sum(counts) == 600
    assert min(counts) > 60


@given(
    st.lists(st.tuples(st.integers(-5, 1 << 90), st.integers(0, 1)), max_size=12),
    st.sampled_from([1, 40, 1024, 5000, None]),
    st.sampled_from([2, 1000, 1 << 64]),
    st.integers(0, 3),
)
def test_any_sample_gives_a_hypothesis(
    rows: list[tuple[int, int]], bits: int | None, buckets: int, nulls: int
) -> None:
    learner = HashedPointLearner(bits, epsilon=3, buckets=buckets)
    found = learner(_sample(rows, nulls), rng=Seeded(1))
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found
    assert not learner.proper
    assert not learner.agnostic


def test_golden_sizes() -> None:
    golden = {
        ("1", "0.1", "0.05"): (1024, 266, 271),
        ("1/4", "1/4", "1/4"): (32, 194, 195),
        ("1/10", "0.1", "0.05"): (512, 2080, 2125),
    }
    for (epsilon, alpha, beta), (buckets, n, coarse) in golden.items():
        goal = Accuracy(alpha, beta)
        for bits in (64, 1024, None):
            learner = HashedPointLearner.planned(bits, epsilon=epsilon, accuracy=goal)
            assert (learner.buckets, learner.sample_size(goal)) == (buckets, n)
        assert n <= coarse


def test_more_epsilon_never_needs_more_rows() -> None:
    sizes = [
        HashedPointLearner.planned(64, epsilon=e, accuracy=GOAL).sample_size(GOAL)
        for e in ("0.3", "1", "2", "3", "4", "5", "7", "10", "30")
    ]
    assert sizes == sorted(sizes, reverse=True)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 5000), st.sampled_from([64, 1024, 1 << 20]))
def test_accuracy_inverts_sample_size(n: int, buckets: int) -> None:
    learner = HashedPointLearner(64, epsilon=1, buckets=buckets)
    promised = learner.accuracy(n, "0.05")
    if promised is None:
        assert learner.sample_size(Accuracy("0.999", "0.05")) > n
    else:
        assert learner.sample_size(promised) <= n
        assert not learner.bound(promised.alpha * F(999, 1000)).suffices(n, "0.05")


def _population(*weights: F | int, at: int = 0, bits: int = 62) -> Population:
    points = np.linspace(0, (1 << bits) - 2**12, len(weights)).astype(np.int64)
    yes = tuple(F(int(i == at)) for i in range(len(weights)))
    return Population(points, masses(*weights), yes)


JUST = F(1001, 10000)
POPULATIONS = {
    "one heavy negative": _population(JUST, 1 - JUST),
    "sixty light negatives": _population(JUST, *[(1 - JUST) / 60] * 60),
    "negatives as heavy as the target": _population(*[JUST] * 9, 1 - 9 * JUST),
    "light target": _population(F(1, 20), *[F(19, 400)] * 20),
    "heavy target": _population(F(1, 2), *[F(1, 60)] * 30),
    "nothing but the target": _population(F(1)),
    "a target that never occurs": _population(*[1] * 20, at=99),
}


@pytest.mark.parametrize("epsilon", ["1", "10"])
def test_the_promise(epsilon: str) -> None:
    learner = HashedPointLearner.planned(62, epsilon=epsilon, accuracy=GOAL)
    n = kept(learner, POPULATIONS, GOAL)
    worst = needed(learner, POPULATIONS["sixty light negatives"], GOAL, most=n)
    assert n / worst == pytest.approx({"1": 1.0, "10": 1.7}[epsilon], rel=0.15)


def test_too_few_rows_set_off_the_alarm() -> None:
    learner = HashedPointLearner.planned(62, epsilon=1, accuracy=GOAL)
    hard = POPULATIONS["sixty light negatives"]
    failed = failures(learner, hard, n=110, limit=GOAL.alpha, runs=300, rng=Seeded(6))
    assert failed >= alarm(300, GOAL.beta)


def test_exact_failure_on_all_small_samples() -> None:
    """Four points, all hashes, all samples of three rows: exactly, and below the bound."""
    learner = HashedPointLearner(2, epsilon=8, buckets=3)
    n, alpha = 3, F(1, 2)
    for weights in ((5, 5, 0, 0), (6, 2, 1, 1)):
        chances = masses(*weights)
        seen = [x for x in range(4) if weights[x]]
        population = Population(np.arange(4), chances, (F(1), F(0), F(0), F(0)))
        bad: dict[object, bool] = {}
        failed = F(0)
        for rows in product(seen, repeat=n):
            chance = F(1)
            for x in rows:
                chance *= chances[x]
            law = learner.law(_sample([(x, int(x == 0)) for x in rows])) if chance else None
            for h, p in law.probabilities.items():
                if h not in bad:
                    bad[h] = population.error(h) > alpha
                failed += chance * p * bad[h]
        assert failed <= learner.bound(alpha).failure(n)


def test_requests_and_models() -> None:
    request = Request(Points(60), Privacy(1), 400, F(1, 10), F(1, 20), agnostic=False)
    assert CATALOGUE["hashed-point"](request).sample_size(GOAL) == 266
    schema = Schema({"key": Integer(0, (1 << 61) - 1), "hit": Bits()})
    keys = [3, 1 << 60, 7, 12345678901234567] * 150
    table = {"key": keys, "hit": [k == 1 << 60 for k in keys]}
    model = learn(
        table,
        schema,
        concepts="points",
        features=["key"],
        labels=["hit"],
        epsilon=2,
        learner="hashed-point",
        agnostic=False,
        rng=Seeded(4),
    )
    assert model.predict(np.array([3, 1 << 60, 7])).ravel().tolist() == [False, True, False]
    assert Model.decode(model.encode()) == model
    assert model.accuracy is not None
    assert model.accuracy.alpha < F(1, 20)
    assert HashedPointLearner(8, epsilon=1).cost == BoundedRange(1)


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        HashedPointLearner(8, epsilon=0)
    with pytest.raises(InvalidArgument, match="buckets"):
        HashedPointLearner(8, epsilon=1, buckets=1)
    with pytest.raises(InvalidArgument, match="bits"):
        HashedPointLearner(0, epsilon=1)
    with pytest.raises(InvalidArgument, match="realisable"):
        CATALOGUE["hashed-point"](
            Request(Points(8), Privacy(1), 400, None, F(1, 20), agnostic=True)
        )
    assert HashedPointLearner(8, epsilon=1).accuracy(0, "0.5") is None
