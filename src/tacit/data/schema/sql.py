"""SQL for DuckDB that every column type is written in: it reads the text of a cell, of any type."""

from __future__ import annotations

from tacit.data.schema.cell import BLANKS, NUMBER


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


def as_double(column: str) -> str:
    """Return the SQL for a column as a float64; NULL, and never NaN, where it is no number.

    Numbers are read from their text: DuckDB decides comparisons with a column of floats by the
    least and greatest value of a file where it knows them, and these leave NaN out.
    """
    read = as_text(column)
    matches = f"regexp_full_match({read}, {literal(NUMBER)})"
    return f"CASE WHEN {matches} THEN TRY_CAST({read} AS DOUBLE PRECISION) END"
