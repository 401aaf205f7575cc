"""Geometric and two-sided geometric noise: exact, whole arrays at a time, for any rate.

A geometric variable G, P[G = g] = (1 - q) q^g, has independent digits in base 2^10: the weight q^g
is the product over the digits d at place k of q^(d * 2^(10 k)). Each digit is drawn by inversion
from a table of at most 1024 entries, and so is what lies above the last place, again a geometric
variable, of ratio q^(2^(10 k)). Nothing is rejected, and no table depends on anything private.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.chance.randomness import Random
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import (
    PRECISION,
    Enclosure,
    precision,
    real,
    round_up,
    scaled,
    upper,
)
from tacit.mechanisms.noise.inversion import WORD, Inversion

DIGIT = 10
SIZE = 1 << DIGIT
SAFE = 1 << 62
SHORT = 1 << 16  # powers of at most this many bits are written out

_SIGN = np.array([0, 1, -1])


def geometric(decay: Decay, count: int, *, rng: Random) -> NDArray[Any]:
    """Return `count` draws of G; int64, or Python integers where they do not fit.

    >>> from tacit.core.chance.randomness import Seeded
    >>> geometric(Decay(Fraction(1, 2)), 5, rng=Seeded(1)).min() >= 0
    np.True_
    """
    *places, top = _digits(decay.ratio)
    value: NDArray[Any] = top.draw(count, rng=rng)
    for place in reversed(places):
        if value.max(initial=0) >= SAFE >> DIGIT:
            value = value.astype(object)
        value = value * SIZE + place.draw(count, rng=rng)
    return value


def two_sided(decay: Decay, count: int, *, rng: Random) -> NDArray[Any]:
    """Return `count` draws of Z, P[Z = z] = (1 - q) / (1 + q) * q^|z|.

    Z is 0 with probability (1 - q) / (1 + q), and otherwise 1 + G with a fair sign: the product of
    q / (1 + q) and (1 - q) q^(|z| - 1) is the probability of z.

    >>> from tacit.core.chance.randomness import Seeded
    >>> two_sided(Decay(Fraction(1, 10**30)), 4, rng=Seeded(1)).tolist()
    [0, 0, 0, 0]
    """
    sign = _SIGN[_signs(decay.ratio).draw(count, rng=rng)]
    noise: NDArray[Any] = sign * (geometric(decay, count, rng=rng) + 1)
    return noise


def tail(decay: Decay, m: int) -> Fraction:
    """Return P[Z >= m] exactly.

    >>> [tail(Decay(Fraction(1, 2)), m) for m in (1, 0, -1)]
    [Fraction(1, 3), Fraction(2, 3), Fraction(5, 6)]
    """
    if m < 0:
        return 1 - decay.power(1 - m) / (1 + decay.ratio)
    return decay.power(m) / (1 + decay.ratio)


def tail_upper(decay: Decay, m: int) -> Fraction:
    """Return P[Z >= m], rounded up by at most a part in 2^127 where the power would be too long.

    >>> 0 < tail_upper(Decay.of(Fraction(1, 10**9)), 10**11) < Fraction(1, 10**43)
    True
    """
    if abs(m) * decay.ratio.denominator.bit_length() <= SHORT:
        return tail(decay, m)
    if m < 0:
        return Fraction(1)
    bits = 2 * PRECISION + m.bit_length()
    return round_up(upper(lambda: decay.real(m) / real(1 + decay.ratio), bits), PRECISION)


@lru_cache(maxsize=64)
def _signs(ratio: Fraction) -> Inversion:
    return Inversion.rational((1 - ratio) / (1 + ratio), *[ratio / (1 + ratio)] * 2)


@lru_cache(maxsize=64)
def _digits(ratio: Fraction) -> tuple[Inversion, ...]:
    """Tabulate the digits, lowest first, and what lies above: short once q^(1024 unit) < 2^-64."""
    tables = []
    unit = 1
    while _power_upper(ratio, unit * SIZE) > Fraction(1, 1 << WORD):
        tables.append(Inversion.of(_Digit(ratio, unit, bounded=True)))
        unit *= SIZE
    tables.append(Inversion.of(_Digit(ratio, unit, bounded=False)))
    return tuple(tables)


class _Digit:
    """The distribution function of d with weights q^(unit * d), for d below 1024 or unbounded."""

    def __init__(self, ratio: Fraction, unit: int, *, bounded: bool) -> None:
        self._ratio, self._unit, self._bounded = ratio, unit, bounded
        self._lost = _leading(ratio) + unit.bit_length()

    def __call__(self, index: int, bits: int) -> tuple[int, int]:
        if self._bounded and index == SIZE - 1:
            return 1 << bits, 1 << bits
        low, high = scaled(lambda: self._ball(index, bits), bits)
        return max(low, 0), min(high, 1 << bits)

    def _ball(self, index: int, bits: int) -> Enclosure:
        """Enclose F(index); 1 - q^unit is small, so its leading bits are paid for in advance."""
        with precision(bits + self._lost + 2 * DIGIT + 32):
            unit = real(self._ratio) ** self._unit
            share = 1 - unit ** (index + 1)
            return share / (1 - unit**SIZE) if self._bounded else share


def _power_upper(ratio: Fraction, exponent: int) -> Fraction:
    return upper(lambda: real(ratio) ** exponent, PRECISION + _leading(ratio))


def _leading(ratio: Fraction) -> int:
    """Return how many leading ones q has in binary: what 1 - q loses of its precision."""
    return int(1 / (1 - ratio)).bit_length()
