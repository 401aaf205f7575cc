"""Exact numbers: what people type, read as the rational they mean."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real

from tacit.core.errors import InvalidArgument, NotExact

Exact = Fraction | int | str | float | Decimal
"""What a caller may write for an exact number."""


def rational(value: Exact, *, name: str = "value") -> Fraction:
    """Read a number exactly; a float is read by its shortest decimal, so 0.1 is 1/10.

    >>> rational(0.1), rational("1/3"), rational(2)
    (Fraction(1, 10), Fraction(1, 3), Fraction(2, 1))
    """
    if isinstance(value, bool) or not isinstance(value, Rational | Real | Decimal | str):
        raise NotExact(f"{name} must be a number, got {type(value).__name__}; write {name}=0.1")
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, str):
        return _from_text(value, name=name)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise InvalidArgument(f"{name} must be finite, got {value}")
        return Fraction(value)
    if not math.isfinite(value):
        raise InvalidArgument(f"{name} must be finite, got {value}")
    return Fraction(repr(float(value)))


def natural(value: int, *, name: str = "value", least: int = 0) -> int:
    """Read an integer that is at least `least`; floats are refused, whole or not.

    >>> natural(3)
    3
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise NotExact(f"{name} must be an integer, got {type(value).__name__}")
    if value < least:
        raise InvalidArgument(f"{name} must be at least {least}, got {value}")
    return int(value)


def log_near(value: Fraction) -> float:
    """Return a float near the logarithm of a rational of any size, for guesses.

    >>> log_near(Fraction(1, 10**4000)) < -9000, log_near(1 + Fraction(1, 10**30))
    (True, 1e-30)
    """
    if 1 < 2 * value < 4:
        return math.log1p(value - 1)
    return math.log(value.numerator) - math.log(value.denominator)


def _from_text(text: str, *, name: str) -> Fraction:
    if len(text) > 1000:
        raise InvalidArgument(f"{name} is {len(text)} characters long; write a number such as 0.1")
    way_out = f"{name} must be a number such as 0.1 or 1/10, got {text!r}"
    _, _, exponent = text.lower().partition("e")
    try:
        huge = bool(exponent) and abs(int(exponent)) > 10_000
        return rational(math.inf, name=name) if huge else Fraction(text)
    except (ZeroDivisionError, ValueError) as error:
        raise (error if isinstance(error, InvalidArgument) else InvalidArgument(way_out)) from None
