"""Discrete Gaussian noise on vectors, priced as Gaussian noise: against its own laws."""

from __future__ import annotations

import math
from fractions import Fraction as F
from importlib import import_module
from itertools import product
from typing import Any

import pytest

from tacit.core.composition import price
from tacit.core.composition.interpreters import (
    basic,
    concentrated,
    loss_distribution,
    near_gaussian,
)
from tacit.core.composition.worlds import RepeatedLeaf, Simple
from tacit.core.cost import (
    BoundedRange,
    Gaussian,
    NearGaussian,
    Pure,
    Repeat,
    Sequential,
    ZeroConcentrated,
    gaussian_noise,
)
from tacit.core.cost_json import encode_cost
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.enclosures import upper
from tacit.mechanisms import DiscreteGaussianVector
from tacit.workflows.releasing import check_release

MICRO = F(1, 10**6)
Masses = dict[int, float]


def several(*counted: tuple[Simple, int]) -> tuple[RepeatedLeaf[Simple], ...]:
    return tuple(RepeatedLeaf(leaf, times, batch=False) for leaf, times in counted)


def masses(sigma_squared: F) -> Masses:
    far = math.isqrt(math.ceil(100 * sigma_squared))
    raw = {z: math.exp(-z * z / (2 * sigma_squared)) for z in range(-far, far + 1)}
    total = math.fsum(raw.values())
    return {z: weight / total for z, weight in raw.items()}


def excess(epsilon: float, here: list[float], there: list[float]) -> float:
    return math.fsum(max(0.0, p - math.exp(epsilon) * q) for p, q in zip(here, there, strict=True))


def vector(sigma_squared: F, moved: tuple[int, ...]) -> tuple[list[float], list[float]]:
    """Return the laws of noise on zeros, and on the vector that moved, place by place."""
    noise = masses(sigma_squared)
    here, there = [], []
    for told in product(noise, repeat=len(moved)):
        here.append(math.prod(noise[z] for z in told))
        there.append(math.prod(noise.get(z - m, 0.0) for z, m in zip(told, moved, strict=True)))
    return here, there


@pytest.mark.parametrize("sigma_squared", ["9/2", "6", "20", "200"])
@pytest.mark.parametrize("moved", [(1, -1), (2, 1), (3, 0)])
def test_vectors_keep_their_curve(sigma_squared: str, moved: tuple[int, int]) -> None:
    variance, square = F(sigma_squared), sum(m * m for m in moved)
    cost = DiscreteGaussianVector(variance, square).cost
    assert isinstance(cost, NearGaussian)
    laws = vector(variance, moved)
    for epsilon in (F(0), F(1, 10), F(1, 2), F(2)):
        told = float(near_gaussian.delta_of(cost, epsilon))
        assert excess(float(epsilon), *laws) <= told * (1 + 1e-9) + 1e-12
    if variance > 100:  # and little is given away
        assert excess(0.1, *laws) > 0.9 * near_gaussian.delta_of(cost, F(1, 10))


def test_a_release_may_choose_by_the_one_before() -> None:
    """The second vector moves by more where the first one was large: a choice that tells more."""
    first, second = masses(F(8)), masses(F(12))
    cost = Sequential(gaussian_noise((F(1, 16), F(1))), gaussian_noise((F(4, 24), F(4))))
    here, there = [], []
    for a, b in product(first, second):
        moved = 2 if a < 3 else 1
        here.append(first[a] * second[b])
        there.append(first.get(a - 1, 0.0) * second.get(b - moved, 0.0))
    for delta in (F(1, 100), F(1, 10**4)):
        epsilon = price(cost, delta).privacy.epsilon
        assert excess(float(epsilon), here, there) <= delta
        assert excess(float(epsilon), there, here) <= delta


def test_the_noise_may_not_be_priced_as_if_it_were_continuous() -> None:
    laws = vector(F(5), (1,))
    told = float(upper(lambda: near_gaussian.curve(F(1, 5), F(6, 5))))
    assert excess(1.2, *laws) > 1.05 * told


