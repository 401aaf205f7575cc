"""Synthetic tables beside smartnoise-synth and mbi: errors of all conjunctions of up to 3 bits.

    python -m benchmarks.peers.synth --dims 10 16 20 --runs 3

Neighbours differ. Theirs have a row more or less, ours have a row replaced, which is two such
steps: their epsilon = 1 is at most epsilon = 2 for replaced rows, and that is what it is for a
histogram. So ours is shown at epsilon = 1, which is a stronger promise than theirs, and at
epsilon = 2, which is the same. delta is 1e-6 where it is used. Of theirs the model is asked, not
rows drawn from it; of ours the rows. "any" is the greatest error of all widths. Each peer has
`--patience` seconds for a table. What was measured stands in docs/sanitizers.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from tacit.core.chance.randomness import System
from tacit.core.privacy import Privacy
from tacit.sanitizers import Attributes, Questions, Task, choose
from tacit.statistics import Counts

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".venv-synth"
PINS = ROOT / "requirements" / "peers-synth.txt"
ALONE = ROOT / "requirements" / "peers-synth-alone.txt"
PROGRAM = Path(__file__).with_name("synth_models.py")
PEERS = ("smartnoise MWEM", "mbi MWEM+PGM", "mbi AIM")
ROWS, DELTA, WIDTH = 10_000, "1e-6", 3
Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The greatest errors over conjunctions of 1, 2 and 3 attributes, and the seconds it took."""

    errors: tuple[float, ...]
    seconds: float


def chain(floats: np.random.Generator, dims: int) -> Array:
    """Draw bits each of which repeats the one before it but for 15 % of the rows."""
    flips = floats.random((ROWS, dims)) < 0.15
    flips[:, 0] = floats.random(ROWS) < 0.5
    return np.cumsum(flips, axis=1) % 2


def classes(floats: np.random.Generator, dims: int) -> Array:
    """Draw bits that depend on one of four hidden classes: here pairs do not say everything."""
    shares = floats.random((4, dims))
    return (floats.random((ROWS, dims)) < shares[floats.integers(0, 4, ROWS)]).astype(np.int64)


SHAPES: dict[str, Callable[[np.random.Generator, int], Array]] = {
    "chain": chain,
    "classes": classes,
}


def ours(rows: Array, epsilon: int) -> Outcome:
    """Sanitize by the method that is chosen by public numbers."""
    attributes = Attributes.binary(rows.shape[1])
    counts = Counts.of(map(tuple, rows.tolist()))
    start = time.perf_counter()
    shape, budget = attributes.shape, Privacy(epsilon, DELTA)
    asked = Questions("conjunctions", WIDTH)
    chosen = choose(Task(asked, shape, budget, len(rows), Fraction(1, 20)))
    made = chosen.sanitizer(counts, rng=System())
    seconds = time.perf_counter() - start
    return Outcome(_errors(attributes, made.histogram(), rows), seconds)


def theirs(rows: Array, method: str, patience: float) -> Outcome | str:
    """Run a peer in its own process; a word if it does not end, or ends badly."""
    with tempfile.TemporaryDirectory() as folder:
        stored, todo, done = (Path(folder) / name for name in ("a.npz", "jobs.json", "o.npz"))
        np.savez(stored, rows=rows)
        job = {"sample": "rows", "method": method, "epsilon": 1.0, "delta": float(DELTA)}
        todo.write_text(json.dumps([job]))
        command = [python(), PROGRAM, stored, todo, done]
        try:
            subprocess.run(command, check=True, timeout=patience, capture_output=True)
        except subprocess.TimeoutExpired:
            return f"over {patience:.0f} s"
        except subprocess.CalledProcessError as error:
            return str(error.stderr.decode().strip().splitlines()[-1])[:60]
        told = np.load(done)
        attributes = Attributes.binary(rows.shape[1])
        return Outcome(_errors(attributes, told["0/cells"], rows), float(told["0/seconds"]))


def python() -> Path:
    """Return the peers' interpreter; build their environment if it is missing or has changed."""
    program = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp, pins = FOLDER / "installed.txt", PINS.read_text() + ALONE.read_text()
    if not stamp.is_file() or stamp.read_text() != pins:
        subprocess.run([sys.executable, "-m", "venv", "--clear", FOLDER], check=True)
        pip = (program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        subprocess.run((*pip, "-r", PINS), check=True)
        subprocess.run((*pip, "--no-deps", "-r", ALONE), check=True)
        stamp.write_text(pins)
    return program


def _errors(attributes: Attributes, cells: Array, rows: Array) -> tuple[float, ...]:
    weights = 1 << np.arange(rows.shape[1])[::-1]
    truth = np.bincount(rows @ weights, minlength=attributes.size)
    return tuple(float(d) / len(rows) for d in attributes.deviations(truth, cells, WIDTH))


def _said(outcomes: Sequence[Outcome | str]) -> tuple[str, ...]:
    done = [o for o in outcomes if isinstance(o, Outcome)]
    if not done:
        return ("", "", "", str(outcomes[0]), "")
    means = np.mean([(*o.errors, max(o.errors)) for o in done], axis=0)
    return (*(f"{e:.4f}" for e in means), f"{np.mean([o.seconds for o in done]):.1f}")


def main() -> None:
    """Print one line for each table and method: mean errors and seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dims", type=int, nargs="+", default=[10, 16, 20])
    parser.add_argument("--shapes", nargs="+", default=list(SHAPES), choices=list(SHAPES))
    parser.add_argument("--peers", nargs="*", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--patience", type=float, default=600)
    asked = parser.parse_args()
    table = Table("table", "bits", "method", "1-way", "2-way", "3-way", "any", "seconds", box=None)
    console = Console(width=120)
    for shape in asked.shapes:
        for dims in asked.dims:
            tables = [SHAPES[shape](np.random.default_rng(s), dims) for s in range(asked.runs)]
            told: dict[str, list[Outcome | str]] = {
                f"ours, epsilon = {e}, replaced": [ours(rows, e) for rows in tables] for e in (1, 2)
            }
            for peer in asked.peers:
                told[f"{peer}, epsilon = 1, added"] = [
                    theirs(rows, peer, asked.patience) for rows in tables
                ]
            for name, outcomes in told.items():
                table.add_row(shape, str(dims), name, *_said(outcomes))
                console.print(shape, dims, name, *_said(outcomes))
    console.print(table)


if __name__ == "__main__":
    main()
