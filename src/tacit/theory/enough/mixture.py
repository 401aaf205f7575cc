"""How many rows suffice when many of the hypotheses come near the target together.

Proof in docs/proofs/representation_learner.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import Decay, Exact, InvalidArgument, check, hold
from tacit.core.numbers.enclosures import Enclosure, lower, real, upper

BITS = 192


@dataclass(frozen=True, slots=True)
class MixtureBound:
    """Choose among `size` hypotheses by agreements, with ratio q for each agreement lost.

    Suppose that `together` of them, on average, err at most `approximation` of the time at every
    single point. On n i.i.d. rows labelled by the target one of error above alpha is chosen with
    probability at most w / (1 + w), w = (size / together) M^n, M = q^-approximation
    (1 - alpha (1 - q)), if that probability b has approximation / alpha <= (1 - b)^2: among those
    that come near together there may be some that err more. Only the ratio of the numbers counts.

    >>> half = Decay.of(Fraction(1, 2))
    >>> MixtureBound(601 * 600, 600, 0.1, Fraction(1, 300), half).sample_size(0.05)
    243
    """

    size: int
    together: int
    alpha: Fraction
    approximation: Fraction
    decay: Decay

    def __init__(
        self, size: int, together: int, alpha: Exact, approximation: Exact, decay: Decay
    ) -> None:
        hold(self).count(size=size, together=together, least=1).probability(alpha=alpha)
        near = check.small_probability(approximation=approximation)
        hold(self, approximation=near, decay=decay)

    @property
    def possible(self) -> bool:
        """Whether more rows help: M is below 1."""
        return upper(self._log_factor, BITS) < 0

    def holds(self, beta: Exact) -> bool:
        """Whether so few of those near may err more than alpha that a failure beta is proved."""
        return self.approximation <= self.alpha * (1 - check.probability(beta=beta)) ** 2

    def suffices(self, n: int, beta: Exact) -> bool:
        """Whether n rows certainly keep the failure probability at or below beta."""
        if not self.holds(beta):
            return False
        odds = self._needed_odds(check.probability(beta=beta))
        need = upper(lambda: real(odds).log() + check.count(n=n) * self._log_factor(), BITS)
        return need <= 0

    def sample_size(self, beta: Exact) -> int:
        """Return the least n that suffices; refuse when no n does."""
        odds = self._needed_odds(check.probability(beta=beta))
        if not self.possible:
            raise InvalidArgument("so poor an approximation is magnified too much: no n suffices")
        if not self.holds(beta):
            raise InvalidArgument(
                f"approximation must be at most alpha (1 - beta)^2, got {self.approximation}: "
                "use a finer one, or a smaller beta"
            )
        n = max(0, math.ceil(lower(lambda: -real(odds).log() / self._log_factor(), BITS)))
        while not self.suffices(n, beta):
            n += 1
        return n

    def failure(self, n: int) -> Fraction:
        """Bound the probability that n rows lead to an error above alpha, rounded up."""
        share = Fraction(self.size, self.together)
        odds = upper(lambda: real(share) * (check.count(n=n) * self._log_factor()).exp(), BITS)
        failure = odds / (1 + odds)
        if self.approximation <= self.alpha * (1 - failure) ** 2:
            return failure
        return min(Fraction(1), failure + self.approximation / self.alpha * odds / share)

    def _needed_odds(self, beta: Fraction) -> Fraction:
        return Fraction(self.size, self.together) * (1 - beta) / beta

    def _log_factor(self) -> Enclosure:
        q = self.decay.ratio
        return real(1 - self.alpha * (1 - q)).log() - real(self.approximation) * real(q).log()
