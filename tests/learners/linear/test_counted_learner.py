"""The counted learner: sensitivities, the law, the sampler, few rows, and errors on tables."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.concepts.rules.scorecard import Steps
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument
from tacit.learners import CountedLearner
from tacit.learners.linear.counted_card import _logits, weight_of
from tacit.statistics import LabelCounts

MIXED = Scorecards("c3x2xs9xn5")
points = st.tuples(*(st.integers(0, top) for top in (2, 1, 8, 4)))
rows_ = st.tuples(points, st.integers(0, 1))


def _sample(rows: list[Any]) -> LabelCounts:
    return LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)


@given(st.lists(rows_, min_size=1, max_size=6), rows_, st.integers(0, 99))
def test_a_row_moves_counts_as_little_as_claimed(rows: list[Any], other: Any, seed: int) -> None:
    learner = CountedLearner(MIXED, epsilon=1, caution=0)
    told = np.random.default_rng(seed).integers(0, 9, 14).tolist()
    parts = learner._parts(9, tuple(told))
    old, new = _sample(rows), _sample([other, *rows[1:]])
    totals = zip(learner._totals(old), learner._totals(new), strict=True)
    counts = zip(learner._counts(old, 0, parts), learner._counts(new, 0, parts), strict=True)
    steps, cells = learner._noises(Fraction(1), Fraction(1))
    assert steps is not None
    assert sum(abs(a - b) for a, b in totals) <= steps.sensitivity == 4
    assert sum(abs(a - b) for a, b in counts) <= cells.sensitivity == 8


@pytest.mark.parametrize("n", [0, 40, 200, 400, 40_000])
def test_the_cost_is_what_was_asked_for(n: int) -> None:
    learner = CountedLearner(MIXED, epsilon="3/2")
    assert learner.cost == Pure(Fraction(3, 2))
    assert sum(learner.shares(n)) == learner.epsilon
    assert (learner.shares(n)[2] == 0) == (n <= 200)


def test_the_sampler_has_the_law() -> None:
    """Chi-square over the likeliest cards; a true law fails with probability 1e-9."""
    learner = CountedLearner(Scorecards("s3"), epsilon=4, caution=0)
    sample = LabelCounts.of([(0, (0,)), (2, (1,))], labels=1)
    law, runs, rng = learner.law(sample), 3000, Seeded(3)
    assert law.slack == 0
    drawn = Counter(learner(sample, rng=rng) for _ in range(runs))
    assert set(drawn) <= set(law.probabilities)
    often = {card: float(p) for card, p in law.probabilities.items() if p * runs >= 20}
    assert len(often) >= 5
    found = sum((drawn[card] - runs * p) ** 2 / (runs * p) for card, p in often.items())
    assert found < chi2.isf(1e-9, len(often))


@settings(max_examples=40, deadline=None)
@given(st.lists(rows_, max_size=12), st.integers(0, 5), st.integers(0, 10**6))
def test_any_sample_gives_a_scorecard(rows: list[Any], null: int, seed: int) -> None:
    learner = CountedLearner(MIXED, epsilon="1/3", caution=seed % 2 * 100)
    counted = _sample(rows)
    found = counted.points.reshape(len(counted.points), 4)
    sample = LabelCounts(counted.n + null, 1, found, counted.totals, counted.positives)
    card = learner(sample, rng=Seeded(seed))
    assert MIXED.decode(MIXED.encode(card)) == card
    assert len(card(MIXED.domain())) == MIXED.domain_size


def test_points_follow_the_odds() -> None:
    """A rare outcome that one category and high numbers have more often; noise has no points."""
    floats = np.random.default_rng(5)
    codes = np.column_stack(
        (
            floats.integers(0, 3, 20_000),
            floats.integers(0, 2, 20_000),
            floats.integers(0, 100, 20_000),
        )
    )
    logits = -4 + 2 * (codes[:, 0] == 1) + (codes[:, 2] >= 70)
    label = floats.random(20_000) < 1 / (1 + np.exp(-logits))
    rows = zip(map(tuple, codes.tolist()), ((y,) for y in label.tolist()), strict=True)
    learner = CountedLearner(Scorecards("c3x2xs100"), epsilon=1)
    card = learner(LabelCounts.of(list(rows), labels=1), rng=Seeded(1))
    kinds, coin, step = card.weights
    assert isinstance(kinds, tuple)
    assert isinstance(coin, int)
    assert isinstance(step, Steps)
    assert 14 <= kinds[1] - max(kinds[0], kinds[2]) <= 24
    assert abs(coin) <= 2
    assert 6 <= step.points[-1] - step.points[0] <= 13
    assert np.mean(card(codes) != label) <= np.mean(label) + 0.01
    assert len(card.levels) >= 7


def test_few_rows_say_what_is_more_frequent() -> None:
    rows = [((i % 3, i % 2, 0, i % 5), i % 10 > 2) for i in range(500)]
    learner = CountedLearner(MIXED, epsilon="1/10")
    said = [learner(_sample(rows), rng=Seeded(seed)).rule("abcd") for seed in range(40)]
    assert set(said) == {"always"}


def test_as_many_yes_as_no_is_yes_and_each_label_is_counted_by_itself() -> None:
    learner = CountedLearner(Scorecards("s3"), epsilon=400, caution=10**6)
    rows = [(0, (0, 1)), (0, (1, 1)), (1, (0, 1)), (2, (1, 0))]
    both = LabelCounts.of(rows, labels=2)
    assert learner(both, rng=Seeded(1)).rule("a") == "always", "as the law has it"
    found = CountedLearner(Scorecards("s3"), epsilon=40, caution=0)
    alone = LabelCounts.of([(x, y[1:]) for x, y in rows], labels=1)
    assert found(both, label=1, rng=Seeded(1)) == found(alone, rng=Seeded(1))
    assert found(both, label=0, rng=Seeded(1)) != found(alone, rng=Seeded(1))


def test_what_is_missing_is_a_part_of_its_own() -> None:
    learner = CountedLearner(Scorecards("n4"), epsilon=1, caution=0)
    sample = _sample([(0, 1), (1, 0), (1, 1), (3, 1), (3, 1), (3, 0)])
    assert learner._totals(sample) == [1, 2, 0, 3]
    assert learner._counts(sample, 0, ((1, 3),)) == [1, 1, 2, 0, 1, 1]


def test_what_noise_alone_would_show_has_no_points() -> None:
    flat, steep = np.array([[50.0, 51.0], [50.0, 49.0]]), np.array([[900.0, 90.0], [100.0, 910.0]])
    logits, mass = _logits(flat, 0.5, noise=(100.0, 100.0))
    assert logits.tolist() == [0, 0]
    assert mass.tolist() == [0.5, 0.5]
    found = _logits(steep, 0.5, noise=(100.0, 100.0))[0]
    assert 1 < found[0] < np.log(9), "shrunk, and still clear"


def test_what_is_missing_has_its_own_step_if_a_number_has_points() -> None:
    assert weight_of("n", 4, (1, 3), [5, 5, 5]) == Steps((3,), (5, 5))
    assert weight_of("s", 4, (1, 3), [5, 5, 5]) == Steps((), (5,))
    assert weight_of("n", 4, (1, 3), [0, 0, 0]) == Steps((), (0,))


def test_numbers_with_weights_are_refused() -> None:
    for values in ("5", "q5"):
        with pytest.raises(InvalidArgument, match="write s5"):
            CountedLearner(Scorecards(values), epsilon=1)
