"""How large a sum of independent two-sided geometric variables is: a certified Chernoff bound."""

from __future__ import annotations

from fractions import Fraction

from tacit.core import Decay
from tacit.core.numbers.least import least as least_from
from tacit.mechanisms.noise.geometric import tail_upper
from tacit.probability.party_noise import NoiseSum


def sum_tail(decay: Decay, terms: int, least: int) -> Fraction:
    """Bound P[Z_1 + ... + Z_terms >= least] for least >= 1.

    Exact for one term; for more by E[u^Z]^terms / u^least at the best u, which is soon known for
    any number of terms.

    >>> float(sum_tail(Decay(Fraction(1, 2)), 100, 60))
    0.0123...
    """
    if terms < 2:
        return tail_upper(decay, least) if terms else Fraction(0)
    return NoiseSum(decay, terms).chernoff(least)


def sum_deviation(decay: Decay, terms: int, beta: Fraction) -> int:
    """Return an integer a with P[|Z_1 + ... + Z_terms| >= a] <= beta, the least that is proved.

    >>> sum_deviation(Decay(Fraction(1, 2)), 100, Fraction(1, 20))
    55
    """
    return least_from(lambda a: 2 * sum_tail(decay, terms, a) <= beta, 1)
