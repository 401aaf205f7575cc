"""Exact numbers: what people type, read as the rational they mean."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real

from tacit.core.errors import InvalidArgument, NotExact

Exact = Fraction | int | str | float | Decimal
"""What a caller may write for an exact number."""

LONGEST = 1000
"""Characters of a number's text, and the largest exponent: no budget needs more, and what is made
of a few such numbers can still be written down, which Python does for up to 4,300 digits."""
DIGITS = 2000
"""Digits of an integer's text: 2^4096, the number of points of our largest domains, has 1,234."""


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
        return _from_text(str(value), name=name)
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
        raise InvalidArgument(f"{name} must be at least {least}, got {told(value)}")
    return int(value)


def integer(text: str, *, name: str = "value") -> int:
    """Read an integer from its decimal digits.

    >>> integer("121")
    121
    """
    if not text.isdecimal():
        raise InvalidArgument(f"{name} must be an integer, got {told(text)!r}")
    if len(text) > DIGITS:
        raise InvalidArgument(f"{name} has {len(text)} digits; write up to {DIGITS}")
    return int(text)


def told(value: object) -> str:
    """Write what was given; a number or a text that is too long for a sentence only by its length.

    >>> told(Fraction(1, 3)), told(1 << 9999), told("a" * 999)
    ('1/3', 'a number of 10000 bits', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa... (999 characters)')
    """
    if isinstance(value, Rational):
        bits = max(int(value.numerator).bit_length(), int(value.denominator).bit_length())
        return f"a number of {bits} bits" if bits > LONGEST else str(value)
    text = str(value)
    return text if len(text) <= 200 else f"{text[:30]}... ({len(text)} characters)"


def log_near(value: Fraction) -> float:
    """Return a float near the logarithm of a rational of any size, for guesses.

    >>> log_near(Fraction(1, 10**4000)) < -9000, log_near(1 + Fraction(1, 10**30))
    (True, 1e-30)
    """
    if 1 < 2 * value < 4:
        return math.log1p(value - 1)
    return math.log(value.numerator) - math.log(value.denominator)


def _from_text(text: str, *, name: str) -> Fraction:
    if len(text) > LONGEST:
        raise InvalidArgument(f"{name} is {len(text)} characters long; write a number such as 0.1")
    _, _, exponent = text.lower().partition("e")
    try:
        if not exponent or abs(int(exponent)) <= LONGEST:
            return Fraction(text)
    except (ZeroDivisionError, ValueError):
        raise InvalidArgument(
            f"{name} must be a number such as 0.1 or 1/10, got {told(text)!r}"
        ) from None
    raise InvalidArgument(
        f"{name} must be a number of exponent up to {LONGEST}, got {told(text)}; write 0.1"
    )
