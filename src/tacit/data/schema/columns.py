"""The five types of column, and how a schema writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tacit.core.errors import InvalidArgument, TacitError
from tacit.data.schema.bits import Bits
from tacit.data.schema.category import Category
from tacit.data.schema.date import Date
from tacit.data.schema.integer import Integer
from tacit.data.schema.real import Real

Ordered = Integer | Real | Date
"""Columns whose values have an order: their codes can be compared and cut."""
Column = Ordered | Category | Bits
"""A public domain, with a total map from whatever a cell holds to the codes 0, ..., size - 1."""

_TYPES: dict[str, tuple[Callable[..., Column], tuple[str, ...], str]] = {
    "integer": (Integer, ("low", "high"), "low = 0 and high = 120"),
    "real": (Real, ("low", "high", "step"), "low = 10, high = 60 and step = 0.1"),
    "category": (Category, ("values",), 'values = ["f", "m"]'),
    "bits": (Bits, (), ""),
    "date": (Date, ("low", "high"), "low = 2015-01-01 and high = 2026-12-31"),
}


def read_column(name: str, table: object) -> Column:
    """Read one column's table of a schema.

    >>> read_column("age", {"type": "integer", "low": 0, "high": 120})
    Integer(low=0, high=120, outside='clip')
    """
    if not isinstance(table, Mapping):
        raise InvalidArgument(f'column {name!r} must be a table: [columns.{name}] type = "integer"')
    kind = table.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        lacking = f"it is {'blank' if kind == '' else 'missing'}: fill it in, or delete the column"
        got = f"got {kind!r}" if kind else lacking
        raise InvalidArgument(
            f'column {name!r}: type must be "integer", "real", "date", "category" or "bits"; {got}'
        )
    make, needed, example = _TYPES[kind]
    rest: dict[str, Any] = {key: value for key, value in table.items() if key != "type"}
    if missing := [key for key in needed if key not in rest]:
        raise InvalidArgument(
            f"column {name!r}: {', '.join(missing)} of type {kind} must be given, "
            f"from public knowledge and not from the data; write {example}"
        )
    known = (*needed, *(("yes", "no") if kind == "bits" else ()), "outside")
    if unknown := sorted(rest.keys() - set(known)):
        raise InvalidArgument(
            f"column {name!r}: type {kind} has no {', '.join(unknown)}; it takes {', '.join(known)}"
        )
    try:
        return make(**rest)
    except TacitError as error:
        raise InvalidArgument(f"column {name!r}: {error}") from None


def write_column(column: Column) -> dict[str, object]:
    """Return the table that `read_column` reads back; the default policy is left unsaid."""
    policy = {} if column.outside == "clip" else {"outside": column.outside}
    return column.table() | policy
