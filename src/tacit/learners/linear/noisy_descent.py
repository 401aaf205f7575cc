"""The noise of a descent: how it divides its budget, and what that costs."""

from __future__ import annotations

from fractions import Fraction

from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Cost
from tacit.core.cost import NearGaussian, ZeroConcentrated, gaussian_noise
from tacit.core.group_privacy import grouped
from tacit.learners.linear.linear_frame import moments_moved, norm_squared
from tacit.mechanisms import DiscreteGaussianVector

FIRST = Fraction(3, 20)
"""The share of what is left of rho that goes to the centres and spreads."""

ONES = Fraction(1, 20)
"""The share of rho for the number of yes, or all of it; see `caution`."""

CAUTION = 3472
"""1 / (2 * 0.012^2): off by 1.2 % of n rows, the more frequent answer is missed at a mean cost of
at most 0.4 %; it takes this over n^2 of rho to know the number of yes so well."""

CUT = Fraction(1, 10)
"""A row pulls by at most so much less than it would at first if its answer is the rarer one: what
this loses of the pull it saves of the noise, and later few rows pull so much."""


class NoisyDescent:
    """The number of yes, mean and spread of each column, and gradients: all with noise.

    Proof: docs/proofs/margin.md
    """

    __slots__ = ()
    concepts: Scorecards
    rho: Fraction
    steps: int
    bits: int
    caution: int
    public_n: int | None

    @property
    def cost(self) -> Cost:
        """What learning one label costs a replaced row, which is removed and added."""
        return self._noise if self.public_n is None else grouped(self._noise, 2)

    @property
    def _noise(self) -> NearGaussian | ZeroConcentrated:
        """What all noise costs, for the shortest vectors that it may have to hide."""
        ones, rest = ONES * self.rho, (1 - ONES) * self.rho
        moved = min(moments_moved(self.concepts, self._unit, added=each) for each in (True, False))
        pulled = Fraction(self.steps * self._least**2 * self._longest)
        return gaussian_noise(
            (ones, self._shortest), (FIRST * rest, Fraction(moved)), ((1 - FIRST) * rest, pulled)
        )

    def releases(self, n: int) -> tuple[DiscreteGaussianVector, DiscreteGaussianVector]:
        """Return the noise on the number of yes and on the moments of n rows."""
        ones, rest = self._ones(n), (1 - ONES) * self.rho
        moved = moments_moved(self.concepts, self._unit, added=self.public_n is not None)
        return (
            DiscreteGaussianVector(1 / (2 * ones), 1),
            DiscreteGaussianVector(moved / (2 * FIRST * rest), moved),
        )

    def noise(self, pull: int) -> DiscreteGaussianVector:
        """Return the noise on each gradient: a row times at most the pull, or its opposite."""
        rest = (1 - FIRST) * (1 - ONES) * self.rho
        turned = (4 if self.public_n is None else 1) * pull**2 * self._longest
        return DiscreteGaussianVector(turned * self.steps / (2 * rest), turned)

    def alone(self, n: int) -> bool:
        """Whether nothing but the number of yes is asked of so many rows."""
        return Fraction(self.caution * self._apart, max(n, 1) ** 2) > 2 * self.rho

    def _ones(self, n: int) -> Fraction:
        """Return how much of rho goes to the number of yes; alone, as much as costs no more."""
        if not self.alone(n):
            return ONES * self.rho
        match self._noise:
            case NearGaussian(_, squared):
                return squared / (2 + 8 * squared / self._shortest)
        return self.rho

    @property
    def _apart(self) -> Fraction:
        """The squared distance by which a row moves what is told of the number of yes."""
        return Fraction(1)

    @property
    def _shortest(self) -> Fraction:
        """The same, for a row that is replaced or one that is added, whichever moves it less."""
        return Fraction(1)

    @property
    def _least(self) -> int:
        """The least that a pull is cut to."""
        return cut_to(Fraction(1, 2), self._unit)

    @property
    def _unit(self) -> int:
        return 1 << self.bits

    @property
    def _longest(self) -> int:
        return norm_squared(self.concepts, self._unit)


def cut_to(most: Fraction, unit: int) -> int:
    """Return what a pull is cut to where the more frequent answer has this share."""
    return max(1, min(unit, int((most - CUT) * unit)))
