"""Learners for added records: what they change, what they refuse, and coins that hold out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tacit import concepts, learners
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.accuracy import Accuracy
from tacit.core.chance.coins import FINEST, coins
from tacit.core.chance.law import mixture
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Added, BoundedRange, Parallel, Pure
from tacit.core.errors import InvalidArgument
from tacit.core.group_privacy import as_replaced
from tacit.core.privacy import Privacy
from tacit.learners.catalogue import named
from tacit.learners.contract.entry import Request
from tacit.learners.linear.linear_frame import moments, moments_moved
from tacit.learners.made_from.added import for_added
from tacit.learners.made_from.by_person import ByPerson
from tacit.mechanisms import ToldNumber
from tacit.statistics import JointCounts, LabelCounts
from tacit.statistics.counts.person_counts import PersonCounts

GENERIC = learners.DirectSum(learners.GenericLearner(concepts.Thresholds(6), epsilon=1), 1)
ROWS = [(x, (x >= 40,)) for x in range(64)]


def test_choices_weigh_twice_as_much_for_the_same_cost() -> None:
    made = learners.AddedLearner(GENERIC, 10)
    inner: Any = made.inner
    assert inner.learner.epsilon == 2
    assert made.cost == Added(BoundedRange(1))
    sample = JointCounts.of(ROWS, labels=1)
    twice = learners.GenericLearner(concepts.Thresholds(6), epsilon=2).law(sample.marginal())
    alone = twice.map(lambda rule: (rule,))
    assert made.law(sample).probabilities == alone.probabilities


@pytest.mark.parametrize(
    "learner",
    [
        learners.CountedLearner(Scorecards("s9xc3"), epsilon=1),
        learners.MarginLearner(Scorecards("9xc3"), rho="1/50", steps=4),
    ],
)
def test_what_is_drawn_depends_on_the_public_number_alone(learner: Any) -> None:
    """A learner that is told another number than there is draws as one that was declared so."""
    rows = [((a, b), ((a + b) % 2,)) for a in range(9) for b in range(3)] * 40
    small, large = (LabelCounts.of(rows[:k], labels=1) for k in (300, 1080))
    made = for_added(learner, 700)
    cards = {made(sample, rng=Seeded(3)) for sample in (small, large)}
    assert len(cards) == 2
    lying = LabelCounts(10**6, 1, small.points, small.totals, small.positives)  # null rows
    assert made(lying, rng=Seeded(3)) == made(small, rng=Seeded(3))


def test_empty_samples_go_through() -> None:
    nobody = LabelCounts.of([], labels=1)
    for kind in (learners.GenericLearner, learners.PriorLearner):
        for_added(kind(concepts.Thresholds(6), epsilon=1), 500)(nobody, rng=Seeded(1))
    empty = LabelCounts(
        0, 1, np.zeros((0, 2), dtype=np.int64), nobody.totals, nobody.positives.reshape(0, 1)
    )
    cards = Scorecards("s9xc3")
    for learner in (
        learners.CountedLearner(cards, epsilon=1),
        learners.MarginLearner(Scorecards("9xc3"), rho="1/50"),
    ):
        for public in (0, 500, 10**6):
            for_added(learner, public)(empty, rng=Seeded(1))


def test_what_does_not_offer_it_is_refused_with_the_way_out() -> None:
    stable = learners.StablePointLearner(concepts.Points(4), epsilon=1, delta="1e-6")
    wide = learners.GenericLearner(concepts.Boxes(16, 2), epsilon=1)
    for learner in (stable, wide):
        with pytest.raises(InvalidArgument, match="short-rules"):
            learners.AddedLearner(learners.DirectSum(learner, 1), 9)


@pytest.mark.parametrize("values", ["5", "n5", "c4", "2", "5xc3xn4"])
def test_an_added_row_moves_moments_by_no_more_than_is_said(values: str) -> None:
    cards, unit = Scorecards(values), 8
    points = np.array(np.meshgrid(*(range(size) for size in cards.sizes))).reshape(
        cards.features, -1
    )
    most = max(
        sum(told * told for told in moments(cards, unit, row[None, :], np.array([1])))
        for row in points.T
    )
    assert most <= moments_moved(cards, unit, added=True) <= moments_moved(cards, unit)


def test_coins_hold_out_each_row_by_itself() -> None:
    sample = JointCounts.of([(0, (0,)), (0, (0,)), (1, (1,))], labels=1)
    tosses = list(sample.tosses(Fraction(1, 5)))
    assert sum(weight for weight, _ in tosses) == 1
    assert all(sum(block.n for block in blocks) == 3 for _, blocks in tosses)
    drawn: Counter[Any] = Counter()
    rng = Seeded(5)
    for _ in range(5000):
        _, held = sample.tossed(Fraction(1, 5), rng=rng)
        drawn[tuple(map(int, held.totals)), tuple(map(int, held.points))] += 1
    for weight, (_, held) in tosses:
        seen = drawn[tuple(map(int, held.totals)), tuple(map(int, held.points))]
        assert abs(seen / 5000 - weight) < 0.03


def test_coins_hold_out_each_person_with_all_rows() -> None:
    who, rows = np.array([[1], [1], [2], [3]]), np.array([[0, 1], [1, 1], [0, 0], [1, 0]])
    sample = PersonCounts.of(who, rows, features=1)
    tosses = list(sample.tosses(Fraction(1, 3)))
    assert len(tosses) == 8
    assert sum(weight for weight, _ in tosses) == 1
    learned, held = sample.tossed(Fraction(1, 3), rng=Seeded(2))
    assert learned.n + held.n == 3


def test_coins_are_exact_or_refused() -> None:
    assert not coins(100, Fraction(0), rng=Seeded(1)).any()
    assert coins(100, Fraction(1), rng=Seeded(1)).all()
    with pytest.raises(InvalidArgument, match="few digits"):
        coins(3, Fraction(1, FINEST + 1), rng=Seeded(1))


def test_costs_of_parts_stand_inside() -> None:
    made = learners.AddedLearner(GENERIC, 10)
    whole = learners.AddedMeasuredLearner(made, share="1/5", epsilon=2)
    assert whole.cost == Added(Parallel(BoundedRange(1), Pure(2)))
    for share in (0, 1, 2):
        with pytest.raises(InvalidArgument, match="share"):
            learners.AddedMeasuredLearner(made, share=share, epsilon=2)
    told = ToldNumber("1/20", lambda n: learners.AddedLearner(GENERIC, n), made.cost)
    assert price_parts(told) == [Fraction(1, 20), 1]
    with pytest.raises(InvalidArgument):
        ToldNumber(1, int, Pure(1))
    margin = learners.MarginLearner(Scorecards("9"), rho="1/8")
    many = learners.AddedLearner(learners.DirectSum(margin, 1), 5)
    assert many.cost == Added(margin.cost)
    assert many.inner.learner._noise == margin.cost  # whichever way a row moves less
    means: Any = learners.AddedLearner(ByPerson(many.learner, 60), 5)
    assert means.inner.learner.public_n == 300


def price_parts(told: ToldNumber) -> list[Fraction]:
    parts: Any = told.cost.part
    return [part.epsilon for part in parts.parts]


def test_rows_are_about_halved_where_privacy_asks_for_most() -> None:
    goal = Accuracy("0.05", "0.05")
    for learner in (
        learners.GenericLearner(concepts.Thresholds(32), epsilon=1),
        learners.GenericLearner(concepts.Conjunctions(20, 3), epsilon=1),
        learners.GenericLearner(concepts.Parities(16), epsilon=1),
        learners.GenericLearner(concepts.Intervals(4), epsilon=1),
        learners.PriorLearner(concepts.Thresholds(32), epsilon=1),
    ):
        alone = learners.DirectSum(learner, 1)
        added = learners.AddedLearner(alone, 0).sample_size(goal)
        assert added <= Fraction(65, 100) * alone.sample_size(goal)


def test_a_law_over_tosses_is_that_of_both_parts() -> None:
    points = learners.DirectSum(learners.GenericLearner(concepts.Points(1), epsilon=1), 1)
    made = learners.AddedLearner(points, 3)
    whole = learners.AddedMeasuredLearner(made, share="1/2", epsilon=1)
    sample = JointCounts.of([(0, (0,)), (1, (1,))], labels=1)
    alone = mixture(
        (weight, made.law(learned)) for weight, (learned, _) in sample.tosses(whole.share)
    )
    assert whole.law(sample).map(lambda found: found[0]) == alone


@pytest.mark.parametrize("learner", ["counted", "margin"])
def test_noise_for_added_rows_is_not_priced_as_for_replaced_ones(learner: str) -> None:
    half = Fraction(1, 20)
    asked = Request(Scorecards("s9xc3"), Privacy(1, "1e-6"), 50, None, half, agnostic=True)
    made: Any = named(learner)(replace(asked, public=((1, 2), (3, 0))))
    assert made.learner.public_n is None, "public rows are not the number of rows"
    added = learners.AddedLearner(made, 50)
    assert added.inner.cost == as_replaced(added.cost)
