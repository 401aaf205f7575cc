"""Synthetic rows for points: filling by brute force, golden sizes, promises."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Approximate
from tacit.core.errors import InvalidArgument
from tacit.mechanisms import StabilityHistogram
from tacit.sanitizers import LineDomain, PointSanitizer
from tacit.sanitizers.line.point import filled
from tacit.statistics import Counts
from tests.support.sanitized import counted, follows_its_law

WIDE = LineDomain(1 << 64)


@given(
    st.dictionaries(st.integers(0, 3), st.integers(1, 9), max_size=3),
    st.integers(0, 8),
    st.integers(4, 5),
)
def test_filling_is_the_best_possible(answers: dict[int, int], n: int, size: int) -> None:
    made = dict(filled(answers, n, size))
    assert sum(made.values()) == n

    def distance(counts: tuple[int, ...]) -> int:
        return max(abs(count - answers.get(x, 0)) for x, count in enumerate(counts))

    mine = distance(tuple(made.get(x, 0) for x in range(size)))
    every = (c for c in product(range(n + 1), repeat=size) if sum(c) == n)
    assert mine == min(map(distance, every))


def test_draws_follow_the_law() -> None:
    sanitizer = PointSanitizer(LineDomain(4), epsilon=1, delta="0.2")
    assert follows_its_law(sanitizer, Counts.of([0, 0, 0, 2, 2, 3]), runs=3000, seed=2)


def test_the_law_is_that_of_the_histogram_filled_up() -> None:
    sanitizer = PointSanitizer(LineDomain(3), epsilon=2, delta="0.1")
    histogram = StabilityHistogram(2, "0.1")
    counts = Counts.of([0, 1, 1, 1, 1])
    most = max(5, histogram.threshold)
    reference = histogram.law(counts).map(
        lambda told: filled({x: min(c, most) for x, c in told}, 5, 3)
    )
    assert sanitizer.law(counts).map(lambda made: made.table) == reference
    assert sanitizer.cost == Approximate(2, "0.1")


def test_the_promise_holds_twenty_times() -> None:
    sanitizer, n = PointSanitizer(WIDE, epsilon=1, delta="1e-6"), 2000
    for seed in range(20):
        floats = np.random.default_rng(seed)
        rows = floats.geometric(0.05 + 0.04 * seed, n) * 10**15
        counts = counted(rows)
        made = sanitizer(counts, rng=Seeded(seed))
        held = dict(made.table)
        points = {*held, *counts.table}
        off = max(abs(held.get(x, 0) - counts[x]) for x in points)
        assert off <= n * sanitizer.promised(made, "0.01")


def test_golden_errors() -> None:
    """Answers of 360 rows are within 0.1 at beta 0.05, and synthetic rows within twice that."""
    sanitizer = PointSanitizer(WIDE, epsilon=1, delta="1e-6")
    assert sanitizer.error(360, "0.05") <= 2 * 36 / 360
    assert sanitizer.error(359, "0.05") > 0.2
    assert sanitizer.error(0, "0.05") == 0
    assert sanitizer.error(3, "0.05") == 1


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="delta"):
        PointSanitizer(WIDE, epsilon=1, delta=0)
    with pytest.raises(InvalidArgument, match="size"):
        LineDomain(0)
    with pytest.raises(InvalidArgument, match="beta"):
        PointSanitizer(WIDE, epsilon=1, delta="0.1").error(10, 1)
