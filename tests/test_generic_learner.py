"""The generic learner: golden sizes, promises kept in simulation, promises not wasteful."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.concepts.concept_class import ConceptClass
from tacit.concepts.finite import tabulate
from tacit.concepts.specification import parse
from tacit.concepts.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.decay import Decay
from tacit.core.errors import InvalidArgument
from tacit.core.randomness import Seeded
from tacit.evaluation.simulation import Population, alarm, failures
from tacit.learners import GenericLearner
from tacit.statistics import LabelCounts
from tacit.theory.selection_bound import SelectionBound, agnostic, realisable, representation

F = Fraction
GOAL = Accuracy("0.1", "0.1")
RUNS = 600
HALF = Decay.of(F(1, 2))
CLASSES = ("thresholds(bits=10)", "thresholds(bits=40, direction=both)")


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


@given(st.integers(1, 5000), st.booleans(), st.sampled_from(["1/10", "1", "5"]))
def test_accuracy_inverts_sample_size(n: int, free: bool, epsilon: str) -> None:
    learner = GenericLearner(Thresholds(16), epsilon=epsilon, agnostic=free)
    promised = learner.accuracy(n, "0.05")
    if promised is not None:
        assert learner.sample_size(promised) <= n
        better = Accuracy(promised.alpha * F(999, 1000), promised.beta)
        assert learner.sample_size(better) > n


def _populations(concepts: ConceptClass[Any], alpha: Fraction) -> list[tuple[str, Population]]:
    """Return realisable populations: the hard one of the proof, and others of several shapes."""
    over = alpha * F(1001, 1000)
    top = concepts.domain_size
    target = top // 2
    yes, no = F(1), F(0)
    shapes = {
        "all bad share one point": ([target - 1, target], [over, 1 - over]),
        "one bad region above": (
            [target - 1, target, top - 1],
            [1 - over - over / 9, over, over / 9],
        ),
        "two halves": ([0, top - 1], [F(1, 2), F(1, 2)]),
        "bad mass in five parts": (
            [target - 1 - i for i in range(5)] + [top - 1],
            [over / 5] * 5 + [1 - over],
        ),
        "even steps": ([top * i // 20 for i in range(20)], [F(1, 20)] * 20),
    }
    return [
        (
            name,
            Population(
                np.array(points), tuple(masses), tuple(yes if x >= target else no for x in points)
            ),
        )
        for name, (points, masses) in shapes.items()
    ]


@pytest.mark.parametrize("spec", CLASSES)
def test_the_promise_is_kept_and_is_not_wasteful(spec: str) -> None:
    """Failure is below beta on five populations at n, and above it somewhere at n / 4."""
    concepts = parse(spec)
    learner, rng = GenericLearner(concepts, epsilon=1), Seeded(1)
    n, limit = learner.sample_size(GOAL), alarm(RUNS, GOAL.beta)
    quarter = []
    for name, population in _populations(concepts, GOAL.alpha):
        found = failures(learner, population, n=n, limit=GOAL.alpha, runs=RUNS, rng=rng)
        assert found < limit, name
        few = failures(learner, population, n=n // 4, limit=GOAL.alpha, runs=200, rng=rng)
        quarter.append(few / 200)
    assert max(quarter) > GOAL.beta


def test_the_agnostic_promise_is_kept() -> None:
    concepts = Thresholds(10)
    learner = GenericLearner.tempered(concepts, epsilon=1, alpha=GOAL.alpha)
    assert learner.agnostic
    n, rng = learner.sample_size(GOAL), Seeded(2)
    lean = F(1, 2) + GOAL.alpha * F(1001, 2000)
    populations = [
        Population(np.array([511, 512]), (F(1, 2), F(1, 2)), (1 - lean, lean)),
        Population(np.array([511]), (F(1),), (1 - lean,)),
        Population(np.array([511]), (F(1),), (lean,)),
        Population(np.arange(0, 1000, 100), (F(1, 10),) * 10, (F(3, 10),) * 5 + (F(7, 10),) * 5),
        Population(np.arange(0, 1000, 100), (F(1, 10),) * 10, (F(1, 2),) * 10),
    ]
    for population in populations:
        best = min(population.error(h) for h in concepts.concepts())
        limit = best + GOAL.alpha
        found = failures(learner, population, n=n, limit=limit, runs=RUNS, rng=rng)
        assert found < alarm(RUNS, GOAL.beta)


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
