"""How names and texts are written in SQL."""

from __future__ import annotations


def identifier(name: str) -> str:
    """Quote the name of a column.

    >>> identifier('the "age" now')
    '"the ""age"" now"'
    """
    return '"' + name.replace('"', '""') + '"'


def string(text: str) -> str:
    """Quote a text.

    >>> string("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"
