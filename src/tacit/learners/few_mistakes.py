"""From few mistakes on the sample to a small error, for classes whose bad concepts are nested."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core.least_share import least_share
from tacit.core.search import least
from tacit.mechanisms.binomial_miss import binomial_miss


@dataclass(frozen=True, slots=True)
class FewMistakes:
    """At most `mistakes` mistakes are made; may a bad concept make so few, but with `rest`?

    The bad concepts lie in `chains` chains, each erring on nested sets; so each of them errs on one
    of so many sets of mass above alpha, on which n rows have at most so many with probability
    P[Bin(n, alpha) <= mistakes].

    >>> FewMistakes(240, Fraction(1, 100), 2).rows(Fraction(1, 10))
    2807
    """

    mistakes: int
    rest: Fraction
    chains: int

    def suffice(self, n: int, alpha: Fraction) -> bool:
        """Whether n rows certainly keep all bad concepts out."""
        few = binomial_miss([Fraction(1)] * (self.mistakes + 1), n, alpha)
        return self.chains * few <= self.rest

    def rows(self, alpha: Fraction) -> int:
        """Return the least n that is enough for an error of alpha."""
        return least(lambda n: self.suffice(n, alpha), start=self.mistakes + 1)

    def alpha(self, n: int) -> Fraction | None:
        """Return the least error that n rows are enough for, rounded up, or None."""
        return least_share(lambda alpha: self.suffice(n, alpha))
