"""What bounds on the error above the best concept's have in common: how they are turned round."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

from tacit.core import check
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least_integer import least, least_near

GRID = 1 << 24
"""Steps of an error that is promised."""


class ExcessBound(ABC):
    """A choice among `size` concepts, which fails less often with more rows and with more room."""

    __slots__ = ()
    size: int

    @abstractmethod
    def failure(self, n: int, alpha: Exact) -> Fraction:
        """Bound the probability that n rows lead to an excess above alpha, rounded up."""

    @abstractmethod
    def _estimate(self, n: int, alpha: float) -> float:
        """Return about the same for n >= 1, by floats."""

    def sample_size(self, alpha: Exact, beta: Exact) -> int:
        """Return the least n whose failure is at most beta."""
        alpha, beta = check.probability(alpha=alpha), check.probability(beta=beta)
        if self.size == 1:
            return 0
        guess = least(lambda n: self._estimate(n, float(alpha)) <= float(beta), start=1)
        return least_near(lambda n: self.failure(n, alpha) <= beta, guess)

    def error(self, n: int, beta: Exact) -> Fraction:
        """Return the least alpha, on a fine grid, that n rows are enough for; 1 if there is none.

        >>> from tacit.theory.enough.brackets import BracketBound
        >>> float(BracketBound(2**63, 1, Fraction(1, 2)).error(52583, 0.05))
        0.0199...
        """
        beta, n = check.probability(beta=beta), check.count(n=n)
        guess = least(lambda i: i >= GRID or self._estimate(n, i / GRID) <= float(beta), start=1)
        steps = least_near(
            lambda i: i >= GRID or self.failure(n, Fraction(i, GRID)) <= beta, guess, start=1
        )
        return Fraction(min(steps, GRID), GRID)
