"""Real numbers between two rationals: ball arithmetic in, directed rounding out.

Every function here returns a bound that holds for the exact real number, whatever the working
precision was: precision decides how near the bound is, never whether it is true.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from threading import RLock
from typing import Any

from flint import arb, ctx, fmpq

Enclosure = Any
"""An `arb`: a real number known to lie between two ends (python-flint has no type stubs)."""

PRECISION = 128  # bits: twice what our rationals show, so rounding is never seen
TINY = arb((1, -(1 << 16)))  # 2^-65536, enclosed
SMALLEST = Fraction(1, 1 << (1 << 16))  # and as a rational


class _Turn:
    """The turn to set the precision; a forked child takes a new one: nobody can pass it on."""

    lock = RLock()

    @classmethod
    def renew(cls) -> None:
        cls.lock = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Turn.renew)


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with this many bits; the setting belongs to the process, so one thread at a time."""
    with _Turn.lock, ctx.workprec(bits):
        yield


def real(value: Fraction | int) -> Enclosure:
    """Enclose a rational number, as a real one, at the current working precision."""
    value = Fraction(value)
    return arb(fmpq(value.numerator, value.denominator))


def lower(compute: Callable[[], Enclosure], bits: int = PRECISION) -> Fraction:
    """Return a rational at most the number that `compute` encloses."""
    with precision(bits):
        return _dyadic(compute().lower())


def upper(compute: Callable[[], Enclosure], bits: int = PRECISION) -> Fraction:
    """Return a rational at least the number that `compute` encloses.

    A positive one below 2^-65536 becomes that: a smaller one has too many digits to reckon with.
    """
    with precision(bits):
        enclosed = compute().upper()
        return SMALLEST if 0 < enclosed < TINY else _dyadic(enclosed)


def scaled(compute: Callable[[], Enclosure], bits: int) -> tuple[int, int]:
    """Return integers (low, high) with low <= x * 2^bits <= high for the enclosed x."""
    with precision(bits + 32):
        enclosed = compute() * arb((1, bits))
        low, high = enclosed.lower().floor(), enclosed.upper().ceil()
        return int(low.unique_fmpz()), int(high.unique_fmpz())


def exp_lower(x: Fraction, bits: int = PRECISION) -> Fraction:
    """Return a rational at most e^x.

    >>> float(exp_lower(Fraction(1)))
    2.718281828459045
    """
    return max(Fraction(0), lower(lambda: real(x).exp(), bits))


def exp_upper(x: Fraction, bits: int = PRECISION) -> Fraction:
    """Return a rational at least e^x.

    >>> exp_lower(Fraction(1)) < exp_upper(Fraction(1))
    True
    """
    return upper(lambda: real(x).exp(), bits)


def log_lower(x: Fraction, bits: int = PRECISION) -> Fraction:
    """Return a rational at most ln x, for x > 0.

    >>> float(log_lower(Fraction(2)))
    0.6931471805599453
    """
    return lower(lambda: real(x).log(), bits)


def log_upper(x: Fraction, bits: int = PRECISION) -> Fraction:
    """Return a rational at least ln x, for x > 0.

    >>> log_lower(Fraction(2)) < log_upper(Fraction(2))
    True
    """
    return upper(lambda: real(x).log(), bits)


def round_up(x: Fraction, bits: int) -> Fraction:
    """Return the least rational >= x with `bits` significant bits, for x > 0.

    >>> round_up(Fraction(1, 3), 2)
    Fraction(3, 8)
    """
    shift = bits - 1 - _magnitude(x)
    scaled_x = x * Fraction(2) ** shift
    return Fraction(-(-scaled_x.numerator // scaled_x.denominator)) / Fraction(2) ** shift


def round_down(x: Fraction, bits: int) -> Fraction:
    """Return the greatest rational <= x with `bits` significant bits, for x > 0.

    >>> round_down(Fraction(1, 3), 2)
    Fraction(1, 4)
    """
    shift = bits - 1 - _magnitude(x)
    scaled_x = x * Fraction(2) ** shift
    return Fraction(scaled_x.numerator // scaled_x.denominator) / Fraction(2) ** shift


def _magnitude(x: Fraction) -> int:
    """Return the integer e with 2^e <= x < 2^(e+1)."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if Fraction(2) ** e <= x else e - 1


def _dyadic(exact: Enclosure) -> Fraction:
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
