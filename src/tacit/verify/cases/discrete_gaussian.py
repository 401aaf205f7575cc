"""Discrete Gaussian noise: the exact curve for one integer, zCDP for a vector."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tacit.core.composition.interpreters.concentrated import delta_of_rho
from tacit.core.cost import Approximate
from tacit.core.numbers.balls import exp_lower, round_up
from tacit.mechanisms.noise.discrete_gaussian import DiscreteGaussian
from tacit.mechanisms.noise.discrete_gaussian_vector import DiscreteGaussianVector
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

Database = tuple[int, ...]
UNIVERSE = (0, 1, 2)


def _count(database: Database) -> int:
    return database.count(1)


def curve(mechanism: DiscreteGaussian, epsilon: Fraction) -> Fraction:
    """Return P[Z > t - s / 2] - e^epsilon P[Z > t + s / 2], t = epsilon sigma^2 / s, s sensitivity.

    Rounded up at 40 bits, which is far above the slack of the law [CKS20, Thm. 7].
    """
    noise, shift = mechanism.law(0).probabilities, mechanism.sensitivity
    middle = epsilon * mechanism.sigma_squared / shift
    here, there = (
        sum((p for z, p in noise.items() if z > middle + half), Fraction(0))
        for half in (Fraction(-shift, 2), Fraction(shift, 2))
    )
    return round_up(here - exp_lower(epsilon) * there, 40)


def _scalar(
    name: str,
    statistic: Callable[[Database], int],
    sigma_squared: Fraction,
    epsilon: Fraction,
    *,
    sensitivity: int,
    n: int = 3,
) -> Case:
    mechanism = DiscreteGaussian(sigma_squared, sensitivity)

    law = Route(mechanism, statistic)
    setting = f"{name} of n={n} records out of 3, sigma^2={sigma_squared}, at epsilon={epsilon}"
    claim = Approximate(epsilon, curve(mechanism, epsilon))
    return Case("discrete-gaussian", setting, "mechanism", claim, UNIVERSE, n, law, tight=True)


def _counts(database: Database) -> list[int]:
    return [database.count(x) for x in (0, 1)]


def _vector(sigma_squared: Fraction, epsilon: Fraction, n: int = 3) -> Case:
    mechanism = DiscreteGaussianVector(sigma_squared, sensitivity_squared=2)

    law = Route(mechanism, _counts, shown=lambda told: tuple(told.tolist()))
    setting = f"two counts of n={n} records out of 3, sigma^2={sigma_squared}, at epsilon={epsilon}"
    claim = Approximate(epsilon, delta_of_rho(mechanism.cost.rho, epsilon))
    return Case("discrete-gaussian-vector", setting, "mechanism", claim, UNIVERSE, n, law)


CASES = (
    *(
        _scalar("a count", _count, sigma_squared, epsilon, sensitivity=1)
        for sigma_squared, epsilon in (
            (Fraction(1, 2), Fraction(1)),
            (Fraction(101, 200), Fraction(1)),
            (Fraction(1), Fraction(2)),
            (Fraction(4), Fraction(1, 2)),
            (Fraction(30), Fraction(1)),
            (Fraction(1, 6), Fraction(6)),
        )
    ),
    *(
        _scalar("the sum", sum, sigma_squared, Fraction(1), sensitivity=2)
        for sigma_squared in (Fraction(3, 2), Fraction(10))
    ),
    _vector(Fraction(4), Fraction(1, 2)),
    *(_vector(Fraction(1, 3), epsilon) for epsilon in (Fraction(3), Fraction(6), Fraction(12))),
    *(_vector(Fraction(1, 2), epsilon) for epsilon in (Fraction(2), Fraction(4), Fraction(8))),
)

PROBES = (
    *(
        Probe(_scalar("a count", _count, sigma_squared, epsilon, sensitivity=1, n=1000))
        for sigma_squared, epsilon in (
            (Fraction(100), Fraction(1, 10)),
            (Fraction(1, 16), Fraction(8)),
        )
    ),
    *(
        Probe(_vector(sigma_squared, epsilon, n=1000))
        for sigma_squared, epsilon in (
            (Fraction(4), Fraction(1, 2)),
            (Fraction(1, 4), Fraction(12)),
        )
    ),
)
