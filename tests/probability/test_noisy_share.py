"""Intervals from noisy counts: brute-force coverage, Clopper and Pearson without noise, widths."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from tacit.core.numbers.decay import Decay
from tacit.probability.clopper_pearson import share
from tacit.probability.noisy_share import NoisyShare

FAR = 60
"""Beyond so far the noise of these tests has a chance below 2^-50."""


def _noise(decay: Decay, draws: int) -> dict[int, Fraction]:
    """List the exact law of a sum of two-sided geometric variables, up to FAR each."""
    q = decay.ratio
    one = {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-FAR, FAR + 1)}
    law = {0: Fraction(1)}
    for _ in range(draws):
        added: dict[int, Fraction] = {}
        for (a, p), (b, r) in product(law.items(), one.items()):
            added[a + b] = added.get(a + b, Fraction(0)) + p * r
        law = added
    return law


@pytest.mark.parametrize(
    ("trials", "ratio", "draws"), [(1, "1/2", 1), (6, "1/3", 1), (12, "1/2", 1), (5, "1/4", 2)]
)
def test_no_share_is_missed_more_often_than_allowed(trials: int, ratio: str, draws: int) -> None:
    decay, rare = Decay(Fraction(ratio)), 0.05
    noise, told = _noise(decay, draws), NoisyShare(decay, draws)
    reach = range(-FAR * draws, trials + FAR * draws + 1)
    found = {t: told.interval(t, trials, rare) for t in reach}
    for p in (Fraction(i, 20) for i in range(21)):
        binomial = [comb(trials, j) * p**j * (1 - p) ** (trials - j) for j in range(trials + 1)]
        missed = sum(
            mass * chance
            for (j, mass), (z, chance) in product(enumerate(binomial), noise.items())
            if not found[j + z].low <= p <= found[j + z].high
        )
        assert missed <= rare


@pytest.mark.parametrize("count", [0, 3, 50, 100])
def test_without_noise_it_is_clopper_and_pearsons(count: int) -> None:
    told, known = (
        NoisyShare(Decay.of(Fraction(60)), 1).interval(count, 100, 0.05),
        share(count, 100),
    )
    assert known.low - 2e-5 <= told.low <= known.low + 1e-9
    assert known.high - 1e-9 <= told.high <= known.high + 2e-5


def test_a_thousand_rows_at_half_an_epsilon_widen_it_by_a_tenth_at_most() -> None:
    known = share(200, 1000)
    told = NoisyShare(Decay.of(Fraction(3, 5) * Fraction(1, 2)), 1).interval(200, 1000, 0.05)
    assert told.high - told.low <= 1.1 * (known.high - known.low)


def test_sums_of_noise_are_those_of_brute_force() -> None:
    decay = Decay(Fraction(1, 3))
    law = _noise(decay, 3)
    for r in (0, 1, 4, 9):
        beyond = float(sum(p for z, p in law.items() if z > r))
        told = NoisyShare(decay, 3)
        assert told.reach(beyond + 2e-9) <= r
        assert told.reach(beyond - 2e-9) > r


def test_wide_noise_claims_nothing_and_few_trials_little() -> None:
    assert NoisyShare(Decay.of(Fraction(1, 10**9)), 4).interval(3, 10, 0.05) == (0.0, 1.0)
    assert NoisyShare(Decay.of(Fraction(1)), 1).interval(3, 0, 0.05) == (0.0, 1.0)


@pytest.mark.parametrize("count", [-(10**6), 10**6])
def test_counts_that_noise_hardly_explains_are_taken(count: int) -> None:
    low, high = NoisyShare(Decay.of(Fraction(1)), 1).interval(count, 10, 0.05)
    assert 0 <= low <= high <= 1


def test_more_noise_is_never_less_wide() -> None:
    widths = [
        np.subtract(*NoisyShare(Decay.of(Fraction(1, k)), 1).interval(40, 200, 0.05)[::-1])
        for k in (1, 3, 10, 30)
    ]
    assert widths == sorted(widths)


@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(1, 10**6), Fraction(1, 10**11)])
def test_the_reach_of_the_widest_noise_is_the_whole_of_it(rate: Fraction) -> None:
    """A tail beyond r is q^(r + 1) / (1 + q): a cap below that would claim too much."""
    rare = 0.01
    reach = NoisyShare(Decay.of(rate), 1).reach(rare)
    beyond = np.exp(-float(rate) * (reach + 1)) / (1 + np.exp(-float(rate)))
    assert 0.9 * rare < beyond <= rare
