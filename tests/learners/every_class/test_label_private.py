"""Label privacy: its own type, its bound, and its promise in simulation."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import hypergeom

from tacit.concepts.contract.specification import parse
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument
from tacit.core.label_privacy import LabelPrivacy
from tacit.core.numbers.least import least
from tacit.core.privacy import Privacy
from tacit.learners import CATALOGUE, GenericLearner, LabelPrivateLearner, Request
from tacit.statistics import JointCounts, LabelCounts
from tacit.theory.enough.selection import PublicPointsBound
from tacit.theory.solving.class_table import sauer
from tacit.verify.enough.simulation import Population, alarm

F = Fraction
GOAL = Accuracy("0.1", "0.1")


@pytest.mark.parametrize(("vc", "points"), [(0, 5), (1, 7), (2, 4), (3, 3), (5, 2)])
def test_sauer_counts_small_subsets(vc: int, points: int) -> None:
    assert sauer(vc, points) == sum(1 for s in product((0, 1), repeat=points) if sum(s) <= vc)


def test_it_is_no_cost() -> None:
    learner = LabelPrivateLearner(Thresholds(4), epsilon=1)
    assert learner.privacy == LabelPrivacy(1)
    assert not hasattr(learner, "cost")
    with pytest.raises((InvalidArgument, TypeError)):
        price(learner.privacy)


def test_the_catalogue_gives_it_to_those_who_ask_for_labels_only() -> None:
    asked = Request(Thresholds(4), Privacy(1), 50, None, F(1, 20), agnostic=True)
    with pytest.raises(InvalidArgument, match="tacit plan --labels-only"):
        CATALOGUE["label-private"](asked)
    made = CATALOGUE["label-private"](replace(asked, labels_only=True, labels=3))
    assert made == LabelPrivateLearner(Thresholds(4), epsilon=1, labels=3, agnostic=True)


@pytest.mark.parametrize(("r", "g", "n"), [(20, 6, 100), (50, 1, 60), (33, 20, 300)])
def test_a_good_score_of_a_bad_concept_is_as_rare_as_said(r: int, g: int, n: int) -> None:
    """The tail over all splits, for every number of mistakes, is below the closed form."""
    rare = r * math.log(2 * r / (r + g)) + g * math.log(2 * g / (r + g))
    marks = np.arange(r, min(2 * n, n + g) + 1)
    tails = hypergeom.cdf(np.minimum(g, marks - r), 2 * n, marks, n)
    assert tails.max() <= math.exp(-rare)
    assert marks[tails.argmax()] == r + g


@pytest.mark.parametrize("agnostic", [False, True])
@pytest.mark.parametrize(("vc", "size"), [(1, None), (1, 40), (4, None), (3, 10**4)])
def test_more_rows_are_enough_too(vc: int, size: int | None, agnostic: bool) -> None:
    for rate, goal in ((F(1, 2), GOAL), (F(1, 40), Accuracy("0.3", "0.01")), (F(5), GOAL)):
        bound = PublicPointsBound(vc, size, rate, agnostic)
        told = [bound.suffices(n, goal) for n in [*range(1, 400, 7), *range(400, 40000, 997)]]
        assert told == sorted(told)
        assert told[-1]


@pytest.mark.parametrize("agnostic", [False, True])
@pytest.mark.parametrize(("vc", "size"), [(1, None), (1, 40), (3, 10**4)])
def test_enough_is_what_the_page_says(vc: int, size: int | None, agnostic: bool) -> None:
    """The least number of rows, by the formulas of the proof in floats."""
    alpha, beta, rate = 0.1, 0.05, 0.5

    def labellings(m: int) -> float:
        return min(vc * math.log(math.e * m / vc), math.log(size or math.inf))

    def enough(n: int) -> bool:
        g, r = (labellings(n) + math.log(2 / beta)) / rate, alpha * n - 1
        if agnostic:
            a = 1 + math.sqrt((n + 1) * (math.log(2) + labellings(2 * n) + math.log(4 / beta)))
            return g / n + a / n + math.sqrt(math.log(4 / beta) / (2 * n)) <= alpha
        rare = r * math.log(2 * r / (r + g)) + g * math.log(2 * g / (r + g)) if r > g else 0
        return math.log(2) + labellings(2 * n) - rare <= math.log(beta / 2)

    bound = PublicPointsBound(vc, size, F(1, 2), agnostic)
    n = least(lambda n: bound.suffices(n, Accuracy(F(1, 10), F(1, 20))), low=max(vc, 1))
    assert enough(n)
    assert not enough(n - 1)


@pytest.mark.parametrize("agnostic", [False, True])
def test_labels_share_beta(agnostic: bool) -> None:
    ten = LabelPrivateLearner(Thresholds(64), epsilon=10, labels=10, agnostic=agnostic)
    one = LabelPrivateLearner(Thresholds(64), epsilon=1, agnostic=agnostic)
    assert ten.sample_size(GOAL) == one.sample_size(Accuracy(GOAL.alpha, GOAL.beta / 10))


@pytest.mark.parametrize("agnostic", [False, True])
def test_what_is_promised_is_what_is_enough(agnostic: bool) -> None:
    learner = LabelPrivateLearner(Thresholds(64), epsilon=1, labels=2, agnostic=agnostic)
    n = learner.sample_size(GOAL)
    promised = learner.accuracy(n, GOAL.beta)
    assert promised is not None
    assert promised.alpha <= GOAL.alpha
    assert learner.suffices(n, promised)
    assert not learner.suffices(n - 1, GOAL)


def test_candidates_are_told_apart_by_the_points_only() -> None:
    rows = [(5, (0,)), (5, (1,)), (5, (1,))]
    law = LabelPrivateLearner(Thresholds(4), epsilon=1).law(LabelCounts.of(rows, labels=1))
    assert {tuple(h(np.array([5])).tolist()) for (h,) in law.probabilities} == {(True,), (False,)}
    assert len(law.probabilities) == 2


def test_labels_share_the_budget() -> None:
    rows = [(1, (0, 1)), (2, (1, 1)), (3, (1, 0))]
    both = LabelPrivateLearner(Thresholds(2), epsilon=2, labels=2)
    one = LabelPrivateLearner(Thresholds(2), epsilon=1)
    law = both.law(JointCounts.of(rows, labels=2)).map(lambda told: told[0])
    alone = one.law(LabelCounts.of([(x, ys[:1]) for x, ys in rows], labels=1))
    assert law.probabilities == alone.map(lambda told: told[0]).probabilities


def test_public_features_make_the_domain_free() -> None:
    wide, wider = (
        LabelPrivateLearner(Thresholds(b), epsilon=1).sample_size(GOAL) for b in (256, 4096)
    )
    assert wide == wider
    assert GenericLearner(Thresholds(4096), epsilon=1).sample_size(GOAL) > 10 * wide


def test_it_takes_rows_with_few_labellings() -> None:
    least = [
        LabelPrivateLearner(parse(s), epsilon=1).largest_sample
        for s in ("thresholds(bits=30)", "intervals(bits=30)")
    ]
    assert least == [65535, 2047]


@pytest.mark.parametrize("agnostic", [False, True])
@pytest.mark.parametrize("spec", ["thresholds(bits=30)", "points(bits=30)"])
def test_the_promise_is_kept(spec: str, agnostic: bool) -> None:
    concepts, rng, runs = parse(spec), Seeded(5), 60
    learner = LabelPrivateLearner(concepts, epsilon=1, agnostic=agnostic)
    n = learner.sample_size(GOAL)
    over = GOAL.alpha * F(1001, 1000)
    flipped = F(1, 5) if agnostic else F(0)
    target = concepts.decode({"at": 1 << 20, "up": True} if "thr" in spec else {"at": 1 << 20})
    for points, masses in (
        ([(1 << 20) - 1, 1 << 20], [over, 1 - over]),
        ([1 << 20, 1 << 29], [over, 1 - over]),
        (list(range(1 << 20, (1 << 20) + 20)), [F(1, 20)] * 20),
    ):
        at = np.array(points)
        truth = tuple(1 - flipped if yes else flipped for yes in target(at))
        population = Population(at, tuple(masses), truth)
        best, failed = min(population.error(h) for h in concepts.dichotomies(at)), 0
        for _ in range(runs):
            (hypothesis,) = learner(population.draw(n, rng=rng), rng=rng)
            failed += population.error(hypothesis) > best + GOAL.alpha
        assert failed < alarm(runs, GOAL.beta)