@pytest.mark.parametrize("delta", [F(1, 100), MICRO, F(1, 10**12)])
@pytest.mark.parametrize("losses", [(), (("1/10", 1),), (("1/5", 3), ("1", 1))])
def test_pure_releases_beside_it_agree_with_the_distribution_of_the_loss(
    delta: F, losses: tuple[tuple[str, int], ...]
) -> None:
    pure: list[tuple[Simple, int]] = [(Pure(loss), times) for loss, times in losses]
    releases = several((NearGaussian("1/50", "1/24"), 2), *pure)
    found = near_gaussian.epsilon(releases, delta)
    listed = loss_distribution.epsilon((*releases, *several((BoundedRange("1e-9"), 1))), delta)
    assert found is not None
    assert listed is not None
    assert float(found) == pytest.approx(float(listed), rel=2e-4)
    rough = concentrated.epsilon(releases, delta)
    assert rough is not None
    assert found < rough


def test_dp_accounting_agrees() -> None:
    library: Any = import_module("dp_accounting.pld.privacy_loss_distribution")
    theirs = library.from_gaussian_mechanism(5.0, value_discretization_interval=1e-4)
    found = price(NearGaussian("1/50", "1/25"), MICRO)
    assert found.interpreter == "near_gaussian"
    known = theirs.get_epsilon_for_delta(1e-6)
    assert float(found.privacy.epsilon) == pytest.approx(known, rel=1e-3)


def test_mixtures_cost_less_than_by_their_rates() -> None:
    tree = Sequential(NearGaussian("1/50", "1/24"), Repeat(BoundedRange("1/20"), 10))
    rough = Sequential(ZeroConcentrated("1/50"), Repeat(BoundedRange("1/20"), 10))
    found = price(tree, MICRO)
    assert found.interpreter == "loss_distribution"
    assert found.privacy.epsilon < price(rough, MICRO).privacy.epsilon


def test_where_it_has_no_price() -> None:
    near = (NearGaussian("1/50", "1/24"), 1)
    assert near_gaussian.epsilon(several(near), F(0)) is None
    assert near_gaussian.epsilon(several((Pure(1), 2)), MICRO) is None
    assert near_gaussian.epsilon(several(near, (ZeroConcentrated("1/9"), 1)), MICRO) is None
    assert near_gaussian.epsilon(several(near, (Gaussian(4), 1)), MICRO) is None
    assert near_gaussian.epsilon(several(near, (Gaussian(40), 1)), MICRO) is not None
    assert near_gaussian.epsilon(several(near, (Pure(1), 4096)), MICRO) is None
    assert near_gaussian.epsilon(several((NearGaussian(10**4, 10**5), 1)), MICRO) is None
    assert basic.epsilon(several(near), MICRO) is None


def test_so_many_leaves_that_what_is_off_is_more_than_allowed_for() -> None:
    """1 + 2c stands for e^c, which is greater from c = 1.26."""
    for times, known in ((10**17, True), (2 * 10**19, False)):
        leaf = NearGaussian(F(30, times), F(60, times))
        found = near_gaussian.epsilon(several((leaf, times)), F(1, 2))
        assert (found is not None) is known
        mixed = several((leaf, times), (BoundedRange(1), 1))
        assert (loss_distribution.epsilon(mixed, F(1, 2)) is not None) is known
        tree = encode_cost(Repeat(leaf, times))
        claim = {"epsilon": "50", "delta": "1/2", "orders": []}
        if known:
            check_release.proved(tree, claim)
        else:
            with pytest.raises(ValueError, match="no theorem"):
                check_release.proved(tree, claim)


def test_what_noise_costs() -> None:
    assert gaussian_noise((F(1, 8), F(1))) == ZeroConcentrated("1/8")  # sigma^2 = 4
    assert gaussian_noise((F(1, 10), F(1))) == NearGaussian("1/10", 1)
    none = gaussian_noise((F(0), F(1)))
    assert none == NearGaussian(0, 0)
    assert price(none, MICRO).privacy.epsilon == 0
    with pytest.raises(InvalidArgument, match="mu_squared must be at least 2 rho"):
        NearGaussian(1, "1.9")
