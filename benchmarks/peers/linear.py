"""Linear rules on tables of 8 to 30 columns: our error beside two private logistic regressions.

    python -m benchmarks.peers.linear

Each cell is a table, a number of rows and an epsilon (delta = 10^-6). All learners see the same
samples and are tested on a third of the table that nobody learned from. diffprivlib is purely
private and takes no delta. Both peers have a setting chosen with hindsight, for each cell; ours has
none. The fourth column shows noisy gradients with half the noise, for adding or removing a row: a
weaker promise at the same epsilon.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.peers import environment
from benchmarks.peers.noisy_sgd import SETTINGS, NoisySgd
from benchmarks.peers.tables import Coded, tables
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.chance.randomness import System
from tacit.core.privacy import Privacy
from tacit.learners import MarginLearner
from tacit.statistics import LabelCounts

RUNS = 5
ROWS = (1000, 5000, 50_000)
EPSILONS = (0.3, 1.0, 3.0)
DELTA = "1e-6"
SHARES = (0.3, 0.6, 1.0)
PROGRAM = Path(__file__).with_name("linear_models.py")
Parts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """Mean test errors on one table, with so many rows and this epsilon."""

    table: str
    rows: int
    epsilon: float
    ours: float
    sgd: float
    add_remove_sgd: float
    diffprivlib: float


def measure(runs: int = RUNS) -> list[Cell]:
    """Measure all cells."""
    coded = tables()
    samples = {
        (table.name, rows, run): _drawn(table, rows, run)
        for table, rows, run in product(coded, ROWS, range(runs))
    }
    theirs = _diffprivlib(samples)
    cells = []
    for table, rows, epsilon in product(coded, ROWS, EPSILONS):
        drawn = [samples[table.name, rows, run] for run in range(runs)]
        learner = MarginLearner.within(Scorecards(table.values), Privacy(epsilon, DELTA))
        sgd, add_remove = (
            min(
                mean(_sgd(parts, made, run) for run, parts in enumerate(drawn))
                for setting in SETTINGS
                for made in [NoisySgd(epsilon, float(DELTA), replace, setting)]
            )
            for replace in (True, False)
        )
        peer = min(
            mean(theirs[table.name, rows, run, epsilon, share] for run in range(runs))
            for share in SHARES
        )
        ours = mean(_ours(learner, parts) for parts in drawn)
        cells.append(Cell(table.name, len(drawn[0]["y"]), epsilon, ours, sgd, add_remove, peer))
    return cells


def _drawn(table: Coded, rows: int, run: int) -> Parts:
    order = np.random.default_rng([run, rows]).permutation(len(table.label))
    third = len(order) // 3
    tested, learned = order[:third], order[third : third + rows]
    scaled = table.scaled()
    return {
        "codes": table.codes[learned],
        "x": scaled[learned],
        "y": table.label[learned],
        "held": table.codes[tested],
        "tested": scaled[tested],
        "truth": table.label[tested],
    }


def _ours(learner: MarginLearner, parts: Parts) -> float:
    points, where, totals = np.unique(
        parts["codes"], axis=0, return_inverse=True, return_counts=True
    )
    ones = np.bincount(where.ravel(), weights=parts["y"], minlength=len(points)).astype(np.int64)
    sample = LabelCounts(len(parts["y"]), 1, points, totals, ones[:, None])
    return float(np.mean(learner(sample, rng=System())(parts["held"]) != parts["truth"]))


def _sgd(parts: Parts, learner: NoisySgd, run: int) -> float:
    weights = learner.fit(parts["x"], parts["y"], np.random.default_rng([run, 7]))
    scores = parts["tested"] @ weights[:-1] + weights[-1]
    return float(np.mean((scores >= 0) != parts["truth"]))


def _diffprivlib(samples: Mapping[tuple[str, int, int], Parts]) -> dict[tuple[Any, ...], float]:
    asked = [(*key, e, share) for key, e, share in product(samples, EPSILONS, SHARES)]
    jobs = [
        {"sample": f"{name}/{rows}/{run}", "epsilon": epsilon, "share": share}
        for name, rows, run, epsilon, share in asked
    ]
    with tempfile.TemporaryDirectory() as folder:
        arrays, todo, done = (Path(folder) / name for name in ("a.npz", "jobs.json", "errors.json"))
        np.savez(
            arrays,
            **{
                f"{name}/{rows}/{run}/{part}": parts[part]
                for (name, rows, run), parts in samples.items()
                for part in ("x", "y", "tested", "truth")
            },
        )
        todo.write_text(json.dumps(jobs))
        subprocess.run([environment.python(), PROGRAM, arrays, todo, done], check=True)
        return dict(zip(asked, json.loads(done.read_text()), strict=True))


def main() -> None:
    """Print the table."""
    cells = measure()
    names = ("ours", "sgd", "add_remove_sgd", "diffprivlib")
    heads = ("ours", "noisy SGD", "add/remove SGD", "diffprivlib")
    table = Table("table", "rows", "epsilon", *heads, box=None)
    for cell in cells:
        least = min(cell.ours, cell.sgd, cell.diffprivlib)
        errors = [getattr(cell, name) for name in names]
        shown = [f"{e:.4f}{'*' if e == least else ''}" for e in errors]
        table.add_row(cell.table, str(cell.rows), str(cell.epsilon), *shown)
    best = sum(cell.ours <= min(cell.sgd, cell.diffprivlib) for cell in cells)
    means = ", ".join(f"{mean(getattr(cell, name) for cell in cells):.4f}" for name in names)
    said = f"Least error of the three in {best} of {len(cells)} cells; mean errors {means}."
    Console(width=120).print(table, said, sep="\n")


if __name__ == "__main__":
    main()
