"""Synthetic rows that say more than they may."""

from __future__ import annotations

from fractions import Fraction
from itertools import product as pairs
from math import comb
from typing import Any

from tacit.core.chance.law import Law, product
from tacit.core.composition import price
from tacit.core.cost import Approximate, Pure, ZeroConcentrated
from tacit.core.numbers.decay import Decay
from tacit.mechanisms import DiscreteGaussianVector, DiscreteLaplace, Exponential, HeavyPrefixes
from tacit.mechanisms.stable.stability_histogram import in_order, told_count
from tacit.sanitizers import (
    Attributes,
    BlrSanitizer,
    ListedQueries,
    MarginalSanitizer,
    PairSanitizer,
)
from tacit.statistics import Counts, LineCounts, ScoreProfile
from tacit.verify.broken.twin import Rows, twin

EPSILON = Fraction(1)
POINTS = (0, 1, 2)
SHARE = Fraction(4, 5)
PARITIES = MarginalSanitizer(Attributes.binary(2), rho=1, first="7/10", width=2)
UNSCALED = price(ZeroConcentrated(PARITIES.first * PARITIES.rho / 4), "1/100").privacy
"""Parities of two bits move by 2, squared and added up; with those of one bit doubled, by 8."""
ONE_PAIR = price(ZeroConcentrated(Fraction(1, 2)), "1/100").privacy
"""What a count of one pair costs with noise of variance 1."""


@twin(Pure(EPSILON), POINTS, 4)
def sanitizer_reused(database: Rows) -> Law[Any]:
    """Sanitize the same rows twice, and charge for one table."""
    sanitizer = BlrSanitizer(ListedQueries.thresholds(3), epsilon=EPSILON, rows=2)
    return product([sanitizer.law(Counts.of(database))] * 2)


@twin(Pure(EPSILON), POINTS, 4)
def budget_counted_once(database: Rows) -> Law[Any]:
    """Correct the weights in three rounds, each with the whole budget."""
    scores = ScoreProfile.of([database.count(x) for x in POINTS])
    return product([Exponential(EPSILON).law(scores)] * 3)


@twin(Pure(EPSILON), POINTS)
def histogram_of_one_cell(database: Rows) -> Law[Any]:
    """Add noise as if a replaced row moved one cell of the histogram, not two."""
    n, values = len(database), [database.count(x) for x in POINTS]
    return DiscreteLaplace(EPSILON, 1).law(values, low=-n, high=2 * n)


@twin(Pure(EPSILON), range(4), 2)
def tree_by_depth(database: Rows) -> Law[Any]:
    """Count one interval a level: a replaced row leaves one branch and joins another."""
    n = len(database)
    halves = [sum(x < 2 for x in database), database.count(0), database.count(2)]
    return DiscreteLaplace(EPSILON, 2).law(halves, low=-n, high=2 * n)


@twin(Approximate(UNSCALED.epsilon, UNSCALED.delta), pairs((0, 1), repeat=2))
def parities_scaled_for_free(database: Rows) -> Law[Any]:
    """Count parities of single bits twice, with noise for parities that are counted once."""
    return PARITIES.started(Counts.of(database))


@twin(Approximate(EPSILON, Fraction(1, 100)), POINTS, 5)
def printed_point_sanitizer(database: Rows) -> Law[Any]:
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


@twin(Approximate(2, Fraction(1, 5)), (0, 255), 8)
def heavy_prefixes_kept(database: Rows) -> Law[Any]:
    """Tell each prefix of eight lengths by all of its records: told ones are not taken away."""
    heavy = HeavyPrefixes(8, epsilon=2, delta=Fraction(1, 5))
    held = [database.count(x) for x in (0, 255)]
    untold = [heavy.decay(count).ratio if count else Fraction(1) for count in held]
    tallies = [{k: comb(8, k) * (1 - q) ** k * q ** (8 - k) for k in range(9)} for q in untold]
    return product(Law(tally) for tally in tallies)


@twin(Approximate(EPSILON, Fraction(1, 10)), (0, 1, 7))
def delta_at_each_length(database: Rows) -> Law[Any]:
    """Spend delta at each of three lengths of prefix, and charge it once."""
    heavy = HeavyPrefixes(3, epsilon=EPSILON, delta=Fraction(3, 10))
    return heavy.law(LineCounts.of(database, bits=3))


@twin(Approximate(2, Fraction(1, 10)), POINTS)
def cells_counted_exactly(database: Rows) -> Law[Any]:
    """Cut the line at private prefixes, and tell how many rows lie between the cuts."""
    heavy = HeavyPrefixes(2, epsilon=EPSILON, delta=Fraction(1, 10))
    told = heavy.law(LineCounts.of(database, bits=2)).map(lambda t: tuple(heavy.cuts(t, 3)))
    return told.map(lambda cuts: tuple(sum(x < cut for x in database) for cut in cuts))


@twin(Approximate(ONE_PAIR.epsilon, ONE_PAIR.delta), (0, 1), 1)
def pairs_as_one(database: Rows) -> Law[Any]:
    """Measure a bit with each of two others, with noise for one: a row is in both tables."""
    return DiscreteGaussianVector(1, 1).law([sum(database)] * 2)


@twin(Approximate(EPSILON, Fraction(1, 100)), pairs((0, 1), (0,)), 2)
def rows_told_apart_by_pairs(database: Rows) -> Law[Any]:
    """Measure pairs with noise, and tell how far the rows are off without any."""
    noisy, ones = PairSanitizer((2, 1), rho="1/100", width=1), sum(row[0] for row in database)
    law = noisy.law(Counts.of(database))
    return law.map(lambda made: int(made.rows()[:, 0].sum()) - ones)


@twin(Pure(EPSILON), pairs((0, 1), repeat=2))
def sums_that_stay_in_their_group(database: Rows) -> Law[Any]:
    """Add up a centred bit for each group, with noise as if a replaced row moved one sum only."""
    sums = [sum(2 * x - 1 for group, x in database if group == g) for g in (0, 1)]
    return DiscreteLaplace(EPSILON, 1).law(sums, low=-len(database), high=len(database))


@twin(Pure(EPSILON), pairs((0, 1), repeat=2))
def budget_for_each_table(database: Rows) -> Law[Any]:
    """Count ones of two columns, each with all of the budget."""
    n, ones = len(database), [sum(row[i] for row in database) for i in (0, 1)]
    return product([DiscreteLaplace(EPSILON, 1).law(k, low=-n, high=2 * n) for k in ones])
