"""Learners that choose by what they may not look at, or by scores that one row moves too far."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tacit.concepts.algebra.hashes import Hash, Hashes
from tacit.concepts.grid.boxes import Box, Boxes
from tacit.concepts.line.intervals import EMPTY
from tacit.concepts.line.points import Point, Points
from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.concepts.outputs.bucket import Buckets
from tacit.concepts.outputs.never import NEVER
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Approximate, Decay, Pure
from tacit.core.chance.law import Law, certain, mixture, proportional
from tacit.core.chance.law import product as together
from tacit.core.composition.interpreters.concentrated import delta_of_rho
from tacit.core.label_privacy import LabelPrivacy
from tacit.learners.boxes.per_side_box import PerSideBoxLearner
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.every_class.label_private import LabelPrivateLearner
from tacit.learners.every_class.public_cover import PublicCoverLearner
from tacit.learners.linear.linear_frame import norm_squared, placed
from tacit.learners.points.hashed_point import HashedPointLearner
from tacit.learners.points.pure_histogram import PureHistogramLearner
from tacit.mechanisms import (
    DiscreteGaussianVector,
    DiscreteLaplace,
    Exponential,
    StabilitySelection,
)
from tacit.mechanisms.noise.geometric import tail
from tacit.sanitizers.line.line_domain import LineDomain
from tacit.sanitizers.line.quantile import QuantileSanitizer
from tacit.statistics import Counts, JointCounts, ScoreProfile
from tacit.theory.optimisation.problem import sanitization
from tacit.verify.broken.stability import CLAIM, a_dist
from tacit.verify.broken.twin import Rows, twin
from tacit.verify.cases.statement import rows, rows_of
from tacit.verify.route import labelled

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


@twin(CLAIM, rows(range(1, 4)), 5)
def printed_a_dist_point_learner(database: Rows) -> Law[Any]:
    """Learn a point by the printed A_dist [BNS16 Alg 3 and Thm 3.13] on the positive rows.

    The lead moves by 2 where one positive row moves, and a tie broken by one row is told too often.
    """
    positive = Counter(x for x, (y,) in database if y).most_common()
    return a_dist([(Point(x), count) for x, count in positive], NEVER)


SQUARE = Boxes(1, 2)
EMPTY_BOX = Box((EMPTY, EMPTY))
SIDES = PerSideBoxLearner(SQUARE, epsilon=QUARTER, rank=1)


@twin(Pure(1), rows_of(SQUARE))
def box_of_any_positives(database: Rows) -> Law[Box]:
    """Look first whether there is a positive row at all: what could the sides be without one?"""
    if not any(y for _, (y,) in database):
        return certain(EMPTY_BOX)
    law = SIDES.law(labelled(database)).probabilities
    return proportional({box: p for box, p in law.items() if box != EMPTY_BOX})


LINE = Thresholds(values=3)
SPLITS = QuantileSanitizer(LineDomain(3), epsilon=HALF, depth=1)


@twin(Pure(1), rows(range(3)))
def cover_that_consults_the_sample(database: Rows) -> Law[Any]:
    """Take for each labelling of the splits "an arbitrary concept": the best one on the sample."""
    sample = labelled(database)

    def choice(made: Any) -> Law[Any]:
        told = [point for point, _ in made.table]
        best: dict[tuple[bool, ...], Threshold] = {}
        for concept in sorted(LINE.concepts(), key=lambda h: (-sample.mistakes(h), h.at)):
            best[tuple(point >= concept.at for point in told)] = concept
        chosen = sorted(best.values(), key=lambda h: h.at)
        scores = ScoreProfile.of([-sample.mistakes(h) for h in chosen])
        return Exponential(HALF).law(scores).map(lambda place: (tuple(told), chosen[place]))

    return SPLITS.law(Counts.of(x for x, _ in database)).then(choice)


@twin(LabelPrivacy(1), rows(range(3)))
def candidates_by_labels(database: Rows) -> Law[Any]:
    """Keep one concept for each labelling of the positive rows' points: labels choose the list."""
    positive = np.array(sorted({x for x, (y,) in database if y}), dtype=np.int64)
    kept, sample = LINE.dichotomies(positive), labelled(database)
    agreed = [sample.n - sample.mistakes(h) for h in kept]
    return Exponential(1).law(ScoreProfile.among(kept, agreed))


