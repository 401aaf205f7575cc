"""Discrete Gaussian noise: inversion and rejection draw one and the same law."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import opendp.prelude as dp
import pytest
from scipy.stats import chi2_contingency, chisquare

from tacit.core.chance.randomness import Seeded, System
from tacit.core.errors import TooLarge
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.noise import gaussian_arrays as gaussian_noise
from tacit.mechanisms.noise.gaussian_arrays import (
    accept,
    acceptance,
    discrete_gaussian,
    noise_law,
    tail,
)
from tests.support.replay import Replay

FALSE_ALARM = 1e-9


def _agrees(draws: np.ndarray, sigma_squared: Fraction) -> bool:
    law = noise_law(sigma_squared, 64)
    reach = max(1, int(3 * math.sqrt(sigma_squared)))
    width = max(1, reach // 12)
    groups = np.clip(draws, -reach, reach) // width
    share: dict[int, float] = {}
    for z, p in law.probabilities.items():
        group = min(max(z, -reach), reach) // width
        share[group] = share.get(group, 0.0) + float(p)
    counts = [int((groups == group).sum()) for group in sorted(share)]
    expected = np.array([share[group] for group in sorted(share)])
    assert sum(counts) == len(draws)
    return bool(chisquare(counts, expected / expected.sum() * len(draws)).pvalue > FALSE_ALARM)


@pytest.mark.parametrize("sigma_squared", ["1/3", "2.5", "100", "60000"])
def test_inversion_follows_the_law(sigma_squared: str) -> None:
    parameter = Fraction(sigma_squared)
    assert _agrees(discrete_gaussian(parameter, 60_000, rng=Seeded(4)), parameter)


@pytest.mark.parametrize("sigma_squared", ["1", "7/2", "100", "60000"])
@pytest.mark.parametrize("coarse", [26, 2])
def test_rejection_follows_the_law(
    sigma_squared: str, coarse: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forced below its range, and with distances cut to their leading bits."""
    parameter = Fraction(sigma_squared)
    monkeypatch.setattr(gaussian_noise, "COARSE", coarse)
    draws = gaussian_noise._rejection(parameter, 8_000 if coarse == 2 else 60_000, rng=Seeded(4))
    assert _agrees(draws, parameter)


