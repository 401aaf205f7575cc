"""Bounds for noisy counts: tails against exact sums, golden sizes, and what the tests promise."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import lower, upper
from tacit.probability import party_noise as noise_sum
from tacit.probability.binomial_tails import above, bits_for, noisy_above
from tacit.probability.noisy_mean import LocalMean, NoisyMean
from tacit.probability.party_noise import NoiseSum
from tacit.theory.enough import zero_test
from tacit.theory.enough.zero_test import LocalZeroTest, NoisyZeroTest, ZeroTest, gap, size

F = Fraction
ONE = Decay.of(F(1))
FINE = F(1, 10**20)


def _pmf(m: int, p: Fraction) -> list[Fraction]:
    return [comb(m, k) * p**k * (1 - p) ** (m - k) for k in range(m + 1)]


def _noise_at_least(q: Fraction, k: int) -> Fraction:
    return q**k / (1 + q) if k >= 1 else 1 - q ** (1 - k) / (1 + q)


def _close(enclosed: Callable[[], object], exact: Fraction, m: int) -> bool:
    low, high = lower(enclosed, bits_for(m)), upper(enclosed, bits_for(m))
    return low <= exact <= high <= low + FINE


chances = st.fractions(min_value=0, max_value=1, max_denominator=60)
ratios = st.fractions(min_value=F(1, 50), max_value=F(49, 50), max_denominator=60)


@given(st.integers(0, 30), chances, st.integers(-5, 36))
def test_binomial_tails_are_exact(m: int, p: Fraction, k: int) -> None:
    exact = sum(_pmf(m, p)[max(k, 0) :], F(0))
    assert _close(lambda: above(m, p, k), exact, m)


@given(st.integers(0, 25), chances, ratios, st.integers(-12, 40))
def test_noisy_tails_are_exact(m: int, p: Fraction, q: Fraction, k: int) -> None:
    exact = sum((c * _noise_at_least(q, k - j) for j, c in enumerate(_pmf(m, p))), F(0))
    assert _close(lambda: noisy_above(m, p, Decay(q), k), exact, m)


def _summed(q: Fraction, draws: int, reach: int) -> dict[int, Fraction]:
    one = {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-reach, reach + 1)}
    law = {0: F(1)}
    for _ in range(draws):
        law = {
            s: sum((law.get(s - z, F(0)) * p for z, p in one.items()), F(0))
            for s in range(-reach, reach + 1)
        }
    return law


@pytest.mark.parametrize("draws", [1, 2, 3])
def test_sums_of_noises(draws: int) -> None:
    q = F(1, 4)
    law, sums = _summed(q, draws, 30), NoiseSum(Decay(q), draws)
    for k in (0, 1, 3, 6):
        exact = sum((p for s, p in law.items() if s >= k), F(0))
        assert 0 <= sums.above(k) - exact < F(1, 10**12)
    for m, p, count in ((5, F(1, 3), 1), (12, F(1, 2), 2), (40, F(1, 10), 0)):
        exact = sum(
            (c * t for j, c in enumerate(_pmf(m, p)) for s, t in law.items() if j + s <= count),
            F(0),
        )
        assert 0 <= sums.at_most(m, p, count) - exact < F(1, 10**12)


def test_what_is_not_listed_is_added() -> None:
    """The tail of one variable is q^k / (1 + q), and no listed sum may be below it."""
    for ratio in (F(1, 2), F(9, 10)):
        once = NoiseSum(Decay(ratio), 1)
        for k in range(1, 9):
            exact = ratio**k / (1 + ratio)
            assert exact <= once.above(k) < exact * (1 + F(1, 2**190))


def test_sums_too_long_to_list_have_chernoff_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    long = NoiseSum(Decay(F(24, 25)), 2)
    exact = long.above(150), long.at_most(4000, F(1, 10), 200)
    monkeypatch.setattr(noise_sum, "_listed", lambda *_: None)
    rough = long.above(150), long.at_most(4000, F(1, 10), 200)
    assert all(e < r < 40 * e for e, r in zip(exact, rough, strict=True))
    monkeypatch.undo()
    assert noise_sum._listed(Decay.of(F(1, 10**4)), 2) is None


def test_golden_sizes_for_one_tolerance() -> None:
    sizes = [NoisyMean(ONE, draws).chernoff_size("0.1", "0.01") for draws in (1, 2, 5, 20)]
    assert sizes == [273, 281, 300, 375]
    mean, local = NoisyMean(ONE), LocalMean(ONE)
    assert mean.failure(183, "0.1", "0.00917") <= F(917, 100000)
    assert mean.size("0.1", "0.01") <= 183
    assert local.hoeffding_size("0.1", "0.01") == 1241
    assert F(12, 10**4) < local.failure(1241, "0.1", "0.00122") <= F(122, 10**5)
    assert local.failure(790, "0.1", "0.01") <= F(1, 100)
    assert NoisyMean(ONE, 2).failure(281, "0.1", "0.01") == NoisyMean(ONE, 2).chernoff(281, "0.1")
    assert NoisyMean(ONE).size("0.01", "0.01") == NoisyMean(ONE).chernoff_size("0.01", "0.01")
    many = local.size("0.05", "0.01")
    assert many == local.hoeffding_size("0.05", "0.01")
    assert (
        local.failure(many, "0.05", "0.01") <= F(1, 100) < local.failure(many - 1, "0.05", "0.01")
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 25), chances, ratios, st.fractions(F(1, 10), F(1, 2), max_denominator=20))
def test_no_share_fails_more_often_than_the_bounds_say(
    m: int, p: Fraction, q: Fraction, tolerance: Fraction
) -> None:
    mean = NoisyMean(Decay(q))
    exact = F(0)
    for j, c in enumerate(_pmf(m, p)):
        high = int((m * (p + tolerance)) // 1) + 1
        low = -int(-(m * (p - tolerance)) // 1) - 1
        exact += c * (_noise_at_least(q, high - j) + _noise_at_least(q, j - low))
    assert exact <= mean.failure(m, tolerance, F(1, 2)) + FINE
    assert exact <= mean.chernoff(m, tolerance) + FINE


def test_the_bound_over_cells_is_attained_somewhere() -> None:
    """On a fine grid of shares the exact failure comes within 2 % of the bound."""
    q, m, tolerance, worst = F(1, 3), 40, F(1, 4), F(0)
    mean = NoisyMean(Decay(q))
    for step in range(301):
        p = max(F(step, 600) - F(1, 10**6), F(0))
        high = int((m * (p + tolerance)) // 1) + 1
        low = -int(-(m * (p - tolerance)) // 1) - 1
        ends = ((p, high), (1 - p, m - low))
        exact = F(0)
        for chance, k in ends:
            terms = enumerate(_pmf(m, chance))
            exact += sum((c * _noise_at_least(q, k - j) for j, c in terms), F(0))
        worst = max(worst, exact)
    goal = worst * F(102, 100)
    assert worst <= mean.failure(m, tolerance, goal) + FINE
    assert mean.failure(m, tolerance, goal) <= goal


@pytest.mark.parametrize("make", [NoisyZeroTest, LocalZeroTest])
@pytest.mark.parametrize("epsilon", ["1/3", "1", "4"])
def test_a_test_has_its_level_and_misses_what_it_says(
    make: Callable[[Decay, Fraction], ZeroTest], epsilon: str
) -> None:
    decay, level, g = Decay.of(F(epsilon)), F(1, 30), F(1, 4)
    test, m = make(decay, level), 20
    cut, q = test.cut(m), decay.ratio
    if isinstance(test, NoisyZeroTest):

        def counts(p: Fraction) -> Callable[[int], Fraction]:
            return lambda k: sum(
                (c * _noise_at_least(q, k - j) for j, c in enumerate(_pmf(m, p))), F(0)
            )

    else:
        flip = q / (1 + q)

        def counts(p: Fraction) -> Callable[[int], Fraction]:
            return lambda k: sum(_pmf(m, flip + (1 - 2 * flip) * p)[max(k, 0) :], F(0))

    def some(p: Fraction) -> Fraction:
        tail = counts(p)
        return (1 - cut.share) * tail(cut.count + 1) + cut.share * tail(cut.count + 2)

    assert level - F(1, 2**60) <= some(F(0)) <= level
    assert 0 <= test.miss(m, g) - (1 - some(g)) < FINE
    assert all(1 - some(g + F(i, 20)) <= test.miss(m, g) for i in range(15))


@pytest.mark.parametrize(
    "test",
    [
        NoisyZeroTest(ONE, F(1, 200)),
        NoisyZeroTest(Decay.of(F(1, 8)), F(1, 200), 2),
        LocalZeroTest(Decay.of(F(2)), F(1, 50)),
    ],
)
def test_sizes_are_least_and_all_larger_ones_do(test: ZeroTest) -> None:
    g = F(1, 5)
    n = size(test, g)
    assert test.miss(n, g) <= test.level
    assert test.miss(n - 1, g) > test.level - F(1, 2**60)
    assert all(test.miss(n + more, g) <= test.level for more in range(60))
    found = gap(test, n)
    assert found is not None
    assert found <= g
    assert size(test, found) <= n


def test_bounds_beyond_all_tables_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """The closed bounds for more than 2^40 rows, made to answer for 60."""
    level, m, g = F(1, 37), 60, F(3, 5)
    exact = NoisyZeroTest(ONE, level).miss(m, g)
    monkeypatch.setattr(zero_test, "LARGE", 10)
    monkeypatch.setattr(noise_sum, "MOST_ROWS", 10)
    assert exact < NoisyZeroTest(ONE, level).miss(m, g) < level
    local = LocalZeroTest(Decay.of(F(2)), level)
    cut = local.cut(m)
    assert cut.share == 0
    assert sum(_pmf(m, local.flip)[cut.count + 1 :], F(0)) <= level
    chance = local.flip + (1 - 2 * local.flip) * g
    assert sum(_pmf(m, chance)[: cut.count + 1], F(0)) <= local.miss(m, g) < level


@pytest.mark.parametrize("epsilon", ["1e-9", "1e4"])
@pytest.mark.parametrize("make", [NoisyZeroTest, LocalZeroTest])
def test_extreme_requests_are_answered(make: Callable[..., ZeroTest], epsilon: str) -> None:
    test = make(Decay.of(F(epsilon)), F(1, 10**32))
    n = size(test, F(1, 10**9))
    assert n > 10**10
    assert gap(test, 10**5) is None or epsilon == "1e4"
    with pytest.raises(InvalidArgument, match="beta"):
        make(ONE, F(1, 1 << 151))


def test_one_row_finds_no_gap() -> None:
    assert gap(NoisyZeroTest(ONE, F(1, 200)), 0) is None
    assert gap(NoisyZeroTest(ONE, F(1, 200)), 3) is None
    assert LocalZeroTest(ONE, F(9, 10)).cut(0).count == -1
    with pytest.raises(InvalidArgument, match="gap"):
        size(NoisyZeroTest(ONE, F(1, 200)), F(1))
