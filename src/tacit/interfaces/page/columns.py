"""The schema of the Learn page: a form becomes a schema; ranges are never read off the data."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

from tacit.core.errors import InvalidArgument
from tacit.data import Schema
from tacit.data.schema.columns import read_column
from tacit.interfaces.page.serving.fields import Fields

MOST_COLUMNS = 300
TYPES = ("integer", "real", "category", "bits")
POLICIES = ("clip", "null")


def schema_of(asked: Fields) -> Schema:
    """Read the form: one object a column that is used, with its type and its public range."""
    given = asked.given.get("columns", [])
    if not isinstance(given, list) or not 0 < len(given) <= MOST_COLUMNS:
        raise InvalidArgument(f"declare 1 to {MOST_COLUMNS} columns")
    return Schema(dict(map(_column, map(Fields, given))))


def _column(asked: Fields) -> tuple[str, Any]:
    name = asked.text("name", longest=500)
    kind = asked.choice("type", TYPES)
    table: dict[str, object] = {"type": kind}
    if kind in ("integer", "real"):
        table |= {end: _number(asked, name, end) for end in ("low", "high")}
    if kind == "real":
        table["step"] = _number(asked, name, "step")
    if kind == "category":
        table["values"] = asked.texts("values", most=1000)
    policy = asked.choice("outside", POLICIES, default="clip")
    return name, read_column(name, table | ({} if policy == "clip" else {"outside": policy}))


def _number(asked: Fields, column: str, name: str) -> int | Decimal:
    text = asked.text(name, longest=30, default="").strip()
    if not text:
        raise InvalidArgument(
            f"column {column!r}: fill in {name}, from public knowledge and not from the data"
        )
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise InvalidArgument(f"column {column!r}: {name} must be a number") from None
    if not value.is_finite() or abs(value.adjusted()) > 30:
        raise InvalidArgument(f"column {column!r}: {name} is no public range")
    return int(value) if value == value.to_integral_value() else value
