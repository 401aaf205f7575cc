"""Budgets that a person can mean: read before any data is."""

from __future__ import annotations

from fractions import Fraction

from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy

LEAST, MOST = Fraction(1, 10**9), Fraction(10**4)
"""An epsilon below the first tells nothing about the data, one above the second all of it."""
TINY = Fraction(1, 10**30)
"""Nobody can tell a smaller delta or beta from 0."""


def read_budget(epsilon: Exact, delta: Exact) -> Privacy:
    """Read epsilon and delta.

    >>> read_budget("0.5", 0)
    Privacy(epsilon=Fraction(1, 2), delta=Fraction(0, 1))
    """
    total = Privacy(check.positive(epsilon=epsilon), delta)
    if not LEAST <= total.epsilon <= MOST:
        raise InvalidArgument(
            f"epsilon must lie between {float(LEAST)} and {int(MOST)}, got {str(epsilon)[:40]}; "
            "usual values are 0.1 to 10"
        )
    if total.delta:
        read_share(TINY, delta=delta)
    return total


def read_best_error(best_error: Exact) -> Fraction:
    """Read what the best rule is said to err at most: less than guessing.

    >>> read_best_error("0.05")
    Fraction(1, 20)
    """
    read = check.nonnegative(best_error=best_error)
    if 2 * read >= 1:
        raise InvalidArgument(
            f"best_error (--best-error) must be below 1/2, got {str(best_error)[:40]}: guessing "
            "errs 1/2 already; leave it out if nothing is known of the best rule"
        )
    return read


def read_share(least: Fraction = TINY, **named: Exact) -> Fraction:
    """Read a number between 0 and 1 that is not too small to be meant.

    >>> read_share(beta="1e-40")
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: beta must be at least 1e-30, got 1e-40
    """
    read = check.probability(**named)
    if read < least:
        ((name, value),) = named.items()
        raise InvalidArgument(f"{name} must be at least {float(least)}, got {str(value)[:40]}")
    return read
