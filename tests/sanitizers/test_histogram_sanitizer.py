"""Synthetic rows from a noisy histogram: law, draws, promises, and how near they come."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from tacit.core.chance.law import collect
from tacit.core.chance.randomness import Seeded
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.noise.geometric import tail, tail_upper
from tacit.sanitizers import Attributes, HistogramSanitizer
from tacit.sanitizers.contract.rounding import simplex, sum_tail, whole
from tacit.statistics import Counts
from tests.support.sanitized import chain, counted, follows_its_law

TEN = Attributes.binary(10)
Array = np.ndarray[Any, Any]


def test_the_law_is_that_of_clipped_noise() -> None:
    sanitizer = HistogramSanitizer(Attributes([2]), epsilon=1)
    decay, n, truth = Decay.of(Fraction(1, 2)), 3, (2, 1)
    at_zero = (1 - decay.ratio) / (1 + decay.ratio)

    def chance(value: int, centre: int) -> Fraction:
        if value in (-n, 2 * n):
            return tail(decay, abs(value - centre))
        return at_zero * decay.power(abs(value - centre))

    def table(noisy: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(whole(simplex(np.array(noisy), n), n).tolist())

    reference = collect(
        (table(noisy), chance(noisy[0], truth[0]) * chance(noisy[1], truth[1]))
        for noisy in product(range(-n, 2 * n + 1), repeat=2)
    )
    law = sanitizer.law(Counts.of([0, 0, 1])).map(lambda made: tuple(made.histogram().tolist()))
    assert law.probabilities == reference.probabilities


@pytest.mark.parametrize("shape", [[3], [2, 2]])
def test_draws_follow_the_law(shape: list[int]) -> None:
    sanitizer = HistogramSanitizer(Attributes(shape), epsilon=3)
    counts = Counts.of([0, 2] if len(shape) == 1 else [(0, 1)])
    assert follows_its_law(sanitizer, counts, runs=600, seed=1)


def test_clipped_noise_is_a_failure() -> None:
    """Where noise beyond n rows takes nearly half of beta, less is left for sums of noise."""
    attributes, n, beta = Attributes.binary(3), 11, Fraction(1, 20)
    sanitizer, decay = HistogramSanitizer(attributes, epsilon=1), Decay.of(Fraction(1, 2))
    found = sanitizer.noise(n, beta)
    assert found == (28, 24, 14)
    assert sanitizer.noise(n - 1, beta) is None
    clipped = 2 * attributes.size * tail_upper(decay, n + 1)
    sums = (
        2 * attributes.conjunctions(w) * sum_tail(decay, attributes.largest_part(w), most + 1)
        for w, most in enumerate(found, start=1)
    )
    assert beta / 4 < clipped < clipped + sum(sums) <= beta


def test_the_promise_holds_twenty_times() -> None:
    """Ten correlated bits: each width's promise in 20 of 20 trials; and the rows come near."""
    sanitizer = HistogramSanitizer(TEN, epsilon=1)
    errors = []
    for seed in range(20):
        counts = counted(chain(seed, dims=10, n=10_000))
        made = sanitizer(counts, rng=Seeded(seed))
        off = TEN.deviations(made.histogram(), TEN.histogram(counts), 3)
        for width, rows in enumerate(off, start=1):
            assert rows <= 10_000 * sanitizer.promised(made, "0.01", width=width)
        errors.append(off[2] / 10_000)
    assert float(np.mean(errors)) <= 0.0055


def classes(seed: int) -> Array:
    """Ten bits that depend on one of four hidden classes."""
    floats = np.random.default_rng(seed)
    shares = floats.random((4, 10))
    return (floats.random((10_000, 10)) < shares[floats.integers(0, 4, 10_000)]).astype(np.int64)


@pytest.mark.parametrize("table", [partial(chain, dims=10, n=10_000), classes])
def test_the_bar_at_the_budget_of_added_and_removed_rows(table: Callable[[int], Array]) -> None:
    """Others protect added or removed rows at epsilon 1: replaced ones at 2. Within 0.005."""
    sanitizer, errors = HistogramSanitizer(TEN, epsilon=2), []
    for seed in range(8):
        counts = counted(table(seed))
        made = sanitizer(counts, rng=Seeded(seed))
        errors.append(max(TEN.deviations(made.histogram(), TEN.histogram(counts), 3)) / 10_000)
    assert float(np.median(errors)) <= 0.005


def test_rows_that_pairs_do_not_explain_are_left_as_they_are() -> None:
    """Parity of three bits: no pair says anything, and a model of pairs would lose it."""
    cube = [(a, b, c) for a, b, c in product((0, 1), repeat=3) if not (a ^ b ^ c)]
    counts = Counts(40_000, dict.fromkeys(cube, 10000))
    sanitizer = HistogramSanitizer(Attributes.binary(3), epsilon=1)
    made = sanitizer(counts, rng=Seeded(1))
    off = Attributes.binary(3).deviations(
        made.histogram(), Attributes.binary(3).histogram(counts), 3
    )
    assert max(off) < 60


def test_few_rows_promise_nothing() -> None:
    sanitizer = HistogramSanitizer(Attributes([4]), epsilon="0.01")
    made = sanitizer(Counts.of([1, 2, 3]), rng=Seeded(0))
    assert made.n == 3
    assert sanitizer.promised(made, "0.05") == 1
