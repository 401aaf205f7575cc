"""Wrong ways to learn with approximate privacy."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

from tacit.concepts.line.points import Point
from tacit.concepts.line.thresholds import Thresholds
from tacit.concepts.outputs.never import NEVER
from tacit.core.chance.law import Law, certain
from tacit.core.cost import Approximate
from tacit.core.numbers.enclosures import exp_lower
from tacit.learners.thresholds.prefix_threshold import PrefixThresholdLearner
from tacit.statistics import LabelCounts
from tacit.verify.enumeration import Case

EPSILON = Fraction(1)
DELTA = Fraction(1, 100)
ROUNDING = Fraction(1, 2**100)
Row = tuple[int, tuple[int]]
ROWS: tuple[Row, ...] = tuple((x, (y,)) for x, y in product((0, 1, 2, 3), (0, 1)))


def _printed_point_learner(database: tuple[Row, ...]) -> Law[Any]:
    """Learn a point by the printed A_dist [BNS16 Alg 3 and Thm 3.13] on the positive rows.

    The lead moves by 2 where one positive row moves, and a tie broken by one row is told too often.
    """
    ranked = [*Counter(x for x, (y,) in database if y).most_common(), (0, 0), (0, 0)]
    lead = ranked[0][1] - ranked[1][1]
    if lead == 0:
        return certain(NEVER)
    rising = exp_lower(EPSILON * lead) * DELTA
    told = rising / 2 if rising <= 1 else 1 - 1 / (2 * rising)
    return Law({Point(ranked[0][0]): told, NEVER: 1 - told}, ROUNDING)


UNCHARGED = PrefixThresholdLearner(Thresholds(2), epsilon=3 * EPSILON, delta=DELTA, bars=(1, 1))


def _uncharged_prefix(database: tuple[Row, ...]) -> Law[Any]:
    """Spend epsilon on each of the three steps and claim epsilon: the rows are the same rows."""
    return UNCHARGED.transcript(LabelCounts.of(database, labels=1))


CASES = (
    Case(
        "printed-a-dist-point-learner",
        "4 points, 5 rows",
        "broken",
        Approximate(EPSILON, DELTA),
        ROWS[2:],
        5,
        _printed_point_learner,
    ),
    Case(
        "prefix-steps-uncharged",
        "4 points, 3 rows",
        "broken",
        Approximate(EPSILON, DELTA),
        ROWS,
        3,
        _uncharged_prefix,
    ),
)
