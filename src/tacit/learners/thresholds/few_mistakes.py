"""From few mistakes on the sample to a small error, for classes whose bad concepts are nested."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from scipy.special import gammainccinv

from tacit.core.numbers.enclosures import Enclosure, upper
from tacit.core.numbers.least import least_near, least_share
from tacit.probability.binomial_tails import above, at_most_above, bits_for

MANY = 1 << 19
"""From so many mistakes on a bound is enough, which asks for less than a row more in 10^4."""


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
        return self.chains * upper(lambda: self._few(n, alpha), bits_for(n)) <= self.rest

    def _few(self, n: int, alpha: Fraction) -> Enclosure:
        """Enclose, or for many mistakes bound, the chance of at most so many in n rows."""
        tail = above if self.mistakes < MANY else at_most_above
        return tail(n, 1 - alpha, n - self.mistakes)

    def rows(self, alpha: Fraction) -> int:
        """Return the least n that is enough for an error of alpha."""
        # a Poisson number of mean x is at most `mistakes` with probability gammaincc
        mean = gammainccinv(self.mistakes + 1, min(float(self.rest / self.chains), 0.5))
        start, share = self.mistakes + 1, float(alpha)
        spread = (1 - share) ** 0.5 * (float(mean) - start) / share
        guess = start + int(max((1 - share) / share * start + spread, 0.0))
        return least_near(lambda n: self.suffice(n, alpha), guess, low=start)

    def alpha(self, n: int) -> Fraction | None:
        """Return the least error that n rows are enough for, rounded up, or None."""
        return least_share(lambda alpha: self.suffice(n, alpha))
