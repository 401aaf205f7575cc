"""A share of discrete Laplace noise: what enough houses add up to is the noise of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from tacit.core import Decay, Exact, Law, PureCost, Random, hold
from tacit.mechanisms.noise.additive import Vector, add, integers
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.mechanisms.noise.polya import polya


@dataclass(frozen=True, slots=True)
class SplitLaplace(PureCost):
    """Add X - X' to each integer, with X and X' of Polya's law of shape 1 / shares.

    `shares` houses add one share each to integers of their own, and nobody sees but the sum of all.

    Guarantee:
        The sum of `shares` answers, or of more, is epsilon-DP: its noise is that of
        `DiscreteLaplace`, or that and more. Fewer answers, or one alone, are not.

    Exactness:
        The shares are drawn without error for the rational ratio q of `DiscreteLaplace`; what they
        add up to has its law, which is rational.

    Cost:
        `Pure(epsilon)`, of the sum; about 0.1 ms for each integer.

    >>> from tacit.core.chance.randomness import Seeded
    >>> SplitLaplace(50, shares=2)([3, 1, 4], rng=Seeded(1)).tolist()
    [3, 1, 4]

    Proof: docs/proofs/sites.md
    """

    epsilon: Fraction
    sensitivity: int
    shares: int

    def __init__(self, epsilon: Exact, sensitivity: int = 1, *, shares: int) -> None:
        hold(self).positive(epsilon=epsilon)
        hold(self).count(sensitivity=sensitivity, least=1).count(shares=shares, least=1)

    def __call__(self, values: Vector, *, rng: Random) -> NDArray[Any]:
        """Return one answer, of which nothing is promised but in a sum."""
        read, decay = integers(values), self.decay
        more, less = (polya(decay, self.shares, read.size, rng=rng) for _ in range(2))
        return add(read, (more - less).reshape(read.shape))

    @property
    def decay(self) -> Decay:
        """What the noise decays by."""
        return Decay.of(self.epsilon / self.sensitivity)

    def law(self, values: Sequence[int], *, low: int, high: int) -> Law[tuple[int, ...]]:
        """Return the exact law of the sum of `shares` answers, whose true values these are."""
        return DiscreteLaplace(self.epsilon, self.sensitivity).law(values, low=low, high=high)
