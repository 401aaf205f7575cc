"""How texts are written in SQL."""

from __future__ import annotations


def string(text: str) -> str:
    """Quote a text.

    >>> string("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"
