"""Batches of bounded ranges: golden numbers, products of two-point pairs, and why a batch."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import product as choices

import pytest
from flint import arb, ctx

from tacit.core.chance.divergence import hockey_stick, ratio_range
from tacit.core.chance.law import Law, product
from tacit.core.composition import calibration
from tacit.core.composition import price as whole_price
from tacit.core.composition.calibration import widest
from tacit.core.composition.interpreters import bounded_range, low_counts, renyi, two_stage
from tacit.core.composition.interpreters.two_point import bound as two_point_sum
from tacit.core.composition.worlds import RepeatedLeaf, Simple
from tacit.core.cost import BoundedRange, Pure, Repeat
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import growth
from tacit.core.numbers.enclosures import Enclosure, exp_lower, exp_upper, real
from tacit.core.privacy import Privacy

MICRO = F(1, 10**6)
Pair = tuple[Law[int], Law[int]]


def batch(width: str | F, times: int) -> tuple[RepeatedLeaf[Simple], ...]:
    return (RepeatedLeaf(BoundedRange(width), times, batch=True),)


def price(width: str | F, times: int, delta: F) -> F:
    found = bounded_range.epsilon(batch(width, times), delta)
    return times * F(width) if found is None else found


def two_point(high: F, width: F) -> Pair:
    """The pair with losses `high` and `high - width`, with rational odds just below them."""
    odds, span = growth(high), growth(width)
    p = (1 - odds / span) / (1 - 1 / span)
    return Law({1: p, 0: 1 - p}), Law({1: p / odds, 0: 1 - p / odds})


@pytest.mark.parametrize(
    ("times", "width", "golden"),
    [
        (10, "0.1", 0.6286),
        (100, "0.05", 1.0577),
        (100, "0.1", 2.246),
        (1000, "0.01", 0.6480),
        (1000, "0.02", 1.3672),
    ],
)
def test_golden_numbers(times: int, width: str, golden: float) -> None:
    assert float(price(width, times, MICRO)) == pytest.approx(golden, rel=3e-4)


def test_the_pairs_have_bounded_range() -> None:
    for i in range(1, 8):
        p, q = two_point(F(i, 16), F(1, 2))
        assert ratio_range(p, q).upper == growth(F(1, 2))


def worst(pairs: list[Pair], factor: F) -> F:
    first, second = product(p for p, _ in pairs), product(q for _, q in pairs)
    return hockey_stick(first, second, factor).lower


@pytest.mark.parametrize("delta", [F(1, 20), F(1, 1000)])
@pytest.mark.parametrize(("times", "points"), [(1, 200), (2, 24), (3, 9)])
def test_no_product_of_pairs_exceeds_the_price(times: int, points: int, delta: F) -> None:
    """All combinations of t on a grid, equal or not, both orders of the pair."""
    width = F(1, 2)
    found = price(width, times, delta)
    grid = [two_point(width * i / points, width) for i in range(1, points)]
    for chosen in choices(grid, repeat=times):
        assert worst(list(chosen), exp_lower(found)) <= delta
        assert worst([(q, p) for p, q in chosen], exp_lower(found)) <= delta


@pytest.mark.parametrize("delta", [F(1, 20), F(1, 1000)])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_the_price_is_attained(times: int, delta: F) -> None:
    width = F(1, 2)
    less = price(width, times, delta) * F(99_999, 100_000)
    highs = [(less + (low + 1) * width) / (times + 1) for low in range(times)]
    attained = [
        worst([two_point(high, width)] * times, exp_upper(less)) for high in highs if high < width
    ]
    assert max(attained) > delta


def naive(times: int, width: F, total: F) -> Enclosure:
    """The maximum over l of the whole sum, as the paper prints it."""
    found = arb(0)
    w, e = real(width), real(total)
    for low in range(times + 1):
        t = (total + (low + 1) * width) / (times + 1)
        if t >= width:
            break
        q = ((-real(t)).exp() - (-w).exp()) / (1 - (-w).exp())
        terms = (
            arb(math.comb(times, i))
            * q ** (times - i)
            * (1 - q) ** i
            * ((times * real(t) - i * w).exp() - e.exp())
            for i in range(times + 1)
            if times * t - i * width > total
        )
        found = found.max(sum(terms, arb(0)))
    return found


@pytest.mark.parametrize(
    ("times", "width", "delta"), [(5, "1/3", "1e-4"), (25, "1/10", "1e-6"), (40, "2", "1e-9")]
)
def test_the_price_is_certified_and_least(times: int, width: str, delta: str) -> None:
    found = price(width, times, F(delta))
    with ctx.workprec(1000):
        assert naive(times, F(width), found) <= real(F(delta))
        assert naive(times, F(width), found * F(99_999, 100_000)) > real(F(delta))


@pytest.mark.parametrize(
    ("times", "width", "total"), [(30, "1/5", "1"), (1, "1/2", "1/4"), (2, "1/2", "9/10")]
)
def test_the_maximum_is_over_all_low_counts(
    times: int, width: str, total: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound does not trust the climb: started anywhere, it is the maximum over every l."""
    with ctx.workprec(500):
        exact = naive(times, F(width), F(total))
    value = pytest.approx(float(exact), rel=1e-9)
    assert bounded_range.estimate(times, float(F(width)), float(F(total))) == value
    for start in (None, 0, times - 1):
        if start is not None:
            monkeypatch.setattr(bounded_range, "_climb", lambda *_, start=start: start)
        found = bounded_range.bound(times, F(width), F(total))
        assert float(found) == value
        with ctx.workprec(500):
            assert real(found) >= exact.lower()


