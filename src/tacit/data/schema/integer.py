"""Columns of integers in a public range."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.dialect import DUCKDB, Dialect
from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold
from tacit.core.numbers.exact import natural
from tacit.data.schema.cell import number
from tacit.data.schema.coded_column import CodedColumn, Outside, read_outside
from tacit.data.schema.sql import as_double, as_whole

LARGEST = 1 << 62
"""The most values of a column: codes and sums of two of them stay within 64 bits."""
_EXACT = 1 << 53
"""Up to here every integer is a float64."""
_LAST = (1 << 63) - 1
_BEYOND = float(1 << 63)
"""The first float64 that is too large for a signed integer of 64 bits; its negative is not."""
_BEYOND_SQL = "9.223372036854775808e18"


@dataclass(frozen=True, slots=True)
class Integer(CodedColumn):
    """Integers from low to high; the code of x is x - low.

    A number with a fraction is rounded down first, so that "at least 65" means the same for the
    number and for its code.

    >>> age = Integer(18, 120)
    >>> age.size, [age.code(v) for v in (18, 65.9, 300, "40", None)]
    (103, [0, 47, 102, 22, 0])
    >>> age.describe(47), Integer(18, 120, outside="null").code("forty")
    ('65', 103)
    """

    low: int
    high: int
    outside: Outside = "clip"

    def __post_init__(self) -> None:
        hold(self, low=natural(self.low, name="low", least=-(1 << 63)))
        hold(self, high=natural(self.high, name="high", least=-(1 << 63)))
        read_outside(self.outside)
        if self.high < self.low:
            raise InvalidArgument(f"high must be at least low = {self.low}, got {self.high}")
        if self.high >= 1 << 63 or self.size > LARGEST:
            raise InvalidArgument("low and high must be 64-bit integers less than 2^62 apart")

    @property
    def inside(self) -> int:
        """The number of values."""
        return self.high - self.low + 1

    @property
    def domain(self) -> str:
        """What the column may hold, in words."""
        return f"integers from {self.low} to {self.high}"

    def code(self, value: object) -> int:
        """Map any value whatever to its code."""
        below, above = self.ends
        read = number(value)
        if read is None or read < self.low:
            return below
        return above if read >= self.high + 1 else math.floor(read) - self.low

    def codes(self, numbers: NDArray[Any]) -> NDArray[np.int64]:
        """Map each number of an array to its code; `code`, for many, by comparing integers."""
        below, above = self.ends
        if numbers.dtype.kind == "f":
            return self._of_floats(numbers)
        if numbers.dtype == np.uint64:
            large = numbers > _LAST
            codes = self.codes(np.where(large, 0, numbers).astype(np.int64))
            codes[large] = above
            return codes
        whole = numbers.astype(np.int64, copy=False)
        if self.outside == "clip":
            return np.clip(whole, self.low, self.high) - self.low
        inside = (whole >= self.low) & (whole <= self.high)
        return np.where(inside, whole - self.low, below)

    def _of_floats(self, numbers: NDArray[Any]) -> NDArray[np.int64]:
        """Round down, which leaves integers: those that 64 bits hold are compared as such."""
        below, above = self.ends
        floor = np.floor(numbers)
        held = (floor >= -_BEYOND) & (floor < _BEYOND)
        codes = self.codes(np.where(held, floor, 0).astype(np.int64))
        codes[~held] = below
        codes[floor >= _BEYOND] = above
        return codes

    def decode(self, code: int) -> int | None:
        """Return the integer of a code; None for the null code."""
        return self.low + code if self.has_value(code) else None

    def read_sql(self, column: str, dialect: Dialect = DUCKDB) -> str:
        """Write the text of a column as integers, rounded down; NULL where it is no number."""
        real, exact = as_double(column, dialect), as_whole(column, dialect)
        beyond = 10**19 if self._wide else 10**18
        floor = (
            f"CASE WHEN {real} >= {_BEYOND_SQL} THEN {beyond} "
            f"WHEN {real} < -{_BEYOND_SQL} THEN -{beyond} "
            f"ELSE {dialect.fill(dialect.floor, t=real)} END"
        )
        return f"coalesce({exact}, {floor})" if self._wide else floor

    def coded_sql(self, read: str, dialect: Dialect = DUCKDB) -> str:  # noqa: ARG002
        """Write the code of what `read_sql` gives."""
        return self.between_sql(read, self.low, self.high)

    @property
    def _wide(self) -> bool:
        """Whether there are values that float64 does not tell apart."""
        return max(abs(self.low), abs(self.high)) >= _EXACT

    def table(self) -> dict[str, object]:
        """Return the column's table in a schema."""
        return {"type": "integer", "low": self.low, "high": self.high}
