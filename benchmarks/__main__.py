"""`make bench`: every comparison of speed in one run, with its bar.

`python -m benchmarks peers` compares errors with other libraries instead; see
`benchmarks.peers.thresholds` and `benchmarks.peers.rules`. `python -m benchmarks labels` compares
many labels from one budget; see `benchmarks.peers.labels`. `python -m benchmarks grid` compares
plans with what was needed and what is impossible, and writes docs/grid.md; see `benchmarks.grid`.
`python -m benchmarks dimensions` measures the searches for dimensions; see `benchmarks.dimensions`.
"""

from __future__ import annotations

import argparse
import platform
import sys
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import dimensions, grid, noise, rules, selection, tables, tracing
from benchmarks.peers import asking, audits, labels, thresholds
from benchmarks.peers import rules as peer_rules

MACHINE = f"{platform.machine()}, Python {platform.python_version()}, {platform.system()}"


def main() -> int:
    """Print the table; the exit status says whether all bars hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    runs = {"speed": _speed, "peers": _peers, "labels": labels.report, "grid": grid.write}
    runs["audits"] = audits.report
    runs["dimensions"] = lambda: _speed((dimensions,))
    parser.add_argument("what", nargs="?", choices=runs, default="speed")
    return runs[parser.parse_args().what]()


def _speed(parts: tuple[Any, ...] = (selection, noise, rules, tracing, tables)) -> int:
    rows = [row for part in parts for row in part.measure()]
    table = Table("measured", "ours", "peer", "theirs", "ratio", "bar", "", box=None)
    for row in rows:
        table.add_row(
            row.name,
            f"{row.ours * 1000:.3g} ms",
            row.peer,
            f"{row.theirs * 1000:.4g} ms",
            f"{row.ratio:.3g}",
            f"≤ {row.bar:.3g}",
            "holds" if row.holds else "MISSED",
        )
    Console(width=160).print(MACHINE, table, sep="\n")
    return 0 if all(row.holds for row in rows) else 1


def _peers() -> int:
    rows = thresholds.measure()
    titles = ("x", "label noise", "n", "epsilon", "ours", "even prior", *asking.MODELS, "")
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
        )
    held = sum(row.holds for row in rows)
    runs = ", ".join(f"{runs} with {n} rows" for n, runs in thresholds.RUNS.items())
    count = f"Ours ≤ the best peer in {held} of {len(rows)} cells. Runs: {runs}."
    Console(width=190).print(MACHINE, "* marks the best peer.", table, count, _rules(), sep="\n")
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