def test_beyond_the_greatest_loss_delta_is_zero() -> None:
    assert bounded_range.bound(30, F(1, 5), F(6)) == 0
    assert bounded_range.bound(30, F(1, 5), F(7)) == 0


def test_adaptive_releases_break_the_formula_for_batches() -> None:
    """A second pair chosen after the first outcome exceeds the delta of every fixed two pairs."""
    width, delta = F(1, 2), F(13, 100)
    fixed = price(width, 2, delta)
    adaptive = renyi.epsilon((RepeatedLeaf(BoundedRange(width), 2, batch=False),), delta)
    assert adaptive is not None
    factor = exp_upper(fixed)
    points = [two_point(width * i / 64, width) for i in range(1, 64)]

    def chosen(first: Pair, factor: F) -> F:
        p, q = first
        return sum(
            max(p[o] * hockey_stick(*second, factor * q[o] / p[o]).lower for second in points)
            for o in (0, 1)
        ) + F(0)

    assert max(chosen(first, factor) for first in points) > delta * F(103, 100)
    assert max(chosen(first, exp_lower(adaptive)) for first in points) <= delta


def test_what_is_no_batch_has_no_such_price() -> None:
    single = (RepeatedLeaf(BoundedRange(1), 1, batch=True),)
    assert bounded_range.epsilon((RepeatedLeaf(BoundedRange(1), 2, batch=False),), MICRO) is None
    assert bounded_range.epsilon((RepeatedLeaf(Pure(1), 2, batch=False),), MICRO) is None
    assert bounded_range.epsilon((*single, *batch("1/2", 3)), MICRO) is None
    assert bounded_range.epsilon((), MICRO) is None
    assert bounded_range.epsilon(single, F(0)) is None
    assert bounded_range.epsilon(batch("1/1000", 5001), MICRO) is None


def test_two_stages_golden_number() -> None:
    """A sanitizer of (0.3, 1e-7) and 100 labels of 0.03 at a total delta of 1e-6."""
    left = (MICRO - F(1, 10**7)) / (1 - F(1, 10**7))
    releases = (RepeatedLeaf(Pure("0.3"), 1, batch=False), *batch("0.03", 100))
    found = two_stage.epsilon(releases, left)
    assert found is not None
    assert float(found) == pytest.approx(0.8959, rel=1e-4)
    assert found < F("0.3") + price("0.03", 100, left)  # 0.9146, the plain sum


@pytest.mark.parametrize(
    ("times", "width", "total"),
    [(40, "1/5", "2"), (60, "3", "100"), (100, "1/20", "1.0577"), (90, "1e-5", "4e-4")],
)
def test_sums_by_floats_are_within_their_error(times: int, width: str, total: str) -> None:
    """Every l: what is not listed is at most the limit, and what is listed is nearly above it."""
    exact = [
        two_point_sum(times, (F(total) + (low + 1) * F(width)) / (times + 1), F(width), F(total))
        for low in range((times * F(width) - F(total)) // F(width) + 1)
    ]
    for limit in (max(exact) * part for part in (F(1, 10**6), F(1, 2), F(999, 1000), F(1))):
        doubtful = low_counts.above(times, F(width), F(total), limit)
        assert all(value <= limit for low, value in enumerate(exact) if low not in doubtful)
        assert all(exact[low] > limit * (1 - F(1, 10**6)) for low in doubtful)


@pytest.mark.parametrize(("times", "width", "total"), [(400, "1/100", "1/100"), (60, "3", "100")])
def test_what_floats_leave_out_is_at_most_the_limit(times: int, width: str, total: str) -> None:
    """At limits by a hair below a sum: neither rounding nor a sum cut short may hide it."""
    last = (times * F(width) - F(total)) // F(width)
    for low in range(0, last, max(1, last // 20)):
        high = (F(total) + (low + 1) * F(width)) / (times + 1)
        exact = two_point_sum(times, high, F(width), F(total))
        for hair in (F(1, 10**10), F(1, 10**14)):
            doubtful = low_counts.above(times, F(width), F(total), exact * (1 - hair))
            assert low in doubtful


def test_the_widest_range_fits_and_no_wider_one_does() -> None:
    many = [("0.9", times, "1e-6") for times in (40, 700, 6000)]
    for epsilon, times, delta in (*many, ("0.9", 2, "1e-9"), ("0.9", 40, "0"), ("1e-9", 3, "0.01")):
        total = Privacy(epsilon, delta)
        width = widest(total, times)
        step = F(1, 10**4) * width
        fits, not_fits = (
            whole_price(Repeat(BoundedRange(w), times, adaptive=False), delta).privacy.epsilon
            for w in (width, width + step)
        )
        assert fits <= total.epsilon < not_fits


@pytest.mark.parametrize("off", [1 + 3e-5, 1.01, 0.99])
def test_a_wrong_guess_of_the_widest_range_is_corrected(
    off: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    total, right = Privacy(1, "1e-6"), widest(Privacy(1, "1e-6"), 10)
    guess = float(right) * off
    monkeypatch.setattr(calibration, "about_width", lambda *_: guess)
    assert widest.__wrapped__(total, 10) == right


def test_nothing_is_wide_enough_for_no_epsilon() -> None:
    with pytest.raises(InvalidArgument, match="no part fits"):
        widest(Privacy(0, "1e-6"), 3)
