"""Tell a value that no single record could have changed, and nothing otherwise.

Of the papers: BNS16 Prop 3.11, BNS16 Alg 3.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from tacit.core import ApproximateCost, Decay, Exact, Random, check, hold
from tacit.core.chance.law import Law, collect
from tacit.core.chance.uniform import bernoulli
from tacit.core.numbers.decay import growth
from tacit.core.numbers.enclosures import upper
from tacit.mechanisms.noise.geometric import least_reach, reaches, tail, tail_ball
from tacit.mechanisms.stable.release_table import ReleaseTable, check_length, release_table
from tacit.statistics import Stable

V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True, slots=True)
class StableRelease(ApproximateCost):
    """Tell the value of a `Stable` with a probability that grows with its distance, else None.

    Guarantee:
        (epsilon, delta)-DP for every statistic that keeps the promise of `Stable`, and at every
        distance the largest probability that any rule of this kind may have. The value is told with
        probability 1 - `failure(distance)`, and with certainty from `distance(0)` on.

    Exactness:
        e^epsilon enters as a rational below it; probabilities are rationals, rounded down.

    Cost:
        `Approximate(epsilon, delta)`; one coin. The table, of about 2 ln(epsilon / delta) / epsilon
        entries, is computed once, and in full: its making does not depend on the data.

    >>> from tacit.core.chance.randomness import Seeded
    >>> release = StableRelease(1, 1e-6)
    >>> release.distance(0.05), release.distance(0)
    (16, 28)
    >>> release(Stable("winner", 28), rng=Seeded(0)), release(Stable("winner", 0), rng=Seeded(0))
    ('winner', None)

    Proof: docs/proofs/stable_release.md
    """

    epsilon: Fraction
    delta: Fraction

    def __init__(self, epsilon: Exact, delta: Exact) -> None:
        hold(self).positive(epsilon=epsilon).probability(delta=delta)
        check_length(growth(self.epsilon), self.delta)

    @property
    def table(self) -> ReleaseTable:
        """The probability of telling, for each distance."""
        return release_table(growth(self.epsilon), self.delta)

    def __call__(self, statistic: Stable[V], *, rng: Random) -> V | None:
        """Return the value, or None for no answer."""
        told = bernoulli(self.table.probability(statistic.distance), rng=rng)
        return statistic.value if told else None

    def law(self, statistic: Stable[V]) -> Law[V | None]:
        """Return the exact law; a value that is itself None cannot be told from no answer."""
        told = self.table.probability(statistic.distance)
        return collect([(statistic.value, told), (None, 1 - told)])

    def failure(self, distance: int) -> Fraction:
        """Return the probability of no answer at this distance.

        >>> float(StableRelease(1, "1/20").failure(2))
        0.8140...
        """
        return 1 - self.table.probability(check.count(distance=distance))

    def distance(self, beta: Exact) -> int:
        """Return the least distance at which the value is told with probability >= 1 - beta."""
        return self.table.distance(1 - check.small_probability(beta=beta))


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
        return least_reach(self._decay, self.delta, least=1)

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
