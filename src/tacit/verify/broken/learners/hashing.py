"""Wrong ways to use public coins."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tacit.concepts.algebra.hashes import Hash, Hashes
from tacit.concepts.outputs.bucket import Buckets
from tacit.core.chance.law import Law, mixture
from tacit.core.cost import Pure
from tacit.learners.points.hashed_point import HashedPointLearner
from tacit.mechanisms import Exponential
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.verify.enumeration import Case

Row = tuple[int, tuple[int]]
ROWS: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(range(2), (0, 1)))
LEARNER = HashedPointLearner(1, epsilon="1/4", buckets=2)


def _best_of_two_hashes(database: tuple[Row, ...]) -> Law[Any]:
    """Draw two hashes and go on with the one that fits the rows better: coins that saw the data."""
    sample = LabelCounts.of(database, labels=1)
    hashes = list(Hashes(2, 1).seeds())
    fits = [int(Buckets(h).cells(sample.points, sample.gains()).gains.max()) for h in hashes]
    laws = [LEARNER.given(h).law(sample) for h in hashes]
    pairs = product(range(len(hashes)), repeat=2)
    share = Fraction(1, len(hashes) ** 2)
    return mixture((share, laws[max(pair, key=lambda i: fits[i])]) for pair in pairs)


def _hit_buckets_only(database: tuple[Row, ...]) -> Law[Any]:
    """Offer the buckets that some row falls into, without the class of all others."""
    sample = LabelCounts.of(database, labels=1)
    cells = Buckets(Hash(2, 1, 0, 0, 2)).cells(sample.points, sample.gains())
    hit = len(cells.gains) - 1
    ones = np.ones(hit, dtype=np.int64)
    profile = ScoreProfile(cells.gains[:hit], ones, cells.member)
    return Exponential(Fraction(1, 4)).law(profile)


CASES = (
    Case(
        "best-of-two-hashes",
        "the hash that fits better, epsilon=1/4",
        "broken",
        Pure("1/4"),
        ROWS,
        3,
        _best_of_two_hashes,
    ),
    Case(
        "hit-buckets-only",
        "candidates from the data, epsilon=1/4",
        "broken",
        Pure("1/4"),
        ROWS,
        3,
        _hit_buckets_only,
    ),
)
