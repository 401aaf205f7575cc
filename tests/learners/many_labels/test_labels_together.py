"""Rules of many labels scored in one walk: the numbers and the hypotheses of one by one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts import Conjunctions, Points, Thresholds
from tacit.concepts.algebra.parities import Parities
from tacit.concepts.rules import bitmaps
from tacit.concepts.rules.literals import Literal
from tacit.concepts.rules.rules import Column, Rules
from tacit.concepts.rules.selections import Selections
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.cost import BoundedRange
from tacit.core.privacy import Privacy
from tacit.learners import DirectSum, GenericLearner, ParityLearner, StablePointLearner
from tacit.statistics import LabelCounts, ScoreProfile

LABELS = 7
RULES = Rules(
    [Column("age", 0, 20), Column("smoker", 0, 1)],
    [*(Literal(0, ">=", cut) for cut in (3, 9, 15)), Literal(0, "<", 12), Literal(1, "=", 1)],
    width=3,
)
CLASSES: dict[str, Any] = {
    "rules": RULES,
    "conjunctions": Conjunctions(2, 2),
    "thresholds": Thresholds(4),
    "points": Points(4),
}


def _sample(concepts: Any, seed: int, *, rows: int = 400) -> LabelCounts:
    """Draw rows, some of them outside the domain, with heavy points among light ones."""
    floats = np.random.default_rng(seed)
    columns = concepts.features
    points = np.unique(floats.integers(-2, 24, (rows, columns)), axis=0)
    points = points if columns > 1 else points[:, 0]
    totals = np.maximum(1, floats.geometric(0.2, len(points)) ** 2)
    positives = floats.integers(0, totals[:, None] + 1, (len(points), LABELS))
    return LabelCounts(int(totals.sum()) + 3, LABELS, points, totals, positives)


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_coins_give_the_same_hypotheses(name: str, seed: int) -> None:
    concepts, sample = CLASSES[name], _sample(CLASSES[name], seed)
    learner = GenericLearner(concepts, epsilon="1/9")
    rng = Seeded(seed)
    one_by_one = tuple(learner(sample, label=j, rng=rng) for j in range(LABELS))
    assert DirectSum(learner, LABELS)(sample, rng=Seeded(seed)) == one_by_one
    assert DirectSum(learner, 3)(sample, rng=Seeded(seed)) == one_by_one[:3]


def test_all_labels_share_beta() -> None:
    learner, goal = GenericLearner(Thresholds(10), epsilon=1), Accuracy("0.1", "0.05")
    both, each = DirectSum(learner, 5), learner.sample_size(Accuracy("0.1", "0.01"))
    assert both.sample_size(goal) == each > learner.sample_size(goal)
    promised, alone = both.accuracy(each, "0.05"), learner.accuracy(each, "0.01")
    assert promised is not None
    assert alone is not None
    assert (promised.alpha, promised.beta) == (alone.alpha, goal.beta)


MADE: dict[str, Callable[[Fraction], Any]] = {
    "bounded range": lambda each: GenericLearner(Thresholds(4), epsilon=each),
    "pure": lambda each: ParityLearner(Parities(4), epsilon=each),
    "approximate": lambda each: StablePointLearner(Points(4), epsilon=each, delta="1e-8"),
    "twice as dear": lambda each: StablePointLearner(Points(4), epsilon=2 * each, delta="1e-8"),
}


@pytest.mark.parametrize("name", MADE)
def test_a_budget_for_all_labels_is_kept_and_used(name: str) -> None:
    total = Privacy(1, "1e-6")
    made = [DirectSum.within(total, 5, MADE[name])]
    if name == "bounded range":
        made.append(DirectSum.within(total, 20, MADE[name], price=BoundedRange))
    for direct in made:
        assert 0.9 < price(direct.cost, total.delta).privacy.epsilon <= 1


@pytest.mark.parametrize("together", [1, 60, 1 << 25])
def test_few_labels_at_a_time_give_the_same_scores(
    together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bitmaps, "TOGETHER", together)
    sample = _sample(RULES, 5)
    profiles = list(ScoreProfile.agreements_of_labels(RULES, sample, labels=LABELS))
    assert len(profiles) == LABELS
    for j, profile in enumerate(profiles):
        inside = LabelCounts(
            sample.n, LABELS, RULES.clip(sample.points), sample.totals, sample.positives
        )
        expected = [inside.n - 3 - inside.mistakes(rule, label=j) for rule in RULES.concepts()]
        assert profile.scores.tolist() == expected


@settings(max_examples=50, deadline=None)
@given(data=st.data(), points=st.integers(0, 80), columns=st.integers(1, 4))
def test_weights_are_added_up(data: st.DataObject, points: int, columns: int) -> None:
    floats = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    truths = floats.random((4, points)) < 0.5
    weights = floats.integers(0, data.draw(st.sampled_from([1, 2, 1000, 2**40])), (points, columns))
    selections = Selections(2, 2, 2)
    expected = [truths[list(chosen)].all(axis=0) @ weights for chosen in selections]
    counted = bitmaps.weighted_supports(selections, truths, weights)
    assert counted.tolist() == np.array(expected).tolist()
