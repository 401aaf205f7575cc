"""Discrete Gaussian noise on one integer, or on a vector of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from tacit.core import Exact, Random, check, hold, least
from tacit.core.chance.law import Law, product
from tacit.core.cost import Gaussian, NearGaussian, ZeroConcentrated, gaussian_noise
from tacit.mechanisms.noise.additive import Vector, add, integers
from tacit.mechanisms.noise.gaussian_arrays import discrete_gaussian, noise_law, tail

FINE = 128  # bits of each probability in a joint law: its slack is about 2^-120 an entry


@dataclass(frozen=True, slots=True)
class DiscreteGaussian:
    """Add noise Z to an integer, P[Z = z] proportional to e^(-z^2 / (2 sigma^2)), z an integer.

    Guarantee:
        sensitivity^2 / (2 sigma^2)-zCDP [CKS20, Thm. 4], and (epsilon, delta)-DP on the exact curve
        of [CKS20, Thm. 7] at this very sigma^2. An answer is off by `deviation` or more with
        probability at most `failure(deviation)`.

    Exactness:
        sigma^2 is not rounded: weights are real numbers, compared with lazily revealed uniform bits
        through enclosures. Rounding it up, as we do for Laplace noise, would keep the zCDP claim
        but not the curve.

    Cost:
        `Gaussian(sigma_squared, sensitivity)`; one 64-bit word a draw up to sigma = 256, about four
        above.

    >>> from tacit.core.chance.randomness import Seeded
    >>> DiscreteGaussian("1/200")(41, rng=Seeded(1))
    41

    Proof: docs/proofs/discrete_gaussian.md
    """

    sigma_squared: Fraction
    sensitivity: int

    def __init__(self, sigma_squared: Exact, sensitivity: int = 1) -> None:
        hold(self).positive(sigma_squared=sigma_squared).count(sensitivity=sensitivity, least=1)

    @property
    def cost(self) -> Gaussian:
        return Gaussian(self.sigma_squared, self.sensitivity)

    def __call__(self, value: int, *, rng: Random) -> int:
        """Return the noisy integer."""
        noise = discrete_gaussian(self.sigma_squared, 1, rng=rng)
        return int(add(integers([value]), noise)[0])

    def law(self, value: int) -> Law[int]:
        """Return the law of the answer; its slack, below 2^-200, is what rounding down left out.

        >>> DiscreteGaussian(1).law(0).slack < Fraction(1, 1 << 200)
        True
        """
        return noise_law(self.sigma_squared).map(lambda z: value + z)

    def failure(self, deviation: int, *, size: int = 1) -> Fraction:
        """Bound the probability that one of `size` such answers is off by `deviation` or more.

        >>> float(DiscreteGaussian(25).failure(11))
        0.0354...
        """
        size = check.count(size=size, least=1)
        if check.count(deviation=deviation) == 0:
            return Fraction(1)
        return min(Fraction(1), 2 * size * tail(self.sigma_squared, deviation))

    def deviation(self, beta: Exact, *, size: int = 1) -> int:
        """Return the least deviation for which `failure` is at most beta.

        >>> DiscreteGaussian(25).deviation(0.05)
        11
        """
        beta = check.probability(beta=beta)
        return least(lambda deviation: self.failure(deviation, size=size) <= beta, low=1)


@dataclass(frozen=True, slots=True)
class DiscreteGaussianVector:
    """Add independent discrete Gaussian noise of parameter sigma^2 to each integer of a vector.

    `sensitivity_squared` bounds the squared l2 distance of the vectors of neighbouring databases: 2
    for a histogram.

    Guarantee:
        rho-zCDP with rho = sensitivity_squared / (2 sigma^2), at this very sigma^2 [CKS20, Thm. 4].

    Exactness:
        As for `DiscreteGaussian`: sampled without error, sigma^2 not rounded.

    Cost:
        `NearGaussian` for sigma^2 > 4, else `ZeroConcentrated(rho)`; one 64-bit word an entry up to
        sigma = 256, about four above.

    >>> from tacit.core.chance.randomness import Seeded
    >>> DiscreteGaussianVector("1/200", 2)([3, 1, 4], rng=Seeded(1))
    array([3, 1, 4])

    Proof: docs/proofs/discrete_gaussian.md
    """

    sigma_squared: Fraction
    sensitivity_squared: Fraction

    def __init__(self, sigma_squared: Exact, sensitivity_squared: Exact = 1) -> None:
        hold(self).positive(sigma_squared=sigma_squared, sensitivity_squared=sensitivity_squared)

    @property
    def cost(self) -> NearGaussian | ZeroConcentrated:
        rate = self.sensitivity_squared / (2 * self.sigma_squared)
        return gaussian_noise((rate, self.sensitivity_squared))

    def __call__(self, values: Vector, *, rng: Random) -> NDArray[Any]:
        """Return the noisy integers, in the shape they came in; they never wrap."""
        read = integers(values)
        noise = discrete_gaussian(self.sigma_squared, read.size, rng=rng)
        return add(read, noise.reshape(read.shape))

    def law(self, values: Sequence[int]) -> Law[tuple[int, ...]]:
        """Return the joint law of few answers; its slack is what rounding down left out."""
        noise = noise_law(self.sigma_squared, FINE)
        return product([noise.map(lambda z, v=value: v + z) for value in values])  # type: ignore[misc]

    def failure(self, deviation: int, *, size: int) -> Fraction:
        """Bound the probability that one of `size` answers is off by `deviation` or more.

        >>> float(DiscreteGaussianVector(25, 2).failure(18, size=100))
        0.0455...
        """
        return DiscreteGaussian(self.sigma_squared).failure(deviation, size=size)

    def deviation(self, beta: Exact, *, size: int) -> int:
        """Return the least deviation for which `failure` is at most beta.

        >>> DiscreteGaussianVector(25, 2).deviation(0.05, size=100)
        18
        """
        return DiscreteGaussian(self.sigma_squared).deviation(beta, size=size)
