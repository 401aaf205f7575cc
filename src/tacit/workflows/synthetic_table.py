"""Made-up rows in the words of the table they were made for, with what they cost."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from typing import Any, BinaryIO, TextIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from numpy.typing import NDArray

from tacit.core.cost import Cost
from tacit.core.cost_json import encode_cost
from tacit.core.privacy import Privacy
from tacit.core.unit import ROWS, Unit
from tacit.data.schema.schema import Schema
from tacit.sanitizers.contract.questions import Questions
from tacit.sanitizers.contract.synthetic import Synthetic, SyntheticRows
from tacit.workflows.counting.bins import Bins
from tacit.workflows.counting.units import told_unit

PART = 1 << 16


@dataclass(frozen=True, slots=True)
class SyntheticTable:
    """Synthetic rows over the columns of a schema; all of it may be told.

    With probability at least 1 - beta, no question of the family is answered by these rows with an
    error, as a share of rows, above `error`.
    """

    bins: tuple[Bins, ...]
    synthetic: Synthetic | SyntheticRows
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
    unit: Unit = ROWS

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(each.name for each in self.bins)

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
            "bins": {each.name: each.labels for each in self.bins if each.edges},
            "n": self.n,
            "secure": self.secure,
            **told_unit(self.unit),
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
        decoders = [each.column.decode for each in self.bins]
        for codes, count in self._codes():
            if any(each.edges for each in self.bins):
                pairs = zip(self.bins, codes.T, strict=True)
                spread = [each.spread(held, place) for place, (each, held) in enumerate(pairs)]
                codes = np.stack(spread, axis=1)
            for row, many in zip(codes.tolist(), count, strict=True):
                yield [decode(code) for decode, code in zip(decoders, row, strict=True)], many

    def _codes(self) -> Iterator[tuple[NDArray[np.int64], Iterable[int]]]:
        """Yield the different rows by their codes; all rows, if values are spread within bins."""
        made = self.synthetic
        if isinstance(made, SyntheticRows) or any(each.edges for each in self.bins):
            yield made.rows(), repeat(1, made.n)
            return
        for start in range(0, len(made.table), PART):
            cells, counts = zip(*made.table[start : start + PART], strict=True)
            yield np.stack(np.unravel_index(np.array(cells), made.shape), axis=1), counts
