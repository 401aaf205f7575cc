"""Whether a table's types can hold what a schema declares: for its owner, before anything is spent.

Types can be chosen by the values (a column of nothing but gaps has one of its own), so what is said
here is about the data. Nothing that makes a release asks: there every type is read, cell by cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from tacit.core.errors import InvalidArgument
from tacit.data.reading.codes import plain, temporal, textual
from tacit.data.reading.source import Source, check_names, open_source
from tacit.data.schema.bits import Bits
from tacit.data.schema.category import Category
from tacit.data.schema.cell import day
from tacit.data.schema.columns import Column
from tacit.data.schema.date import Date
from tacit.data.schema.schema import Schema


def check_fit(source: Source, schema: Schema, names: Sequence[str]) -> None:
    """Refuse a source that lacks a column, or stores one in a type that cannot hold its domain.

    >>> from tacit.data import Integer
    >>> check_fit({"age": [67]}, Schema({"age": Integer(18, 120)}), ["age"])
    >>> ages = pa.table({"age": pa.array([0], pa.date32())})
    >>> check_fit(ages, Schema({"age": Integer(18, 120)}), ["age"])
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: column 'age' is stored as date32[day], which cannot hold
    integers from 18 to 120: every cell would be read as missing; convert it, or change its type in
    the schema
    """
    opened = open_source(source)
    check_names(opened, names)
    for cells in opened.batches(names):
        for name, held in zip(names, cells, strict=True):
            if not _holds(schema[name], held.type):
                raise InvalidArgument(
                    f"column {name!r} is stored as {held.type}, which cannot hold "
                    f"{schema[name].domain}: every cell would be read as missing; convert it, or "
                    "change its type in the schema"
                )
        return


def _holds(column: Column, kind: Any) -> bool:
    held = pa.types
    if held.is_dictionary(kind) or held.is_run_end_encoded(kind):
        return _holds(column, kind.value_type)
    if held.is_null(kind):
        return True
    if temporal(kind):
        named = column.values if isinstance(column, Category) else ()
        return isinstance(column, Date) or any(day(value) is not None for value in named)
    if isinstance(column, Date):
        return textual(kind)
    if not plain(kind) or isinstance(column, Bits):
        return plain(kind)
    if not isinstance(column, Category):
        return not held.is_boolean(kind)
    if held.is_boolean(kind):
        return "true" in column.values or "false" in column.values
    return column.holds_numbers or not (held.is_integer(kind) or held.is_floating(kind))
