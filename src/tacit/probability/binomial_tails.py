"""Tails of a binomial variable: exactly, in balls, and with two-sided geometric noise."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import PRECISION, Enclosure, real

NEGLIGIBLE = 2.0**-80  # of a sum, far below the 64 bits that are wanted
SUMMED = 1 << 20  # variance up to which terms are added up


def bits_for(m: int) -> int:
    """Return a working precision at which tails of m trials keep about 64 bits."""
    return PRECISION + 3 * m.bit_length()


def above(m: int, p: Fraction, k: int) -> Enclosure:
    """Enclose P[B >= k] for B binomial with m trials of chance p.

    Terms beyond the k-th shrink at least geometrically where k is above the mean, so those left
    out are enclosed by a geometric series.

    >>> bool(abs(above(2, Fraction(1, 2), 2) - 0.25) < 1e-12)
    True
    """
    return _above(m, real(p), k) if 0 < p < 1 else arb(int(k <= (m if p else 0)))


def at_most_above(m: int, p: Fraction, k: int) -> Enclosure:
    """Enclose an upper bound on P[B >= k], soon known for any m and k, 0 < p < 1.

    P[B = k] times a geometric series: the ratio of two terms that follow each other only falls.

    >>> exact, bound = (float(f(1000, Fraction(1, 2), 560)) for f in (above, at_most_above))
    >>> round(exact, 8), round(bound, 8)
    (8.252e-05, 8.643e-05)
    """
    if k > m:
        return arb(0)
    if (ratio := (m - k) * p / ((k + 1) * (1 - p))) >= 1:
        return arb(1)
    ways = arb(m + 1).lgamma() - arb(k + 1).lgamma() - arb(m - k + 1).lgamma()
    term = (ways + k * real(p).log() + (m - k) * real(1 - p).log()).exp()
    return term / real(1 - ratio)


def noisy_above(m: int, p: Fraction, decay: Decay, k: int) -> Enclosure:
    """Enclose P[B + Z >= k], P[Z = z] = (1 - q) / (1 + q) q^|z|.

    P[Z >= j] is q^j / (1 + q) for j >= 0 and 1 - q^(1 - j) / (1 + q) for j <= 1; a sum of
    P[B = j] s^j over a range is (1 - p + p s)^m times a tail of the binomial variable of chance
    p s / (1 - p + p s). So three tails are enough, whatever m is.

    >>> one = noisy_above(0, Fraction(1, 3), Decay(Fraction(1, 2)), 1)
    >>> bool(abs(one - arb(1) / 3) < 1e-12)
    True
    """
    q = real(decay.ratio)
    if p in (0, 1) or m == 0:
        return _noise(q, k - (m if p == 1 else 0))
    grown, shrunk = (1 - real(p) + real(p) / q), (1 - real(p) + real(p) * q)
    below = _above(m, real(1 - p) / grown, m - k + 1)
    lifted = q**k * grown**m * below
    dropped = q ** (1 - k) * shrunk**m * _above(m, real(p) * q / shrunk, k)
    return _above(m, real(p), k) + (lifted - dropped) / (1 + q)


def at_most_below(m: int, p: Fraction, decay: Decay, k: int, *, rare: Fraction) -> Enclosure:
    """Enclose an upper bound on P[B + Z <= k], soon known for any m and good for much noise.

    B is seldom at most some b, about as seldom as is `rare`; else Z is at most k - b - 1.

    >>> noise, rare = Decay.of(Fraction(1, 1000)), Fraction(1, 1000)
    >>> bound = at_most_below(10**6, Fraction(1, 10), noise, 95000, rare=rare)
    >>> round(float(noisy_above(10**6, Fraction(9, 10), noise, 905000)), 5), round(float(bound), 5)
    (0.00353, 0.01096)
    """
    mean, far = float(m * p), math.sqrt(-2 * math.log(rare))
    b = int(max(mean - far * math.sqrt(mean), 0.0))
    return at_most_above(m, 1 - p, m - b) + _noise(real(decay.ratio), b + 1 - k)


def _noise(q: Enclosure, k: int) -> Enclosure:
    return q**k / (1 + q) if k >= 0 else 1 - q ** (1 - k) / (1 + q)


def _above(m: int, p: Enclosure, k: int) -> Enclosure:
    """Add up P[B = k], P[B = k + 1], ..., or subtract the rest from 1 where that is shorter.

    For a large variance it is the regularised incomplete beta function of (k, m - k + 1) at p;
    where that is beyond the precision, all that is said is that it is a probability.
    """
    if k <= 0:
        return arb(1)
    if k > m:
        return arb(0)
    if bool(m * p * (1 - p) > SUMMED):
        found = p.beta_lower(arb(k), arb(m - k + 1), True)  # noqa: FBT003
        return found if found.is_finite() else arb(0.5, 0.5)
    if bool(p * m > k):
        return 1 - _above(m, 1 - p, m - k + 1)
    odds = p / (1 - p)
    term = arb.bin_uiui(m, k) * p**k * (1 - p) ** (m - k)
    total, j = term, k
    while j < m:
        ratio = odds * (m - j) / (j + 1)
        rest = term * ratio / (1 - ratio)
        if bool(ratio < 1) and bool(rest < total * NEGLIGIBLE):
            return total + rest * arb(0.5, 0.5)
        term = term * ratio
        total += term
        j += 1
    return total
