"""Arguments are checked by name, before anything is sampled: `check.positive(epsilon=value)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import Exact, natural, rational, told

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

T = TypeVar("T")


def exact(**named: Exact) -> Fraction:
    """Read one named number exactly.

    >>> exact(epsilon=0.1)
    Fraction(1, 10)
    """
    name, value = _one(named)
    return rational(value, name=name)


def positive(**named: Exact) -> Fraction:
    """Read one named number that must be greater than 0.

    >>> positive(epsilon="1/2")
    Fraction(1, 2)
    """
    return _number(named, lambda x: x > 0, "be greater than 0")


def nonnegative(**named: Exact) -> Fraction:
    """Read one named number that must be at least 0.

    >>> nonnegative(delta=0)
    Fraction(0, 1)
    """
    return _number(named, lambda x: x >= 0, "be at least 0")


def probability(**named: Exact) -> Fraction:
    """Read one named number that must lie strictly between 0 and 1.

    >>> probability(beta="0.05")
    Fraction(1, 20)
    """
    return _number(named, lambda x: 0 < x < 1, "lie strictly between 0 and 1")


def small_probability(**named: Exact) -> Fraction:
    """Read one named number that must be at least 0 and less than 1.

    >>> small_probability(delta=1e-6)
    Fraction(1, 1000000)
    """
    return _number(named, lambda x: 0 <= x < 1, "be at least 0 and less than 1")


def count(*, least: int = 0, up_to: int | None = None, **named: int) -> int:
    """Read one named integer that is at least `least`, and at most `up_to` if that is given.

    >>> count(n=10, least=1)
    10
    """
    name, value = _one(named)
    number = natural(value, name=name, least=least)
    if up_to is not None and number > up_to:
        raise InvalidArgument(f"{name} must be at most {up_to}, got {told(value)}")
    return number


def _number(named: dict[str, Exact], holds: Callable[[Fraction], bool], must: str) -> Fraction:
    name, value = _one(named)
    number = rational(value, name=name)
    if not holds(number):
        raise InvalidArgument(f"{name} must {must}, got {told(value)}")
    return number


def _one(named: dict[str, T]) -> tuple[str, T]:
    ((name, value),) = named.items()
    return name, value
