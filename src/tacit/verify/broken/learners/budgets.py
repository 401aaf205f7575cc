"""Learners that spend more on their rows than they say: parts that nobody paid for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.concepts.rules.conjunctions import Conjunctions
from tacit.core import Approximate, Law, Privacy, Pure
from tacit.core.chance.law import product as joint
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.made_from.measured import MeasuredLearner
from tacit.learners.many_labels.covers_of_classes import HistogramCover
from tacit.learners.many_labels.covers_of_points import SplitCover
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.learners.many_labels.sanitized import SanitizedLearner
from tacit.learners.many_labels.shared_cover import SharedCoverLearner
from tacit.learners.rules.parties_learner import PartiesLearner, PartyTables
from tacit.learners.thresholds.prefix_threshold import PrefixThresholdLearner
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.statistics import Counts, JointCounts
from tacit.verify.broken.twin import Rows, twin
from tacit.verify.cases.statement import rows, spent
from tacit.verify.route import labelled

DELTA = Fraction(1, 100)
PREFIX = PrefixThresholdLearner(Thresholds(2), epsilon=3, delta=DELTA, bars=(1, 1))
COVER = SplitCover(Thresholds(values=3), epsilon="1/2", depth=1)
POOLED = SanitizedLearner(COVER, epsilon="1/8", share="1/2")
AGAIN = SharedCoverLearner(
    HistogramCover(Thresholds(values=3), epsilon="1/2"), labels=1, epsilon="1/2"
)
PARTIES = PartiesLearner(Conjunctions(1, 1), epsilon=1, parties=2, beta="1/20")
ONE_LABEL = GenericLearner(Points(1), epsilon=1)
MEASURED = MeasuredLearner.within(DirectSum(ONE_LABEL, 1), Privacy(1), rows=1)


@twin(Approximate(1, DELTA), rows(range(4)))
def prefix_steps_uncharged(database: Rows) -> Law[Any]:
    """Spend epsilon on each of the three steps and claim epsilon: the rows are the same rows."""
    return PREFIX.transcript(labelled(database))


@twin(Pure("1/8"), rows(range(3)), symmetric=False)
def cover_that_is_not_charged(database: Rows) -> Law[Any]:
    """Sanitize the points of two rows and choose by the labels of another, and tell both.

    Labels are not read for the cover, so that it is taken for free.
    """
    return POOLED.law_of_pools(Counts.of(x for x, _ in database[:2]), labelled(database[2:]))


@twin(Pure("1/2"), rows(range(3)))
def sanitized_rows_used_again(database: Rows) -> Law[Any]:
    """Choose by the rows whose points were sanitized, and pay as if they were others."""
    return AGAIN.law_with_cover(labelled(database))


@twin(PARTIES.cost, (((0,), (1,)), ((1,), (1,)), ((0,), (0,))), 4)
def rows_at_both_parties(database: Rows) -> Law[Any]:
    """Take one table for both parties, as when a file is named twice: it is paid for once."""
    return PARTIES.law(PartyTables((labelled(database), labelled(database))))


@twin(ONE_LABEL.cost, rows((0, 1), 2))
def budget_counted_once_for_all_labels(database: Rows) -> Law[Any]:
    """Learn two labels with the whole budget each, because "it is the same data"."""
    sample = JointCounts.of(database, labels=2).marginal()
    return joint(ONE_LABEL.law(sample, label=j) for j in range(2))


@twin(spent(MEASURED.cost), rows((0, 1)), 2, symmetric=False)
def held_out_rows_learned_from(database: Rows) -> Law[Any]:
    """Learn from all rows, those that are held out among them, and pay as if they were apart."""
    return MEASURED.blocks_law([_joint(database), _joint(database[1:])])


@twin(spent(MEASURED.cost), rows((0, 1)), 2)
def calibrated_on_rows_learned_from(database: Rows) -> Law[Any]:
    """Count the levels, for risks, on the very rows that were learned from, for free."""
    return MEASURED.blocks_law([_joint(database), _joint(database)])


@twin(Pure(1), rows((0, 1)), 2)
def threshold_chosen_on_held_out_rows(database: Rows) -> Law[Any]:
    """Choose the answer that errs least on the held-out rows, and tell how it errs with noise."""
    wrong = sum(x != y for x, (y,) in database)
    told = DiscreteLaplace(1).law(min(wrong, 2 - wrong), low=0, high=2)
    return told.map(lambda errors: (wrong <= 1, errors))


@twin(Pure(1), rows((0, 1)), 2)
def weights_as_one_row(database: Rows) -> Law[Any]:
    """Let a row with the label count as three, and spend epsilon as if it were one."""
    heavy = tuple(row for row in database for _ in range(3 if row[1][0] else 1))
    return ONE_LABEL.law(replace(labelled(heavy), n=3 * len(database)))


def _joint(database: Rows) -> JointCounts:
    return JointCounts.of(database, labels=1)
