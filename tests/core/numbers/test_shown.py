"""Numbers as they are shown: an interval that is written down holds all that it held before."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tacit.core.numbers.shown import outwards

FLOATS = st.floats(-1e19, 1e19, allow_subnormal=False)


@given(FLOATS, FLOATS, st.integers(0, 12), st.sampled_from([1, 100]))
def test_no_end_is_shown_nearer_than_it_is(a: float, b: float, digits: int, times: int) -> None:
    low, high = sorted((a, b))
    first, last = map(Fraction, outwards(low, high, digits, times))
    step = Fraction(1, 10**digits)
    assert first <= Fraction(repr(low)) * times < first + step
    assert last - step < Fraction(repr(high)) * times <= last


def test_what_needs_no_rounding_is_not_rounded() -> None:
    """Shares are multiples of 1 / 100,000, which float64 does not hold: 1000 * 0.174 > 174."""
    for k in range(0, 100_001, 100):
        assert outwards(k / 10**5, k / 10**5, 1, times=100) == (f"{k / 1000:.1f}",) * 2
