"""How large a sum of independent two-sided geometric variables is: a certified Chernoff bound."""

from __future__ import annotations

import math
from fractions import Fraction

from tacit.core.numbers import least as searches
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import Enclosure, real, round_up, upper
from tacit.mechanisms.noise.geometric import tail_upper

DIGITS = 40
"""The tilt of the bound is rounded to so many binary digits: any tilt gives a true bound."""


def sum_tail(decay: Decay, terms: int, least: int) -> Fraction:
    """Bound P[Z_1 + ... + Z_terms >= least] for least >= 1.

    Exact for one term. For every u with 1 < u < 1/q it is at most M(u)^terms / u^least, where
    M(u) = E[u^Z] = (1 - q)^2 / ((1 - q u) (1 - q / u)). The best u is found in floats, the bound at
    it is certified.

    >>> float(sum_tail(Decay(Fraction(1, 2)), 100, 60))
    0.0123...
    """
    if terms < 2:
        return tail_upper(decay, least) if terms else Fraction(0)
    q = decay.ratio
    tilt = Fraction(1) + Fraction(round(_best(float(q), terms, least) * 2**DIGITS), 2**DIGITS)
    if not 1 < tilt < 1 / q:
        return Fraction(1)

    def bound() -> Enclosure:
        moment = real((1 - q) ** 2 / ((1 - q * tilt) * (1 - q / tilt)))
        return moment**terms / real(tilt) ** least

    bits = 128 + 2 * (terms + least).bit_length()
    return min(Fraction(1), round_up(upper(bound, bits), 64))


def sum_deviation(decay: Decay, terms: int, beta: Fraction) -> int:
    """Return an integer a with P[|Z_1 + ... + Z_terms| >= a] <= beta, the least that is proved.

    >>> sum_deviation(Decay(Fraction(1, 2)), 100, Fraction(1, 20))
    55
    """
    return searches.least(lambda a: 2 * sum_tail(decay, terms, a) <= beta, low=1)


def _best(q: float, terms: int, least: int) -> float:
    """Return u - 1 for the best u: where the derivative of the exponent in ln u vanishes.

    With v = u + 1/u the equation is terms * q (u - 1/u) / (1 + q^2 - q v) = least, solved by
    bisection in ln u; the left side rises from 0 to infinity.
    """
    low, high = 0.0, -math.log(q)
    for _ in range(60):
        middle = (low + high) / 2
        u = math.exp(middle)
        slope = terms * q * (u - 1 / u) - least * (1 + q * q - q * (u + 1 / u))
        low, high = (middle, high) if slope < 0 else (low, middle)
    return math.expm1(low)
