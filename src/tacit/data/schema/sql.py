"""SQL that every column type is written in: it reads the text of a cell, of any type."""

from __future__ import annotations

from collections.abc import Mapping

from tacit.core.dialect import DUCKDB, Dialect


def literal(text: str, dialect: Dialect = DUCKDB) -> str:
    """Quote a text.

    >>> literal("it's")
    "'it''s'"
    """
    return dialect.literal(text)


def as_text(column: str, dialect: Dialect = DUCKDB) -> str:
    """Return the SQL for the trimmed text of a column."""
    written = f"CAST({dialect.identifier(column)} AS {dialect.text})"
    return dialect.fill(dialect.trim, t=written)


def as_name(column: str, dialect: Dialect = DUCKDB) -> str:
    """Return the SQL for the text by which categories and words are known: that of `cell.text`.

    Floats are written as 2.0 if they are whole, decimals without their zeros, and NaN is NULL.
    """
    return _read(dialect.name, column, dialect)


def as_double(column: str, dialect: Dialect = DUCKDB) -> str:
    """Return the SQL for a column as a float64; NULL, and never NaN, where it is no number.

    Numbers are read from their text: DuckDB decides comparisons with a column of floats by the
    least and greatest value of a file where it knows them, and these leave NaN out.
    """
    return _read(dialect.number, column, dialect)


def as_whole(column: str, dialect: Dialect = DUCKDB) -> str:
    """Return the SQL for a column as integers of more than 64 bits; NULL where it is none."""
    return _read(dialect.whole, column, dialect)


def as_day(column: str, dialect: Dialect = DUCKDB) -> str:
    """Return the SQL for a column as days since 1970; NULL where it is no date."""
    return _read(dialect.day, column, dialect)


def coded_as(read: str, codes: Mapping[str, int], dialect: Dialect = DUCKDB) -> str:
    """Return the SQL for the code of a text; NULL if it has none.

    >>> coded_as("t", {"f": 0, "m": 1})
    "CASE t WHEN 'f' THEN 0 WHEN 'm' THEN 1 END"
    """
    spelled = [(literal(text, dialect), code) for text, code in codes.items()]
    if dialect.lookup:
        pairs = ", ".join(f"{text}, {code}" for text, code in spelled)
        return dialect.fill(dialect.lookup, t=read, pairs=pairs)
    return f"CASE {read} {' '.join(f'WHEN {text} THEN {code}' for text, code in spelled)} END"


def _read(piece: str, column: str, dialect: Dialect) -> str:
    return dialect.fill(piece, x=dialect.identifier(column), t=as_text(column, dialect))
