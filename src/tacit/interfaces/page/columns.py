"""The schema of the Learn page: a form becomes a schema; ranges are never read off the data."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from tacit.core.errors import InvalidArgument
from tacit.data import Schema
from tacit.data.schema.columns import read_column
from tacit.interfaces.page.serving.fields import Fields

MOST_COLUMNS = 300
MOST_CUTS = 100
LONGEST = 200_000
TYPES = ("integer", "real", "date", "category", "bits")
POLICIES = ("clip", "null")


def schema_of(asked: Fields) -> Schema:
    """Read the form: one object a column that is used, with its type and its public range."""
    given = asked.given.get("columns", [])
    if not isinstance(given, list) or not 0 < len(given) <= MOST_COLUMNS:
        raise InvalidArgument(f"declare 1 to {MOST_COLUMNS} columns")
    return Schema(dict(map(_column, map(Fields, given))))


def cuts_of(asked: Fields) -> dict[str, list[str]]:
    """Return where columns of numbers and dates are cut, of those of which the form says so."""
    given = [Fields(each) for each in asked.given["columns"]]
    cuts = {each.text("name", longest=500): each.texts("cuts", most=MOST_CUTS) for each in given}
    return {name: places for name, places in cuts.items() if places}


def read_schema(asked: Fields, tell: Callable[[str], None]) -> dict[str, Any]:  # noqa: ARG001
    """Read the text of a schema, for the form to be filled in with it."""
    return described(asked.text("text", longest=LONGEST))


def described(text: str) -> dict[str, Any]:
    """Return the columns of a schema as the form has them; what it lacks is refused.

    >>> described('[columns.age]\\ntype = "integer"\\nlow = 0\\nhigh = 120')["columns"]
    [{'name': 'age', 'type': 'integer', 'low': '0', 'high': '120'}]
    """
    schema = Schema.parse(text)
    known = tomllib.loads(schema.dump(), parse_float=str)["columns"]
    if other := sorted({str(each["type"]) for each in known.values()} - {*TYPES}):
        raise InvalidArgument(f"the page has no columns of type {other[0]}; use the command line")

    def said(value: Any) -> Any:
        return [str(each) for each in value] if isinstance(value, list) else str(value)

    columns = [
        {"name": name} | {key: said(value) for key, value in each.items()}
        for name, each in known.items()
    ]
    return {"columns": columns}


def _column(asked: Fields) -> tuple[str, Any]:
    name = asked.text("name", longest=500)
    kind = asked.choice("type", TYPES)
    table: dict[str, object] = {"type": kind}
    if kind in ("integer", "real"):
        table |= {end: _number(asked, name, end) for end in ("low", "high")}
    if kind == "real":
        table["step"] = _number(asked, name, "step")
    if kind == "date":
        table |= {end: _filled(asked, name, end) for end in ("low", "high")}
    if kind == "category":
        table["values"] = asked.texts("values", most=1000)
    if kind == "bits" and (words := asked.texts("yes", most=1000)):
        table["yes"] = words
    policy = asked.choice("outside", POLICIES, default="clip")
    return name, read_column(name, table | ({} if policy == "clip" else {"outside": policy}))


def _filled(asked: Fields, column: str, name: str) -> str:
    text = asked.text(name, longest=30, default="").strip()
    if not text:
        raise InvalidArgument(
            f"column {column!r}: fill in {name}, from public knowledge and not from the data, or "
            "leave the column out"
        )
    return text


def _number(asked: Fields, column: str, name: str) -> int | Decimal:
    text = _filled(asked, column, name)
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise InvalidArgument(f"column {column!r}: {name} must be a number") from None
    if not value.is_finite() or abs(value.adjusted()) > 30:
        raise InvalidArgument(f"column {column!r}: {name} is no public range")
    return int(value) if value == value.to_integral_value() else value
