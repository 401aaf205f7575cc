"""Synthetic rows chosen among all tables: law by brute force, golden sizes, promises."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.sanitizers import Attributes, BlrSanitizer, ListedQueries, MarginalQueries
from tacit.statistics import Counts
from tests.support.sanitized import counted, follows_its_law

F = Fraction
THRESHOLDS = ListedQueries.thresholds(16)


def test_the_law_is_the_definition() -> None:
    sanitizer = BlrSanitizer(ListedQueries.thresholds(3), epsilon=1, rows=2)
    database = [0, 1, 1, 2, 2]
    q, weights = Decay.of(F(1, 4)), {}
    for table in combinations_with_replacement(range(3), 2):
        worst = max(
            abs(2 * sum(x <= c for x in database) - 5 * sum(x <= c for x in table))
            for c in range(3)
        )
        weights[tuple(sorted(Counter(table).items()))] = q.power(worst)
    total = sum(weights.values(), F(0))
    law = sanitizer.law(Counts.of(database)).map(lambda made: made.table)
    assert law.probabilities == {table: w / total for table, w in weights.items()}


def test_draws_follow_the_law() -> None:
    queries = MarginalQueries(Attributes.binary(2), 2)
    sanitizer = BlrSanitizer(queries, epsilon=2, rows=3)
    assert follows_its_law(sanitizer, Counts.of([(0, 0), (1, 1), (1, 1)]), runs=3000, seed=6)


def test_golden_size() -> None:
    """234 rows for thresholds on 16 points, alpha 0.2; one fewer is enough with integer errors."""
    sanitizer = BlrSanitizer(THRESHOLDS, epsilon=1, rows=7, fineness="1/14")
    assert sanitizer.tables == 170_544
    assert sanitizer.error(233, "0.05") <= F(1, 5) < sanitizer.error(232, "0.05")
    assert sanitizer.error(0, "0.05") == 1


def test_thresholds_are_as_fine_as_said() -> None:
    """Some 3 rows come within 1/6 of every database of 5 rows over 4 points."""
    for database in combinations_with_replacement(range(4), 5):
        truth = np.array([sum(x <= c for x in database) for c in range(4)]) / 5
        distances = [
            abs(truth - np.array([sum(x <= c for x in made) for c in range(4)]) / 3).max()
            for made in combinations_with_replacement(range(4), 3)
        ]
        assert min(distances) <= 1 / 6 + 1e-12


def test_the_promise_holds_twenty_times() -> None:
    sanitizer, n = BlrSanitizer(ListedQueries.thresholds(8), epsilon=1, rows=5, fineness="0.1"), 400
    for seed in range(20):
        floats = np.random.default_rng(seed)
        rows = np.minimum(floats.geometric(0.1 + 0.04 * seed, n) - 1, 7)
        made = sanitizer(counted(rows), rng=Seeded(seed))
        mine = np.cumsum(made.histogram()) / 5
        truth = np.cumsum(np.bincount(rows, minlength=8)) / n
        assert abs(mine - truth).max() <= sanitizer.error(n, "0.01") < 0.4


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="rows"):
        BlrSanitizer(THRESHOLDS, epsilon=1, rows=0)
    with pytest.raises(InvalidArgument, match="fineness"):
        BlrSanitizer(THRESHOLDS, epsilon=1, rows=2, fineness=-1)
    assert BlrSanitizer(THRESHOLDS, epsilon=1, rows=2).fineness > F(1, 4)
