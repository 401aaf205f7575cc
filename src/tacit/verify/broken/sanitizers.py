"""Synthetic rows that say more than they may."""

from __future__ import annotations

from fractions import Fraction
from itertools import product as pairs
from typing import Any

from tacit.core.chance.law import Law, product
from tacit.core.composition import price
from tacit.core.cost import Approximate, Pure, ZeroConcentrated
from tacit.core.numbers.decay import Decay
from tacit.mechanisms import DiscreteLaplace, Exponential
from tacit.mechanisms.stable.stability_histogram import in_order, told_count
from tacit.sanitizers import Attributes, BlrSanitizer, ListedQueries, MarginalSanitizer
from tacit.statistics import Counts, ScoreProfile
from tacit.verify.enumeration import Case

EPSILON = Fraction(1)
POINTS = (0, 1, 2)
LINE = (0, 1, 2, 3)
SHARE = Fraction(4, 5)
PARITIES = MarginalSanitizer(Attributes.binary(2), rho=1, first="7/10", width=2)
UNSCALED = Fraction(1, 4)
"""Parities of two bits move by 2, squared and added up; with those of one bit doubled, by 8."""


def _unscaled() -> Approximate:
    """Return the price of parities as if none were scaled."""
    total = price(ZeroConcentrated(PARITIES.first * PARITIES.rho * UNSCALED), "1/100").privacy
    return Approximate(total.epsilon, total.delta)


def _reused(database: tuple[int, ...]) -> Law[Any]:
    """Sanitize the same rows twice, and charge for one table."""
    law = BlrSanitizer(ListedQueries.thresholds(3), epsilon=EPSILON, rows=2).law(
        Counts.of(database)
    )
    return product([law, law])


def _counted_once(database: tuple[int, ...]) -> Law[Any]:
    """Correct the weights in three rounds, each with the whole budget."""
    scores = ScoreProfile.of([database.count(x) for x in POINTS])
    return product([Exponential(EPSILON).law(scores)] * 3)


def _one_cell(database: tuple[int, ...]) -> Law[Any]:
    """Add noise as if a replaced row moved one cell of the histogram, not two."""
    n, values = len(database), [database.count(x) for x in POINTS]
    return DiscreteLaplace(EPSILON, 1).law(values, low=-n, high=2 * n)


def _tree_by_depth(database: tuple[int, ...]) -> Law[Any]:
    """Count one interval a level: a replaced row leaves one branch and joins another."""
    n = len(database)
    halves = [sum(x < 2 for x in database), database.count(0), database.count(2)]
    return DiscreteLaplace(EPSILON, 2).law(halves, low=-n, high=2 * n)


def _parities_unscaled(database: tuple[Any, ...]) -> Law[Any]:
    """Count parities of single bits twice, with noise for parities that are counted once."""
    return PARITIES.started(Counts.of(database))


def _printed_points(database: tuple[int, ...]) -> Law[Any]:
    """Drop points up to alpha n / 4 rows, and noisy counts up to alpha n / 2 [BNS16 Alg 1].

    Nothing in the printed algorithm makes the probability that a point is told, which one row less
    would hide, as small as delta.
    """
    n = len(database)
    hidden, least = int(SHARE * n / 4), int(SHARE * n / 2) + 1
    return product(
        told_count(x, database.count(x), Decay.of(EPSILON / 2), least=least, most=max(n, least + 1))
        for x in POINTS
        if database.count(x) > hidden
    ).map(in_order)


CASES = (
    Case("sanitizer-reused", "2 tables", "broken", Pure(EPSILON), POINTS, 4, _reused),
    Case("budget-counted-once", "3 rounds", "broken", Pure(EPSILON), POINTS, 4, _counted_once),
    Case("histogram-of-one-cell", "3 cells", "broken", Pure(EPSILON), POINTS, 3, _one_cell),
    Case("tree-by-depth", "4 points", "broken", Pure(EPSILON), LINE, 2, _tree_by_depth),
    Case(
        "parities-scaled-for-free",
        "2 bits, n=3",
        "broken",
        _unscaled(),
        tuple(pairs((0, 1), repeat=2)),
        3,
        _parities_unscaled,
    ),
    Case(
        "printed-point-sanitizer",
        "alpha=4/5, n=5",
        "broken",
        Approximate(EPSILON, Fraction(1, 100)),
        POINTS,
        5,
        _printed_points,
    ),
)
