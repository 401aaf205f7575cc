"""Counts, means and quantiles with their intervals: what `count` lets out."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TextIO

from tacit.core.cost import ReleaseCost
from tacit.core.privacy import Privacy
from tacit.core.unit import ROWS, Unit
from tacit.workflows.counting.units import told_unit


@dataclass(frozen=True, slots=True)
class TableNumber:
    """One number, and the ends between which that of the table is.

    A count, if it is `of` no column; a quantile, if it has a level; else a mean. `cell` says which
    rows: the bin of each column that is counted by, in order.
    """

    value: int | float
    low: int | float
    high: int | float
    of: str = ""
    level: Fraction | None = None
    cell: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """What it is: count, mean or quantile."""
        return "count" if not self.of else "mean" if self.level is None else "quantile"


@dataclass(frozen=True, slots=True)
class TableAnswers:
    """All answers, what they cost together, and how sure each interval is.

    Each interval holds the table's own number with probability at least `confidence`, over the
    noise; it says nothing about a population that the rows were drawn from. Of persons the table is
    that of one row each, drawn among theirs. n is None where it is secret.
    """

    by: tuple[str, ...]
    answers: tuple[TableNumber, ...]
    n: int | None
    noise: str
    confidence: Fraction
    cost: ReleaseCost
    privacy: Privacy
    secure: bool
    unit: Unit = ROWS

    def describe(self) -> dict[str, Any]:
        """Return a JSON object; exact numbers are strings."""
        return {
            "by": list(self.by),
            "answers": [dict(zip(self.header, row, strict=True)) for row in self.table()],
            "n": self.n,
            "noise": self.noise,
            "confidence": str(self.confidence),
            "privacy": {"epsilon": str(self.privacy.epsilon), "delta": str(self.privacy.delta)},
            "secure": self.secure,
            **told_unit(self.unit),
        }

    @property
    def header(self) -> list[str]:
        """The names of the columns of `table`; those of a table that come twice are told apart."""
        known = ["statistic", "column", "level", "value", "low", "high"]
        return [*(f"by {name}" if name in known else name for name in self.by), *known]

    def table(self) -> Iterator[list[Any]]:
        """Yield a row for each answer; cells that do not apply are empty."""
        for told in self.answers:
            cell = told.cell or ("",) * len(self.by)
            level = "" if told.level is None else str(told.level)
            yield [*cell, told.kind, told.of, level, told.value, told.low, told.high]

    def write_csv(self, text: TextIO) -> None:
        """Write a header, and a row for each answer."""
        table = csv.writer(text, lineterminator="\n")
        table.writerow(self.header)
        table.writerows(self.table())
