"""Columns of yes or no: labels, and features of one bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.data.schema.cell import BLANKS, text
from tacit.data.schema.coded_column import CodedColumn
from tacit.data.schema.outside import Outside, read_outside
from tacit.data.schema.sql import as_text, literal

YES = ("1", "1.0", "true", "t", "yes", "y")
NO = ("0", "0.0", "-0.0", "false", "f", "no", "n")


@dataclass(frozen=True, slots=True)
class Bits(CodedColumn):
    """0 or 1, false or true, no or yes; labels are of this type.

    >>> sick = Bits()
    >>> [sick.code(v) for v in (1, 0.0, True, "Yes", "n", 7, None)]
    [1, 0, 1, 1, 0, 0, 0]
    >>> Bits(outside="null").size, Bits(outside="null").code(7)
    (3, 2)
    """

    outside: Outside = "clip"

    domain: ClassVar[str] = "0 and 1"
    inside: ClassVar[int] = 2

    def __post_init__(self) -> None:
        read_outside(self.outside)

    def code(self, value: object) -> int:
        """Map any value whatever to its code."""
        read = (text(value) or "").strip(BLANKS).lower()
        return 1 if read in YES else 0 if read in NO else self.ends[0]

    def codes(self, numbers: NDArray[Any]) -> NDArray[np.int64]:
        """Map each number of an array to its code; `code`, for many."""
        yes = (numbers == 1).astype(np.int64)
        return yes if self.outside == "clip" else np.where((numbers == 0) | (yes == 1), yes, 2)

    def decode(self, code: int) -> int | None:
        """Return the bit of a code; None for the null code."""
        return code if self.has_value(code) else None

    def describe(self, code: int) -> str:
        """Write the bit of a code."""
        return ("no", "yes")[code] if self.has_value(code) else "missing"

    def read_sql(self, column: str) -> str:
        """Write the text of a column as 0 and 1; NULL, or under clip also 0, where it is neither.

        No IN (...): DuckDB makes a join of it, and a join does not keep the order of the rows.
        """
        cases = [f"WHEN {literal(word)} THEN 1" for word in YES]
        if self.outside == "null":
            cases += [f"WHEN {literal(word)} THEN 0" for word in NO]
        return f"CASE lower({as_text(column)}) {' '.join(cases)} END"

    def coded_sql(self, read: str) -> str:
        """Write the code of what `read_sql` gives."""
        return f"coalesce({read}, {self.ends[0]})"

    def table(self) -> dict[str, object]:
        """Return the column's table in a schema."""
        return {"type": "bits"}
