"""Equal raw rows, grouped by Spark: only different ones cross from Java to our code.

Reading is a function of a row's cells, so equal rows are read once and weighed by their number.
What is equal must be so for our reader too. Integers, truth values, days and bytes are; texts as
bytes, whatever their collation says; a missing cell is equal to missing ones alone, and an empty
text is none. Of floats, decimals and times engines differ in what is equal (NaN, -0.0), so a row
with one of these is not grouped. Nor are rows of persons: few of theirs are equal.
"""

from __future__ import annotations

import re
from typing import Any

from tacit.data.persons.identity import Identity
from tacit.data.reading.coding import Coding

_SAME = re.compile(r"tinyint|smallint|int|bigint|boolean|date|binary|string")
"""Types whose cells are equal if their bytes are: `string` is one without a collation."""
_TEXT = re.compile(r"(string|char|varchar)\b.*")


def gathered(rows: Any, coding: Coding) -> Any | None:
    """Group a frame of raw columns c0, ... by its cells, and count; None where that is not certain.

    What comes back has their columns, texts with a collation as bytes, and the rows of each.
    """
    if any(isinstance(column, Identity) for column in coding.columns):
        return None
    cells = [_told_apart(name, stored) for name, stored in rows.dtypes]
    if not all(cells):
        return None
    return rows.selectExpr(*cells).groupBy(*rows.columns).count()


def _told_apart(name: str, stored: str) -> str | None:
    if _SAME.fullmatch(stored):
        return name
    return f"CAST({name} AS BINARY) AS {name}" if _TEXT.fullmatch(stored) else None