@pytest.mark.parametrize("sigma_squared", ["10", "70000", str(10**15), str(3**80)])
@pytest.mark.parametrize("coarse", [26, 5])
def test_floats_and_enclosures_accept_the_same(
    sigma_squared: str, coarse: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    parameter = Fraction(sigma_squared)
    sigma = math.isqrt(int(parameter))
    sizes = [int(sigma * share / 100) for share in range(450)]
    drawn = np.array([size * sign for size in sizes for sign in (1, -1)])
    words = Seeded(8).words(len(drawn))
    monkeypatch.setattr(gaussian_noise, "COARSE", coarse)
    spare = Replay([]) if coarse == 26 else Replay([0] * len(drawn))
    quick = accept(parameter, drawn, words, rng=spare)
    monkeypatch.setattr(gaussian_noise, "MARGIN", 2.0)
    slow = accept(parameter, drawn, words, rng=Replay([0] * len(drawn)))
    assert quick.tolist() == slow.tolist()
    assert 0 < quick.sum() < len(quick)


def test_a_word_at_the_acceptance_probability_reads_on() -> None:
    parameter, y = Fraction(10), 7
    low, _ = acceptance(parameter, y, 64)
    next_bits = acceptance(parameter, y, 128)[0] - (low << 64)
    word, drawn = np.array([low], dtype=np.uint64), np.array([y])
    assert accept(parameter, drawn, word, rng=Replay([next_bits - 1])).tolist() == [True]
    assert accept(parameter, drawn, word, rng=Replay([next_bits + 1])).tolist() == [False]


@pytest.mark.parametrize("sigma_squared", ["10", "70000", str(10**15)])
def test_acceptance_makes_proposals_gaussian(sigma_squared: str) -> None:
    """p^|y| a(y) is proportional to e^(-y^2 / (2 sigma^2)), and a(y) is at most 1."""
    parameter = Fraction(sigma_squared)
    centre = math.isqrt(int(parameter))
    p = Decay.of(centre / parameter).ratio
    at_zero = acceptance(parameter, 0, 200)[0]
    for size in (1, centre // 2, centre, centre + 1, 3 * centre):
        low, high = acceptance(parameter, size, 200)
        assert 0 < low <= high <= 1 << 200
        log_ratio = math.log(low) - math.log(at_zero) + size * math.log1p(-float(1 - p))
        assert log_ratio == pytest.approx(-(size**2) / (2 * float(parameter)), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("sigma", [10**6, 3 * 10**9, 10**12, 10**22])
def test_huge_parameters_have_the_right_moments(sigma: int) -> None:
    draws = discrete_gaussian(Fraction(sigma**2), 20_000, rng=Seeded(3)).astype(float) / sigma
    assert abs(draws.mean()) < 6.2 / math.sqrt(20_000)
    assert abs((draws**2).mean() - 1) < 6.2 * math.sqrt(2 / 20_000)
    assert abs((draws**4).mean() - 3) < 6.2 * math.sqrt(96 / 20_000)


@pytest.mark.parametrize("scale", [1.5, 300.0])
def test_opendp_draws_the_same_law(scale: float) -> None:
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")
    zeros = np.zeros(15_000, dtype=np.int64)
    theirs = np.array(dp.m.make_gaussian(*space, scale=scale)(zeros))
    ours = discrete_gaussian(Fraction(scale) ** 2, len(zeros), rng=System())
    width = max(1, int(scale / 2))
    table = [np.bincount(np.clip(d // width, -5, 5) + 5, minlength=11) for d in (theirs, ours)]
    assert chi2_contingency(np.array(table)).pvalue > FALSE_ALARM


@pytest.mark.parametrize("sigma_squared", ["1/5", "2", "50"])
def test_law_against_the_definition(sigma_squared: str) -> None:
    parameter = Fraction(sigma_squared)
    law = noise_law(parameter)
    weights = {z: math.exp(-(z**2) / (2 * float(parameter))) for z in range(-200, 201)}
    total = math.fsum(weights.values())
    for z in range(-15, 16):
        assert float(law[z]) == pytest.approx(weights[z] / total, rel=1e-12)
    assert 0 < law.slack < Fraction(1, 1 << 200)


def test_tails() -> None:
    law = noise_law(Fraction(9))
    for m in (1, 2, 10, 25):
        exact = sum((p for z, p in law.probabilities.items() if z >= m), Fraction(0))
        assert exact <= tail(Fraction(9), m) <= (exact + law.slack) * (1 + Fraction(1, 1 << 50))


def test_the_integral_bounds_the_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    parameter = Fraction(65_536)
    exact = {m: tail(parameter, m) for m in (1, 100, 500, 1500)}
    monkeypatch.setattr(gaussian_noise, "TABULATED", 1)
    for m, chance in exact.items():
        assert chance < tail(parameter, m) < chance * Fraction(105, 100)


@pytest.mark.parametrize("bits", [8, 64, 128])
@pytest.mark.parametrize("sigma_squared", ["1/9", "3", "65536"])
def test_the_total_holds_its_tail(bits: int, sigma_squared: str) -> None:
    parameter = Fraction(sigma_squared)
    assert gaussian_noise._weights(parameter, bits)[1].contains(
        gaussian_noise._weights(parameter, 400)[1]
    )


def test_shapes() -> None:
    assert discrete_gaussian(Fraction(1), 0, rng=Seeded(0)).shape == (0,)
    assert discrete_gaussian(Fraction(10**9), 0, rng=Seeded(0)).shape == (0,)
    assert discrete_gaussian(Fraction(10**9), 5, rng=Seeded(0)).dtype == np.int64
    assert discrete_gaussian(Fraction(10**50), 5, rng=Seeded(0)).dtype == object
    with pytest.raises(TooLarge, match="sigma_squared"):
        noise_law(Fraction(10**6))
