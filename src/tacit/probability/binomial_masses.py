"""Binomial probabilities: exact, as floats with a proved relative error, and as mere floats."""

from __future__ import annotations

import math
from fractions import Fraction
from math import comb

import numpy as np
from flint import arb
from numpy.typing import NDArray
from scipy.special import gammaln, xlog1py, xlogy

from tacit.core.numbers.enclosures import precision, real

BITS = 128
LOGS = 700


def binomial_masses(n: int, chance: Fraction, top: int) -> NDArray[np.float64]:
    """Return P[Bin(n, chance) = k] for k = 0, ..., top.

    Exactness:
        Relative error at most 5 (top + 1) 2^-53, for n below 2^53, where the result is not below
        2^-1000: one mass, at the mode or at `top`, is rounded from a ball; each step away from it
        has four roundings. What is smaller may be rounded to 0, and is not even computed where
        Chernoff's bound [Hoe63, Thm. 1] says that it is: e^-700 below mean - sqrt(1400 mean) and
        above mean + sqrt(1400 mean) + 700.

    >>> binomial_masses(2, Fraction(1, 2), 1).tolist()
    [0.25, 0.5]
    """
    top = min(top, n)
    if not 0 < chance < 1:
        certain = n if chance >= 1 else 0
        return np.array([float(k == certain) for k in range(top + 1)])
    mode = min(int((n + 1) * chance), top)
    with precision(BITS):
        start = arb.bin_uiui(n, mode) * real(chance) ** mode * real(1 - chance) ** (n - mode)
        first = float(start.mid())
    odds = float(chance / (1 - chance))
    masses = np.zeros(top + 1)
    masses[mode] = first
    mean, reach = float(n * chance), math.isqrt(2 * LOGS * math.ceil(n * chance)) + 1
    rising = np.arange(mode, min(top, int(mean) + reach + LOGS), dtype=np.float64)
    masses[mode + 1 : mode + 1 + len(rising)] = first * np.cumprod(
        (n - rising) * odds / (rising + 1)
    )
    falling = np.arange(mode, max(0, int(mean) - reach), -1, dtype=np.float64)
    masses[mode - len(falling) : mode] = (first * np.cumprod(falling / ((n - falling + 1) * odds)))[
        ::-1
    ]
    return masses


def between(low: int, high: int, trials: int, chance: Fraction) -> Fraction:
    """Return P[low <= Bin(trials, chance) <= high].

    >>> between(0, 1, 2, Fraction(1, 2)), between(2, 3, 3, Fraction(1, 4))
    (Fraction(3, 4), Fraction(5, 32))
    """
    a, b = chance.numerator, chance.denominator
    ways = sum(comb(trials, k) * a**k * (b - a) ** (trials - k) for k in range(low, high + 1))
    return Fraction(ways, b**trials)


def binomial_chances(
    counts: NDArray[np.float64] | NDArray[np.int64], n: int, share: float
) -> NDArray[np.float64]:
    """Return P[Bin(n, share) = k] for each of the counts, which lie between 0 and n.

    >>> binomial_chances(np.arange(3), 2, 0.5).round(6).tolist()
    [0.25, 0.5, 0.25]
    """
    k = np.asarray(counts, dtype=np.float64)
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.asarray(np.exp(ways + xlogy(k, share) + xlog1py(n - k, -share)))
