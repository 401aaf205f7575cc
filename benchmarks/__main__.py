"""`make bench`: every comparison of speed in one run, with its bar.

`python -m benchmarks peers` compares errors with other libraries instead; see
`benchmarks.peers.thresholds` and `benchmarks.peers.rules`. `python -m benchmarks labels` compares
many labels from one budget; see `benchmarks.peers.labels`. `python -m benchmarks grid` compares
plans with what was needed and what is impossible, and writes docs/grid.md; see `benchmarks.grid`.
`python -m benchmarks dimensions` measures the searches for dimensions; see `benchmarks.dimensions`.
`python -m benchmarks scale` measures a hundred million rows, which takes some minutes and 8 GB; see
`benchmarks.scale`. `--write docs/benchmarks.md` puts what was measured on that page.
`python -m benchmarks kernels` measures compiled loops beside limits; see `benchmarks.kernels`.
`python -m benchmarks plans` times plans; see `benchmarks.plans`.
`python -m benchmarks explorer` times the explorer's sliders; see `benchmarks.explorer`.
`python -m benchmarks optimum` reproduces the exact optima; see `benchmarks.optimum`.
`python -m benchmarks beyond` makes the tables of docs/proofs/beyond_exponential.md.
`python -m benchmarks circle` goes from learners to learners; see `benchmarks.circle`.
`python -m benchmarks tables` compares errors on public tables; see `benchmarks.tables`.
`python -m benchmarks wide` compares made-up tables of many columns; see `benchmarks.wide`.
`python -m benchmarks persons` counts persons and compares errors; see `benchmarks.persons`.
`python -m benchmarks sites` compares several houses with one table; see `benchmarks.sites`.
`python -m benchmarks pairs --pairs 10000` compares neighbouring tables; see `benchmarks.pairs`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import (
    beyond,
    circle,
    dimensions,
    explorer,
    grid,
    kernels,
    noise,
    optimum,
    page,
    pairs,
    persons,
    plans,
    rows,
    rules,
    scale,
    selection,
    sites,
    tables,
    tracing,
    wide,
)
from benchmarks.peers import asking, audits, labels, thresholds
from benchmarks.peers import rules as peer_rules

MACHINE = page.machine()
SPEED: dict[str, tuple[Any, ...]] = {
    "speed": (selection, noise, rules, tracing, rows, scale),
    "scale": (scale,),
    "dimensions": (dimensions,),
    "kernels": (kernels,),
}


def main() -> int:
    """Print the table; the exit status says whether all bars hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    runs = {"peers": _peers, "labels": labels.report, "grid": grid.write}
    runs["audits"] = audits.report
    runs["plans"] = plans.report
    runs["optimum"] = optimum.report
    runs["circle"] = circle.report
    runs["beyond"] = beyond.report
    runs["explorer"] = explorer.report
    runs["tables"] = lambda: tables.report(
        quick=asked.quick, tuned=asked.tuned, written=asked.write
    )
    runs["wide"] = lambda: wide.report(quick=asked.quick, written=asked.write)
    runs["persons"] = lambda: persons.report(asked.write)
    runs["sites"] = sites.report
    runs["pairs"] = lambda: pairs.report(asked.pairs)
    parser.add_argument("what", nargs="?", choices={**SPEED, **runs}, default="speed")
    parser.add_argument("--write", type=Path, help="a page that gets the tables of speed too")
    parser.add_argument("--pairs", type=int, default=10_000, help="how many pairs to compare")
    parser.add_argument("--quick", action="store_true", help="five tables, epsilon = 1, one split")
    parser.add_argument("--tuned", action="store_true", help="leave held-out tables out")
    asked = parser.parse_args()
    if asked.what in SPEED:
        return _speed(SPEED[asked.what], asked.write)
    return runs[asked.what]()


def _speed(parts: tuple[Any, ...], written: Path | None) -> int:
    measured = {part.__name__.split(".")[-1]: list(part.measure()) for part in parts}
    if written is not None:
        page.write(written, measured)
    rows = [row for part in measured.values() for row in part]
    table = Table("measured", "ours", "peer", "theirs", "ratio", "bar", "", box=None)
    for row in rows:
        table.add_row(
            row.name,
            row.said[0],
            row.peer,
            row.said[1],
            f"{row.ratio:.3g}",
            f"≤ {row.bar:.3g}",
            "holds" if row.holds else "MISSED",
        )
    Console(width=160).print(MACHINE, table, sep="\n")
    return 0 if all(row.holds for row in rows) else 1


def _peers() -> int:
    rows = thresholds.measure()
    level = ("at an equal guarantee: best", "error", "")
    titles = ("x", "label noise", "n", "epsilon", "ours", "even prior", *asking.MODELS, "", *level)
    table = Table(*titles, title="Thresholds over 2^32 values: median errors", box=None)
    for row in rows:
        table.add_row(
            row.task.shape,
            f"{row.task.noise:.0%}",
            str(row.task.n),
            row.epsilon,
            f"{row.ours:.5f}",
            f"{row.even:.5f}",
            *(f"{row.peers[m]:.5f}{'*' if m == row.best else ''}" for m in asking.MODELS),
            "ours ≤ best" if row.holds else "ABOVE the best",
            row.best_level,
            f"{row.level[row.best_level]:.5f}",
            "ours ≤ best" if row.holds_level else "ABOVE the best",
        )
    held, level_held = sum(row.holds for row in rows), sum(row.holds_level for row in rows)
    runs = ", ".join(f"{runs} with {n} rows" for n, runs in thresholds.RUNS.items())
    count = (
        f"Ours ≤ the best peer in {held} of {len(rows)} cells, and in {level_held} if every peer "
        f"is asked for as much privacy for a replaced row as we give. Runs: {runs}."
    )
    Console(width=240).print(MACHINE, "* marks the best peer.", table, count, _rules(), sep="\n")
    return 0 if held == len(rows) else 1


def _rules() -> Table:
    titles = ("table", "n", "always the same", "best rule, not private", "ours", *peer_rules.MODELS)
    said = f"Rules of width ≤ 2, epsilon = {peer_rules.EPSILON}: median test errors"
    table = Table(*titles, title=said, box=None)
    for row in peer_rules.measure():
        errors = (row.constant, row.best_rule, row.ours, *row.peers.values())
        table.add_row(row.table, str(row.n), *(f"{error:.4f}" for error in errors))
    return table


sys.exit(main())
