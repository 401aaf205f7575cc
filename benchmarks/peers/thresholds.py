"""Learning a threshold over 2^32 points: our error beside that of every model of diffprivlib.

Each cell is a task and an epsilon. All learners see the same 20 samples of it, and a cell compares
our median error against clean labels with the least of the peers' five medians, so the peer is
chosen with hindsight. We run the exact exponential mechanism over all 2^32 thresholds. Nobody
knows more than the domain: a user who could bound or transform the column from public knowledge
would help the peers in the cells that are not uniform.

With 200 rows and epsilon = 0.1, where x is not uniform, all errors are near that of the constant
majority answer, and ours has been above the best peer's in all four cells.

It takes several minutes, most of them diffprivlib's, and needs an environment of its own; so it
runs by `python -m benchmarks peers`, apart from the comparisons of speed.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.peers import environment
from benchmarks.peers.cells import EPSILONS, TASKS, Sample, Task, draw
from tacit.concepts.thresholds import Thresholds
from tacit.core.randomness import System
from tacit.learners import GenericLearner
from tacit.statistics import LabelCounts

RUNS = 20
PROGRAM = Path(__file__).with_name("diffprivlib_models.py")
MODELS = ("LogisticRegression", "DecisionTree", "RandomForest", "GaussianNB", "quantile trick")


@dataclass(frozen=True, slots=True)
class Errors:
    """One cell: our median error and each peer's."""

    task: Task
    epsilon: str
    ours: float
    peers: Mapping[str, float]

    @property
    def best(self) -> str:
        """The peer with the least median."""
        return min(self.peers, key=lambda name: self.peers[name])

    @property
    def holds(self) -> bool:
        """Whether ours is lower or equal."""
        return self.ours <= self.peers[self.best]


def measure(tasks: Sequence[Task] = TASKS, runs: int = RUNS) -> list[Errors]:
    """Measure every cell of these tasks."""
    samples = {(task, run): draw(task, run) for task in tasks for run in range(runs)}
    theirs = _peers(samples)
    rows = []
    for task, epsilon in product(tasks, EPSILONS):
        mine = [_our_error(samples[task, run], epsilon) for run in range(runs)]
        peers = {m: median(theirs[task, run, epsilon, m] for run in range(runs)) for m in MODELS}
        rows.append(Errors(task, epsilon, median(mine), peers))
    return rows


def _our_error(sample: Sample, epsilon: str) -> float:
    learner = GenericLearner(Thresholds(32), epsilon=epsilon, agnostic=True)
    points, where, totals = np.unique(sample.x, return_inverse=True, return_counts=True)
    positives = np.bincount(where, weights=sample.y).astype(np.int64)[:, None]
    counts = LabelCounts(len(sample.x), 1, points, totals, positives)
    hypothesis = learner(counts, rng=System())
    return float(np.mean(hypothesis(sample.tested) != sample.truth))


def _peers(samples: Mapping[tuple[Task, int], Sample]) -> dict[tuple[Any, ...], float]:
    """Return the error of each model on each sample at each epsilon."""
    asked = [
        (task, run, epsilon, model)
        for (task, run), epsilon, model in product(samples, EPSILONS, MODELS)
    ]
    jobs = [
        {"sample": f"{task.name}/{run}", "epsilon": epsilon, "model": model}
        for task, run, epsilon, model in asked
    ]
    with tempfile.TemporaryDirectory() as folder:
        arrays, todo, done = (Path(folder) / name for name in ("a.npz", "jobs.json", "errors.json"))
        stored: dict[str, Any] = {}
        for (task, run), sample in samples.items():
            stored |= sample.arrays(f"{task.name}/{run}")
        np.savez(arrays, **stored)
        todo.write_text(json.dumps(jobs))
        subprocess.run([environment.python(), PROGRAM, arrays, todo, done], check=True)
        return dict(zip(asked, json.loads(done.read_text()), strict=True))
