"""Many labels from one budget, beside diffprivlib with its budget split between them.

Lines: 50 thresholds over 2^32 uniform points, total epsilon = 1; compared are the errors of the
worst label, in the median over the runs, with the best of the peers' five models chosen with
hindsight. The peers have no composition but addition for these models, so each label gets
epsilon / 50. We run one `DirectSum` with delta = 1e-6, and beside it one without delta, where our
labels get epsilon / 50 as well. What the peers' quantile trick and ours know is the same: the
domain, and that labels are thresholds.

Tables: all seven attitudes of the General Social Survey by years of education, and eight outcomes
of the Framingham study by age; mean test error over the labels, beside the best threshold's that is
not private.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from benchmarks.peers import asking, environment
from benchmarks.peers.asking import MODELS, Job
from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core.chance.randomness import System
from tacit.core.privacy import Privacy
from tacit.learners import DirectSum, GenericLearner
from tacit.statistics import LabelCounts

LABELS = 50
RUNS = {2000: 5, 20000: 3}
LINE = Thresholds(32)
DELTA = "1e-6"
PROGRAM = Path(__file__).with_name("write_labels.py")
TABLES = {"gss": (0, 20), "framingham": (0, 120)}
TESTED = 10**4
BAR = 1 / 2


@dataclass(frozen=True, slots=True)
class Errors:
    """One comparison: our error with a delta and without, and each peer's; the bar is a half."""

    name: str
    n: int
    labels: int
    best_rule: float
    ours: float
    pure: float
    peers: Mapping[str, float]

    @property
    def best(self) -> str:
        """The peer with the least error."""
        return min(self.peers, key=lambda name: self.peers[name])

    @property
    def ratio(self) -> float:
        """Our error over the best peer's."""
        return self.ours / self.peers[self.best]


def report() -> int:
    """Print both comparisons; the exit status says whether the bar for lines holds."""
    lines = measure_lines()
    titles = ("errors", "n", "labels", "best rule", "ours", "ours, δ = 0", *MODELS, "ours / best")
    table = Table(*titles, title="All labels from ε = 1, δ = 1e-6; peers: ε / k each", box=None)
    for row in (*lines, *measure_tables()):
        errors = (row.best_rule, row.ours, row.pure, *(row.peers.get(m) for m in MODELS))
        said = ("" if error is None else f"{error:.4f}" for error in errors)
        table.add_row(row.name, str(row.n), str(row.labels), *said, f"{row.ratio:.3f}")
    Console(width=190).print(table, f"Bar for the lines: ours / best ≤ {BAR}.", sep="\n")
    return 0 if all(row.ratio <= BAR for row in lines) else 1


def measure_lines(runs: Mapping[int, int] = RUNS) -> list[Errors]:
    """Measure the worst of 50 thresholds, for each number of rows."""
    return [_line(n, many) for n, many in runs.items()]


