"""The shape of the theory: how the rows that are needed grow with the number of labels."""

from __future__ import annotations

import math

import pytest

from tacit.concepts import Parities, Points, Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.privacy import Privacy
from tacit.learners import BlockParityLearner, DirectSum, GenericLearner, HistogramLearner

GOAL = Accuracy("0.1", "0.05")
MANY = (1, 10, 100, 1000)


def _points(labels: int, *, proper: bool) -> int:
    learner = HistogramLearner(Points(64), labels=labels, epsilon=1, delta="1e-6", proper=proper)
    return learner.sample_size(GOAL)


def _parities(labels: int) -> int:
    learner = BlockParityLearner(Parities(32), labels=labels, epsilon=1, delta="1e-6")
    return learner.sample_size(GOAL)


def _thresholds(labels: int, total: Privacy) -> int:
    learners = DirectSum.within(total, labels, lambda e: GenericLearner(Thresholds(16), epsilon=e))
    return learners.sample_size(GOAL)


def test_points_and_parities_stay_flat() -> None:
    for rows in ([_points(k, proper=True) for k in MANY], [_parities(k) for k in MANY]):
        assert rows == sorted(rows)
        assert rows[-1] <= 1.1 * rows[0]


def test_nine_points_need_more_rows_than_one_whatever_the_bound() -> None:
    """Bonferroni, and negatively associated counts: below 432 rows the learner itself fails."""
    one = HistogramLearner(Points(64), labels=1, epsilon=1, delta="1e-6")
    needed = _points(10, proper=False)
    for n in (402, needed - 2):
        missed = one.failure(n, GOAL.alpha)
        assert 9 * missed - 36 * missed**2 > GOAL.beta


def test_points_with_a_never_are_flat_once_heavy_points_may_all_have_labels() -> None:
    """One label watches one point, ten labels nine: more there are not of mass above alpha."""
    rows = [_points(k, proper=False) for k in MANY]
    assert rows[0] < rows[1] == rows[2] == rows[3] <= 1.2 * rows[0]


@pytest.mark.parametrize(
    ("total", "slope"), [(Privacy(1, "1e-6"), (0.5, 0.6)), (Privacy(1), (1.0, 1.1))]
)
def test_thresholds_grow_by_the_root_with_a_delta_and_in_proportion_without(
    total: Privacy, slope: tuple[float, float]
) -> None:
    """Between 10 and 1000 labels; what is above 1/2 and 1 is the logarithm of k / beta."""
    few, many = (_thresholds(k, total) for k in (10, 1000))
    assert slope[0] <= math.log10(many / few) / 2 <= slope[1]
