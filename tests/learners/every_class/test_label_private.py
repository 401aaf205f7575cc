"""Label privacy: its own type, its planner, and its promise in simulation."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tacit.concepts.contract.specification import parse
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument
from tacit.core.label_privacy import LabelPrivacy
from tacit.learners import GenericLearner, LabelPrivateLearner
from tacit.statistics import LabelCounts
from tacit.theory.enough.selection import representation
from tacit.theory.solving.representatives import Representatives, sauer, shares
from tacit.verify.enough.simulation import Population, alarm

F = Fraction
GOAL = Accuracy("0.1", "0.1")


def test_golden_number_of_public_points() -> None:
    assert Representatives(1 << 1024, 1).points("0.05", "0.025") == 1081
    assert Representatives(8, 1).points("0.05", "0.025") < 200


@pytest.mark.parametrize(("vc", "points"), [(0, 5), (1, 7), (2, 4), (3, 3), (5, 2)])
def test_sauer_counts_small_subsets(vc: int, points: int) -> None:
    assert sauer(vc, points) == sum(1 for s in product((0, 1), repeat=points) if sum(s) <= vc)


def test_the_chance_of_a_missing_representative_is_bounded() -> None:
    """Thresholds over 8 points, uniform: exact probability over all samples of 4 points."""
    concepts, gamma, m = Thresholds(3), F(1, 4), 4
    domain, listed = concepts.domain(), list(concepts.concepts())
    missing = 0
    for drawn in product(range(8), repeat=m):
        kept = concepts.dichotomies(np.unique(drawn))
        missing += any(
            all(np.sum(h(domain) != c(domain)) > gamma * 8 for h in kept) for c in listed
        )
    exact = F(missing, 8**m)
    assert exact > 0
    first = 28 * (1 - gamma) ** m
    assert exact <= first
    assert not Representatives(8, 1).suffices(m, gamma, exact / 2)


def test_it_is_no_cost() -> None:
    learner = LabelPrivateLearner(Thresholds(4), epsilon=1)
    assert learner.privacy == LabelPrivacy(1)
    assert not hasattr(learner, "cost")
    with pytest.raises((InvalidArgument, TypeError)):
        price(learner.privacy)


@pytest.mark.parametrize("goal", [GOAL, Accuracy("0.05", "0.2")])
def test_half_of_beta_is_for_the_public_points_and_half_for_the_choice(goal: Accuracy) -> None:
    learner, half = LabelPrivateLearner(Thresholds(64), epsilon=1), goal.beta / 2
    m, n = learner.plan(goal)
    cover = Representatives(1 << 64, 1)
    assert any(
        cover.suffices(m, gamma, half)
        and representation(
            epsilon=1, size=cover.count(m), alpha=goal.alpha, approximation=gamma
        ).suffices(n, half)
        for gamma in shares(goal.alpha)
    )


def test_candidates_are_told_apart_by_the_public_points_only() -> None:
    sample = LabelCounts.of([(1, (0,)), (2, (1,)), (9, (1,))], labels=1)
    law = LabelPrivateLearner(Thresholds(4), epsilon=1).law(np.array([5, 5]), sample)
    assert {tuple(h(np.array([5])).tolist()) for h in law.probabilities} == {(True,), (False,)}
    assert len(law.probabilities) == 2


def test_public_features_make_the_domain_free() -> None:
    wide, wider = (
        LabelPrivateLearner(Thresholds(b), epsilon=1).sample_size(GOAL) for b in (256, 4096)
    )
    assert wide == wider
    assert GenericLearner(Thresholds(4096), epsilon=1).sample_size(GOAL) > 10 * wide


@pytest.mark.parametrize("spec", ["thresholds(bits=30)", "points(bits=30)"])
def test_the_promise_is_kept(spec: str) -> None:
    concepts, rng, runs = parse(spec), Seeded(5), 300
    learner = LabelPrivateLearner(concepts, epsilon=1)
    m, n = learner.plan(GOAL)
    over = GOAL.alpha * F(1001, 1000)
    target = concepts.decode({"at": 1 << 20, "up": True} if "thr" in spec else {"at": 1 << 20})
    for points, masses in (
        ([(1 << 20) - 1, 1 << 20], [over, 1 - over]),
        ([1 << 20, 1 << 29], [over, 1 - over]),
        ([1 << 19, 1 << 20, 1 << 21], [F(1, 3)] * 3),
        ([5, 6], [F(1, 2)] * 2),
        (list(range(1 << 20, (1 << 20) + 20)), [F(1, 20)] * 20),
    ):
        at = np.array(points)
        truth = tuple(F(int(yes)) for yes in target(at))
        population = Population(at, tuple(masses), truth)
        failed = 0
        for _ in range(runs):
            public = population.draw(m, rng=rng).points
            hypothesis = learner(public, population.draw(n, rng=rng), rng=rng)
            failed += population.error(hypothesis) > GOAL.alpha
        assert failed < alarm(runs, GOAL.beta)
