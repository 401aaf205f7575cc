"""Numbers as they are shown: what is promised or spent is never shown as less than it is."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context
from fractions import Fraction


def at_most(value: Fraction | int, digits: int = 3) -> str:
    """Write a number that may be exceeded by what stands there, but not the other way round.

    >>> at_most(Fraction(69526, 10**6)), at_most(Fraction(1)), at_most(Fraction(1, 10**6))
    ('0.0696', '1', '1e-06')
    """
    exact = Fraction(value)
    context = Context(prec=digits, rounding=ROUND_CEILING)
    rounded = context.divide(exact.numerator, exact.denominator)
    return f"{float(rounded):.{digits}g}"
