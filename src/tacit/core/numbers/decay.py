"""Powers of a rational ratio q just above e^-rate: the only weights our samplers use.

Rounding q *up* flattens every law by a factor that ball arithmetic cannot see, and keeps the law
rational: a mechanism built on q >= e^-(epsilon/2) has its privacy proved with q, so the claim
epsilon holds exactly, with no real number anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.enclosures import (
    Enclosure,
    exp_lower,
    exp_upper,
    precision,
    real,
    round_down,
    round_up,
    scaled,
)

SIGNIFICANT = 64  # bits of a ratio: the price is 2^-63 of accuracy
FAR = Fraction(1 << 14)  # a greater rate is as good as this one, and has too many digits
DIGIT = 10  # powers are products of table entries, one for every 10 bits of the exponent


@dataclass(frozen=True, slots=True)
class Decay:
    """A ratio 0 < q < 1 and its powers.

    Exactness: `power` is exact, `real` a rigorous enclosure, `floats` has a proved relative error.

    >>> Decay(Fraction(1, 2)).power(3)
    Fraction(1, 8)
    """

    ratio: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.ratio < 1:
            raise InvalidArgument(f"ratio must lie strictly between 0 and 1, got {self.ratio}")

    @classmethod
    def of(cls, rate: Fraction) -> Decay:
        """Return the least ratio >= e^-rate on a grid of 64 significant bits of q and of 1 - q.

        >>> Decay.of(Fraction(1)).ratio >= exp_upper(Fraction(-1))
        True
        """
        return cls(_ratio(check.positive(rate=rate)))

    def power(self, exponent: int) -> Fraction:
        """Return q^exponent exactly."""
        return self.ratio**exponent

    def real(self, exponent: int) -> Enclosure:
        """Enclose q^exponent at the current working precision."""
        return real(self.ratio) ** exponent

    def scaled(self, exponent: int, bits: int) -> tuple[int, int]:
        """Return integers (low, high) with low <= q^exponent * 2^bits <= high."""
        return scaled(lambda: self.real(exponent), bits)

    def floats(self, exponents: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return (m, e) with q^exponent = m * 2^e up to a relative error of 2 * levels * 2^-53.

        The exponents are non-negative; one level is used for every 10 bits of the largest one.
        """
        table, scales = _table(self.ratio, 0)
        digit = exponents & ((1 << DIGIT) - 1)
        mantissa, scale = table[digit], scales[digit]
        for level in range(1, levels(exponents)):
            table, scales = _table(self.ratio, level)
            digit = exponents >> (DIGIT * level) & ((1 << DIGIT) - 1)
            mantissa *= table[digit]
            scale += scales[digit]
        return mantissa, scale


def levels(exponents: NDArray[np.int64]) -> int:
    """Return how many table look-ups `Decay.floats` multiplies for these exponents."""
    largest = int(exponents.max(initial=0))
    return max(1, -(-largest.bit_length() // DIGIT))


def growth(epsilon: Fraction) -> Fraction:
    """Return a rational E <= e^epsilon, the factor that a verified mechanism may not exceed.

    >>> 2.718281828459 < growth(Fraction(1)) < 2.718281828460
    True
    """
    return round_down(exp_lower(min(epsilon, FAR)), SIGNIFICANT) if epsilon else Fraction(1)


@lru_cache(maxsize=1024)
def _ratio(rate: Fraction) -> Fraction:
    rate = min(rate, FAR)
    bits = SIGNIFICANT + max(0, rate.denominator.bit_length() - rate.numerator.bit_length() + 1)
    return round_up(exp_upper(-rate, bits + SIGNIFICANT), bits)


@lru_cache(maxsize=256)
def _table(ratio: Fraction, level: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Tabulate ratio^(digit * 2^(10 * level)) as correctly rounded mantissa and exponent."""
    mantissas = np.empty(1 << DIGIT)
    exponents = np.empty(1 << DIGIT, dtype=np.int64)
    with precision(SIGNIFICANT + 64):
        base = real(ratio) ** (1 << (DIGIT * level))
        for digit in range(1 << DIGIT):
            power = base**digit
            assert digit == 0 or power.rel_accuracy_bits() > SIGNIFICANT
            mantissa, exponent = (int(part) for part in power.mid().man_exp())
            width = mantissa.bit_length()
            mantissas[digit] = mantissa / (1 << width)
            exponents[digit] = exponent + width
    return mantissas, exponents
