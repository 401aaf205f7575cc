"""Propose a bound on the local sensitivity, test it, and add noise for it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core import ApproximateCost, Exact, Random, hold
from tacit.core.chance.law import Law, collect
from tacit.core.chance.uniform import bernoulli
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.mechanisms.stable.stable_release import StableRelease
from tacit.statistics import Steady


@dataclass(frozen=True, slots=True)
class ProposeTestRelease(ApproximateCost):
    """Tell a `Steady` integer with noise for its proposed bound, or None where the test fails.

    `share` of epsilon pays for the test, the rest for the noise.

    Guarantee:
        (epsilon, delta)-DP for every statistic that keeps the promise of `Steady` [DL09]. At a
        given distance there is no answer within `deviation` of the value with probability at most
        `failure(distance, deviation)`.

    Exactness:
        The test tosses the coin of `StableRelease`, the noise is that of `DiscreteLaplace`; both
        are exact, and so is the law.

    Cost:
        `Approximate(epsilon, delta)`.

    >>> from tacit.core.chance.randomness import Seeded
    >>> release = ProposeTestRelease(40, 1e-6)
    >>> release(Steady(bound=1, value=17, distance=9), rng=Seeded(0))
    17
    >>> release(Steady(bound=1, value=17, distance=0), rng=Seeded(0)) is None
    True

    Proof: docs/proofs/propose_test_release.md
    """

    epsilon: Fraction
    delta: Fraction
    share: Fraction

    def __init__(self, epsilon: Exact, delta: Exact, *, share: Exact = Fraction(1, 2)) -> None:
        hold(self).positive(epsilon=epsilon).probability(delta=delta, share=share)

    @property
    def test(self) -> StableRelease:
        """The rule that decides whether there is an answer."""
        return StableRelease(self.share * self.epsilon, self.delta)

    def noise(self, bound: int) -> DiscreteLaplace:
        """The noise of an answer, for a bound on the local sensitivity."""
        return DiscreteLaplace((1 - self.share) * self.epsilon, bound)

    def __call__(self, statistic: Steady, *, rng: Random) -> int | None:
        """Return the noisy value, or None for no answer."""
        passed = bernoulli(1 - self.test.failure(statistic.distance), rng=rng)
        noisy = self.noise(statistic.bound)(statistic.value, rng=rng)
        return noisy if passed else None

    def law(self, statistic: Steady, *, low: int, high: int) -> Law[int | None]:
        """Return the exact law, everything <= low told as low and >= high as high.

        Nothing is lost if the cuts are the same for all databases and their values lie between
        them: outside, two laws have a constant ratio [docs/proofs/discrete_laplace.md].
        """
        silent = self.test.failure(statistic.distance)
        noisy = self.noise(statistic.bound).law(statistic.value, low=low, high=high)
        told = ((z, (1 - silent) * p) for z, p in noisy.probabilities.items())
        return collect([(None, silent), *told])

    def failure(self, distance: int, deviation: int, *, bound: int) -> Fraction:
        """Bound the probability of no answer, or of one that is off by `deviation` or more.

        >>> float(ProposeTestRelease(2, 1e-6).failure(28, 5, bound=1))
        0.00985...
        """
        told = 1 - self.test.failure(distance)
        return 1 - told * (1 - self.noise(bound).failure(deviation))
