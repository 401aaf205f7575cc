"""What columns of every type share: as many codes as values, and one more for what is missing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

from tacit.core.dialect import DUCKDB, Dialect
from tacit.core.errors import InvalidArgument

Outside = Literal["clip", "null"]
"""What happens to a cell outside of the declared domain, which makes every map total.

Clip: to the nearest end, and to the first code if there is none. Null: to an extra last code."""


def read_outside(value: object) -> Outside:
    """Read a policy.

    >>> read_outside("clip")
    'clip'
    """
    if value not in ("clip", "null"):
        raise InvalidArgument(f'outside must be "clip" or "null", got {value!r}')
    return "clip" if value == "clip" else "null"


class CodedColumn(ABC):
    """A declared domain whose values have the codes 0, 1, ..., and under "null" one more."""

    __slots__ = ()
    outside: Outside

    @property
    @abstractmethod
    def inside(self) -> int:
        """The number of values."""

    @property
    def size(self) -> int:
        """The number of codes."""
        return self.inside + (self.outside == "null")

    @property
    def bits(self) -> int:
        """How many bits hold a code."""
        return max(1, (self.size - 1).bit_length())

    @property
    def ends(self) -> tuple[int, int]:
        """The codes of what lies below or is unreadable, and of what lies above."""
        inside = self.inside
        return (0, inside - 1) if self.outside == "clip" else (inside, inside)

    @abstractmethod
    def decode(self, code: int) -> object:
        """Return the value of a code; None for the null code."""

    def describe(self, code: int) -> str:
        """Write the value of a code."""
        return "missing" if (value := self.decode(code)) is None else str(value)

    @abstractmethod
    def read_sql(self, column: str, dialect: Dialect = DUCKDB) -> str:
        """Write what is read from a column of any type, in SQL; NULL where that is no value."""

    def coded_sql(self, read: str, dialect: Dialect = DUCKDB) -> str:  # noqa: ARG002
        """Write the code of what `read_sql` gives; by default that is the code, where it is any."""
        return f"coalesce({read}, {self.ends[0]})"

    def code_sql(self, column: str, dialect: Dialect = DUCKDB) -> str:
        """Write the map to codes as a SQL expression over a column of any type.

        >>> from tacit.data import Bits, Category
        >>> Category(["f", "m"]).code_sql("sex").endswith("WHEN 'f' THEN 0 WHEN 'm' THEN 1 END, 0)")
        True
        >>> Bits().code_sql("sick").startswith('coalesce(CASE lower(CASE WHEN typeof("sick")')
        True
        """
        return self.coded_sql(self.read_sql(column, dialect), dialect)

    def between_sql(self, read: str, low: int, high: int) -> str:
        """Write the code of an integer by its distance from the low end of a range."""
        below, above = self.ends
        return (
            f"CASE WHEN {read} > {high} THEN {above} "
            f"WHEN {read} >= {low} THEN CAST({read} - {low} AS BIGINT) ELSE {below} END"
        )

    def has_value(self, code: int) -> bool:
        """Whether a code stands for a value; refuse what is no code of the column."""
        if not 0 <= code < self.size:
            raise InvalidArgument(
                f"a code of this column lies in 0, ..., {self.size - 1}; got {code}"
            )
        return code < self.inside
