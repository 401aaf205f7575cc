"""Bounded ranges chosen one after the other: between what some choices attain and every bound."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction as F
from functools import cache
from typing import Any

import pytest

from tacit.core.chance.divergence import hockey_stick
from tacit.core.composition import price
from tacit.core.composition.interpreters import adaptive_range, renyi
from tacit.core.composition.worlds import RepeatedLeaf, Simple
from tacit.core.cost import BoundedRange, Pure, Repeat
from tacit.core.numbers.enclosures import exp_lower, exp_upper
from tests.core.composition.test_composition_bounded_range import Pair, two_point

MICRO = F(1, 10**6)
NEAR = 1e-6


def adaptive(width: str, times: int) -> tuple[RepeatedLeaf[Simple], ...]:
    return (RepeatedLeaf(BoundedRange(width), times, batch=False),)


def attained(times: int, width: float, parts: int, place: int) -> float:
    """The game at x = place * h with t on the grid: no chords, so some choices attain it."""
    step = width / parts
    high = [math.expm1((i - parts) * step) / math.expm1(-width) for i in range(parts + 1)]

    @cache
    def value(left: int, at: int) -> float:
        if not left:
            return max(0.0, -math.expm1(at * step))
        return max(
            p * value(left - 1, at - i) + (1 - p) * value(left - 1, at - i + parts)
            for i, p in enumerate(high)
        )

    return value(times, place)


@pytest.mark.parametrize("width", [0.01, 0.5, 3.0])
def test_one_release_is_the_closed_form(width: float) -> None:
    parts = 64
    found = adaptive_range.curve(1, width, parts, 1)
    for place in range(parts):
        exact = math.expm1((place / parts - 1) * width / 2) ** 2 / -math.expm1(-width)
        assert exact * (1 - 1e-12) <= found[place] <= exact * 1.02 + 1e-3 * width / (1 + width)


@pytest.mark.parametrize(
    ("times", "width", "parts"), [(2, 0.5, 32), (3, 1.0, 16), (6, 0.2, 16), (6, 2.0, 32)]
)
def test_the_curve_is_above_all_choices_on_the_grid_and_near_them(
    times: int, width: float, parts: int
) -> None:
    found = adaptive_range.curve(times, width, parts, times)
    for place in range(0, times * parts, parts // 4):
        below = attained(times, width, parts, place)
        assert below <= found[place]
        later = attained(times, width, parts, place - 1)
        assert found[place] <= later + NEAR


@pytest.mark.parametrize(("times", "width", "delta"), [(2, "1/2", "13/100"), (2, "1", "1/1000")])
def test_no_two_chosen_releases_exceed_the_price_and_some_attain_it(
    times: int, width: str, delta: str
) -> None:
    """The game by enumeration of rational laws: the second pair is chosen after the outcome."""
    total = adaptive_range.epsilon(adaptive(width, times), F(delta))
    assert total is not None
    points = [two_point(F(width) * i / 48, F(width)) for i in range(1, 48)]

    def chosen(first: Pair, factor: F) -> F:
        p, q = first
        return sum(
            max(p[o] * hockey_stick(*second, factor * q[o] / p[o]).lower for second in points)
            for o in (0, 1)
        ) + F(0)

    assert max(chosen(first, exp_lower(total)) for first in points) <= F(delta)
    less = exp_upper(total * F(98, 100))
    assert max(chosen(first, less) for first in points) > F(delta)


@pytest.mark.parametrize(
    ("times", "width"), [(2, "0.5"), (10, "0.15"), (30, "0.08"), (100, "0.05"), (1000, "0.01")]
)
@pytest.mark.parametrize("delta", ["1e-3", "1e-6", "1e-10"])
def test_the_price_lies_between_a_batch_and_the_divergences(
    times: int, width: str, delta: str
) -> None:
    whole = price(Repeat(BoundedRange(width), times), delta).privacy.epsilon
    fixed = price(Repeat(BoundedRange(width), times, adaptive=False), delta).privacy.epsilon
    before = renyi.epsilon(adaptive(width, times), F(delta))
    assert before is not None
    assert fixed <= whole <= before


@pytest.mark.parametrize(("times", "width", "saved"), [(100, "0.05", 0.06), (1000, "0.01", 0.06)])
def test_many_releases_cost_less_than_their_divergences(
    times: int, width: str, saved: float
) -> None:
    found, before = (by.epsilon(adaptive(width, times), MICRO) for by in (adaptive_range, renyi))
    assert found is not None
    assert before is not None
    assert found < before * F(1 - saved)


def test_more_costs_more() -> None:
    """Also where a coarser grid takes over."""
    found = [
        adaptive_range.epsilon(adaptive("0.01", times), MICRO)
        for times in (50, 100, 200, 201, 400, 401, 800, 1600)
    ]
    assert None not in found
    assert found == sorted(found)  # type: ignore[type-var]
    wider = [adaptive_range.epsilon(adaptive(w, 60), MICRO) for w in ("0.05", "0.0501", "0.2", "2")]
    assert wider == sorted(wider)  # type: ignore[type-var]


def test_what_it_does_not_price() -> None:
    assert adaptive_range.epsilon(adaptive("1", 2), F(0)) is None
    assert adaptive_range.epsilon((RepeatedLeaf(Pure(1), 2, batch=False),), MICRO) is None
    assert adaptive_range.epsilon((*adaptive("1", 2), *adaptive("1/2", 2)), MICRO) is None
    assert adaptive_range.epsilon(adaptive("65", 2), MICRO) is None
    assert adaptive_range.epsilon(adaptive("0.001", 100_000), MICRO) is None
    assert adaptive_range.epsilon((), MICRO) is None


def test_a_large_delta_costs_nothing() -> None:
    assert adaptive_range.epsilon(adaptive("0.1", 2), F(9, 10)) == 0


def in_digits(times: int, width: float, parts: int, ranges: int) -> list[Decimal]:
    """The sums of `curve` in 60 digits, with nothing given away."""
    step, size = Decimal(width) / parts, ranges * parts + 1
    rise = [(i * step).exp() for i in range(-parts, parts + 1)]  # e^((i - parts) h)
    whole, growth = 1 - rise[0], rise[parts + 1]
    high = [(1 - rise[i]) / whole for i in range(parts + 1)]
    low = [rise[i] * (1 - rise[parts - i]) / whole for i in range(parts + 1)]
    found = [Decimal(0)] * size

    def before(at: int) -> Decimal:
        if at >= 0:
            return found[min(at, size - 1)]
        return 1 - rise[parts + at] + rise[parts + at] * found[-at]

    for _ in range(times):
        after = []
        for place in range(size):
            pairs = [(before(place - i), before(place - i + parts)) for i in range(parts + 1)]

            def sums(i: int, j: int, pairs: list[tuple[Decimal, Decimal]] = pairs) -> Decimal:
                return high[i] * pairs[j][0] + low[i] * pairs[j][1]

            best = max(sums(i, i) for i in range(parts + 1))
            for i in range(parts):
                cross = (growth * sums(i, i + 1) + sums(i + 1, i)) / 2
                middle = (1 + growth) / 2
                best = max(
                    best,
                    (sums(i, i) + cross) / (1 + middle),
                    (cross + growth * sums(i + 1, i + 1)) / (middle + growth),
                )
            after.append(min(best, Decimal(1)))
        found = after
    return found


@pytest.mark.parametrize(("times", "width"), [(20, 0.3), (5, 3.0)])
def test_floats_never_come_out_below(times: int, width: float) -> None:
    found = adaptive_range.curve(times, width, 4, 4)
    with localcontext(prec=60):
        exact = in_digits(times, width, 4, 4)
        assert all(low <= Decimal(float(high)) for low, high in zip(exact, found, strict=True))
        assert all(
            Decimal(float(h)) - x < Decimal("1e-12") for x, h in zip(exact, found, strict=True)
        )


def test_a_grid_that_is_too_short_is_safe() -> None:
    short = adaptive_range.curve(8, 0.5, 16, 2)
    assert all(attained(8, 0.5, 16, place) <= short[place] for place in (0, 8, 16, 24, 30, 31, 32))


def test_a_range_is_not_rounded_down(monkeypatch: pytest.MonkeyPatch) -> None:
    widths, curve = [], adaptive_range.curve

    def noted(times: int, width: float, parts: int, ranges: int) -> Any:
        widths.append(F(width))
        return curve(times, width, parts, ranges)

    monkeypatch.setattr(adaptive_range, "curve", noted)
    for width in ("1/3", "1/10", "1/7"):
        adaptive_range.epsilon(adaptive(width, 2), F(1, 10))
        assert F(width) <= widths.pop() < F(width) * (1 + F(1, 1 << 50))


def test_an_epsilon_within_the_first_step() -> None:
    """One release of width 1 has delta tanh(1/4) at 0: with less, epsilon is above 0."""
    delta = F(math.tanh(1 / 4)) - F(1, 500)
    found = adaptive_range.epsilon(adaptive("1", 1), delta)
    assert found is not None
    assert 0 < found < F(1, 32)
    assert math.expm1((float(found) - 1) / 2) ** 2 / -math.expm1(-1) <= delta
