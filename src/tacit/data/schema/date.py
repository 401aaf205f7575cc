"""Columns of days in a public range."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.dialect import DUCKDB, Dialect
from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold
from tacit.data.schema.cell import EPOCH, day
from tacit.data.schema.coded_column import CodedColumn, Outside, read_outside
from tacit.data.schema.sql import as_day


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

    def read_sql(self, column: str, dialect: Dialect = DUCKDB) -> str:
        """Write the text of a column as days since 1970; NULL where it is no date."""
        return as_day(column, dialect)

    def coded_sql(self, read: str, dialect: Dialect = DUCKDB) -> str:  # noqa: ARG002
        """Write the code of what `read_sql` gives."""
        low, high = (end.toordinal() - EPOCH for end in (self.low, self.high))
        return self.between_sql(read, low, high)

    def table(self) -> dict[str, object]:
        """Return the column's table in a schema."""
        return {"type": "date", "low": self.low, "high": self.high}


def _read(value: object, name: str) -> date:
    found = None if isinstance(value, datetime) else day(value)
    if found is None:
        raise InvalidArgument(f"{name} must be a date such as 2015-01-31, got {value!r}")
    return date.fromordinal(found)
