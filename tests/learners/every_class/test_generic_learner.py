"""The generic learner: golden sizes, its law, bad requests; promises in test_sample_sizes.py."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.concepts.line.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.learners import GenericLearner
from tacit.statistics import LabelCounts
from tacit.theory import AgnosticBound
from tacit.theory.enough import chain as chain_bound
from tacit.theory.enough.chain import ChainBound
from tacit.theory.enough.selection import SelectionBound, agnostic, realisable, representation
from tacit.verify.enough.simulation import Population
from tests.support.concept_contract import tabulate

F = Fraction
HALF = Decay.of(F(1, 2))


def test_golden_sizes() -> None:
    assert realisable(HALF, size=1024, alpha="0.1").sample_size("0.05") == 247
    near = representation(epsilon=1, size=1024, alpha="0.1", approximation="0.05")
    assert near.sample_size("0.05") == 1147
    assert agnostic(epsilon=1, size=1024, alpha="0.1").sample_size("0.05") == 1966
    eighth = Decay.of(F(1, 8))
    sizes = [
        realisable(eighth, size=1 << b, alpha="0.25").sample_size("0.25") for b in (1, 4, 8, 16)
    ]
    assert sizes == [37, 128, 223, 409]
    assert realisable(HALF, size=1 << 12, alpha="0.1").sample_size("0.1") == 262  # union bound: 265


@given(
    st.integers(2, 1 << 70),
    st.fractions(min_value=F(1, 100), max_value=F(9, 10)),
    st.fractions(min_value=F(1, 1000), max_value=F(9, 10)),
    st.sampled_from([F(0), F(1, 20), F(1)]),
)
def test_the_least_sample_is_enough_and_one_less_is_not(
    size: int, alpha: Fraction, beta: Fraction, near: Fraction
) -> None:
    bound = SelectionBound(size, alpha, near, HALF)
    if bound.factor >= 1:
        with pytest.raises(InvalidArgument, match="no n suffices"):
            SelectionBound(1 << 80, alpha, near, HALF).sample_size(beta)
        return
    n = bound.sample_size(beta)
    assert bound.failure(n) <= beta + F(1, 10**30)
    assert n == 0 or bound.failure(n - 1) > beta - F(1, 10**30)


def test_an_agnostic_choice_has_half_of_epsilon_for_its_rate() -> None:
    learner = GenericLearner(Thresholds(10), epsilon="1/10", agnostic=True)
    halved = AgnosticBound(1024, F(1, 20)).sample_size("0.1", "0.05")
    assert halved <= learner.sample_size(Accuracy("0.1", "0.05")) <= halved + 1


def test_chains_are_counted_to_the_last_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sum may be cut anywhere: what is beyond it is put in for what it is at most."""
    q, n, alpha = Decay(F(1, 2)), 40, F(1, 3)
    odds = [F(63, 2) * q.power(k) for k in range(n + 1)]
    chances = [comb(n, k) * alpha**k * (1 - alpha) ** (n - k) for k in range(n + 1)]
    exact = 2 * sum(p * w / (1 + w) for p, w in zip(chances, odds, strict=True))
    bound = ChainBound(64, 2, q)
    assert exact <= bound.failure(n, alpha) < exact * F(1001, 1000)
    monkeypatch.setattr(chain_bound, "NEGLIGIBLE", 1.0)
    assert bound._last < n
    assert exact < bound.failure(n, alpha) < 1


@given(st.integers(1, 5000), st.booleans(), st.sampled_from(["1/10", "1", "5"]))
def test_accuracy_inverts_sample_size(n: int, free: bool, epsilon: str) -> None:
    learner = GenericLearner(Thresholds(16), epsilon=epsilon, agnostic=free)
    promised = learner.accuracy(n, "0.05")
    if promised is None:
        assert learner.sample_size(Accuracy("0.999", "0.05")) > n
    else:
        assert learner.sample_size(promised) <= n
        better = Accuracy(promised.alpha * F(999, 1000), promised.beta)
        assert learner.sample_size(better) > n


def test_the_law_is_the_one_over_the_listed_class() -> None:
    concepts = Thresholds(3, "both")
    sample = LabelCounts.of([(1, (1,)), (1, (0,)), (6, (1,)), (2, (0,))], labels=1)
    listed = tabulate(concepts.concepts(), concepts.domain())
    fine = GenericLearner(concepts, epsilon=1).law(sample)
    reference = GenericLearner(listed, epsilon=1).law(sample)
    for index, concept in enumerate(concepts.concepts()):
        assert fine[concept] == next(
            p for row, p in reference.probabilities.items() if row.index == index
        )


def test_an_empty_sample_is_learned_from() -> None:
    empty = LabelCounts.of([], labels=1)
    assert GenericLearner(Thresholds(4), epsilon=1)(empty, rng=Seeded(0)).at < 16


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        GenericLearner(Thresholds(4), epsilon=0)
    with pytest.raises(InvalidArgument, match="approximation"):
        representation(epsilon=1, size=4, alpha="0.1", approximation="0.1")
    with pytest.raises(InvalidArgument, match="beta"):
        GenericLearner(Thresholds(4), epsilon=1).accuracy(10, 1)
    assert GenericLearner(Thresholds(4), epsilon=1).accuracy(0, "0.5") is None
    with pytest.raises(InvalidArgument, match="masses"):
        Population(np.array([1]), (F(1, 2),), (F(0),))
