"""Weights of misses: what is chosen, where cards say yes, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tacit.concepts.grid.boxes import Boxes
from tacit.concepts.line.thresholds import Thresholds
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.learners import (
    CountedLearner,
    DirectSum,
    GenericLearner,
    MarginLearner,
    StablePointLearner,
    WeightedLearner,
)
from tacit.learners.made_from.weighted import weighted
from tacit.statistics import LabelCounts

ROWS = [(x, (x >= 40 and x % 4 == 0,)) for x in range(64)] * 20
SAMPLE = LabelCounts.of(ROWS, labels=1)


def test_what_is_chosen_costs_least() -> None:
    alone = GenericLearner(Thresholds(6), epsilon=8)
    for odds in ("1/2", 1, 3, 9):
        chosen = WeightedLearner(alone, [odds])(SAMPLE, rng=Seeded(1))

        def cost(hypothesis: object, odds: Fraction = Fraction(odds)) -> Fraction:
            said = [bool(hypothesis(np.array([x]))[0]) for x, _ in ROWS]  # type: ignore[operator]
            pairs = list(zip(said, (y for _, (y,) in ROWS), strict=True))
            return odds * sum(y and not s for s, y in pairs) + sum(s and not y for s, y in pairs)

        assert cost(chosen) <= min(map(cost, Thresholds(6).concepts())) + 20


def test_weights_of_one_change_nothing() -> None:
    alone = GenericLearner(Thresholds(6), epsilon=1)
    assert WeightedLearner(alone, [1]).law(SAMPLE) == alone.law(SAMPLE)
    assert WeightedLearner(alone, ["5/2"]).cost == alone.cost


def test_a_row_counts_as_no_more_than_it_may() -> None:
    alone = GenericLearner(Thresholds(2), epsilon=1)
    laws = [
        WeightedLearner(alone, [5]).law(LabelCounts.of(rows, labels=1)).probabilities
        for rows in ([(0, (0,)), (3, (1,))], [(0, (0,)), (0, (0,))])
    ]
    assert all(float(laws[0][h] / laws[1][h]) <= np.exp(1) + 1e-9 for h in laws[0])


@pytest.mark.parametrize("odds", ["1/4", 5])
def test_cards_say_yes_where_it_is_cheaper(odds: int | str) -> None:
    floats = np.random.default_rng(1)
    x = floats.integers(0, 50, 8000)
    y = floats.random(8000) < 1 / (1 + np.exp(-(x - 25) / 5))
    sample = LabelCounts.of([(int(a), (int(b),)) for a, b in zip(x, y, strict=True)], labels=1)
    best = 25 - 5 * np.log(float(Fraction(odds)))
    for learner in (
        MarginLearner.within(Scorecards("s50"), Privacy(2, "1e-6")),
        CountedLearner(Scorecards("s50"), epsilon=2),
    ):
        card = WeightedLearner(learner, [odds])(sample, rng=Seeded(1))
        first = int(np.argmax(card(np.arange(50))))
        assert abs(first - best) < 6


def test_a_constant_is_the_cheaper_one() -> None:
    few = LabelCounts.of([(0, (1,))] * 4 + [(0, (0,))] * 6, labels=1)
    alone = CountedLearner(Scorecards("2"), epsilon=8, caution=1000)
    for odds, yes in ((1, False), (9, True)):
        law = WeightedLearner(alone, [odds]).law(few)
        card = max(law.probabilities, key=lambda each: law.probabilities[each])
        assert bool(card(np.array([[0]]))[0]) == yes


def test_refusals_name_the_way_out() -> None:
    stable = StablePointLearner(Thresholds(2), epsilon=1, delta="1/10")
    with pytest.raises(InvalidArgument, match="short-rules, counted, margin"):
        weighted(DirectSum(stable, 1), ["2"])
    alone = GenericLearner(Thresholds(2), epsilon=1)
    for odds in ("1001", "1/1001"):
        with pytest.raises(InvalidArgument, match="up to 1000"):
            WeightedLearner(alone, [odds])
    few = GenericLearner(Boxes(16, 3), epsilon=1)
    assert WeightedLearner(few, ["2/3", "5/2"]).largest_sample == 63 // 5
    assert WeightedLearner(alone, [2]).accuracy(1000, "1/20") is None
