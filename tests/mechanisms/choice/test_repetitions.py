"""The truncated negative binomial law: its generating function, mean and exact draw."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, NotExact
from tacit.mechanisms.choice.repeated_selection import Repetitions
from tests.support.replay import Replay

F = Fraction
ETAS = (F(-9, 10), F(-1, 2), F(0), F(1, 3), F(1), F(5, 2), F(4))


def _masses(eta: Fraction, gamma: Fraction, length: int) -> list[float]:
    """P[K = 1], P[K = 2], ... from the definition, in floating point."""
    weights: list[float] = []
    weight = 1 - float(gamma)
    for k in range(1, length + 1):
        weights.append(weight)
        weight *= (1 - float(gamma)) * (k + float(eta)) / (k + 1)
    total = (
        math.log(1 / gamma) if eta == 0 else (float(gamma) ** -float(eta) - 1) / float(eta)
    )  # of (1 - gamma)^k (eta + 1) ... (eta + k - 1) / k!
    return [w / total for w in weights]


@pytest.mark.parametrize("eta", ETAS)
def test_generating_function_mean_and_distribution_follow_from_the_definition(
    eta: Fraction,
) -> None:
    gamma = F(1, 5)
    runs = Repetitions(eta, gamma)
    masses = _masses(eta, gamma, 400)
    assert math.isclose(sum(masses), 1, rel_tol=1e-12)
    for x in (F(0), F(1, 7), F(1, 2), F(9, 10), F(1)):
        low, high = runs.generating(x)
        assert 0 <= low <= high <= low + F(1, 2**300)
        series = sum(p * float(x) ** k for k, p in enumerate(masses, start=1))
        assert math.isclose(float(low), series, rel_tol=1e-12)
    mean = sum(k * p for k, p in enumerate(masses, start=1))
    assert math.isclose(float(runs.mean), mean, rel_tol=1e-12)
    reached = 0.0
    for p, (least, most) in zip(masses, islice(runs.cumulative(80), 60), strict=False):
        reached += p
        assert least <= most <= least + 3
        assert math.isclose(least / 2**80, reached, rel_tol=1e-12)


@pytest.mark.parametrize("eta", [1, 2, 5])
def test_for_whole_eta_the_distribution_is_the_rational_one(eta: int) -> None:
    gamma = F(2, 7)
    reached = F(0)
    for k, (low, high) in enumerate(islice(Repetitions(eta, gamma).cumulative(64), 40), start=1):
        reached += math.comb(k + eta - 1, k) * (1 - gamma) ** k / (gamma**-eta - 1)
        assert low <= reached * 2**64 <= high <= low + 2


@given(
    st.fractions(F(-9, 10), 4, max_denominator=10),
    st.fractions(F(1, 50), F(49, 50), max_denominator=50),
    st.lists(st.fractions(0, 1, max_denominator=50), min_size=3, max_size=3),
)
def test_the_generating_function_increases_and_is_convex(
    eta: Fraction, gamma: Fraction, points: list[Fraction]
) -> None:
    runs = Repetitions(eta, gamma)
    a, b, c = sorted(points)
    (fa, _), (fb, fb_high), (_, fc) = (runs.generating(x) for x in (a, b, c))
    assert fa <= fb_high
    assert fb <= fc
    assert fb * (c - a) <= (runs.generating(a)[1] * (c - b) + fc * (b - a))


@pytest.mark.parametrize(
    ("eta", "mean", "half", "tenth"),
    [("1", 100, 0.010, 0.083), ("1/2", 55, 0.045, 0.225), ("0", 21.5, 0.148, 0.481)],
)
def test_golden_numbers_at_gamma_one_hundredth(
    eta: str, mean: float, half: float, tenth: float
) -> None:
    runs = Repetitions(eta, "0.01")
    assert round(float(runs.mean), 1 if mean == 21.5 else 0) == mean
    assert round(float(runs.generating(F(1, 2))[1]), 3) == half
    assert round(float(runs.generating(F(9, 10))[1]), 3) == tenth


def test_the_draw_compares_one_uniform_number_with_the_distribution() -> None:
    """Geometric with gamma 1/2: K = k exactly when 1 - 2^-(k-1) <= U < 1 - 2^-k."""
    runs = Repetitions(1, "1/2")
    for k in (1, 2, 3, 10, 40):
        first = 2**64 - 2 ** (65 - k)
        last = 2**64 - 2 ** (64 - k) - 1
        assert runs.draw(rng=Replay([first + 1])) == k
        assert runs.draw(rng=Replay([last - 1])) == k


def test_an_undecided_draw_goes_on_with_the_same_number() -> None:
    """U shares 64 bits with P[K = 1] = 1/2 or lies just beside it: the next bits decide."""
    runs = Repetitions(0, "1/3")
    low, high = next(iter(runs.cumulative(64)))
    assert high == low + 1
    word = low
    finer, _ = next(iter(runs.cumulative(128)))
    rest = finer - (word << 64)
    assert runs.draw(rng=Replay([word, rest - 2])) == 1
    assert runs.draw(rng=Replay([word, rest + 2])) == 2
    assert runs.draw(rng=Replay([word - 1])) == 1
    assert runs.draw(rng=Replay([word + 1])) == 2


@pytest.mark.parametrize("eta", [F(-1, 2), F(0), F(1), F(5, 2)])
def test_draws_fit_the_law(eta: Fraction) -> None:
    """Chi-square over 8000 draws; a false alarm has probability 1e-9 a shape."""
    runs = Repetitions(eta, F(1, 5))
    rng = Seeded(20240 + int(10 * eta) + 10)
    trials = 8_000
    cells = 12
    drawn = Counter(min(runs.draw(rng=rng), cells) for _ in range(trials))
    masses = _masses(eta, F(1, 5), cells - 1)
    expected = [trials * p for p in (*masses, 1 - sum(masses))]
    assert min(expected) > 5
    found = sum((drawn[k] - e) ** 2 / e for k, e in enumerate(expected, start=1))
    assert found < chi2.isf(1e-9, cells - 1)


@pytest.mark.parametrize(
    ("eta", "gamma", "error", "message"),
    [
        (-1, 0.5, InvalidArgument, "eta must be greater than -1"),
        (1, 0, InvalidArgument, "gamma must lie strictly between 0 and 1"),
        (1, 1, InvalidArgument, "gamma must lie strictly between 0 and 1"),
        (None, 0.5, NotExact, "eta must be a number"),
    ],
)
def test_bad_arguments(eta: int, gamma: float, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Repetitions(eta, gamma)
