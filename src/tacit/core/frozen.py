"""Values that never change: how their fields are set, once, each after it was checked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tacit.core import check

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tacit.core.numbers.exact import Exact


def hold(value: object, /, **fields: object) -> Held:
    """Set fields of a frozen value; only its own `__init__` or `__post_init__` calls this.

    >>> from dataclasses import dataclass
    >>> from fractions import Fraction
    >>> @dataclass(frozen=True, init=False)
    ... class Coin:
    ...     name: str
    ...     heads: Fraction
    ...     def __init__(self, name: str, heads: Exact) -> None:
    ...         hold(self, name=name).probability(heads=heads)
    >>> Coin("bent", 0.3)
    Coin(name='bent', heads=Fraction(3, 10))
    """
    for name, field in fields.items():
        object.__setattr__(value, name, field)
    return Held(value)


class Held:
    """A frozen value whose further fields are read as the check of that name reads them."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def exact(self, **named: Exact) -> Held:
        """Set fields to any exact numbers."""
        return self._read(check.exact, named)

    def positive(self, **named: Exact) -> Held:
        """Set fields to numbers greater than 0."""
        return self._read(check.positive, named)

    def nonnegative(self, **named: Exact) -> Held:
        """Set fields to numbers of at least 0."""
        return self._read(check.nonnegative, named)

    def probability(self, **named: Exact) -> Held:
        """Set fields to numbers strictly between 0 and 1."""
        return self._read(check.probability, named)

    def small_probability(self, **named: Exact) -> Held:
        """Set fields to numbers of at least 0 and less than 1."""
        return self._read(check.small_probability, named)

    def count(self, *, least: int = 0, **named: int) -> Held:
        """Set fields to integers that are at least `least`."""
        return self._read(partial(check.count, least=least), named)

    def _read(self, check: Callable[..., object], named: Mapping[str, object]) -> Held:
        return hold(self._value, **{name: check(**{name: x}) for name, x in named.items()})
