"""Columns of days in a public range."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold
from tacit.data.schema.cell import DAY, day
from tacit.data.schema.coded_column import CodedColumn, Outside, read_outside
from tacit.data.schema.sql import as_text, literal


@dataclass(frozen=True, slots=True, init=False)
class Date(CodedColumn):
    """Days from low to high; the code is the number of days since low.

    ISO dates are read, and of a time its date as it is written, without a change of zone.

    >>> admitted = Date("2015-01-01", "2026-12-31")
    >>> [admitted.code(v) for v in ("2015-02-01 23:59:59+01:00", date(2015, 1, 2), "1.2.2015")]
    [31, 1, 0]
    >>> admitted.size, admitted.describe(31), admitted.decode(0)
    (4383, '2015-02-01', datetime.date(2015, 1, 1))
    """

    low: date
    high: date
    outside: Outside = "clip"

    def __init__(self, low: date | str, high: date | str, outside: Outside = "clip") -> None:
        hold(self, low=_read(low, "low"), high=_read(high, "high"), outside=read_outside(outside))
        if self.high < self.low:
            raise InvalidArgument(f"high must be at least low = {self.low}, got {self.high}")

    @property
    def inside(self) -> int:
        """The number of days."""
        return (self.high - self.low).days + 1

    @property
    def domain(self) -> str:
        """What the column may hold, in words."""
        return f"days from {self.low} to {self.high}"

    def code(self, value: object) -> int:
        """Map any value whatever to its code."""
        below, above = self.ends
        read = day(value)
        if read is None or read < self.low.toordinal():
            return below
        return above if read > self.high.toordinal() else read - self.low.toordinal()

    def codes(self, days: NDArray[Any]) -> NDArray[np.int64]:
        """Map days, by their numbers in the calendar, to their codes; 0 is no day."""
        below, above = self.ends
        low, high = self.low.toordinal(), self.high.toordinal()
        return np.where(days < low, below, np.where(days > high, above, days - low))

    def decode(self, code: int) -> date | None:
        """Return the day of a code; None for the null code."""
        return date.fromordinal(self.low.toordinal() + code) if self.has_value(code) else None

    def read_sql(self, column: str) -> str:
        """Write the text of a column as dates; NULL where it is none."""
        read = as_text(column)
        matches = f"regexp_full_match({read}, {literal(DAY)})"
        return f"CASE WHEN {matches} THEN TRY_CAST(left({read}, 10) AS DATE) END"

    def coded_sql(self, read: str) -> str:
        """Write the code of what `read_sql` gives."""
        below, above = self.ends
        return (
            f"CASE WHEN {read} > DATE '{self.high}' THEN {above} "
            f"WHEN {read} >= DATE '{self.low}' THEN {read} - DATE '{self.low}' ELSE {below} END"
        )

    def table(self) -> dict[str, object]:
        """Return the column's table in a schema."""
        return {"type": "date", "low": self.low, "high": self.high}


def _read(value: object, name: str) -> date:
    found = None if isinstance(value, datetime) else day(value)
    if found is None:
        raise InvalidArgument(f"{name} must be a date such as 2015-01-31, got {value!r}")
    return date.fromordinal(found)
