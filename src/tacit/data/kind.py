"""How an engine stores a column, and the SQL that every column type is written in."""

from __future__ import annotations

import re
from typing import Literal

from tacit.data.cell import BLANKS, NUMBER

Kind = Literal["integer", "wide", "double", "single", "decimal", "boolean", "text"]
"""Integers up to 64 bits signed, larger ones, floats of 64 and of 32 bits, and the rest."""

_KINDS: dict[str, Kind] = {
    "TINYINT": "integer",
    "SMALLINT": "integer",
    "INTEGER": "integer",
    "BIGINT": "integer",
    "UTINYINT": "integer",
    "USMALLINT": "integer",
    "UINTEGER": "integer",
    "UBIGINT": "wide",
    "HUGEINT": "wide",
    "DOUBLE": "double",
    "FLOAT": "single",
    "DECIMAL": "decimal",
    "BOOLEAN": "boolean",
    "VARCHAR": "text",
    "ENUM": "text",
    "UHUGEINT": "text",
    '"NULL"': "text",
}

INFINITY = "CAST('Infinity' AS DOUBLE PRECISION)"


def kind_of(type_name: str) -> Kind | None:
    """Return the kind of a DuckDB type, or None if no column type can be read from it.

    >>> kind_of("DECIMAL(18,2)"), kind_of("UBIGINT"), kind_of("TIMESTAMP"), kind_of("BIGINT[]")
    ('decimal', 'wide', None, None)
    """
    return _KINDS.get(re.sub(r"\(.*\)$", "", type_name, flags=re.DOTALL))


def identifier(name: str) -> str:
    """Quote a name.

    >>> identifier('6" pipe')
    '"6"" pipe"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def double(value: float) -> str:
    """Write a float so that SQL reads it as one.

    >>> double(0.1), double(1e300)
    ('0.1e0', '1e+300')
    """
    written = repr(value)
    return written if "e" in written else f"{written}e0"


def as_text(column: str) -> str:
    """Return the SQL for the trimmed text of a column."""
    blanks = "".join({"\t": r"\t", "\n": r"\n", "\r": r"\r"}.get(c, c) for c in BLANKS)
    return f"trim(CAST({identifier(column)} AS VARCHAR), E'{blanks}')"


def as_double(column: str, kind: Kind) -> str:
    """Return the SQL for a column as a float64; NULL or NaN where it is no number."""
    name = identifier(column)
    if kind == "single":
        name = f"CAST({name} AS VARCHAR)"
    if kind in ("text", "decimal"):
        read = as_text(column)
        matches = f"regexp_full_match({read}, {literal(NUMBER)})"
        return f"CASE WHEN {matches} THEN TRY_CAST({read} AS DOUBLE PRECISION) END"
    return f"CAST({name} AS DOUBLE PRECISION)"
