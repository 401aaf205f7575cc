"""Synthetic rows from counted cells between told prefixes: laws, golden sizes, promises."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from random import Random

import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.numbers.least import least
from tacit.core.privacy import Privacy
from tacit.sanitizers import LineDomain, PrefixSanitizer, Synthetic
from tacit.statistics import Counts
from tests.support.sanitized import follows_its_law

BETA = Fraction(1, 20)
TOTAL = Privacy(1, "1e-6")


def _sup(rows: list[int], made: Synthetic) -> int:
    """Return by how many rows some threshold is off."""
    truth, points = sorted(rows), [point for point, _ in made.table]
    upto = [0, *accumulate(count for _, count in made.table)]
    at = {*truth, *points, *(x - 1 for x in (*truth, *points))}
    return max(abs(bisect_right(truth, x) - upto[bisect_right(points, x)]) for x in at)


Shape = Callable[[Random, int, int], list[int]]
SHAPES: list[Shape] = [
    lambda coins, bits, n: [coins.getrandbits(bits) for _ in range(n)],
    lambda coins, bits, n: [1 << coins.randrange(bits) for _ in range(n)],
    lambda coins, bits, n: [coins.choice((7, 3 << bits - 2)) for _ in range(n)],
    lambda coins, bits, n: [(1 << bits - 1) + coins.randrange(-n, n) for _ in range(n)],
    lambda coins, bits, n: [coins.getrandbits(12) << bits - 12 for _ in range(n)],
]


def promise_kept(bits: int, n: int, seed: int) -> bool:
    """Whether one run on one of five shapes of rows is within its promise."""
    rows = SHAPES[seed % len(SHAPES)](Random(seed), bits, n)
    sanitizer = PrefixSanitizer.within(LineDomain(1 << bits), TOTAL, n=n, beta=BETA)
    made = sanitizer(Counts.of(rows), rng=Seeded(seed))
    return made.n == n and _sup(rows, made) <= n * sanitizer.promised(made, BETA)


@pytest.mark.parametrize(("bits", "n"), [(16, 3040), (1024, 3615)])
def test_the_promise_is_kept(bits: int, n: int) -> None:
    """At beta = 0.05 a right promise may fail once in 20; these are far inside."""
    assert all(promise_kept(bits, n, seed) for seed in range(10))


def test_rows_hardly_grow_with_the_line() -> None:
    def rows(bits: int) -> int:
        line = LineDomain(1 << bits)

        def enough(n: int) -> bool:
            return PrefixSanitizer.within(line, TOTAL, n=n, beta=BETA).error(n, BETA) <= 0.1

        return least(enough, 2500)

    needed = {bits: rows(bits) for bits in (16, 65536)}
    assert needed == {16: 3040, 65536: 4180}


def test_draws_follow_the_law() -> None:
    for size in (2, 3):
        sanitizer = PrefixSanitizer(
            LineDomain(size), epsilon=4, delta="1/2", counting=2 if size == 2 else 4
        )
        assert follows_its_law(sanitizer, Counts.of([0, 1, 1]), runs=1500, seed=size)


def test_counts_without_noise_are_exact_at_the_cuts() -> None:
    sanitizer = PrefixSanitizer(LineDomain(11), epsilon=1, delta="1e-6", counting=200)
    made = sanitizer(Counts.of([0, 3, 3, 9, 10]), rng=Seeded(0))
    assert made.table == ((0, 1), (7, 2), (8, 1), (10, 1))
    assert sanitizer(Counts.of([]), rng=Seeded(0)).n == 0
    assert PrefixSanitizer(LineDomain(1), epsilon=1, delta="1e-6", counting=1)(
        Counts.of([0, 0]), rng=Seeded(0)
    ).table == ((0, 2),)


def test_too_few_rows_have_no_promise() -> None:
    sanitizer = PrefixSanitizer(LineDomain(1 << 64), epsilon=1, delta="1e-6", counting=1)
    assert sanitizer.error(20, BETA) == 1
    assert sanitizer.error(0, BETA) == 0


def test_nothing_is_promised_where_clipping_may_show() -> None:
    """Sums of noise above half of the rows are not what the proof is about, whatever they give."""
    sanitizer = PrefixSanitizer(LineDomain(1 << 16), epsilon=8, delta="1e-3", counting="1/10")
    assert sanitizer.prefixes.crowd(4500, BETA / 4) < 20
    assert sanitizer.error(4500, BETA) == 1
    assert Fraction(1, 10) < sanitizer.error(100_000, BETA) < Fraction(1, 2)
