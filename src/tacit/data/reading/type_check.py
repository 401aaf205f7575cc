"""Whether a table holds what a schema declares: for its owner, before anything is spent.

Types can be chosen by the values (a column of nothing but gaps has one of its own), so what is said
here is about the data. Nothing that makes a release asks: there every type is read, cell by cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import pyarrow as pa

from tacit.core.errors import InvalidArgument
from tacit.data.reading.codes import codes_of, days_of, plain, temporal, textual
from tacit.data.reading.source import Source, check_names, open_source
from tacit.data.schema.bits import Bits
from tacit.data.schema.category import Category
from tacit.data.schema.cell import BLANKS, day, number, text
from tacit.data.schema.columns import Column
from tacit.data.schema.date import Date
from tacit.data.schema.integer import Integer
from tacit.data.schema.real import Real
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


_SHOWN, _LONGEST = 3, 40
"""Examples of cells that are shown, and how much of each."""


def unread_cells(source: Source, schema: Schema, names: Sequence[str]) -> dict[str, Any]:
    """Count the cells that are not in the declared domain, by column: not for publication.

    >>> people = {"late": ["early", "on time", None, "1"]}
    >>> unread_cells(people, Schema({"late": Bits()}), ["late"])["columns"]["late"]
    {'missing': 1, 'unreadable': 2, 'below': 0, 'above': 0, 'examples': ['early', 'on time']}
    """
    opened, rows = open_source(source), 0
    check_names(opened, names)
    found: dict[str, Counter[tuple[str, str]]] = {name: Counter() for name in names}
    for cells in opened.batches(names):
        rows += len(cells[0])
        for name, held in zip(names, cells, strict=True):
            strict: Any = replace(schema[name], outside="null")
            out = codes_of(strict, held) == strict.inside
            for cell, times in _different(held.filter(pa.array(out))):
                found[name][_fault(strict, cell)] += times
    kinds = ("missing", "unreadable", "below", "above")
    columns: dict[str, Any] = {name: dict.fromkeys(kinds, 0) | {"examples": []} for name in found}
    for name, faults in found.items():
        for (kind, said), times in faults.most_common():
            columns[name][kind] += times
            if said and len(columns[name]["examples"]) < _SHOWN:
                columns[name]["examples"].append(said)
    return {"rows": rows, "columns": columns}


def _different(cells: Any) -> list[tuple[object, int]]:
    """Return the different cells of an array, and how often each is there."""
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    if not plain(cells.type):
        return [(None, len(cells))]
    if temporal(cells.type):
        days = Counter(days_of(cells).tolist()).items()
        return [(date.fromordinal(day) if day else None, times) for day, times in days]
    held = cells.value_counts()
    return list(zip(held.field(0).to_pylist(), held.field(1).to_pylist(), strict=True))


def _fault(column: Column, cell: object) -> tuple[str, str]:
    """Say why a cell is not in the domain; of one that cannot be read, its beginning too."""
    said = (text(cell) or "").strip(BLANKS)
    if not said:
        return "missing", ""
    read: int | float | None = None
    if isinstance(column, Date):
        read, low = day(cell), Fraction(column.low.toordinal())
    elif isinstance(column, Integer | Real):
        read, low = number(cell), Fraction(column.low)
    if read is None:
        return "unreadable", said[:_LONGEST]
    return ("below" if read < low else "above"), ""


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
