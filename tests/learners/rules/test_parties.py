"""Several parties: messages, what they give away, and what is learned from them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from tacit.concepts.outputs.never import NEVER
from tacit.concepts.rules.conjunctions import Conjunction
from tacit.core.accuracy import Accuracy
from tacit.core.chance.divergence import max_ratio
from tacit.core.chance.law import product as jointly
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.learners.rules.parties import PartyCounts
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm

F = Fraction
GOAL = Accuracy("0.2", "0.1")


def _sample(rows: list[tuple[tuple[int, ...], int]]) -> LabelCounts:
    return LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)


def test_golden_sizes() -> None:
    goal = Accuracy("0.1", "0.05")
    sizes = [PartyCounts(4, epsilon=1).sample_size(goal, parties=r) for r in (2, 5, 20)]
    assert sizes == [1772, 2582, 4779]
    assert PartyCounts(4, epsilon=1, monotone=False).sample_size(goal) == 3888


@pytest.mark.parametrize("monotone", [True, False])
@pytest.mark.parametrize("epsilon", ["1/2", "2"])
def test_the_view_of_the_other_party(monotone: bool, epsilon: str) -> None:
    """One record each: over all inputs of both, the transcript's ratio is exactly q^-T."""
    counts = PartyCounts(1, epsilon=epsilon, monotone=monotone)
    records = [((x,), y) for x, y in product((0, 1), (0, 1))]
    q = Decay.of(F(epsilon) / counts.algorithm.queries).ratio
    for other in records:
        answered = counts.law(_sample([other]), low=-1, high=2)
        views = [jointly([counts.law(_sample([own]), low=-1, high=2), answered]) for own in records]
        ratios = [max_ratio(p, r).upper for p, r in product(views, repeat=2)]
        assert max(r for r in ratios if r is not None) == q**-counts.algorithm.queries


def test_messages_follow_the_law() -> None:
    counts, rng, runs = PartyCounts(2, epsilon=2), Seeded(1), 3000
    sample = _sample([((0, 1), 1), ((1, 1), 1), ((0, 0), 0), ((0, 0), 1)])
    law = counts.law(sample, low=0, high=3)
    seen = dict.fromkeys(law.probabilities, 0)
    for _ in range(runs):
        told = counts(sample, rng=rng)
        seen[tuple(min(max(c, 0), 3) for c in told)] += 1
    expected = [runs * float(p) for p in law.probabilities.values()]
    assert min(expected) > 4
    assert chisquare(list(seen.values()), expected).pvalue > 1e-9


def test_true_counts_are_told_without_noise_to_speak_of() -> None:
    sample = _sample([((0, 1, 1), 1), ((0, 0, 1), 1), ((0, 0, 0), 0), ((7, -3, 1), 1)])
    assert PartyCounts(3, epsilon=500)(sample, rng=Seeded(1)) == (2, 2, 0)
    assert PartyCounts(3, epsilon=500, monotone=False)(sample, rng=Seeded(1)) == (1, 2, 1, 2, 3, 0)
    none = np.empty(0, dtype=np.int64)
    empty = LabelCounts(3, 1, none.reshape(0, 3), none, none.reshape(0, 1))
    assert PartyCounts(3, epsilon=500)(empty, rng=Seeded(1)) == (0, 0, 0)


def test_other_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="dims"):
        PartyCounts(0, epsilon=1)
    with pytest.raises(InvalidArgument, match="parties"):
        PartyCounts(2, epsilon=1).sample_size(GOAL, parties=1)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-(10**6), 10**6), min_size=4, max_size=4))
def test_any_counts_give_a_hypothesis(told: list[int]) -> None:
    counts = PartyCounts(2, epsilon=1, monotone=False)
    hypothesis = counts.learn(told, "0.1", parties=2)
    outputs = counts.algorithm.hypotheses
    assert outputs.decode(outputs.encode(hypothesis)) == hypothesis
    assert counts.learn([-5] * 4, "0.1", parties=2) == NEVER


def _of(target: Conjunction, masses: dict[tuple[int, ...], Fraction]) -> Population:
    points = np.array(list(masses))
    return Population(points, tuple(masses.values()), tuple(F(int(y)) for y in target(points)))


def _hard(d: int, alpha: Fraction) -> dict[str, Population]:
    over, whole, none = alpha * F(1001, 1000), tuple([1] * d), tuple([0] * d)
    flips = [tuple(int(i != j) for i in range(d)) for j in range(d)]
    target = Conjunction(tuple((j, 1) for j in range(d)))
    return {
        "each literal a little": _of(
            Conjunction(()), {**dict.fromkeys(flips, over / d), whole: 1 - over}
        ),
        "one literal": _of(Conjunction(()), {flips[0]: over, whole: 1 - over}),
        "all at once": _of(Conjunction(()), {none: over, whole: 1 - over}),
        "no literal may go": _of(target, {whole: over, **dict.fromkeys(flips, (1 - over) / d)}),
        "half a target": _of(Conjunction(((0, 1),)), {flips[1]: over, none: 1 - over}),
    }


def test_the_promise_is_kept_and_not_wasteful() -> None:
    counts, rng, runs = PartyCounts(3, epsilon=1), Seeded(3), 300
    n = counts.sample_size(GOAL, parties=2)

    def failed(population: Population, rows: int, times: int) -> int:
        wrong = 0
        for _ in range(times):
            parts = (rows // 3, rows - rows // 3)
            told = [counts(population.draw(part, rng=rng), rng=rng) for part in parts]
            totals = [sum(column) for column in zip(*told, strict=True)]
            learned = counts.learn(totals, GOAL.beta, parties=2)
            wrong += population.error(learned) > GOAL.alpha
        return wrong

    hard = _hard(3, GOAL.alpha)
    for name, population in hard.items():
        assert failed(population, n, runs) < alarm(runs, GOAL.beta), name
    few = failed(hard["each literal a little"], n // 4, runs)
    assert few >= alarm(runs, GOAL.beta), "a quarter of the rows would do"
