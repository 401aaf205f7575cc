"""The schema: each column's public domain, declared and never read off the data."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from tacit.core.bounded_file import read_text
from tacit.core.errors import InvalidArgument, nearest
from tacit.core.frozen import hold
from tacit.core.numbers.exact import told
from tacit.data.schema.columns import Column, read_column, write_column
from tacit.data.schema.real import written

LONGEST = 1 << 22
"""Characters of a schema, read in seconds; 40,000 categories and 5,000 columns take a tenth."""
DEEPEST = 32
"""Parts of a dotted name; the time to read one grows with their square, and we use three."""
_DEEP = re.compile(rf"""(\.[ \t]*([\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*){{{DEEPEST}}}""")


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Schema:
    """Names and types of the columns that may be used.

    >>> schema = Schema.parse('''
    ... [columns.age]
    ... type = "integer"
    ... low = 0
    ... high = 120
    ... [columns.sick]
    ... type = "bits"
    ... ''')
    >>> schema["age"], schema.names
    (Integer(low=0, high=120, outside='clip'), ('age', 'sick'))
    >>> Schema.parse(schema.dump()) == schema
    True
    """

    columns: Mapping[str, Column]

    def __init__(self, columns: Mapping[str, Column]) -> None:
        for name, column in columns.items():
            if not isinstance(name, str) or not name:
                raise InvalidArgument(f"a column's name must be a text, got {name!r}")
            if not isinstance(column, Column):
                raise InvalidArgument(
                    f"column {name!r} must be Integer, Real, Date, Category or Bits, "
                    f"got {type(column).__name__}"
                )
        if not columns:
            raise InvalidArgument("a schema needs at least one column: [columns.NAME]")
        hold(self, columns=MappingProxyType(dict(columns)))

    @classmethod
    def read(cls, path: str | Path) -> Schema:
        """Read a schema from a TOML file."""
        try:
            return cls.parse(read_text(path))
        except OSError:
            raise InvalidArgument(
                f"the schema {path} cannot be read; write one with: tacit schema template FILE"
            ) from None
        except UnicodeDecodeError:
            raise InvalidArgument(f"the schema {path} is not a UTF-8 text file") from None

    @classmethod
    def parse(cls, text: str) -> Schema:
        """Read a schema from TOML text; the last few texts are remembered: schemas are frozen."""
        return _parsed(text)

    @classmethod
    def _read(cls, text: str) -> Schema:
        if len(text) > LONGEST or _DEEP.search(text):
            raise InvalidArgument(
                f"the schema has more than {LONGEST} characters, or names of more than {DEEPEST} "
                "parts with dots between them; declare fewer columns or values"
            )
        try:
            document = tomllib.loads(text, parse_float=_decimal)
        except tomllib.TOMLDecodeError as error:
            raise InvalidArgument(f"the schema is not valid TOML: {told(error)}") from None
        except InvalidArgument:
            raise
        except (RecursionError, ValueError):
            raise InvalidArgument(
                "the schema is nested too deep, or has an integer of thousands of digits; a column "
                "is declared by [columns.NAME]"
            ) from None
        if unknown := sorted(document.keys() - {"columns"}):
            raise InvalidArgument(
                f"the schema has unknown entries {told(', '.join(unknown))}; "
                "a column is declared by [columns.NAME]"
            )
        columns = document.get("columns", {})
        if not isinstance(columns, dict):
            raise InvalidArgument("columns must be tables: [columns.NAME]")
        return cls({name: read_column(name, table) for name, table in columns.items()})

    def dump(self) -> str:
        """Write the schema as TOML."""
        tables = []
        for name, column in self.columns.items():
            entries = [f"{key} = {_toml(value)}" for key, value in write_column(column).items()]
            tables.append("\n".join([f"[columns.{key(name)}]", *entries, ""]))
        return "\n".join(tables)

    @property
    def digest(self) -> str:
        """The SHA-256 of the canonical form; the order of the columns does not matter."""
        tables = {name: write_column(column) for name, column in self.columns.items()}
        canonical = json.dumps(tables, sort_keys=True, default=str, separators=(",", ":"))
        return sha256(canonical.encode()).hexdigest()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self.columns)

    def __getitem__(self, name: str) -> Column:
        if name not in self.columns:
            hint = nearest(name, self.names) or f"declare [columns.{key(name)}]"
            raise InvalidArgument(f"the schema has no column {name!r}; {hint}")
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[type[Schema], tuple[dict[str, Column]]]:
        return Schema, (dict(self.columns),)


@lru_cache(maxsize=8)
def _parsed(text: str) -> Schema:
    return Schema._read(text)  # noqa: SLF001


def key(name: str) -> str:
    """Write a name as a TOML key.

    >>> key("age"), key("body mass")
    ('age', '"body mass"')
    """
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)


def _decimal(text: str) -> Decimal:
    value = Decimal(text)
    if value.is_finite() and abs(value.adjusted()) > 400:
        raise InvalidArgument(f"the schema has the number {text[:40]}, which is no public range")
    return value


def _toml(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Fraction):
        said = written(value)
        return json.dumps(said) if "/" in said else said
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
