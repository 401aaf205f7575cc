"""The promise itself.

Of the papers: BNS19 Def 1, BNS16 Def 2.15.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core.frozen import hold
from tacit.core.numbers.exact import Exact


@dataclass(frozen=True, slots=True)
class Privacy:
    """(epsilon, delta)-differential privacy under replace-one neighbours, n public.

    For all databases that differ in one record and all events T:
    P[M(S) in T] <= e^epsilon P[M(S') in T] + delta.

    >>> Privacy(0.1, "1e-6")
    Privacy(epsilon=Fraction(1, 10), delta=Fraction(1, 1000000))
    """

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    def __init__(self, epsilon: Exact, delta: Exact = 0) -> None:
        hold(self).nonnegative(epsilon=epsilon).small_probability(delta=delta)

    def implies(self, other: Privacy) -> bool:
        """Whether this promise is at least as strong as the other in both parameters.

        >>> Privacy(1).implies(Privacy(2, 0.01))
        True
        """
        return self.epsilon <= other.epsilon and self.delta <= other.delta
