"""Synthetic tables of many columns beside mbi's MST and AIM, in one run.

    python -m benchmarks wide [--quick] [--write docs/benchmarks.md]

Public tables of 9 to 15 columns (`benchmarks.public.declared`; the first 14 columns and the
outcome), numbers in up to 16 bins at round numbers, declared and the same for all. Two thirds of
the rows are sanitized. Told is how far sets of three columns are off, as the greatest error of a
cell, the total variation of the worst set and of the mean one; and what logistic regression and
gradient boosting reach on the other third if they are trained on the made-up rows.

Neighbours differ: ours have a row replaced, theirs one more or less. Asked for half of epsilon
theirs promise at least what ours does; they are also shown at all of epsilon, which is a weaker
promise. Each peer has `PATIENCE` seconds for a table, and AIM a model of `MEGABYTES`.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from benchmarks import page
from benchmarks.peers import synth
from benchmarks.public.declared import HELD_OUT, TUNED
from benchmarks.public.rows import Rows, area, read
from tacit.core.chance.randomness import System
from tacit.core.privacy import Privacy
from tacit.sanitizers import Questions, Task, choose
from tacit.sanitizers.contract.attributes import counted
from tacit.statistics import Counts
from tacit.workflows.counting.bins import read_bins

NAMES = (
    "compas",
    "adult",
    "german credit",
    "deadly crash",
    "mortgage denied",
    "support2",
    "heart attack",
    "light chains",
    "credit card",
    "stroke",
)
QUICK = ("compas", "mortgage denied")
EPSILON, DELTA, COLUMNS, BINS, RUNS = 1.0, 1e-6, 14, 16, 2
PATIENCE, MEGABYTES = 600, 4
EQUAL = ("MST, half", "AIM, half")
PEERS = {"MST, half": 0.5, "AIM, half": 0.5, "MST": 1.0, "AIM": 1.0}
"""What part of epsilon each peer is asked for."""
OURS = "ours"
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Wide:
    """A table in bins, the outcome last: the rows to make others like, and those to test on."""

    name: str
    sizes: tuple[int, ...]
    kept: Codes
    test: Codes

    @classmethod
    def of(cls, rows: Rows, seed: int) -> Wide:
        """Put the first columns of a table into bins, and keep a third of its rows."""
        columns = rows.table.features[:COLUMNS]
        bins = [each.coarse(BINS) for each in read_bins(rows.table.schema, columns)]
        parts = [each.of(rows.codes[:, place]) for place, each in enumerate(bins)]
        codes = np.column_stack([*parts, rows.label.astype(np.int64)])
        sizes, split = (*(each.size for each in bins), 2), rows.split(seed)
        name = rows.table.name + " †" * rows.table.held_out
        return cls(name, sizes, codes[split.train], codes[split.test])


@dataclass(frozen=True, slots=True)
class Reached:
    """Errors of sets of three columns, and what two classifiers reach."""

    cell: float
    worst: float
    average: float
    logistic_error: float
    logistic_area: float
    boosted_error: float
    boosted_area: float
    seconds: float


TITLES = ("cell", "worst set", "mean set", "LR error", "LR area", "GBM error", "GBM area", "s")
LARGER = ("LR area", "GBM area")
"""What should be large; all else should be small."""


def ours(wide: Wide) -> Codes:
    """Make rows by the method that `tacit sanitize` chooses."""
    counts = Counts.of(map(tuple, wide.kept.tolist()))
    asked, privacy = Questions("conjunctions", 3), Privacy(str(EPSILON), str(DELTA))
    task = Task(asked, wide.sizes, privacy, len(wide.kept), Fraction(1, 20), len(wide.sizes) - 1)
    return np.asarray(choose(task).sanitizer(counts, rng=System()).rows())


def theirs(wide: Wide, method: str, epsilon: float) -> Codes | str:
    """Run a peer in its own process; a word if it does not end, or ends badly."""
    with tempfile.TemporaryDirectory() as folder:
        stored, todo, done = (Path(folder) / name for name in ("a.npz", "job.json", "b.npz"))
        np.savez(stored, rows=wide.kept)
        job = {"method": method, "sizes": wide.sizes, "epsilon": epsilon, "delta": DELTA}
        todo.write_text(json.dumps({**job, "megabytes": MEGABYTES}))
        program = (synth.python(), "-m", "benchmarks.peers.wide_models", stored, todo, done)
        told: Any = {"check": True, "timeout": PATIENCE, "capture_output": True, "cwd": synth.ROOT}
        told["env"] = {**os.environ, "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}
        try:
            subprocess.run(program, **told)
        except subprocess.TimeoutExpired:
            return f"over {PATIENCE} s"
        except subprocess.CalledProcessError as error:
            return str(error.stderr.decode().strip().splitlines()[-1])[:60]
        return np.asarray(np.load(done)["rows"])


def judged(wide: Wide, made: Codes, seconds: float) -> Reached:
    """Compare made-up rows with those they were made from, and train on them."""
    cell, apart = 0.0, []
    for chosen in combinations(range(len(wide.sizes)), 3):
        truth, mine = (counted(rows, wide.sizes, chosen) / len(rows) for rows in (wide.kept, made))
        cell = max(cell, float(abs(truth - mine).max()))
        apart.append(float(abs(truth - mine).sum()) / 2)
    shown = [_marked(wide, rows) for rows in (made, wide.test)]
    models = (
        (LogisticRegression(max_iter=1000), shown),
        (HistGradientBoostingClassifier(random_state=0), [made[:, :-1], wide.test[:, :-1]]),
    )
    (line, area_of_line), (trees, area_of_trees) = (
        _scored(model, x, tested, made[:, -1], wide.test[:, -1] == 1)
        for model, (x, tested) in models
    )
    told = cell, max(apart), mean(apart)
    return Reached(*told, line, area_of_line, trees, area_of_trees, seconds)


def _marked(wide: Wide, rows: Codes) -> NDArray[np.float64]:
    """Return one 0/1 column a value."""
    parts = zip(rows[:, :-1].T, wide.sizes[:-1], strict=True)
    return np.hstack([np.eye(size)[codes] for codes, size in parts])


def _scored(model: Any, x: Any, tested: Any, y: Codes, truth: NDArray[np.bool_]) -> Any:
    if len(set(y.tolist())) < 2:
        return float(np.mean(truth != y[0])), 0.5
    chances = model.fit(x, y).predict_proba(tested)[:, 1]
    return float(np.mean((chances > 0.5) != truth)), area(chances, truth)


def measure(tables: Sequence[Wide]) -> dict[str, Reached | str]:
    """Run all methods on splits of one table; return their means."""
    found: dict[str, Reached | str] = {}
    rows = [judged(wide, wide.kept, 0.0) for wide in tables]
    found["the rows themselves"] = _mean(rows)
    for name in (OURS, *PEERS):
        told: list[Reached] = []
        for wide in tables:
            start = time.perf_counter()
            if name == OURS:
                made: Codes | str = ours(wide)
            else:
                made = theirs(wide, name.partition(",")[0], PEERS[name] * EPSILON)
            if isinstance(made, str):
                found[name] = made
                break
            told.append(judged(wide, made, time.perf_counter() - start))
        else:
            found[name] = _mean(told)
    return found


def _mean(each: Sequence[Reached]) -> Reached:
    return Reached(*(mean(part) for part in zip(*map(astuple, each), strict=True)))


def report(*, quick: bool = False, written: Path | None = None) -> int:
    """Print one line for each table and method; the exit status says whether our bars hold."""
    wanted = QUICK if quick else NAMES
    tables = read([table for table in (*TUNED, *HELD_OUT) if table.name in wanted])
    lines, found = list[list[str]](), dict[str, dict[str, Reached | str]]()
    console = Console(width=160)
    for rows in tables:
        splits = [Wide.of(rows, seed) for seed in range(1 if quick else RUNS)]
        found[splits[0].name] = measure(splits)
        head = f"{splits[0].name}, {len(splits[0].kept):,} x {len(splits[0].sizes)}"
        for name, one in found[splits[0].name].items():
            lines.append([head, name, *_said(one)])
            console.print(*lines[-1], sep="  ")
    table = Table("table, rows x columns", "method", *TITLES, box=None)
    for line in lines:
        table.add_row(*line)
    said, held = bars(found)
    console.print(table, said, sep="\n")
    if written is not None:
        head = " | ".join(["table, rows × columns", "method", *TITLES])
        body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        rule = "|".join(["---"] * (len(TITLES) + 2))
        when = f"{datetime.now(UTC):%Y-%m-%d}, {page.machine()}."
        text = f"{when}\n\n{INTRODUCED}\n| {head} |\n|{rule}|\n{body}\n\n{said}"
        page.put(written, "wide", text)
    return 0 if held else 1


INTRODUCED = f"""`python -m benchmarks wide`: made-up rows, ε = 1, δ = 10⁻⁶, {RUNS} splits;
numbers in the same declared bins for all. *cell*: the greatest error of a count of three columns;
*set*: total variation of three columns, the worst and the mean; then classifiers trained on the
made-up rows, tested on others. Ours promises ε for a replaced row, theirs for a row more or less:
"half" is asked for ε/2, which promises no less than ours does for ε; without it they promise less.
AIM's model has up to {MEGABYTES} MB, its workload are all sets of three, each run {PATIENCE} s at
most. † marks tables that were not looked at while ours was built.
"""


def _said(one: Reached | str) -> list[str]:
    if isinstance(one, str):
        return [one, *[""] * (len(TITLES) - 1)]
    *parts, seconds = astuple(one)
    return [*(f"{part:.4f}".removeprefix("0") for part in parts), f"{seconds:.0f}"]


def bars(found: dict[str, dict[str, Reached | str]]) -> tuple[str, bool]:
    """Say on how many tables ours is at least as good as each peer, number by number."""
    said, held = [], True
    for peer in PEERS:
        pairs = [(name, told[OURS], told[peer]) for name, told in found.items()]
        both = [(n, a, b) for n, a, b in pairs if isinstance(a, Reached) and isinstance(b, Reached)]
        parts = []
        for place, title in enumerate(TITLES[:-1]):
            sign = -1 if title in LARGER else 1
            gaps = {n: sign * (astuple(a)[place] - astuple(b)[place]) for n, a, b in both}
            lost = [f"{n} by {gap:.4f}" for n, gap in gaps.items() if gap > 0]
            worse = f" (not on {', '.join(lost)})" if lost else ""
            parts.append(f"{title} {len(gaps) - len(lost)}{worse}")
            held = held and not (lost and peer in EQUAL)
        said.append(f"Ours is no worse than {peer} on so many of {len(both)}: {'; '.join(parts)}.")
    return "\n\n".join(said), held
