"""Reference and law tests for exact numbers, enclosures and ratios."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core import check
from tacit.core.errors import InvalidArgument, MissingExtra, NotExact
from tacit.core.numbers.decay import Decay, growth, levels
from tacit.core.numbers.enclosures import (
    exp_lower,
    exp_upper,
    log_lower,
    log_upper,
    round_down,
    round_up,
    scaled,
)
from tacit.core.numbers.exact import natural, rational

rationals = st.fractions(min_value=Fraction(-50), max_value=Fraction(50), max_denominator=10**6)
rates = st.fractions(min_value=Fraction(1, 10**9), max_value=Fraction(100), max_denominator=10**12)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (0.1, Fraction(1, 10)),
        ("0.1", Fraction(1, 10)),
        ("1/10", Fraction(1, 10)),
        ("1e-6", Fraction(1, 10**6)),
        (1e-6, Fraction(1, 10**6)),
        (Decimal("0.3"), Fraction(3, 10)),
        (3, Fraction(3)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.int64(7), Fraction(7)),
        (np.float32(0.5), Fraction(1, 2)),
    ],
)
def test_a_number_is_read_as_what_was_meant(typed: object, meant: Fraction) -> None:
    assert rational(typed) == meant  # type: ignore[arg-type]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read_by_its_shortest_decimal(x: float) -> None:
    assert rational(x) == Fraction(repr(x))
    assert float(rational(x)) == x


@pytest.mark.parametrize(
    "bad",
    [
        math.nan,
        math.inf,
        -math.inf,
        "nan",
        "inf",
        "",
        "one",
        "1/0",
        "1e99999999",
        "9" * 2000,
        Decimal("NaN"),
        Decimal("Infinity"),
    ],
)
def test_a_number_that_is_none_is_refused_by_name(bad: object) -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        check.positive(epsilon=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [True, None, [1], object(), 1j])
def test_what_is_no_number_is_refused_by_type(bad: object) -> None:
    with pytest.raises(NotExact, match="epsilon"):
        check.positive(epsilon=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [0, -1, "-1/2", -0.0])
def test_epsilon_must_be_positive(bad: object) -> None:
    with pytest.raises(InvalidArgument, match="epsilon must be greater than 0"):
        check.positive(epsilon=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [1, 2, -1e-9])
def test_delta_must_be_below_one(bad: object) -> None:
    with pytest.raises(InvalidArgument, match="delta"):
        check.small_probability(delta=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [0, 1, 1.5, -0.1])
def test_a_probability_lies_strictly_inside(bad: object) -> None:
    with pytest.raises(InvalidArgument, match="beta"):
        check.probability(beta=bad)  # type: ignore[arg-type]


def test_integers_are_not_floats() -> None:
    assert natural(np.int64(3)) == 3
    for bad in (1.0, "1", True, None):
        with pytest.raises(NotExact, match="n must be an integer"):
            check.count(n=bad)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="n must be at least 2"):
        check.count(n=1, least=2)
    with pytest.raises(InvalidArgument, match="rho must be at least 0"):
        check.nonnegative(rho=-1)


def test_a_missing_extra_says_what_to_run() -> None:
    assert "pip install 'tacit[opendp]'" in str(MissingExtra(package="opendp", extra="opendp"))


@given(rationals)
def test_exponentials_are_enclosed(x: Fraction) -> None:
    low, high = exp_lower(x), exp_upper(x)
    assert low <= high <= low * (1 + Fraction(1, 2**100))
    assert float(low) == pytest.approx(math.exp(x), rel=1e-12)


@given(st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=10**6))
def test_logarithms_are_enclosed_and_invert_exponentials(x: Fraction) -> None:
    assert log_lower(x) <= log_upper(x)
    assert exp_lower(log_lower(x)) <= x <= exp_upper(log_upper(x))


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=10**6), st.integers(1, 80))
def test_rounding_is_directed_and_near(x: Fraction, bits: int) -> None:
    down, up = round_down(x, bits), round_up(x, bits)
    assert down <= x <= up
    assert up - down <= x * Fraction(2) ** (1 - bits)
    assert round_up(up, bits) == up
    assert round_down(down, bits) == down


def test_scaled_integers_enclose() -> None:
    decay = Decay(Fraction(1, 3))
    low, high = scaled(lambda: decay.real(5), 80)
    assert low <= Fraction(2**80, 243) <= high
    assert high - low <= 2


@given(rates)
def test_a_ratio_is_just_above_the_real_one(rate: Fraction) -> None:
    q = Decay.of(rate).ratio
    assert exp_upper(-rate, 256) <= q < 1
    assert q <= exp_upper(-rate, 256) * (1 + Fraction(1, 2**60))
    assert 1 - q >= (1 - exp_upper(-rate, 256)) * (1 - Fraction(1, 2**60))


@given(rates)
def test_growth_is_just_below_the_real_one(rate: Fraction) -> None:
    assert growth(rate) <= exp_lower(rate, 256)
    assert growth(Fraction(0)) == 1
    assert growth(rate) >= exp_lower(rate, 256) * (1 - Fraction(1, 2**60))


@given(rates, st.lists(st.integers(0, 10**12), min_size=1, max_size=5))
def test_float_powers_keep_their_error_bound(rate: Fraction, exponents: list[int]) -> None:
    decay = Decay.of(rate)
    read = np.array([min(e, int(2000 / rate)) for e in exponents], dtype=np.int64)
    mantissas, scales = decay.floats(read)
    for exponent, mantissa, scale in zip(read.tolist(), mantissas, scales, strict=True):
        low, high = decay.scaled(exponent, 5000)
        value = Fraction(float(mantissa)) * Fraction(2) ** (int(scale) + 5000)
        error = 2 * levels(read) * Fraction(1, 2**53)
        assert low * (1 - error) <= value <= high * (1 + error)


@pytest.mark.parametrize("ratio", [0, 1, Fraction(3, 2), Fraction(-1, 2)])
def test_a_ratio_outside_the_open_interval_is_refused(ratio: Fraction) -> None:
    with pytest.raises(InvalidArgument, match="ratio"):
        Decay(Fraction(ratio))
