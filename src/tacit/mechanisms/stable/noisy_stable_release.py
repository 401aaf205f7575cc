"""Tell a value if its distance, with noise, exceeds a threshold.

Of the papers: BNS16 Prop 3.11, BNS16 Alg 3.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from tacit.core import check
from tacit.core.chance.law import Law, collect
from tacit.core.chance.randomness import Random
from tacit.core.frozen import hold
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import upper
from tacit.core.numbers.exact import Exact
from tacit.core.own_cost import ApproximateCost
from tacit.mechanisms.noise.geometric import tail
from tacit.mechanisms.noise.geometric_tail import least_reach, reaches, tail_ball
from tacit.statistics import Stable

V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True, slots=True)
class NoisyStableRelease(ApproximateCost):
    """Tell the value of a `Stable` iff distance + Z > threshold, Z two-sided geometric; else None.

    The textbook rule, kept for comparison: `StableRelease` is never less likely to answer.

    Guarantee:
        (epsilon, delta)-DP for every statistic that keeps the promise of `Stable`: the threshold is
        the least T >= 1 with P[1 + Z > T] <= delta. A value at distance 0 is never told.

    Exactness:
        Z has ratio q, a rational >= e^-epsilon. The event has a rational probability, P[Z > T - d];
        its coin is tossed without error, so no noise is drawn.

    Cost:
        `Approximate(epsilon, delta)`; one coin.

    >>> from tacit.core.chance.randomness import Seeded
    >>> release = NoisyStableRelease(1, 1e-6)
    >>> release.threshold, release.distance(0.05)
    (14, 17)
    >>> release(Stable("winner", 60), rng=Seeded(0))
    'winner'

    Proof: docs/proofs/stable_release.md
    """

    epsilon: Fraction
    delta: Fraction

    def __init__(self, epsilon: Exact, delta: Exact) -> None:
        hold(self).positive(epsilon=epsilon).probability(delta=delta)

    @property
    def threshold(self) -> int:
        """The least T >= 1 with P[Z >= T] <= delta."""
        return _threshold(self.epsilon, self.delta)

    def __call__(self, statistic: Stable[V], *, rng: Random) -> V | None:
        """Return the value, or None for no answer."""
        beyond = reaches(self._decay, self.threshold + 1 - statistic.distance, rng=rng)
        return statistic.value if beyond and statistic.distance else None

    def law(self, statistic: Stable[V]) -> Law[V | None]:
        """Return the exact law; a value that is itself None cannot be told from no answer."""
        told = tail(self._decay, self.threshold + 1 - statistic.distance)
        told = told if statistic.distance else Fraction(0)
        return collect([(statistic.value, told), (None, 1 - told)])

    def failure(self, distance: int) -> Fraction:
        """Bound the probability of no answer at this distance, from above and within 2^-120.

        >>> float(NoisyStableRelease(1, 1e-6).failure(16))
        0.0989...
        """
        if check.count(distance=distance) == 0:
            return Fraction(1)
        return upper(lambda: tail_ball(self._decay, distance - self.threshold))

    def distance(self, beta: Exact) -> int:
        """Return the least distance at which the value is told with probability >= 1 - beta."""
        beta = check.probability(beta=beta)
        return self.threshold + least_reach(self._decay, beta, least=1 - self.threshold)

    @property
    def _decay(self) -> Decay:
        return Decay.of(self.epsilon)


@lru_cache(maxsize=256)
def _threshold(epsilon: Fraction, delta: Fraction) -> int:
    return least_reach(Decay.of(epsilon), delta, least=1)
