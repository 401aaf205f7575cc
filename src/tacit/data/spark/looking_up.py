"""What is said of rows, looked up by Spark: a function of few codes is a table, which is public.

Integers, truth values and texts that are one of few names are coded by Spark's expressions, exactly
as `Column.code` does: integers fit and are compared, truth values are asked, and a text is one of
the names if its bytes are, without the blanks at its ends. A name is valid UTF-8 without the sign
that stands for bytes that are none, and blanks are single bytes; so a text is read as that name if
and only if its bytes are blanks, those of the name, and blanks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.data.reading.coding import Coding
from tacit.data.schema.bits import Bits
from tacit.data.schema.category import Category
from tacit.data.schema.cell import BLANKS
from tacit.data.schema.columns import Column
from tacit.data.schema.integer import Integer

MOST, WIDE, NAMES, STRETCHES = 1 << 16, 1 << 12, 64, 4
"""Codes together that are asked, codes of a column and places that are looked up, names of a
category, and stretches of one answer that are compared rather than looked up."""
_WHOLE = ("tinyint", "smallint", "int", "bigint")
_KEPT = re.compile(
    r"tinyint|smallint|int|bigint|float|double|decimal\(.*\)|boolean|string|date|timestamp(_ntz)?"
)
"""Types of columns that are the same when they come back from our code."""
_UNREAD = "\ufffd"


class Says(Protocol):
    """What is said of rows: columns, by their codes; it can be sent to where the rows are."""

    @property
    def coding(self) -> Coding:
        """How the columns that are asked for are read."""

    @property
    def used(self) -> Sequence[int]:
        """The columns on which anything may depend."""

    @property
    def columns(self) -> Sequence[tuple[str, str]]:
        """The names of what is said, and its types as SQL calls them."""

    def said(self, codes: NDArray[np.int64], /) -> Sequence[Sequence[Any]]:
        """Say it of rows of codes: columns."""

    def __call__(self, cells: Sequence[Any], /) -> Sequence[Sequence[Any]]:
        """Say it of rows whose raw cells are Arrow arrays."""


def looked_up(
    frame: Any, cells: Mapping[str, tuple[str, str]], saying: Says, kept: Sequence[str]
) -> Any | None:
    """Return the `kept` columns and what is said of each row; None where our code has to read.

    `cells` are expressions for the frame's columns and the types that they are stored in. Which way
    is taken depends on types and on what is said, never on a cell.
    """
    if not all(_KEPT.fullmatch(cells[name][1]) for name in kept):
        return None
    coding, used = saying.coding, list(saying.used)
    sizes = [coding.sizes[i] for i in used]
    if prod(sizes) > MOST or max(sizes, default=1) > WIDE:
        return None
    points = np.zeros((prod(sizes), len(coding.names)), dtype=np.int64)
    points[:, used] = np.indices(sizes).reshape(len(used), -1).T
    lines = list(zip(*saying.said(points), strict=True))
    numbers = {line: number for number, line in enumerate(dict.fromkeys(lines))}
    told = np.array([numbers[line] for line in lines]).reshape(sizes)
    place, codes = "", list[str]()
    for axis, i in enumerate(used):
        told, kinds = _alike(told, axis)
        if told.shape[axis] > 1:
            name = coding.names[i]
            code = code_sql(coding.columns[i], *cells[name])
            if code is None:
                return None
            codes.append(f"CAST({code} AS INT) AS x{i}")
            kind = _chosen([str(each) for each in kinds], f"x{i}")
            place = f"(({place}) * {told.shape[axis]} + {kind})" if place else kind
    if told.size > WIDE:
        return None
    held, different = told.reshape(-1).tolist(), list(numbers)
    columns = [
        f"{_chosen([_constant(different[number][j], kind) for number in held], place)} AS y{j}"
        for j, (_, kind) in enumerate(saying.columns)
    ]
    copied = [f"{cells[name][0]} AS k{i}" for i, name in enumerate(kept)]
    coded = frame.selectExpr(*copied, *codes)
    names = [*kept, *(name for name, _ in saying.columns)]
    return coded.selectExpr(*(f"k{i}" for i in range(len(kept))), *columns).toDF(*names)


def code_sql(column: Column, cell: str, stored: str) -> str | None:
    """Write the code of a cell in Spark's SQL, or None where Spark might read it differently.

    >>> code_sql(Integer(18, 120), "c0", "int")
    'CASE WHEN c0 > 120 THEN 102 WHEN c0 >= 18 THEN CAST(c0 - 18 AS BIGINT) ELSE 0 END'
    >>> code_sql(Integer(18, 120), "c0", "double") is None
    True
    """
    if isinstance(column, Integer) and stored in _WHOLE:
        return column.between_sql(cell, column.low, column.high)
    if isinstance(column, Bits) and column.usual and stored in (*_WHOLE, "boolean"):
        yes, no = (cell, f"NOT {cell}") if stored == "boolean" else (f"{cell} = 1", f"{cell} = 0")
        return f"CASE WHEN {yes} THEN 1 WHEN {no} THEN 0 ELSE {column.ends[0]} END"
    if not isinstance(column, Category) or not re.match("string|char|varchar|binary", stored):
        return None
    names = column.spellings
    if len(names) > NAMES or any(_UNREAD in name for name in names):
        return None
    whens = " ".join(f"WHEN {_bytes(name)} THEN {code}" for name, code in names.items())
    raw = f"CAST({cell} AS BINARY)"
    text, blanks = (f"CAST({each} AS STRING COLLATE UTF8_BINARY)" for each in (raw, _bytes(BLANKS)))
    trimmed = f"CAST(trim(BOTH {blanks} FROM {text}) AS BINARY)"
    return f"CASE {raw} {whens} ELSE CASE {trimmed} {whens} ELSE {column.ends[0]} END END"


def _alike(told: NDArray[np.int64], axis: int) -> tuple[NDArray[np.int64], list[int]]:
    """Keep one code of those for which the same is said; say for each code which one."""
    flat = np.moveaxis(told, axis, 0).reshape(told.shape[axis], -1)
    _, firsts, kinds = np.unique(flat, axis=0, return_index=True, return_inverse=True)
    return np.take(told, firsts, axis=axis), kinds.reshape(-1).tolist()


def _chosen(parts: Sequence[str], place: str) -> str:
    """Write what is at a place: if it is everywhere the same, that; of few stretches, by cases."""
    starts = [i for i in range(1, len(parts)) if parts[i] != parts[i - 1]]
    if len(starts) > STRETCHES:
        return f"array({', '.join(parts)})[{place}]"
    cases = " ".join(f"WHEN {place} < {i} THEN {parts[i - 1]}" for i in starts)
    return f"CASE {cases} ELSE {parts[-1]} END" if cases else parts[-1]


def _constant(value: Any, kind: str) -> str:
    """Write what is said as a constant: texts by their bytes, so that no setting quotes them."""
    if value is None:
        return f"CAST(NULL AS {kind})"
    if kind == "string":
        return f"CAST({_bytes(str(value))} AS STRING)"
    return f"CAST('{value!r}' AS {kind})"


def _bytes(text: str) -> str:
    return f"X'{text.encode().hex()}'"
