"""Columns of integers in a public range."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tacit.core.errors import InvalidArgument
from tacit.core.exact import natural
from tacit.data.cell import WHOLE, number
from tacit.data.kind import INFINITY, Kind, as_double, as_text, identifier, literal
from tacit.data.outside import Outside, check_code, ends, read_outside

LARGEST = 1 << 62
_EXACT = 1 << 53


@dataclass(frozen=True, slots=True)
class Integer:
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
        object.__setattr__(self, "low", natural(self.low, name="low", least=-(1 << 63)))
        object.__setattr__(self, "high", natural(self.high, name="high", least=-(1 << 63)))
        read_outside(self.outside)
        if self.high < self.low:
            raise InvalidArgument(f"high must be at least low = {self.low}, got {self.high}")
        if self.high >= 1 << 63 or self.size > LARGEST:
            raise InvalidArgument("low and high must be 64-bit integers less than 2^62 apart")

    @property
    def size(self) -> int:
        """The number of codes."""
        return self.high - self.low + 1 + (self.outside == "null")

    @property
    def bits(self) -> int:
        """How many bits hold a code."""
        return max(1, (self.size - 1).bit_length())

    @property
    def domain(self) -> str:
        """What the column may hold, in words."""
        return f"integers from {self.low} to {self.high}"

    def holds(self, kind: Kind) -> bool:
        """Whether a column stored so can hold these integers."""
        return kind != "boolean"

    def code(self, value: object) -> int:
        """Map any value whatever to its code."""
        below, above = self._ends
        read = number(value)
        if read is None or read < self.low:
            return below
        return above if read >= self.high + 1 else math.floor(read) - self.low

    def decode(self, code: int) -> int | None:
        """Return the integer of a code; None for the null code."""
        return None if check_code(code, self.size) > self.high - self.low else self.low + code

    def describe(self, code: int) -> str:
        """Write the integer of a code."""
        return "missing" if (value := self.decode(code)) is None else str(value)

    def code_sql(self, column: str, kind: Kind | None = None) -> str:
        """Write the map to codes as a SQL expression.

        Without a kind it is right for every numeric type; if low or high is beyond 2^53, for
        integer types.

        >>> print(Integer(18, 120).code_sql("age"))
        CASE WHEN "age" >= 18 AND "age" < 121 THEN CAST(floor("age") AS BIGINT) - 18
        WHEN "age" >= 121 AND "age" <= CAST('Infinity' AS DOUBLE PRECISION) THEN 102 ELSE 0 END
        """
        if kind is not None:
            return self.coded_sql(self.read_sql(column, kind))
        name, largest = identifier(column), max(abs(self.low), abs(self.high))
        below, above = self._ends
        if largest >= _EXACT:
            return self.coded_sql(name)
        if largest >= 1 << 24:
            name = f"CAST({name} AS DOUBLE PRECISION)"
        return (
            f"CASE WHEN {name} >= {self.low} AND {name} < {self.high + 1} "
            f"THEN CAST(floor({name}) AS BIGINT) - {self.low} "
            f"WHEN {name} >= {self.high + 1} AND {name} <= {INFINITY} THEN {above} ELSE {below} END"
        )

    def read_sql(self, column: str, kind: Kind) -> str:
        """Write the column as integers, rounded down; NULL where it is no number."""
        match kind:
            case "integer":
                return f"CAST({identifier(column)} AS BIGINT)"
            case "wide":
                return f"CAST({identifier(column)} AS HUGEINT)"
        real = as_double(column, kind)
        floor = (
            f"CASE WHEN {real} <= {INFINITY} "
            f"THEN CAST(floor(greatest(least({real}, 1e19), -1e19)) AS HUGEINT) END"
        )
        if kind not in ("text", "decimal") or max(abs(self.low), abs(self.high)) < _EXACT:
            return floor
        read = as_text(column)
        return (
            f"CASE WHEN regexp_full_match({read}, {literal(WHOLE)}) "
            f"THEN TRY_CAST(split_part({read}, '.', 1) AS HUGEINT) ELSE {floor} END"
        )

    def coded_sql(self, read: str) -> str:
        """Write the code of what `read_sql` gives."""
        below, above = self._ends
        return (
            f"CASE WHEN {read} > {self.high} THEN {above} "
            f"WHEN {read} >= {self.low} THEN {read} - {self.low} ELSE {below} END"
        )

    def table(self) -> dict[str, object]:
        """Return the column's table in a schema."""
        return {"type": "integer", "low": self.low, "high": self.high}

    @property
    def _ends(self) -> tuple[int, int]:
        return ends(self.high - self.low + 1, self.outside)
