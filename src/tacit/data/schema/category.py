"""Columns of named categories."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tacit.core.dialect import DUCKDB, Dialect
from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold
from tacit.data.schema.cell import BLANKS, text
from tacit.data.schema.coded_column import CodedColumn, Outside, read_outside
from tacit.data.schema.sql import as_name, coded_as, literal

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,14}")
_MANY = 64
WIDEST = 1024
"""Bits of an integer that is a category: the largest that a table holds as a number."""


@dataclass(frozen=True, slots=True, init=False)
class Category(CodedColumn):
    """One of the declared values; its code is its place among them.

    Values are compared as text, trimmed; a value that is a whole number also matches the number.

    >>> sex = Category(["f", "m"], outside="null")
    >>> sex.size, [sex.code(v) for v in ("f", " m ", "F", None)]
    (3, [0, 1, 2, 2])
    >>> sex.describe(1), Category([1, 2]).code(2.0)
    ('m', 1)
    """

    values: tuple[str | int, ...]
    outside: Outside = "clip"
    _spellings: dict[str, int] = field(init=False, repr=False, compare=False, hash=False)

    def __init__(self, values: Sequence[str | int], outside: Outside = "clip") -> None:
        held = read_values(values, name="values")
        hold(self, values=held, outside=read_outside(outside), _spellings=spelled(held))

    @property
    def inside(self) -> int:
        """The number of values."""
        return len(self.values)

    @property
    def spellings(self) -> dict[str, int]:
        """All trimmed texts of all values, each with its code."""
        return dict(self._spellings)

    @property
    def domain(self) -> str:
        """What the column may hold, in words."""
        return f"one of {len(self.values)} categories"

    @property
    def holds_numbers(self) -> bool:
        """Whether a number can be one of the categories."""
        return any(_WHOLE.fullmatch(str(value)) for value in self.values)

    def code(self, value: object) -> int:
        """Map any value whatever to its code."""
        return self._spellings.get((text(value) or "").strip(BLANKS), self.ends[0])

    def decode(self, code: int) -> str | int | None:
        """Return the category of a code; None for the null code."""
        return self.values[code] if self.has_value(code) else None

    def read_sql(self, column: str, dialect: Dialect = DUCKDB) -> str:
        """Write the place of the text of a column among the values; NULL if it is none of them."""
        read, places = as_name(column, dialect), self._spellings
        if len(places) > _MANY and dialect == DUCKDB:
            names = ", ".join(literal(name) for name in places)
            codes = ", ".join(str(code) for code in places.values())
            return f"[{codes}][enum_code(TRY_CAST({read} AS ENUM ({names}))) + 1]"
        return coded_as(read, places, dialect)

    def table(self) -> dict[str, object]:
        """Return the column's table in a schema."""
        return {"type": "category", "values": list(self.values)}


def spelled(values: Sequence[str | int]) -> dict[str, int]:
    """Return all texts of each value: 2 is also what a float column writes as 2.0.

    >>> spelled(["f", 2])
    {'2.0': 1, 'f': 0, '2': 1}
    """
    exact = {str(value): code for code, value in enumerate(values)}
    floats = {f"{name}.0": code for name, code in exact.items() if _WHOLE.fullmatch(name)}
    if "0" in exact:
        floats["-0.0"] = exact["0"]
    return floats | exact


def read_values(values: Sequence[str | int], *, name: str) -> tuple[str | int, ...]:
    """Read a list of different texts and integers.

    >>> read_values(["f", "m"], name="values")
    ('f', 'm')
    """
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InvalidArgument(f'{name} must be a list such as ["f", "m"]')
    held = tuple(_value(value, name) for value in values)
    if not held:
        raise InvalidArgument(f'{name} must name at least one category, such as ["f", "m"]')
    times = Counter(map(str, held))
    if twice := next((text for text, many in times.items() if many > 1), None):
        raise InvalidArgument(f"{name} names {twice!r} twice; name each category once")
    return held


def _value(value: object, name: str) -> str | int:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InvalidArgument(
            f"{name} must be texts or integers, got {type(value).__name__}; "
            'for yes and no, type = "bits"'
        )
    if isinstance(value, int) and value.bit_length() > WIDEST:
        raise InvalidArgument(f"{name} must be texts, or integers of up to {WIDEST} bits")
    if not str(value).isprintable() or str(value).strip() != str(value) or value == "":
        raise InvalidArgument(f"{name} must be printable, trimmed and not empty, got {value!r}")
    return value