@twin(LabelPrivacy(1), rows((0,), labels=2))
def budget_for_each_label(database: Rows) -> Law[Any]:
    """Spend the budget of a row's labels on each of them: a neighbour's row may change in all."""
    pair = LabelPrivateLearner(Points(1), epsilon=2, labels=2)
    return pair.law(JointCounts.of(database, labels=2))


@twin(Pure(1), rows(range(3)))
def labels_only_for_whole_rows(database: Rows) -> Law[Any]:
    """Claim for whole rows what protects labels only: the list of candidates shows the points."""
    return LabelPrivateLearner(LINE, epsilon=1).law(labelled(database))


@twin(Pure(1), rows(range(3)))
def labellings_of_the_raw_points(database: Rows) -> Law[Any]:
    """Take one concept for each labelling of the points that occur: nobody sanitized them."""
    sample = labelled(database)
    chosen = LINE.dichotomies(sample.points)
    scores = ScoreProfile.of([-sample.mistakes(h) for h in chosen])
    return Exponential(1).law(scores).map(lambda place: chosen[place])


@twin(Pure(1), rows(range(3)))
def cover_of_private_points(database: Rows) -> Law[Any]:
    """Cover the class by the private rows' points, as if their features had been public."""
    points = [x for x, _ in database]
    return PublicCoverLearner(LINE, points, epsilon=1).law(labelled(database))


@twin(Pure(1), rows(range(3)))
def public_rows_as_the_private_ones(database: Rows) -> Law[Any]:
    """Learn from those labelled public rows only whose points occur among the private ones."""
    held = {x for x, _ in database}
    shown = tuple((x, (int(x > 0),)) for x in range(3) if x in held) * 3
    return GenericLearner(LINE, epsilon=1).law(labelled(database + shown))


@twin(Approximate(2, "1/10"), rows(range(3)))
def labels_of_told_points(database: Rows) -> Law[Any]:
    """Tell the points that occur often, then look up the labels that most of their rows have."""
    told = StabilitySelection(2, "1/10").law(Counts.of(x for x, _ in database))
    sums = {x: sum(2 * y - 1 for at, (y,) in database if at == x) for x in range(3)}
    return told.map(lambda points: tuple((x, sums[x] > 0) for x in points))


BUCKETS = HashedPointLearner(1, epsilon=QUARTER, buckets=2)


@twin(Pure(QUARTER), rows((0, 1)))
def best_of_two_hashes(database: Rows) -> Law[Any]:
    """Draw two hashes and go on with the one that fits the rows better: coins that saw the data."""
    sample = labelled(database)
    hashes = list(Hashes(2, 1).seeds())
    fits = [int(Buckets(h).cells(sample.points, sample.gains()).gains.max()) for h in hashes]
    laws = [BUCKETS.given(h).law(sample) for h in hashes]
    pairs = product(range(len(hashes)), repeat=2)
    share = Fraction(1, len(hashes) ** 2)
    return mixture((share, laws[max(pair, key=lambda i: fits[i])]) for pair in pairs)


@twin(Pure(QUARTER), rows((0, 1)))
def hit_buckets_only(database: Rows) -> Law[Any]:
    """Offer the buckets that some row falls into, without the class of all others."""
    sample = labelled(database)
    cells = Buckets(Hash(2, 1, 0, 0, 2)).cells(sample.points, sample.gains())
    hit = len(cells.gains) - 1
    ones = np.ones(hit, dtype=np.int64)
    return Exponential(QUARTER).law(ScoreProfile(cells.gains[:hit], ones, cells.member))


COLUMNS = Scorecards("3")
UNIT = 4
"""Coordinates are scaled up so many times."""


