"""Private values: how they are read, exactly, and without a word about them anywhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any

import numpy as np

from tacit.core import InvalidArgument, NotExact


class Private:
    """Mixin for statistics: `repr` shows the fields marked public, and nothing of the others.

    A field is public only when its metadata says so; forgetting the mark hides, never leaks. What
    is no part of the statistic has repr=False.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{field.name}={getattr(self, field.name)!r}"
            if field.metadata.get("public")
            else f"{field.name}=<private>"
            for field in fields(self)  # type: ignore[arg-type]
            if field.repr
        )
        return f"{type(self).__name__}({shown})"


PUBLIC: dict[str, Any] = {"public": True}


def integer(value: Any, *, name: str, least: int | None = None) -> int:
    """Read a private integer as a Python integer; refusals do not repeat the value.

    >>> integer(7, name="count", least=0)
    7
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise NotExact(f"{name} must be an integer, got {type(value).__name__}")
    read = int(value)
    if least is not None and read < least:
        raise InvalidArgument(f"{name} must be at least {least}")
    return read


def key(value: Any) -> Any:
    """Return the one form that stands for all keys equal to this one.

    Python finds 1, True and 1.0 equal; if a count kept whichever came first, its type would tell
    about the first record. Keys of other types than numbers, text and tuples are kept as they are:
    equal ones must be indistinguishable.

    >>> key(True), key(2.0), key(-0.0), key(Fraction(1, 2)), key((1.0, "a"))
    (1, 2, 0, 0.5, (1, 'a'))
    """
    if type(value) is int:
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, tuple):
        return tuple(key(part) for part in value)
    if isinstance(value, Integral | np.bool_):
        return int(value)
    if isinstance(value, Rational):
        return _number(Fraction(int(value.numerator), int(value.denominator)))
    if hasattr(value, "as_integer_ratio"):
        return _number(Fraction(*value.as_integer_ratio())) if _finite(value) else str(float(value))
    return value


def key_counts(counts: Mapping[Any, Any], *, name: str) -> dict[Any, int]:
    """Read how often each key occurs; keys that are equal are one.

    >>> key_counts({1: 2, 2.0: 1}, name="count")
    {1: 2, 2: 1}
    """
    read: dict[Any, int] = {}
    for label, value in counts.items():
        read[key(label)] = read.get(key(label), 0) + integer(value, name=name, least=0)
    return read


def _finite(value: Any) -> bool:
    return math.isfinite(value)


def _number(value: Fraction) -> int | float | Fraction:
    if value.denominator == 1:
        return value.numerator
    near = value.numerator / value.denominator if abs(value) < 2**1000 else math.inf
    return near if math.isfinite(near) and Fraction(near) == value else value
