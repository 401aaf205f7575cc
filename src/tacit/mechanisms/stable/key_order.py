"""One order for keys of any type, that a key has by itself and not by the company it keeps."""

from __future__ import annotations

from collections.abc import Hashable
from numbers import Real
from typing import Any


def order(key: Hashable) -> tuple[Any, ...]:
    """Return what to sort a key by: numbers by size, text and tuples as in a dictionary.

    Keys of other types are sorted by type, then by how they are written; -0.0 and 0 are one key
    already, and what is not a number comes after the numbers.

    >>> sorted([("b", 1), 10, "b", 9, ("a", 2), None, "a"], key=order)
    [9, 10, 'a', 'b', ('a', 2), ('b', 1), None]
    """
    if isinstance(key, Real):
        return (0, key) if key == key else (1,)
    if isinstance(key, str):
        return (2, key)
    if isinstance(key, bytes):
        return (3, key)
    if isinstance(key, tuple):
        return (4, *map(order, key))
    return (5, type(key).__qualname__, repr(key))
