"""Made-up rows in the words of the table they were made for, with what they cost."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from typing import Any, BinaryIO, TextIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from tacit.core.cost import Cost
from tacit.core.cost_json import encode_cost
from tacit.core.privacy import Privacy
from tacit.data.schema.schema import Schema
from tacit.sanitizers.contract.questions import Questions
from tacit.sanitizers.contract.synthetic import Synthetic

PART = 1 << 16


@dataclass(frozen=True, slots=True)
class SyntheticTable:
    """Synthetic rows over the columns of a schema; all of it may be told.

    With probability at least 1 - beta, no question of the family is answered by these rows with an
    error, as a share of rows, above `error`.
    """

    columns: tuple[str, ...]
    synthetic: Synthetic
    schema: Schema
    questions: Questions
    method: str
    n: int
    cost: Cost
    privacy: Privacy
    error: Fraction
    beta: Fraction
    secure: bool
    version: str

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.synthetic.n

    @property
    def table(self) -> dict[str, list[Any]]:
        """The rows, as a list of values for each column; missing ones are None."""
        columns: dict[str, list[Any]] = {name: [] for name in self.columns}
        for values, count in self._records():
            for name, value in zip(self.columns, values, strict=True):
                columns[name].extend(repeat(value, count))
        return columns

    def describe(self) -> dict[str, Any]:
        """Return all but the rows, for JSON."""
        return {
            "rows": self.rows,
            "cost": encode_cost(self.cost),
            "epsilon": float(self.privacy.epsilon),
            "delta": float(self.privacy.delta),
            "error_promised": float(self.error) if self.error < 1 else None,
            "beta": float(self.beta),
            "queries": str(self.questions),
            "method": self.method,
            "columns": list(self.columns),
            "n": self.n,
            "secure": self.secure,
            "schema": self.schema.digest,
            "version": self.version,
        }

    def write_csv(self, text: TextIO) -> None:
        """Write a header and the rows; missing values are empty."""
        table = csv.writer(text, lineterminator="\n")
        table.writerow(self.columns)
        for values, count in self._records():
            table.writerows(repeat(values, count))

    def write_parquet(self, file: BinaryIO) -> None:
        """Write the rows as Parquet."""
        pyarrow.parquet.write_table(pa.table(self.table), file)

    def _records(self) -> Iterator[tuple[Sequence[Any], int]]:
        """Yield the different rows with their numbers, in order."""
        decoders = [self.schema[name].decode for name in self.columns]
        shape, table = self.synthetic.shape, self.synthetic.table
        for start in range(0, len(table), PART):
            part = table[start : start + PART]
            cells = np.array([cell for cell, _ in part], dtype=np.int64)
            codes = zip(*(axis.tolist() for axis in np.unravel_index(cells, shape)), strict=True)
            for row, (_, count) in zip(codes, part, strict=True):
                yield [decode(code) for decode, code in zip(decoders, row, strict=True)], count