def measure_tables(runs: int = 3) -> list[Errors]:
    """Measure both tables."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([environment.python(), PROGRAM, folder], check=True)
        return [_table(name, Path(folder), runs) for name in TABLES]


def _line(n: int, runs: int) -> Errors:
    tested = ((np.arange(TESTED) + 0.5) / TESTED * 2**32).astype(np.int64)
    ours, pure = _sums(LINE, LABELS)
    arrays: dict[str, NDArray[Any]] = {}
    found: list[tuple[float, float]] = []
    for run in range(runs):
        floats = np.random.default_rng([run, n])
        at = np.sort(floats.integers(2**30, 3 * 2**30, LABELS))
        x = floats.integers(0, 2**32, n)
        marks, truth = x[:, None] >= at, tested[:, None] >= at
        counts = _counts(x, marks)
        found.append((_worst(ours, counts, tested, truth), _worst(pure, counts, tested, truth)))
        for j in range(LABELS):
            sample = {"x": x, "y": marks[:, j], "tested": tested, "truth": truth[:, j]}
            arrays |= {f"{run}/{j}/{part}": array for part, array in sample.items()}
    theirs = _peers(arrays, LABELS, runs)
    worst = {m: median(max(theirs[m, run]) for run in range(runs)) for m in MODELS}
    medians = [median(way) for way in zip(*found, strict=True)]
    return Errors("50 thresholds, the worst", n, LABELS, 0.0, medians[0], medians[1], worst)


def _table(name: str, folder: Path, runs: int) -> Errors:
    low, high = TABLES[name]
    train, test = (
        np.loadtxt(folder / f"{name}-{part}.csv", delimiter=",", dtype=np.int64)
        for part in ("train", "test")
    )
    concepts = Thresholds(values=high - low + 1, direction="both")
    x, tested = (np.clip(rows[:, 0], low, high) - low for rows in (train, test))
    marks, truth = (rows[:, 1:].astype(np.bool_) for rows in (train, test))
    counts, k = _counts(x, marks), marks.shape[1]
    best = [
        min(concepts.concepts(), key=lambda h, j=j: counts.mistakes(h, label=j))  # type: ignore[misc]
        for j in range(k)
    ]
    found = [
        mean(_errors(way(counts, rng=System()), tested, truth))
        for way in _sums(concepts, k)
        for _ in range(10 * runs)
    ]
    arrays: dict[str, NDArray[Any]] = {}
    for run, j in product(range(runs), range(k)):
        scaled = [column[:, None] / (high - low) for column in (x, tested)]
        sample = {"x": scaled[0], "y": marks[:, j], "tested": scaled[1], "truth": truth[:, j]}
        arrays |= {f"{run}/{j}/{part}": array for part, array in sample.items()}
    theirs = _peers(arrays, k, runs, MODELS[:-1])
    means = {m: mean(mean(theirs[m, run]) for run in range(runs)) for m in MODELS[:-1]}
    rule = mean(_errors(best, tested, truth))
    mine, alone = mean(found[: 10 * runs]), mean(found[10 * runs :])
    return Errors(f"{name}, the mean", len(x), k, rule, mine, alone, means)


def _sums(concepts: Thresholds, labels: int) -> tuple[DirectSum, DirectSum]:
    def learner(epsilon: Any) -> GenericLearner[Threshold]:
        return GenericLearner(concepts, epsilon=epsilon, agnostic=True)

    return tuple(DirectSum.within(Privacy(1, d), labels, learner) for d in (DELTA, 0))  # type: ignore[return-value]


def _counts(x: NDArray[np.int64], marks: NDArray[np.bool_]) -> LabelCounts:
    points, where, totals = np.unique(x, return_inverse=True, return_counts=True)
    positives = np.zeros((len(points), marks.shape[1]), dtype=np.int64)
    np.add.at(positives, where, marks)
    return LabelCounts(len(x), marks.shape[1], points, totals, positives)


def _errors(hypotheses: Any, tested: NDArray[Any], truth: NDArray[np.bool_]) -> list[float]:
    return [float(np.mean(h(tested) != truth[:, j])) for j, h in enumerate(hypotheses)]


def _worst(
    way: DirectSum, counts: LabelCounts, tested: NDArray[Any], truth: NDArray[np.bool_]
) -> float:
    return max(_errors(way(counts, rng=System()), tested, truth))


def _peers(
    arrays: Mapping[str, Any], labels: int, runs: int, models: tuple[str, ...] = MODELS
) -> dict[tuple[str, int], list[float]]:
    """Return each model's errors of all labels, each learned with its share of epsilon."""
    asked = list(product(range(runs), range(labels), models))
    jobs = [Job(f"{run}/{j}", str(1 / labels), model) for run, j, model in asked]
    found: dict[tuple[str, int], list[float]] = {}
    for (run, _, model), error in zip(asked, asking.errors(arrays, jobs), strict=True):
        found.setdefault((model, run), []).append(error)
    return found
