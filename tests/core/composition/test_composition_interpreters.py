"""Interpreters of composition against golden numbers, brute force and independent formulas."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import product as choices
from typing import Any

import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.chance.divergence import hockey_stick
from tacit.core.chance.law import Law, product
from tacit.core.composition import certified, delta_of_rho
from tacit.core.composition.interpreters import (
    advanced,
    basic,
    bounded_range,
    concentrated,
    conversion,
    loss_distribution,
    optimal,
    renyi,
    responses,
    two_point,
    two_stage,
)
from tacit.core.composition.worlds import RepeatedLeaf, Simple
from tacit.core.cost import BoundedRange, Gaussian, Pure, ZeroConcentrated
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import growth
from tacit.core.numbers.enclosures import Enclosure, exp_lower, exp_upper, real

MICRO = F(1, 10**6)


def several(leaf: Simple, times: int, *, batch: bool = False) -> tuple[RepeatedLeaf[Simple], ...]:
    return (RepeatedLeaf(leaf, times, batch),)


def response(epsilon: F) -> tuple[Law[int], Law[int]]:
    """Randomised response whose odds are a rational just below e^epsilon."""
    likely = growth(epsilon) / (1 + growth(epsilon))
    return Law({1: likely, 0: 1 - likely}), Law({1: 1 - likely, 0: likely})


GOLDEN = [
    # k, epsilon, basic, printed, optimal, rates of pure, rates of bounded range at most
    (10, "0.1", 1.0, 1.862, 0.9994, 1.472, 0.7002),
    (100, "0.05", 5.0, 3.128, 2.2075, 2.419, 1.1429),
    (100, "0.1", 10.0, 7.257, 4.775, 5.222, 2.419),
    (1000, "0.01", 10.0, 1.862, 1.3654, 1.472, 0.7002),
    (1000, "0.02", 20.0, 4.125, 2.9157, 3.131, 1.472),
]


@pytest.mark.parametrize(
    ("k", "size", "summed", "printed", "best", "rates", "narrow"), GOLDEN, ids=str
)
def test_golden_numbers(
    k: int, size: str, summed: float, printed: float, best: float, rates: float, narrow: float
) -> None:
    pure, bounded = several(Pure(size), k), several(BoundedRange(size), k)

    def near(epsilon: F | None, golden: float) -> bool:
        return epsilon is not None and abs(float(epsilon) - golden) <= 6e-4 * max(1.0, golden)

    assert basic.epsilon(pure, MICRO) == F(size) * k == F(summed)
    assert near(advanced.textbook(size, times=k, delta=MICRO), printed)
    assert near(optimal.epsilon(pure, MICRO), best)
    assert near(concentrated.epsilon(pure, MICRO), rates)
    assert near(concentrated.epsilon(bounded, MICRO), narrow)


def test_the_optimal_price_to_eight_digits() -> None:
    found = optimal.epsilon(several(Pure("0.01"), 1000), MICRO)
    assert found == F("1.365447")  # 1.3654467... rounded up
    assert optimal.epsilon(several(Pure("0.01"), 10_000), MICRO) == F("4.885516")  # 4.8855157...


def kov_delta(k: int, epsilon: F, total: F) -> Enclosure:
    """The optimal delta as the paper prints it, summed term by term."""
    e = real(epsilon)
    terms = (
        arb(math.comb(k, i)) * (((k - i) * e).exp() - (real(total) + i * e).exp())
        for i in range(k + 1)
        if (k - 2 * i) * epsilon > total
    )
    return sum(terms, arb(0)) / (1 + e.exp()) ** k


@pytest.mark.parametrize(
    ("k", "epsilon", "delta"),
    [
        (1, "1", "1/100"),
        (2, "1/3", "1/10"),
        (7, "2", "1e-9"),
        (60, "1/10", "1e-6"),
        (300, "3", "0.5"),
    ],
)
def test_the_optimal_price_is_certified_and_least(k: int, epsilon: str, delta: str) -> None:
    found = optimal.epsilon(several(Pure(epsilon), k), F(delta)) or k * F(epsilon)
    with ctx.workprec(2000):
        assert kov_delta(k, F(epsilon), found) <= real(F(delta))
        assert kov_delta(k, F(epsilon), found * F(999_999, 1_000_000)) > real(F(delta))


@pytest.mark.parametrize("epsilons", [("1/2",), ("1/2", "1/2"), ("1", "1/3"), ("1/5", "1/2", "1")])
@pytest.mark.parametrize("delta", ["1/10", "1/1000", "1e-9"])
def test_products_of_responses_attain_the_optimal_price(
    epsilons: tuple[str, ...], delta: str
) -> None:
    pairs = [response(F(epsilon)) for epsilon in epsilons]
    first, second = product(p for p, _ in pairs), product(q for _, q in pairs)
    releases = tuple(RepeatedLeaf(Pure(epsilon), 1, batch=False) for epsilon in epsilons)
    found = optimal.epsilon(releases, F(delta)) or basic.total(releases)
    assert found is not None
    above = hockey_stick(first, second, exp_lower(found)).upper
    below = hockey_stick(first, second, exp_upper(found * F(99_999, 100_000))).lower
    assert above is not None
    assert above <= F(delta) * (1 + F(1, 10**12))
    assert below > F(delta) * (1 - F(1, 10**12))


def test_too_many_kinds_of_responses_are_left_to_the_loss_distribution() -> None:
    many = tuple(RepeatedLeaf(Pure(F(1, i)), 3, batch=False) for i in range(1, 9))
    assert optimal.epsilon(many, MICRO) is None
    assert responses.count([(F(1), 3), (F(2), 4)]) == 20


def test_only_basic_composition_needs_no_delta() -> None:
    mixed = (*several(Pure(1), 2), *several(BoundedRange("1/2"), 3))
    assert basic.epsilon(mixed, F(0)) == F(7, 2)
    assert optimal.epsilon(mixed, F(0)) == F(7, 2)
    for interpreter in (advanced, concentrated, renyi, two_stage):
        assert interpreter.epsilon(mixed, F(0)) is None


def test_what_is_not_pure_has_no_pure_price() -> None:
    mixed = (*several(Pure(1), 2), *several(Gaussian(1), 3))
    for interpreter in (basic, advanced, optimal):
        assert interpreter.epsilon(mixed, MICRO) is None


def test_nothing_costs_nothing() -> None:
    for interpreter in (basic, concentrated, optimal, renyi):
        assert interpreter.epsilon((), MICRO) == 0


def test_advanced_composition_is_better_than_printed() -> None:
    found = advanced.epsilon(several(Pure("0.01"), 1000), MICRO)
    assert found is not None
    mean = 1000 * 0.01 * math.tanh(0.005)
    assert float(found) == pytest.approx(mean + 0.01 * math.sqrt(2000 * math.log(1e6)))
    assert found < advanced.textbook("0.01", times=1000, delta=MICRO)
    with pytest.raises(InvalidArgument, match="at most 1"):
        advanced.textbook(2, times=1, delta=MICRO)


# Rényi divergences


def two_point_law(high: float, width: float) -> tuple[float, float, float]:
    """P-probability of the high loss, and both losses."""
    return math.expm1(high - width) / math.expm1(-width), high, high - width


def moment(order: float, high: float, width: float) -> float:
    p, up, down = two_point_law(high, width)
    return (math.log(p * math.exp((order - 1) * up) + (1 - p) * math.exp((order - 1) * down))) / (
        order - 1
    )


@pytest.mark.parametrize("order", [1.01, 1.5, 2.0, 7.0, 60.0])
@pytest.mark.parametrize("width", [0.01, 0.3, 1.0, 4.0])
def test_divergences_are_the_worst_two_point_ones(order: float, width: float) -> None:
    estimate, enclose = renyi.divergence(several(BoundedRange(width), 1))
    with ctx.workprec(128):
        exact = float(enclose(F(order)))
        pure = float(renyi.divergence(several(Pure(width), 1))[1](F(order)))
    grid = max(moment(order, width * i / 2000, width) for i in range(1, 2000))
    assert grid <= exact * (1 + 1e-9)
    assert exact == pytest.approx(grid, rel=1e-5)
    assert estimate(order) == pytest.approx(exact, rel=1e-6)
    assert pure == pytest.approx(moment(order, width, 2 * width), rel=1e-9)
    assert renyi.divergence(several(Pure(width), 1))[0](order) == pytest.approx(pure, rel=1e-6)


@pytest.mark.parametrize("width", ["1/1000", "1/3", "1", "4", "20"])
def test_the_rate_of_bounded_range_is_the_least(width: str) -> None:
    rho = concentrated.rate(BoundedRange(width))
    _, enclose = renyi.divergence(several(BoundedRange(width), 1))
    orders = [1 + F(1, 10**4), *(1 + F(i, 7) for i in range(1, 60)), F(100), F(10**4)]
    with ctx.workprec(256):
        slopes = [float(enclose(order) / real(order)) for order in orders]
    assert max(slopes) <= float(rho) * (1 + 1e-12)
    assert slopes[0] >= float(rho) * (1 - 1e-3)
    assert rho <= F(width) ** 2 / 8


def test_rates() -> None:
    assert concentrated.rate(Pure("1/2")) == F(1, 8)
    assert concentrated.rate(ZeroConcentrated("1/7")) == F(1, 7)
    assert concentrated.rate(Gaussian(50, 3)) == F(9, 100)
    assert concentrated.rate(BoundedRange(0)) == 0
    for narrow in (F(1, 1 << 31), F(1, 1 << 29)):
        curve = concentrated.rate(BoundedRange(narrow)) / narrow**2
        assert float(curve) == pytest.approx(1 / 8, rel=1e-6)
    assert float(concentrated.rate(BoundedRange(4))) == pytest.approx(1.6698496)


def test_adaptive_golden_numbers() -> None:
    found = renyi.epsilon(several(BoundedRange("0.0444"), 100), MICRO)
    assert found is not None
    assert float(found) == pytest.approx(1, abs=2e-3)
    tiny = renyi.epsilon(several(BoundedRange(F(1, 10**40)), 2), MICRO)
    assert tiny == 0


@given(
    st.lists(
        st.sampled_from(
            [Pure("0.2"), BoundedRange("0.4"), Gaussian(9, 2), ZeroConcentrated("0.01")]
        ),
        min_size=1,
        max_size=4,
        unique=True,
    ),
    st.integers(1, 30),
    st.sampled_from([F(1, 10), MICRO, F(1, 10**12)]),
)
@settings(max_examples=30)
def test_divergences_are_never_worse_than_rates(leaves: list[Simple], times: int, delta: F) -> None:
    releases = tuple(RepeatedLeaf(leaf, times, batch=False) for leaf in leaves)
    by_order, by_rate = renyi.epsilon(releases, delta), concentrated.epsilon(releases, delta)
    assert by_order is not None
    assert by_rate is not None
    assert by_order <= by_rate * (1 + F(1, 10**5))


# Conversion


def log_delta(order: float, rho: float, epsilon: float) -> float:
    return (
        (order - 1) * (rho * order - epsilon) + order * math.log1p(-1 / order) - math.log(order - 1)
    )


@pytest.mark.parametrize(
    ("rho", "epsilon"),
    [("0.024356", "1"), ("1/2", "5"), ("3", "1"), ("1e-6", "0.01"), ("40", "300")],
)
def test_delta_of_rho_is_the_best_order(rho: str, epsilon: str) -> None:
    found = float(delta_of_rho(F(rho), F(epsilon)))
    orders = (1 + math.exp(i / 200) for i in range(-2000, 4000))
    best = math.exp(min(0.0, min(log_delta(a, float(F(rho)), float(F(epsilon))) for a in orders)))
    assert found == pytest.approx(best, rel=1e-4)
    assert found <= best * (1 + 1e-6)


def test_delta_of_rho_at_its_ends() -> None:
    assert delta_of_rho(F(0), F(0)) == 0
    assert delta_of_rho(F(10**6), F(0)) == 1
    assert float(delta_of_rho(F("0.024356"), F(1))) == pytest.approx(1e-6, rel=1e-4)
    assert delta_of_rho(F(1, 10**9), F(10**6)) == certified.TINIEST
    with pytest.raises(InvalidArgument, match="rho"):
        delta_of_rho(F(-1), F(1))
    with pytest.raises(InvalidArgument, match="epsilon"):
        delta_of_rho(F(1), F(-1))


@pytest.mark.parametrize("sigma_squared", ["1/3", "1", "40"])
@pytest.mark.parametrize("epsilon", ["1/4", "1", "4"])
def test_delta_of_rho_covers_the_gaussian(sigma_squared: str, epsilon: str) -> None:
    """The continuous Gaussian of this variance has rate 1 / (2 sigma^2), and a known curve."""
    sigma, x = math.sqrt(F(sigma_squared)), float(F(epsilon))

    def above(z: float) -> float:
        return math.erfc(z / math.sqrt(2)) / 2

    exact = above(x * sigma - 1 / (2 * sigma)) - math.exp(x) * above(x * sigma + 1 / (2 * sigma))
    assert exact <= float(delta_of_rho(1 / (2 * F(sigma_squared)), F(epsilon)))


def test_conversion_is_one_curve_read_both_ways() -> None:
    divergence = renyi.divergence(several(BoundedRange("0.1"), 40))
    epsilon = conversion.epsilon_at(MICRO, divergence)
    assert float(conversion.delta_at(epsilon, divergence)) == pytest.approx(1e-6, rel=1e-4)
    assert conversion.delta_at(epsilon, divergence) <= MICRO


# Two stages


def test_two_stages_by_brute_force() -> None:
    """Pure releases around a two-point pair: the formula is exact for the pair it dominates."""
    outer = [F(1, 2), F(1, 2), F(1, 5)]
    releases = (
        RepeatedLeaf(Pure("1/2"), 2, batch=False),
        RepeatedLeaf(Pure("1/5"), 1, batch=False),
        RepeatedLeaf(BoundedRange("3/5"), 1, batch=True),
    )
    delta = F(1, 50)
    found = two_stage.epsilon(releases, delta)
    assert found is not None
    worst = F(0)
    for i in range(1, 60):
        odds, span = growth(F(3, 5) * i / 60), growth(F(3, 5))
        p = (1 - odds / span) / (1 - 1 / span)
        pairs = [response(e) for e in outer]
        pairs.append((Law({1: p, 0: 1 - p}), Law({1: p / odds, 0: 1 - p / odds})))
        first, second = product(a for a, _ in pairs), product(b for _, b in pairs)
        worst = max(worst, hockey_stick(first, second, exp_lower(found)).lower)
    assert worst <= delta
    assert worst >= delta * F(9, 10)


def test_two_stages_where_there_is_one() -> None:
    assert two_stage.epsilon(several(Pure(1), 3), MICRO) is None
    assert two_stage.epsilon((*several(Pure(1), 1), *several(Gaussian(9), 1)), MICRO) is None
    adaptive = (*several(Pure(1), 1), *several(BoundedRange(1), 3))
    assert two_stage.epsilon(adaptive, MICRO) is None
    crowd = (*several(Pure(1), 40), *several(BoundedRange(1), 3, batch=True))
    assert two_stage.epsilon(crowd, MICRO) is None


def test_either_batch_may_be_the_second_stage() -> None:
    few, many = (
        several(BoundedRange("0.3"), 1, batch=True),
        several(BoundedRange("0.02"), 60, batch=True),
    )
    found = two_stage.epsilon((*few, *many), MICRO)
    as_pure = two_stage.epsilon((*several(Pure("0.3"), 1), *many), MICRO)
    assert found == as_pure


# Two-point sums and certified search


@given(
    st.integers(1, 12),
    st.fractions(F(1, 20), F(19, 20), max_denominator=20),
    st.sampled_from([F(1, 10), F(1), F(5)]),
    st.fractions(F(0), F(1), max_denominator=12),
)
def test_the_two_point_sum(times: int, share: F, width: F, level: F) -> None:
    high = share * width
    epsilon = level * times * high
    with ctx.workprec(256):
        p = (1 - real(high - width).exp()) / (1 - real(-width).exp())
        exact = sum(
            (
                arb(math.comb(times, i))
                * p ** (times - i)
                * (1 - p) ** i
                * (1 - real(epsilon - times * high + i * width).exp())
                for i in range(times + 1)
                if times * high - i * width > epsilon
            ),
            arb(0),
        )
        found = two_point.bound(times, high, width, epsilon)
        assert real(found) >= exact.lower()
        assert float(found) == pytest.approx(float(exact), rel=1e-9, abs=1e-30)
    assert two_point.estimate(times, float(high), float(width), float(epsilon)) == pytest.approx(
        float(found), rel=1e-6, abs=1e-12
    )


def test_two_point_sums_without_loss() -> None:
    assert two_point.bound(5, F(0), F(1), F(0)) == 0 == two_point.estimate(5, 0.0, 1.0, 0.0)
    assert two_point.bound(5, F(1), F(1), F(0)) == 0 == two_point.estimate(5, 1.0, 1.0, 0.0)
    assert two_point.bound(5, F(1), F(2), F(5)) == 0 == two_point.estimate(5, 1.0, 2.0, 5.0)


def test_a_limit_ends_the_sum_early() -> None:
    rough = two_point.bound(1000, F(1, 100), F(1, 50), F(2), limit=F(1, 1000))
    fine = two_point.bound(1000, F(1, 100), F(1, 50), F(2))
    assert fine < rough <= F(1, 1000)


@pytest.mark.parametrize(("times", "total"), [(20_000, F(0)), (2000, F(10)), (5, F(0))])
def test_sums_across_the_mode(times: int, total: F) -> None:
    """Where most outcomes have a loss above epsilon the sum runs up from the mode as well.

    The optimal delta is P[N <= m] - e^epsilon Q[N <= m], two incomplete beta functions.
    """
    last = math.ceil((times - 2 * total) / 2) - 1
    with ctx.workprec(256):
        p = 1 / (1 + real(F(-1, 2)).exp())
        tails = [x.beta_lower(times - last, last + 1, regularized=1) for x in (p, 1 - p)]
        exact = tails[0] - real(total).exp() * tails[1]
        found = two_point.bound(times, F(1, 2), F(1), total)
        assert real(found) >= exact.lower()
    assert float(found) == pytest.approx(float(exact), rel=1e-9)
    assert two_point.estimate(times, 0.5, 1.0, float(total)) == pytest.approx(
        float(exact), rel=1e-6
    )


def test_decimals_bound() -> None:
    for text in ("1/3", "2/3", "1", "12345678.9", "99999999", "1e-12", "7/1000"):
        x = F(text)
        assert certified.decimal_down(x) <= x <= certified.decimal_up(x)
        assert certified.decimal_up(x) - certified.decimal_down(x) <= certified.unit(x, 7)
        assert certified.decimal_up(x) <= x * (1 + F(1, 10**6))
    assert certified.decimal_up(F(0)) == certified.decimal_down(F(0)) == 0
    assert certified.decimal_up(F("9.9999999")) == 10


def test_probabilities_are_clipped() -> None:
    assert certified.probability(lambda: arb(3)) == 1
    assert certified.probability(lambda: arb("nan")) == 1
    assert certified.probability(lambda: arb(0)) == certified.TINIEST
    assert certified.number(F(0)) == 0
    assert certified.number(F(10) ** 400) == 1e300
    assert certified.number(F(1, 10**400)) == 1e-300


def test_a_wrong_estimate_is_corrected() -> None:
    """The bound decides: an optimistic estimate costs time, and never truth."""

    def bound(x: F) -> F:
        return max(F(0), 1 - x)

    for estimate in (lambda _: 0.0, lambda x: float(bound(F(x))) / 2):
        found = certified.least_epsilon(estimate, bound, delta=F(1, 4), ceiling=F(2))
        assert found is not None
        assert F(3, 4) <= found <= F(3, 4) + F(1, 10**5)
    assert (
        certified.least_epsilon(lambda _: 0.0, lambda _: F(1), delta=F(1, 4), ceiling=F(2)) is None
    )


@pytest.mark.parametrize(
    ("interpreter", "releases"),
    [
        (bounded_range, several(BoundedRange("1/2"), 1, batch=True)),
        (bounded_range, several(BoundedRange("1/10"), 25, batch=True)),
        (optimal, several(Pure("1/10"), 25)),
        (optimal, (*several(Pure("1/10"), 5), *several(Pure("1/3"), 2))),
        (two_stage, (*several(Pure("1/3"), 1), *several(BoundedRange("1/10"), 9, batch=True))),
        (loss_distribution, several(Gaussian(9, 2), 3)),
        (loss_distribution, (*several(Gaussian(9), 2), *several(BoundedRange("1/5"), 3))),
    ],
)
@pytest.mark.parametrize("delta", [F(1, 10), MICRO])
def test_no_price_rests_on_its_candidate(
    interpreter: Any, releases: Any, delta: F, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the floats that say where to look the bounds alone lead to the same price."""
    priced = interpreter.epsilon(releases, delta)
    monkeypatch.setattr(certified, "root", lambda *_: 0.0)
    found = interpreter.epsilon(releases, delta)
    assert priced * (1 - F(1, 10**5)) <= found <= priced * (1 + F(1, 10**5))


def test_all_sequences_of_responses_are_listed() -> None:
    listed = {loss: float(p) for loss, p in responses.outcomes([(F(1), 2), (F(1, 3), 1)])}
    expected: dict[F, float] = {}
    for signs in choices((1, -1), repeat=3):
        losses = [sign * size for sign, size in zip(signs, (F(1), F(1), F(1, 3)), strict=True)]
        weight = math.prod(1 / (1 + math.exp(-float(loss))) for loss in losses)
        expected[sum(losses, F(0))] = expected.get(sum(losses, F(0)), 0) + weight
    assert listed == pytest.approx(expected)