@twin(Approximate(4, delta_of_rho(HALF, Fraction(4))), ((x, (1,)) for x in range(3)))
def unclipped_gradient(database: Rows) -> Law[tuple[int, ...]]:
    """Release the first gradient, of rows that were scaled up and not cut again."""
    moved = 4 * UNIT**2 * norm_squared(COLUMNS, UNIT)
    noise = DiscreteGaussianVector(moved / (2 * HALF), moved)
    seen = placed(np.array([x for x, _ in database]), COLUMNS.sizes[0], UNIT) * UNIT
    signs = np.array([1 if y else -1 for _, (y,) in database])
    return noise.law([int(signs @ seen) * UNIT // 2])


@twin(Approximate(4, delta_of_rho(HALF, Fraction(4))), rows((0, 2)), 2)
def uncut_pull(database: Rows) -> Law[tuple[int, ...]]:
    """Let rows pull by the whole unit, with noise for the half of it that they pull at first."""
    moved = 4 * (UNIT // 2) ** 2 * norm_squared(COLUMNS, UNIT)
    noise = DiscreteGaussianVector(moved / (2 * HALF), moved)
    seen = placed(np.array([x for x, _ in database]), COLUMNS.sizes[0], UNIT)
    signs = np.array([1 if y else -1 for _, (y,) in database])
    return noise.law([int(signs @ seen) * UNIT])


@twin(Approximate(10, delta_of_rho(Fraction(8), Fraction(10))), rows((0,), 3)[::7], 1)
def pulls_cut_one_by_one(database: Rows) -> Law[tuple[int, ...]]:
    """Cut what a row pulls on each of three marks, with noise for what it pulls on all of them."""
    noise = DiscreteGaussianVector(Fraction(4, 16), 4)
    return noise.law([sum(1 if y[j] else -1 for _, y in database) for j in range(3)])


@twin(Pure(1), ((x, (x == 0, x == 1)) for x in range(3)), 2)
def marks_counted_one_by_one(database: Rows) -> Law[Any]:
    """Count yes and no of each mark of a category, with noise for one bin left and one entered."""
    cells = [sum(y[j] == said for _, y in database) for j in (0, 1) for said in (1, 0)]
    return DiscreteLaplace(1, 2).law(cells, low=0, high=len(database))


@twin(Pure(1), rows((0, 1)), 2)
def counts_for_half_the_sensitivity(database: Rows) -> Law[Any]:
    """Count label and code, and forget that a row that enters a cell has left another."""
    cells = [sum(record == cell for record in database) for cell in rows((0, 1))]
    return DiscreteLaplace(1).law(cells, low=0, high=len(database))


@twin(Pure(1), rows((0, 1)))
def threshold_by_the_rows(database: Rows) -> Law[Any]:
    """Take points from noisy counts, and the threshold from how many rows say yes."""
    yes = sum(y for _, (y,) in database)
    told = DiscreteLaplace(1, 2).law([yes, len(database) - yes], low=0, high=len(database))
    return told.map(lambda counts: (counts, 2 * yes >= len(database)))


NOISY = PureHistogramLearner(Points(1), labels=1, epsilon=1, beta="9/10")


@twin(Pure(1), rows((0, 1)))
def noise_for_records_that_occur(database: Rows) -> Law[tuple[bool, ...]]:
    """Give noise to the records that occur only: one that is told shows that somebody has it."""
    counts, decay = Counter(database), Decay.of(NOISY.epsilon / 2)
    laws = []
    for record in rows((0, 1)):
        chance = tail(decay, NOISY.threshold - counts[record]) if counts[record] else Fraction(0)
        laws.append(Law({True: chance, False: 1 - chance}))
    return together(laws)


UNITS = sanitization(np.array([[0, 1]], dtype=np.bool_), 3)


@twin(Pure(1), UNITS.rows)
def score_in_units_of_a_third(database: Rows) -> Law[Any]:
    """Score three synthetic rows in thirds of a row, and forget that a row moves three of them."""
    return Exponential(1).law(ScoreProfile.of(UNITS.scores(UNITS.held(database))))


@twin(Pure(1), rows(range(3)))
def prior_by_rows_covered(database: Rows) -> Law[Any]:
    """Weigh each concept by the rows that it covers: a prior that was read off the sample."""
    points = np.array([x for x, _ in database])
    listed, q = list(LINE.concepts()), Decay.of(HALF).ratio
    errors = [
        sum(bool(s) != y for s, (_, (y,)) in zip(h(points), database, strict=True)) for h in listed
    ]
    covered = [1 + int(h(points).sum()) for h in listed]
    return proportional({h: w * q**e for h, w, e in zip(listed, covered, errors, strict=True)})
