"""Values whose own fields `epsilon` and `delta` are what one call costs."""

from __future__ import annotations

from fractions import Fraction

from tacit.core.cost import Approximate, BoundedRange, Pure


class PureCost:
    """One call costs `Pure(epsilon)`."""

    __slots__ = ()
    epsilon: Fraction

    @property
    def cost(self) -> Pure:
        """What one call costs."""
        return Pure(self.epsilon)


class BoundedRangeCost:
    """One call costs `BoundedRange(epsilon)`."""

    __slots__ = ()
    epsilon: Fraction

    @property
    def cost(self) -> BoundedRange:
        """What one call costs."""
        return BoundedRange(self.epsilon)


class ApproximateCost:
    """One call costs `Approximate(epsilon, delta)`."""

    __slots__ = ()
    epsilon: Fraction
    delta: Fraction

    @property
    def cost(self) -> Approximate:
        """What one call costs."""
        return Approximate(self.epsilon, self.delta)
