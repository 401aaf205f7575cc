"""Tell a value that no single record could have changed, and nothing otherwise.

Of the papers: BNS16 Prop 3.11, BNS16 Alg 3.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from tacit.core import ApproximateCost, Exact, Random, check, hold
from tacit.core.chance.law import Law, collect
from tacit.core.chance.uniform import bernoulli
from tacit.core.numbers.decay import growth
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
