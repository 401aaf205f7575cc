"""Covers that look at more than they may."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core.chance.law import Law
from tacit.core.cost import Pure
from tacit.learners.many_labels.covers_of_points import SplitCover
from tacit.learners.many_labels.sanitized import SanitizedLearner
from tacit.mechanisms import Exponential
from tacit.sanitizers.line.line_domain import LineDomain
from tacit.sanitizers.line.quantile import QuantileSanitizer
from tacit.statistics import Counts, LabelCounts, ScoreProfile
from tacit.verify.enumeration import Case

LINE, HALF = Thresholds(values=3), Fraction(1, 2)
SPLITS = QuantileSanitizer(LineDomain(3), epsilon=HALF, depth=1)
POOLED = SanitizedLearner(SplitCover(LINE, epsilon=HALF, depth=1), epsilon="1/8", share=HALF)


def _consulted(database: tuple[tuple[int, tuple[int, ...]], ...]) -> Law[Any]:
    """Take for each labelling of the splits "an arbitrary concept": the best one on the sample."""
    sample = LabelCounts.of(database, labels=1)

    def choice(made: Any) -> Law[Any]:
        told = [point for point, _ in made.table]
        best: dict[tuple[bool, ...], Threshold] = {}
        for concept in sorted(LINE.concepts(), key=lambda h: (-sample.mistakes(h), h.at)):
            best[tuple(point >= concept.at for point in told)] = concept
        chosen = sorted(best.values(), key=lambda h: h.at)
        scores = ScoreProfile.of([-sample.mistakes(h) for h in chosen])
        return Exponential(HALF).law(scores).map(lambda place: (tuple(told), chosen[place]))

    return SPLITS.law(Counts.of(x for x, _ in database)).then(choice)


def _uncharged(database: tuple[tuple[int, tuple[int, ...]], ...]) -> Law[Any]:
    """Sanitize the points of two rows and choose by the labels of another, and tell both."""
    points = Counts.of(x for x, _ in database[:2])
    return POOLED.law_of_pools(points, LabelCounts.of(database[2:], labels=1))


CASES = (
    Case(
        "cover-that-is-not-charged",
        "sanitize, then learn: labels are not read for the cover, so that it is taken for free",
        "broken",
        Pure(Fraction(1, 8)),
        tuple((x, (y,)) for x in range(3) for y in (0, 1)),
        3,
        _uncharged,
        symmetric=False,
    ),
    Case(
        "cover-that-consults-the-sample",
        "one concept for each labelling of the splits, the best one of the rows",
        "broken",
        Pure(1),
        tuple((x, (y,)) for x in range(3) for y in (0, 1)),
        3,
        _consulted,
    ),
)
