"""The noise of several parties, added up: tails, alone and on top of a binomial count."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from flint import arb, arb_poly

from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import Enclosure, exp_upper, precision, real, upper
from tacit.core.numbers.exact import log_near
from tacit.probability.binomial_tails import bits_for
from tacit.probability.noisy_mean import FAR, convex_minimum, moment, moment_log

LISTED = 20_000  # probabilities of one sign, at most: longer lists take seconds to multiply
BITS = 256  # of working precision, so that sums keep far more than what REST leaves out
REST = 2.0**-200  # the mass that is not listed: nobody asks for a failure as small
MOST_ROWS = 1 << 40  # beyond, powers of that many rows take longer than their bounds are worth


@dataclass(frozen=True, slots=True)
class NoiseSum:
    """The sum S of `draws` two-sided geometric variables of ratio q, or of shares of such.

    S is the difference of two variables A, A' that count the successes before the draws-th failure,
    P[A = a] = C(a + draws - 1, a) (1 - q)^draws q^a, for any rational number of draws. Their
    probabilities are listed until less than 2^-200 is left, which is added to every bound; where
    this takes more than 20000 entries, or for more than 2^40 trials, Chernoff bounds are given.

    >>> both = NoiseSum(Decay(Fraction(1, 2)), 2)
    >>> float(both.above(1)), float(both.at_most(10, Fraction(1, 2), 1))
    (0.407407..., 0.125141...)
    """

    decay: Decay
    draws: int | Fraction

    def above(self, k: int) -> Fraction:
        """Bound P[S >= k], k >= 0, from above."""
        listed = _listed(self.decay, self.draws)
        if listed is None:
            return self.chernoff(k)
        return upper(lambda: _up_to(listed, -k) + REST, BITS)

    def at_most(self, m: int, p: Fraction, count: int) -> Fraction:
        """Bound P[B + S <= count] from above, for B binomial with m trials of chance 0 < p < 1."""
        listed = _listed(self.decay, self.draws)
        if listed is None or m > MOST_ROWS:
            return self._chernoff_below(m, p, count)

        def total() -> Enclosure:
            reach = min(m, count + len(listed) // 2)
            term, odds = (1 - real(p)) ** m, real(p) / (1 - real(p))
            added = arb(REST)
            for j in range(reach + 1):
                added += term * _up_to(listed, count - j)
                term = term * odds * (m - j) / (j + 1)
            return added

        return min(Fraction(1), upper(total, bits_for(m) + BITS))

    def chernoff(self, k: int) -> Fraction:
        """Bound P[S >= k], k >= 0, by E exp(s (S - k)) at the best s found: any s is certified."""
        rate = -log_near(self.decay.ratio)
        s = Fraction(convex_minimum(lambda s: self.draws * moment(s, rate) - s * k, rate))
        spread = upper(lambda: moment_log(self.decay, s, self.draws), BITS)
        return min(Fraction(1), exp_upper(max(spread - s * k, -FAR)))

    def _chernoff_below(self, m: int, p: Fraction, count: int) -> Fraction:
        """Bound P[B + S <= count] by E exp(-s (B + S - count)) at the best s found."""
        rate, chance = -log_near(self.decay.ratio), float(p)

        def exponent(s: float) -> float:
            fewer = m * math.log1p(chance * math.expm1(-s))
            return fewer + self.draws * moment(s, rate) + s * count

        s = Fraction(convex_minimum(exponent, rate))

        def enclosed() -> Enclosure:
            fewer = m * (1 - real(p) + real(p) * (-real(s)).exp()).log()
            return fewer + moment_log(self.decay, s, self.draws) + real(s) * count

        return min(Fraction(1), exp_upper(max(upper(enclosed, bits_for(m)), -FAR)))


def _up_to(listed: list[Enclosure], k: int) -> Enclosure:
    """Return P[S <= k] as far as it is listed; k = 0 is in the middle."""
    place = k + len(listed) // 2
    return arb(0) if place < 0 else listed[min(place, len(listed) - 1)]


@lru_cache(maxsize=64)
def _listed(decay: Decay, draws: int | Fraction) -> list[Enclosure] | None:
    """Return the sums of P[S = s] up to s, for s from -N to N, with P[A > N] <= 2^-201."""
    q = decay.ratio
    if LISTED * -log_near(q) < -math.log(REST) - 1:
        return None  # P[A > N] is at least q^(N + 1)
    with precision(BITS + 64):
        term = real(1 - q) ** real(draws)
        chances: list[Enclosure] = []
        left = arb(1)
        while not bool(left < REST / 2):
            if len(chances) > LISTED:
                return None
            chances.append(term)
            left -= term
            term = term * real(q) * real(len(chances) + draws - 1) / len(chances)
        both = arb_poly(chances) * arb_poly(chances[::-1])
        return list(accumulate(both.coeffs()))
