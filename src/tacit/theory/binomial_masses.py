"""Binomial probabilities as floating-point numbers with a proved relative error."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb
from numpy.typing import NDArray

from tacit.core.balls import ball, precision

BITS = 128


def binomial_masses(n: int, chance: Fraction, top: int) -> NDArray[np.float64]:
    """Return P[Bin(n, chance) = k] for k = 0, ..., top.

    Exactness:
        Relative error at most 5 (n + 1) 2^-53 where the result is not below 2^-1000: one mass, at
        the mode or at `top`, is rounded from a ball; each step away from it has four roundings.
        What is smaller may be rounded to 0.

    >>> binomial_masses(2, Fraction(1, 2), 1).tolist()
    [0.25, 0.5]
    """
    top = min(top, n)
    if not 0 < chance < 1:
        certain = n if chance >= 1 else 0
        return np.array([float(k == certain) for k in range(top + 1)])
    mode = min(int((n + 1) * chance), top)
    with precision(BITS):
        start = arb.bin_uiui(n, mode) * ball(chance) ** mode * ball(1 - chance) ** (n - mode)
        first = float(start.mid())
    odds = float(chance / (1 - chance))
    k = np.arange(top + 1, dtype=np.float64)
    masses = np.empty(top + 1)
    masses[mode] = first
    masses[mode + 1 :] = first * np.cumprod((n - k[mode:-1]) * odds / (k[mode:-1] + 1))
    falling = k[mode:0:-1] / ((n - k[mode:0:-1] + 1) * odds)
    masses[:mode] = (first * np.cumprod(falling))[::-1]
    return masses
