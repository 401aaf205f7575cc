"""The discrete Gaussian mechanisms: claims, utility, cases."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tacit.core.chance.divergence import hockey_stick
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Gaussian, NearGaussian, ZeroConcentrated
from tacit.core.errors import InvalidArgument, NotExact
from tacit.core.numbers.enclosures import exp_upper
from tacit.mechanisms.noise.discrete_gaussian import DiscreteGaussian, DiscreteGaussianVector


def _delta(sigma_squared: str, epsilon: int) -> float:
    mechanism = DiscreteGaussian(sigma_squared)
    factor = exp_upper(Fraction(epsilon))
    return float(hockey_stick(mechanism.law(0), mechanism.law(1), factor).lower)


@pytest.mark.parametrize(
    ("less", "more", "epsilon", "deltas"),
    [("0.5", "0.505", 1, (0.189658, 0.190049)), ("1", "1.01", 4, (5.3818e-5, 5.4018e-5))],
)
def test_more_noise_can_mean_a_larger_delta(
    less: str, more: str, epsilon: int, deltas: tuple[float, float]
) -> None:
    """Why sigma^2 is not rounded up: the numbers of docs/proofs/discrete_gaussian.md."""
    found = _delta(less, epsilon), _delta(more, epsilon)
    assert found == pytest.approx(deltas, rel=1e-4)
    assert found[0] < found[1]


@pytest.mark.parametrize("sigma_squared", ["1/10", "4", "65536", "65537", "1e18"])
@pytest.mark.parametrize("beta", ["0.3", "1e-9"])
def test_deviation_is_the_least(sigma_squared: str, beta: str) -> None:
    mechanism = DiscreteGaussian(sigma_squared)
    deviation = mechanism.deviation(beta, size=3)
    assert mechanism.failure(deviation, size=3) <= Fraction(beta)
    assert mechanism.failure(deviation - 1, size=3) > Fraction(beta)


def test_failure_is_the_tail_of_the_law() -> None:
    mechanism = DiscreteGaussian(6)
    law = mechanism.law(10)
    exact = sum((p for z, p in law.probabilities.items() if abs(z - 10) >= 4), Fraction(0))
    assert exact <= mechanism.failure(4) <= exact + Fraction(1, 1 << 60)
    assert mechanism.failure(0) == 1


def test_calls() -> None:
    answer = DiscreteGaussian(4)(10**30, rng=Seeded(1))
    assert type(answer) is int
    assert abs(answer - 10**30) < 40
    vector = DiscreteGaussianVector(4, 2)(np.full((3, 4), 7), rng=Seeded(1))
    assert vector.shape == (3, 4)
    assert vector.dtype == np.int64
    top = DiscreteGaussianVector(4)([2**63 - 1] * 20, rng=Seeded(1))
    assert max(top) > 2**63 - 1


def test_a_vector_has_the_product_law() -> None:
    joint = DiscreteGaussianVector("1/2", 2).law([0, 5])
    single = DiscreteGaussianVector("1/2", 2).law([0])
    assert joint[1, 5] == single[(1,)] * single[(0,)]
    assert 0 < joint.slack < Fraction(1, 1 << 115)


def test_costs() -> None:
    assert DiscreteGaussian("0.1", 3).cost == Gaussian("0.1", 3)
    assert DiscreteGaussianVector(10, "3/2").cost == NearGaussian("3/40", "1/4")
    assert DiscreteGaussianVector(4, 2).cost == ZeroConcentrated("1/4")


@pytest.mark.parametrize(
    ("arguments", "error", "named"),
    [
        ((0,), InvalidArgument, "sigma_squared"),
        ((None,), NotExact, "sigma_squared"),
        ((1, 0), InvalidArgument, "sensitivity"),
        ((1, 0.5), NotExact, "sensitivity"),
    ],
)
def test_bad_parameters(arguments: tuple[Any, ...], error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        DiscreteGaussian(*arguments)


def test_bad_inputs() -> None:
    with pytest.raises(InvalidArgument, match="sensitivity_squared"):
        DiscreteGaussianVector(1, 0)
    with pytest.raises(NotExact, match="integers only"):
        DiscreteGaussian(1)(0.5, rng=Seeded(0))  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="beta"):
        DiscreteGaussian(1).deviation(0)
