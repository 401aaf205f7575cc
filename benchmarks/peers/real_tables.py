"""Two real tables with their public domains: Adult, and the General Social Survey on abortion.

Domains, categories and cuts are written down from the tables' documentation, not read off the rows.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.rules.literals import Literal, cuts
from tacit.concepts.rules.rules import Column, Rules
from tacit.statistics import LabelCounts

WIDTH = 2


@dataclass(frozen=True, slots=True)
class Number:
    """A column of numbers: its range, and where rules may cut it."""

    name: str
    low: int
    high: int
    cuts: tuple[int, ...]

    def code(self, text: str) -> int:
        """Return the number, clipped."""
        return min(max(int(float(text)), self.low), self.high)

    def literals(self, column: int) -> list[Literal]:
        """Return what rules may ask of it."""
        return cuts(column, self.cuts)

    def features(self, codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the one column that other libraries get: scaled to [0, 1]."""
        return (codes[:, None] - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class Category:
    """A column of categories; anything else counts as the last."""

    name: str
    values: tuple[str, ...]

    @property
    def low(self) -> int:
        """The code of the first category."""
        return 0

    @property
    def high(self) -> int:
        """The code of the last category."""
        return len(self.values) - 1

    def code(self, text: str) -> int:
        """Return the place of a category."""
        return self.values.index(text) if text in self.values else self.high

    def literals(self, column: int) -> list[Literal]:
        """Return what rules may ask of it: is it this, is it not."""
        ways = ("=", "!=") if len(self.values) > 2 else ("=",)
        return [
            Literal(column, way, place, shown=value)
            for place, value in enumerate(self.values)
            for way in ways
        ]

    def features(self, codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the columns that other libraries get: one a category."""
        return np.eye(len(self.values))[codes]


@dataclass(frozen=True, slots=True)
class Source:
    """A table: its columns with their places in the file, and which label says yes."""

    name: str
    columns: dict[int, Number | Category]
    label: int
    yes: str

    @property
    def rules(self) -> Rules:
        """All rules of at most two literals."""
        domain = [Column(c.name, c.low, c.high) for c in self.columns.values()]
        parts = [c.literals(place) for place, c in enumerate(self.columns.values())]
        return Rules(domain, [literal for part in parts for literal in part], WIDTH)

    def read(self, path: Path) -> Rows:
        """Read one of its files."""
        with path.open(newline="") as file:
            lines = list(csv.reader(file))
        codes = [[c.code(line[place]) for place, c in self.columns.items()] for line in lines]
        marks = [line[self.label] == self.yes for line in lines]
        return Rows(np.array(codes, dtype=np.int64), np.array(marks))

    def features(self, points: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what other libraries get: numbers in [0, 1], so no row is longer than sqrt(k)."""
        parts = zip(self.columns.values(), points.T, strict=True)
        return np.hstack([column.features(codes) for column, codes in parts])


@dataclass(frozen=True, slots=True)
class Rows:
    """Coded rows with their label."""

    points: NDArray[np.int64]
    marks: NDArray[np.bool_]

    def counts(self) -> LabelCounts:
        """Count equal rows."""
        points, where, totals = np.unique(
            self.points, axis=0, return_inverse=True, return_counts=True
        )
        ones = np.bincount(where.ravel(), weights=self.marks, minlength=len(points))
        return LabelCounts(len(self.marks), 1, points, totals, ones.astype(np.int64)[:, None])


def _every(low: int, high: int, step: int) -> tuple[int, ...]:
    return tuple(range(low, high + 1, step))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split("; "))


ADULT = Source(
    "Adult",
    {
        0: Number("age", 17, 90, _every(20, 75, 5)),
        1: Category(
            "workclass",
            _listed(
                "Private; Self-emp-not-inc; Self-emp-inc; Federal-gov; Local-gov; State-gov; "
                "Without-pay; Never-worked; ?"
            ),
        ),
        4: Number("years of education", 1, 16, _every(2, 16, 1)),
        5: Category(
            "marital status",
            _listed(
                "Married-civ-spouse; Divorced; Never-married; Separated; Widowed; "
                "Married-spouse-absent; Married-AF-spouse"
            ),
        ),
        6: Category(
            "occupation",
            _listed(
                "Tech-support; Craft-repair; Other-service; Sales; Exec-managerial; "
                "Prof-specialty; Handlers-cleaners; Machine-op-inspct; Adm-clerical; "
                "Farming-fishing; Transport-moving; Priv-house-serv; Protective-serv; "
                "Armed-Forces; ?"
            ),
        ),
        7: Category(
            "relationship",
            _listed("Wife; Own-child; Husband; Not-in-family; Other-relative; Unmarried"),
        ),
        8: Category("race", _listed("White; Asian-Pac-Islander; Amer-Indian-Eskimo; Other; Black")),
        9: Category("sex", _listed("Female; Male")),
        10: Number("capital gain", 0, 99_999, (1, 1000, 2000, 5000, 10_000, 20_000, 50_000)),
        11: Number("capital loss", 0, 4356, (1, 1000, 1500, 2000, 2500, 3000)),
        12: Number("hours a week", 1, 99, _every(10, 80, 5)),
        13: Category("native country", _listed("United-States; another")),
    },
    label=14,
    yes=">50K",
)

GSS = Source(
    "GSS",
    {
        0: Number("year", 1972, 2018, _every(1976, 2016, 4)),
        1: Number("age", 18, 89, _every(20, 85, 5)),
        2: Category("race", _listed("White; Black; Other")),
        3: Category("sex", _listed("Female; Male")),
        4: Number("years of education", 0, 20, _every(1, 20, 1)),
        5: Category(
            "party",
            _listed(
                "Strong Democrat; Not Str Democrat; Ind,Near Dem; Independent; Ind,Near Rep; "
                "Not Str Republican; Strong Republican; Other Party"
            ),
        ),
    },
    label=6,
    yes="1.0",
)

SOURCES: Sequence[Source] = (ADULT, GSS)
