"""The learner with a prior: its weights, its law, its promise, and bad requests."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from tacit.concepts.line.points import Points
from tacit.concepts.line.scale_prior import ScalePrior
from tacit.concepts.line.thresholds import Direction, Threshold, Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.learners import GenericLearner, PriorLearner, named
from tacit.statistics import LabelCounts
from tacit.verify.enough.hard_populations import hard_populations
from tacit.verify.enough.simulation import alarm, failures

F = Fraction
Rows = list[tuple[int, tuple[int]]]
rows = st.lists(st.tuples(st.integers(-3, 20), st.tuples(st.integers(0, 1))), max_size=12)


def _weight(z: int, values: int) -> int:
    bits = (values - 1).bit_length()
    ends = (z.bit_length(), (values - 1 - z).bit_length())
    return bits + 2 + sum(1 << (bits + 1 - end) for end in ends)


@pytest.mark.parametrize("values", [1, 2, 3, 4, 5, 13, 121, 256, 1000])
def test_sums_of_weights(values: int) -> None:
    prior, weights = ScalePrior(values), [_weight(z, values) for z in range(values)]
    sums = [0, *np.cumsum(weights).tolist()]
    assert [prior.below(place) for place in range(values + 1)] == sums
    assert prior.all_below(np.arange(values + 1)).tolist() == sums
    assert prior.total == sums[-1]
    enough = -(-sum(weights) // min(weights))
    assert prior.candidates == enough if values & values - 1 == 0 else prior.candidates >= enough
    assert [prior.find(w) for w in range(prior.total)] == np.repeat(
        np.arange(values), weights
    ).tolist()
    assert sum(prior.share(z) for z in range(values)) == 1


@pytest.mark.parametrize("bits", [2, 49, 50, 51, 200])
def test_many_sums_are_single_ones(bits: int) -> None:
    prior = ScalePrior((1 << bits) - (bits > 2))
    places = sorted({0, 1, 2, prior.values // 3, 1 << bits - 1, prior.values - 1, prior.values})
    array = np.array(places, dtype=np.int64 if bits < 62 else object)
    assert prior.all_below(array).tolist() == [prior.below(place) for place in places]
    for place in places[:-1]:
        assert prior.find(prior.below(place)) == place
        assert prior.find(prior.below(place + 1) - 1) == place


@given(rows, st.sampled_from(["up", "down", "both"]), st.sampled_from([2, 7, 16]))
def test_the_law_is_weight_times_ratio(table: Rows, direction: str, values: int) -> None:
    concepts = Thresholds(values=values, direction=direction)  # type: ignore[arg-type]
    found = PriorLearner(concepts, epsilon=1).law(LabelCounts.of(table, labels=1))
    ratio, masses = Decay.of(F(1, 2)).ratio, {}
    for concept in concepts.concepts():
        points = np.clip(np.array([x for x, _ in table], dtype=np.int64), 0, values - 1)
        wrong = int((concept(points) != np.array([y for _, (y,) in table], dtype=bool)).sum())
        masses[concept] = _weight(concept.at, values) * ratio**wrong
    total = sum(masses.values())
    assert found.probabilities == {concept: mass / total for concept, mass in masses.items()}


def test_the_sampler_has_the_law() -> None:
    learner = PriorLearner(Thresholds(values=13, direction="both"), epsilon=2)
    sample = LabelCounts.of([(2, (0,)), (5, (1,)), (9, (1,)), (9, (0,))], labels=1)
    law, rng, runs = learner.law(sample), Seeded(1), 4_000
    drawn = [learner(sample, rng=rng) for _ in range(runs)]
    expected = {concept: float(p) * runs for concept, p in law.probabilities.items()}
    observed = [drawn.count(concept) for concept in expected]
    assert sum(observed) == runs
    assert chisquare(observed, list(expected.values())).pvalue > 1e-9


@given(st.lists(st.tuples(st.integers(0, (1 << 200) - 1), st.tuples(st.booleans())), max_size=6))
def test_any_sample_is_learned_from(table: list[tuple[int, tuple[bool]]]) -> None:
    learner = PriorLearner(Thresholds(200), epsilon="1/10", agnostic=True)
    assert 0 <= learner(LabelCounts.of(table, labels=1), rng=Seeded(2)).at < 1 << 200


GOAL = Accuracy("0.1", "0.1")


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("direction", ["up", "both"])
def test_the_promise_in_simulation(direction: str, free: bool) -> None:
    concepts = Thresholds(16, direction)  # type: ignore[arg-type]
    learner, target = PriorLearner(concepts, epsilon=1, agnostic=free), Threshold(20_000)
    lean = F(1, 4) if free else F(1)
    shapes = hard_populations(concepts, target, GOAL.alpha, lean=lean)
    n, runs, rng = learner.sample_size(GOAL), 150, Seeded(3)
    assert len(shapes) >= 5
    few = {}
    for name, shape in shapes.items():
        limit = shape.error(target) + GOAL.alpha
        failed = failures(learner, shape, n=n, limit=limit, runs=runs, rng=rng)
        assert failed < alarm(runs, GOAL.beta), name
        few[name] = failures(learner, shape, n=n // 4, limit=limit, runs=runs, rng=rng)
    worst, many = shapes[max(few, key=lambda name: few[name])], 800
    limit = worst.error(target) + GOAL.alpha
    missed = failures(learner, worst, n=n // 4, limit=limit, runs=many, rng=rng)
    assert missed >= alarm(many, GOAL.beta)


def test_a_likely_target_needs_fewer_rows() -> None:
    concepts, target = Thresholds(40), Threshold(1000)
    learner, rng, runs = PriorLearner(concepts, epsilon=1), Seeded(4), 150
    n, all_n = learner.sample_size(GOAL, target=target), learner.sample_size(GOAL)
    even = GenericLearner(concepts, epsilon=1)
    assert n < all_n * F(1, 2) < even.sample_size(GOAL)
    hard = hard_populations(concepts, target, GOAL.alpha)["one bad region"]
    limit = alarm(runs, GOAL.beta)
    assert failures(learner, hard, n=n, limit=GOAL.alpha, runs=runs, rng=rng) < limit
    assert failures(learner, hard, n=n // 4, limit=GOAL.alpha, runs=runs, rng=rng) >= limit
    assert failures(even, hard, n=n, limit=GOAL.alpha, runs=runs, rng=rng) >= limit


@pytest.mark.parametrize("direction", ["up", "down", "both"])
def test_a_target_counts_for_no_more_than_its_share(direction: Direction) -> None:
    concepts = Thresholds(values=13, direction=direction)
    learner = PriorLearner(concepts, epsilon=1)
    law = learner.law(LabelCounts.of([], labels=1))
    assert len(law.probabilities) == concepts.size
    for target, share in law.probabilities.items():
        assert learner._bound(target).size >= 1 / share > learner._bound(target).size - 2
        assert learner._bound().size >= 1 / share


@given(st.integers(1, 5000), st.booleans())
def test_accuracy_inverts_sample_size(n: int, free: bool) -> None:
    learner = PriorLearner(Thresholds(16), epsilon=1, agnostic=free)
    promised = learner.accuracy(n, "0.05")
    if promised is None:
        assert learner.sample_size(Accuracy("0.999", "0.05")) > n
    else:
        assert learner.sample_size(promised) <= n
        assert learner.sample_size(Accuracy(promised.alpha * F(999, 1000), promised.beta)) > n


def test_the_prior_costs_less_than_three_times_the_candidates() -> None:
    for bits in (1, 8, 32, 1024):
        assert (1 << bits) <= ScalePrior(1 << bits).candidates <= 3 << bits


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="thresholds"):
        PriorLearner(Points(4), epsilon=1)
    with pytest.raises(InvalidArgument, match="epsilon"):
        PriorLearner(Thresholds(4), epsilon=0)
    with pytest.raises(InvalidArgument, match="no concept"):
        PriorLearner(Thresholds(4), epsilon=1).sample_size(GOAL, target=Threshold(16))
    with pytest.raises(InvalidArgument, match="target"):
        PriorLearner(Thresholds(4), epsilon=1, agnostic=True).sample_size(GOAL, target=Threshold(1))
    with pytest.raises(InvalidArgument, match="values"):
        ScalePrior(0)
    assert named("prior").families == ("thresholds",)
