"""How many rows an almost-best hypothesis on the sample needs to be almost best in truth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import check
from tacit.core.balls import ball, log_upper, round_up, upper
from tacit.core.exact import Exact


@dataclass(frozen=True, slots=True)
class UniformBound:
    """The excess error of a hypothesis chosen by agreements with ratio e^(-rate) for each one lost.

    With probability 1 - beta the error exceeds that of the best of `size` hypotheses by at most
    t / n + sqrt(ln(3 size / beta) / 2n) + sqrt(ln(3 / beta) / 2n), where the sampler loses more
    than t agreements with probability beta / 3. Holds for arbitrary labels and does not suffer from
    a large rate; proof in docs/proofs/selection_bound.md.

    >>> float(UniformBound(64, Fraction(1, 2)).excess(64814, "0.05"))
    0.013861...
    """

    size: int
    rate: Fraction

    def lost(self, beta: Exact) -> int:
        """Return t: more than t agreements are lost with probability at most beta / 3."""
        beta = check.probability(beta=beta)
        return math.ceil(log_upper(Fraction(3 * self.size) / beta) / self.rate)

    def excess(self, n: int, beta: Exact) -> Fraction:
        """Return the excess error that n rows promise, rounded up."""
        beta, n = check.probability(beta=beta), check.count(n=n, least=1)
        many, one = (
            log_upper(part / beta) / (2 * n) for part in (Fraction(3 * self.size), Fraction(3))
        )
        spread = upper(lambda: ball(many).sqrt() + ball(one).sqrt())
        return round_up(Fraction(self.lost(beta), n) + spread, 24)

    def sample_size(self, alpha: Exact, beta: Exact) -> int:
        """Return the least n whose excess is at most alpha.

        >>> UniformBound(1024, Fraction(1, 2)).sample_size("0.1", "0.05")
        1860
        """
        alpha = check.probability(alpha=alpha)
        high = 1
        while self.excess(high, beta) > alpha:
            high *= 2
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.excess(middle, beta) <= alpha else (middle, high)
        return high
