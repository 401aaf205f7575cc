"""The distribution of the loss: against exact curves, brute force, and dp_accounting."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction as F
from importlib import import_module
from itertools import pairwise
from itertools import product as choices
from typing import Any

import pytest
from flint import arb, ctx

from tacit.core.composition.interpreters import loss_distribution, loss_tails, optimal, renyi
from tacit.core.composition.worlds import RepeatedLeaf, Simple
from tacit.core.cost import BoundedRange, Gaussian, Pure, ZeroConcentrated
from tacit.core.numbers.enclosures import Enclosure, precision, real

MICRO = F(1, 10**6)


def several(*counted: tuple[Simple, int]) -> tuple[RepeatedLeaf[Simple], ...]:
    return tuple(RepeatedLeaf(leaf, times, batch=False) for leaf, times in counted)


def price(delta: F, *counted: tuple[Simple, int]) -> F:
    found = loss_distribution.epsilon(several(*counted), delta)
    assert found is not None
    return found


def weights(leaf: Gaussian) -> dict[int, Enclosure]:
    far = 14 * math.isqrt(math.ceil(leaf.sigma_squared)) + 14
    raw = {x: real(-F(x * x) / (2 * leaf.sigma_squared)).exp() for x in range(-far, far + 1)}
    total = sum(raw.values(), arb(0))
    return {x: weight / total for x, weight in raw.items()}


def gaussian_delta(leaf: Gaussian, epsilon: F) -> Enclosure:
    """The exact curve of one discrete Gaussian, up to tails of e^-98."""
    shift, growth, found = leaf.sensitivity, real(epsilon).exp(), arb(0)
    law = weights(leaf)
    for x, mass in law.items():
        excess = mass - growth * law.get(x - shift, arb(0))
        if excess > 0:
            found += excess
    return found


@pytest.mark.parametrize(
    ("sigma_squared", "shift"), [("1/2", 1), ("1", 1), ("7/3", 2), ("100", 1), ("10000", 5)]
)
@pytest.mark.parametrize("delta", [F(1, 100), MICRO, F(1, 10**12)])
def test_one_gaussian_is_priced_by_its_curve(sigma_squared: str, shift: int, delta: F) -> None:
    leaf = Gaussian(sigma_squared, shift)
    found = price(delta, (leaf, 1))
    with ctx.workprec(192):
        assert gaussian_delta(leaf, found) <= real(delta)
        assert gaussian_delta(leaf, found * F(999, 1000)) > real(delta)


def test_a_smaller_shift_costs_less() -> None:
    leaf = Gaussian(5, 3)
    found = price(MICRO, (leaf, 1))
    with ctx.workprec(192):
        assert all(gaussian_delta(Gaussian(5, s), found) <= real(MICRO) for s in (1, 2, 3))


def product_delta(first: Gaussian, second: Gaussian, epsilon: F) -> Enclosure:
    law, other = weights(first), weights(second)
    growth, found = real(epsilon).exp(), arb(0)
    for x, mass in law.items():
        for y, weight in other.items():
            second_law = law.get(x - first.sensitivity, arb(0)) * other.get(
                y - second.sensitivity, arb(0)
            )
            excess = mass * weight - growth * second_law
            if excess > 0:
                found += excess
    return found


@pytest.mark.parametrize(
    ("first", "second"), [(Gaussian(1), Gaussian(1)), (Gaussian(2), Gaussian("1/2"))]
)
def test_two_gaussians_by_brute_force(first: Gaussian, second: Gaussian) -> None:
    counted = [(first, 2)] if first == second else [(first, 1), (second, 1)]
    found = price(F(1, 1000), *counted)
    with ctx.workprec(128):
        assert product_delta(first, second, found) <= real(F(1, 1000))
        assert product_delta(first, second, found * F(998, 1000)) > real(F(1, 1000))


@pytest.mark.parametrize(
    ("sigma", "times", "delta"), [(5, 1, 1e-6), (20, 30, 1e-6), (40, 1000, 1e-5)]
)
def test_dp_accounting_agrees(sigma: int, times: int, delta: float) -> None:
    library: Any = import_module("dp_accounting.pld.privacy_loss_distribution")
    theirs = library.from_discrete_gaussian_mechanism(
        sigma, sensitivity=1, value_discretization_interval=1e-4, use_connect_dots=True
    ).self_compose(times)
    ours = price(F(repr(delta)), (Gaussian(sigma**2), times))
    assert float(ours) == pytest.approx(theirs.get_epsilon_for_delta(delta), rel=2e-3)


@pytest.mark.parametrize(
    "counted",
    [
        [(Pure("0.3"), 1), (Pure("0.03"), 100)],
        [(Pure("1/3"), 3), (Pure("1/7"), 5)],
        [(Pure("2"), 2), (Pure("1"), 1)],
    ],
    ids=["sanitizer", "few", "large"],
)
def test_responses_have_their_optimal_price(counted: list[tuple[Simple, int]]) -> None:
    for delta in (F(1, 100), MICRO):
        exact = optimal.epsilon(several(*counted), delta)
        found = price(delta, *counted)
        assert exact is not None
        assert exact <= found <= exact * (1 + F(1, 500))


@pytest.mark.parametrize(
    "leaf", [Pure("1/2"), BoundedRange("1/2"), Gaussian(3), Gaussian("1/9", 2)]
)
def test_tails_are_tails_of_one_pair(leaf: loss_tails.Known) -> None:
    """dP = e^L dQ: between two losses the ratio of the masses lies between their exponentials."""
    with ctx.workprec(192):
        tails = loss_tails.tails(leaf)
        points = [F(i, 20) - 3 for i in range(121)]
        for low, high in pairwise(points):
            p, q = (a - b for a, b in zip(tails(low), tails(high), strict=True))
            assert not p < real(low).exp() * q
            assert not p > real(high).exp() * q
        assert float(tails(F(-100))[0]) == pytest.approx(1)
        assert float(tails(F(100))[0]) == pytest.approx(0, abs=1e-40)


@pytest.mark.parametrize("width", [F(1, 10), F(1), F(3)])
def test_the_worst_pair_of_bounded_range_dominates_every_two_point_pair(width: F) -> None:
    with ctx.workprec(128):
        tails = loss_tails.tails(BoundedRange(width))
        for i in range(-20, 21):
            x = width * i / 20
            above, other = tails(x)
            curve = above - real(x).exp() * other
            values = []
            for j in range(1, 40):
                t = width * j / 40
                p = (1 - real(t - width).exp()) / (1 - real(-width).exp())
                pair = [(p, t), (1 - p, t - width)]
                values.append(
                    sum((m * (1 - real(x - loss).exp()) for m, loss in pair if loss > x), arb(0))
                )
            assert all(value <= curve + arb("1e-25") for value in values)
            assert max(float(value) for value in values) == pytest.approx(
                float(curve), rel=5e-3, abs=1e-9
            )


def test_nothing_is_lost_at_the_ends_of_the_grid() -> None:
    """On a grid that is much too short: what is above it is infinite, what is below its lowest."""
    grid, one = loss_distribution._Grid(F(1, 4), 1.0), loss_distribution.ONE
    with precision(2 * loss_distribution.BITS):
        loss, tails = loss_distribution._one(grid, Gaussian(1)), loss_tails.tails(Gaussian(1))
        greatest = (loss.offset + loss.masses.length() - 1) * grid.step
        assert real(loss.infinite) >= tails(greatest)[0].lower() * one
    masses = {loss.offset + j: int(mass) for j, mass in enumerate(loss.masses.coeffs())}
    assert one <= sum(masses.values()) + loss.infinite < one + 2 * len(masses)
    assert loss.infinite > one // 100
    both, (least, most) = loss.then(loss, (-2, 3)), (-2, 3)
    exact: Counter[int] = Counter()
    for (i, one_mass), (j, other) in choices(masses.items(), repeat=2):
        exact[min(max(i + j, least), most + 1)] += one_mass * other
    held = {both.offset + j: int(mass) * one for j, mass in enumerate(both.masses.coeffs())}
    assert list(held) == list(range(least, most + 1))
    assert all(exact[index] <= mass for index, mass in held.items())
    assert exact[most + 1] + 2 * loss.infinite * one <= both.infinite * one
    assert sum(held.values()) + both.infinite * one < sum(exact.values()) + 3 * loss.infinite * one


def test_no_tail_of_a_gaussian_is_nothing() -> None:
    far = F(10**6)
    assert loss_tails.tails(Gaussian(1))(far)[0].upper() > 0
    assert loss_tails.tails(Gaussian(1))(-far)[0].lower() < 1


def test_the_tail_from_the_greatest_loss_on_is_its_mass() -> None:
    kept, lied = loss_tails.tails(Pure(1))(F(1))
    assert float(kept) == pytest.approx(1 / (1 + math.exp(-1)))
    assert float(lied) == pytest.approx(1 / (1 + math.exp(1)))


def test_mixtures_gain_over_divergences() -> None:
    mixed = several((Gaussian(100), 2), (BoundedRange("0.2"), 2), (Pure("0.1"), 1))
    found, by_order = loss_distribution.epsilon(mixed, MICRO), renyi.epsilon(mixed, MICRO)
    assert found is not None
    assert by_order is not None
    assert F(9, 10) * by_order < found < by_order


def test_what_it_leaves_to_others() -> None:
    def found(*counted: tuple[Simple, int]) -> F | None:
        return loss_distribution.epsilon(several(*counted), MICRO)

    assert found((Gaussian(9), 1), (ZeroConcentrated("0.1"), 1)) is None
    assert found((Pure(1), 9)) is None
    assert found((BoundedRange(1), 9)) is None
    assert found((Gaussian(10**9), 1)) is None
    assert found((Gaussian(F(1, 10**6)), 1)) is None
    assert found((Gaussian(100), 100_001)) is None
    assert found(*((Pure(F(1, i)), 1) for i in range(1, 300))) is None
    assert found() is None
    assert loss_distribution.epsilon(several((Gaussian(9), 1)), F(0)) is None


def test_many_kinds() -> None:
    kinds = [(Pure(F(i, 1000)), 1) for i in range(50, 110)]
    found, by_order = price(MICRO, *kinds), renyi.epsilon(several(*kinds), MICRO)
    assert by_order is not None
    assert found < by_order < sum((F(i, 1000) for i in range(50, 110)), F(0))
