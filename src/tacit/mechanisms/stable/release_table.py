"""How likely a value may be told at each distance: the largest table that privacy allows."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import overload

import numpy as np
from numpy.typing import NDArray

from tacit.core import TooLarge

GRID = 128
LONGEST = 1 << 17
SMALLEST = 1e-300


@dataclass(frozen=True, slots=True, repr=False)
class ReleaseTable:
    """Probabilities p(0) = 0 <= p(1) <= ... <= 1, and 1 from the end of the table on.

    Guarantee:
        p(c + 1) <= E p(c) + delta and 1 - p(c) <= F (1 - p(c + 1)) + delta for every c; without
        rounding, no table with p(0) = 0 is larger anywhere [DVGM22, who have E = F].

    Exactness:
        Entries are integers over 2^bits, each rounded down after it was computed from the one
        before, which keeps both inequalities and the order.

    >>> table = release_table(Fraction("2.71828"), Fraction(1, 20))
    >>> [round(float(table.probability(c)), 6) for c in range(8)]
    [0.0, 0.05, 0.185914, 0.555366, 0.854822, 0.964986, 1.0, 1.0]

    Proof: docs/proofs/stable_release.md
    """

    entries: tuple[int, ...]
    bits: int

    def probability(self, distance: int) -> Fraction:
        """Return p(distance)."""
        return Fraction(self.entry(distance), 1 << self.bits)

    def entry(self, distance: int) -> int:
        """Return p(distance) in units of 2^-bits."""
        return self.entries[min(distance, len(self.entries) - 1)]

    def failures(self, *, each: int = 1) -> Failures:
        """Return 1 - p(ceil(c / each)) for every c at which it is above 0."""
        return Failures(self, each)

    def distance(self, probability: Fraction) -> int:
        """Return the least distance whose entry is at least `probability`, a number up to 1."""
        return bisect_left(self.entries, -(-(probability * (1 << self.bits)) // 1))


@dataclass(frozen=True, slots=True)
class Failures(Sequence[Fraction]):
    """1 - p(ceil(c / each)) for c = 0, 1, ... while it is above 0; made when it is asked for.

    >>> table = release_table(Fraction("2.71828"), Fraction(1, 20))
    >>> [round(float(missed), 3) for missed in Failures(table, each=2)[:4]]
    [1.0, 0.95, 0.95, 0.814]
    """

    table: ReleaseTable
    each: int = 1

    def __len__(self) -> int:
        """Return for how many c something may be missed."""
        return self.each * (len(self.table.entries) - 2) + 1

    @overload
    def __getitem__(self, at: int) -> Fraction: ...

    @overload
    def __getitem__(self, at: slice) -> list[Fraction]: ...

    def __getitem__(self, at: int | slice) -> Fraction | list[Fraction]:
        """Return the chance to miss at one count, or at some."""
        if isinstance(at, slice):
            return [self[c] for c in range(len(self))[at]]
        return 1 - self.table.probability(-(-range(len(self))[at] // self.each))

    def floats(self) -> NDArray[np.float64]:
        """Return all of them, rounded."""
        one = 1 << self.table.bits
        missed = np.array([(one - entry) / one for entry in self.table.entries[:-1]])
        return np.repeat(missed, self.each)[self.each - 1 :]


def check_length(factor: Fraction, delta: Fraction) -> None:
    """Refuse a table that would be too long, by its length before rounding.

    >>> check_length(1 + Fraction(1, 10**9), Fraction(1, 10**6))
    Traceback (most recent call last):
    tacit.core.errors.TooLarge: the release table has more than 131072 entries; take a larger...
    """
    if not about(factor, delta) <= LONGEST:
        raise TooLarge(
            f"the release table has more than {LONGEST} entries; take a larger epsilon or delta"
        )


def about(factor: Fraction, delta: Fraction) -> float:
    """Return about how many entries the table has: it rises to 1/2 and then as it rose.

    Factors above 10 count as 10.

    >>> round(about(Fraction("2.71828"), Fraction(1, 10**6)))
    27
    """
    # delta (E^c - 1) / (E - 1) reaches 1/2 at half of it
    rise, share = float(min(factor, Fraction(10)) - 1), max(float(delta), SMALLEST)
    return 2 * math.log1p(rise / (2 * share)) / math.log1p(rise) if rise else 1 / share


@lru_cache(maxsize=64)
def release_table(
    factor: Fraction, delta: Fraction, silent: Fraction | None = None
) -> ReleaseTable:
    """Compute the table for factors E, F >= 1, equal unless F is given, and 0 < delta < 1.

    The grid is 2^-128 of the leading bit of delta, so that even the first entry keeps 128 bits.
    """
    fall = factor if silent is None else silent
    check_length(min(factor, fall), delta)
    bits = GRID + delta.denominator.bit_length() - delta.numerator.bit_length() + 1
    one = 1 << bits
    up, scale = factor.numerator * delta.denominator, factor.denominator * delta.denominator
    lift = delta.numerator * factor.denominator << bits
    down, unit = fall.numerator * delta.denominator, fall.denominator * delta.denominator
    rise = (delta.numerator * fall.denominator + down - unit) << bits
    # the first of two lines is the lower one up to where they cross
    entries, last = [0], 0
    steeper = up * down - scale * unit
    cross = (scale * rise - down * lift) // steeper if steeper else one
    while last <= cross and last < one:
        last = min((up * last + lift) // scale, one)
        entries.append(last)
    while last < one:
        last = min((unit * last + rise) // down, one)
        entries.append(last)
    return ReleaseTable(tuple(entries), bits)
