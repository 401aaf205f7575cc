"""Rows of the public tables: codes as the declared schema reads them, and how they are split."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv
from numpy.typing import NDArray

from benchmarks.peers import environment
from benchmarks.public.declared import OUTCOME, Declared
from tacit.data import Category
from tacit.data.reading.codes import codes_of
from tacit.statistics import LabelCounts

PROGRAM = Path(__file__).with_name("write_models.py")


@dataclass(frozen=True, slots=True)
class Rows:
    """A declared table with the codes of its rows."""

    table: Declared
    codes: NDArray[np.int64]
    label: NDArray[np.bool_]

    def split(self, seed: int) -> Split:
        """Keep a random third of the rows for the test."""
        order = np.random.default_rng(seed).permutation(len(self.label))
        third = len(order) // 3
        return Split(self, order[third:], order[:third])

    def kinds(self) -> list[tuple[bool, int, bool]]:
        """Return of each column whether it is a category, its values, and whether some miss."""
        columns = [self.table.schema[name] for name in self.table.features]
        return [(isinstance(c, Category), c.inside, c.outside == "null") for c in columns]

    def scaled(self) -> NDArray[np.float64]:
        """Return what other libraries get: numbers in [-1, 1], one 0/1 column a category."""
        made: list[NDArray[np.float64]] = []
        for codes, (category, inside, misses) in zip(self.codes.T, self.kinds(), strict=True):
            if category and inside + misses > 2:
                made.extend((codes == code).astype(np.float64) for code in range(inside + misses))
                continue
            missing = codes >= inside
            made.append(np.where(missing, 0, 2 * codes / max(inside - 1, 1) - 1))
            if misses:
                made.append(missing.astype(np.float64))
        return np.column_stack(made)


@dataclass(frozen=True, slots=True)
class Split:
    """Which rows are learned from, and which ones tested on."""

    rows: Rows
    train: NDArray[np.int64]
    test: NDArray[np.int64]

    @property
    def truth(self) -> NDArray[np.bool_]:
        """The outcomes that are tested on."""
        return self.rows.label[self.test]

    def counts(self) -> LabelCounts:
        """Count equal rows of those to learn from."""
        points, where, totals = np.unique(
            self.rows.codes[self.train], axis=0, return_inverse=True, return_counts=True
        )
        marks = self.rows.label[self.train]
        ones = np.bincount(where.ravel(), weights=marks, minlength=len(points)).astype(np.int64)
        points = points[:, 0] if points.shape[1] == 1 else points
        return LabelCounts(len(marks), 1, points, totals, ones[:, None])

    def constant(self) -> float:
        """Return the test error of always saying what most rows say."""
        most = 2 * int(self.rows.label[self.train].sum()) > len(self.train)
        return float(np.mean(self.truth != most))

    def judged(self, scores: NDArray[Any]) -> tuple[float, float]:
        """Return the test error of scores, yes from 0 on, and the area under their curve."""
        return float(np.mean((scores >= 0) != self.truth)), area(scores, self.truth)


def read(tables: Sequence[Declared]) -> list[Rows]:
    """Write all tables in the peers' environment, and read them as their schemas say."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = Path(folder) / "jobs.json"
        jobs.write_text(json.dumps([table.job() for table in tables]))
        subprocess.run([environment.python(), PROGRAM, folder, jobs], check=True)
        return [_read(table, Path(folder) / f"{table.name}.csv") for table in tables]


def _read(table: Declared, path: Path) -> Rows:
    cells, schema = pyarrow.csv.read_csv(path), table.schema
    coded = [codes_of(schema[name], cells.column(name).combine_chunks()) for name in table.features]
    label = codes_of(schema[OUTCOME], cells.column(OUTCOME).combine_chunks()) == 1
    return Rows(table, np.column_stack(coded), label)


def area(scores: NDArray[Any], truth: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve; ties count half.

    >>> area(np.array([3, 1, 1, 0]), np.array([True, True, False, False]))
    0.875
    """
    values, where = np.unique(scores, return_inverse=True)
    yes = np.bincount(where, weights=truth, minlength=len(values))
    no = np.bincount(where, weights=~truth, minlength=len(values))
    if not yes.sum() or not no.sum():
        return 0.5
    return float((yes * (np.cumsum(no) - no / 2)).sum() / (yes.sum() * no.sum()))
