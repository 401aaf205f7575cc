"""Rules of at most two literals on real tables at epsilon = 1, beside diffprivlib's models.

We choose among all rules by the exact exponential mechanism; beside it stands the best rule of the
same family without privacy. diffprivlib has no rules: its models see all columns, numbers scaled by
their public ranges and one column a category, and may say more than a rule of two literals can.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import asking, environment
from benchmarks.peers.asking import Job
from benchmarks.peers.real_tables import SOURCES, Rows, Source
from tacit.core.chance.randomness import System
from tacit.learners import GenericLearner

RUNS = 10
EPSILON = "1"
PROGRAM = Path(__file__).with_name("write_tables.py")
MODELS = asking.MODELS[:-1]


@dataclass(frozen=True, slots=True)
class Errors:
    """Median test errors on one table; `constant` is that of always saying what most rows say."""

    table: str
    n: int
    constant: float
    best_rule: float
    ours: float
    peers: Mapping[str, float]


def measure(runs: int = RUNS) -> list[Errors]:
    """Measure every table."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([environment.python(), PROGRAM, folder], check=True)
        return [_errors(source, Path(folder), runs) for source in SOURCES]


def _errors(source: Source, folder: Path, runs: int) -> Errors:
    train, test = (
        source.read(folder / f"{source.name.lower()}-{p}.csv") for p in ("train", "test")
    )
    rules, counts = source.rules, train.counts()
    learner = GenericLearner(rules, epsilon=EPSILON, agnostic=True)
    cells = rules.cells(counts.points, counts.gains())
    best = cells.member(int(cells.gains.argmax()), 0)
    ours = [_error(learner(counts, rng=System()), test) for _ in range(runs)]
    share = float(np.mean(test.marks))
    return Errors(
        source.name,
        counts.n,
        min(share, 1 - share),
        _error(best, test),
        median(ours),
        _peers(source, train, test, runs),
    )


def _error(rule: Any, test: Rows) -> float:
    return float(np.mean(rule(test.points) != test.marks))


def _peers(source: Source, train: Rows, test: Rows, runs: int) -> dict[str, float]:
    arrays: dict[str, NDArray[Any]] = {
        "x": source.features(train.points),
        "y": train.marks,
        "tested": source.features(test.points),
        "truth": test.marks,
    }
    norm = len(source.columns) ** 0.5
    jobs = [Job(source.name, EPSILON, model, norm) for model in MODELS for _ in range(runs)]
    found = asking.errors({f"{source.name}/{part}": array for part, array in arrays.items()}, jobs)
    return {model: median(found[i * runs : (i + 1) * runs]) for i, model in enumerate(MODELS)}
