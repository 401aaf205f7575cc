"""Print what one budget for all labels saves, beside splitting epsilon evenly.

Learning again and again from one table is allowed here because the table is public.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import System
from tacit.core.privacy import Privacy
from tacit.data import Schema, reduce
from tacit.learners import DirectSum, GenericLearner, Model
from tacit.statistics import LabelCounts

TOTAL, BETA, RUNS, FEW = Privacy(1, "1e-6"), "0.05", 200, 500


def main(folder: Path) -> None:
    """Compare both ways on the whole table, and on a part of it."""
    model = Model.loads((folder / "model.json").read_text())
    sources = {"all": folder / "gss.csv", "few": folder / "few.csv"}
    lines = sources["all"].read_text().splitlines()
    step = (len(lines) - 1) // FEW
    sources["few"].write_text("\n".join([lines[0], *lines[1::step][:FEW]]) + "\n")
    schema, k = Schema.parse(model.schema), len(model.labels)
    shared = DirectSum.within(TOTAL, k, lambda e: _learner(model.concepts, e))
    naive = DirectSum(_learner(model.concepts, TOTAL.epsilon / k), k)
    for source in sources.values():
        counts = reduce(str(source), schema, list(model.features), list(model.labels))
        Console(width=100).print(_table(model, counts, shared, naive))


def _learner(concepts: ConceptClass[Any], epsilon: Any) -> GenericLearner[Any]:
    return GenericLearner(concepts, epsilon=epsilon, agnostic=True)


def _table(model: Model, counts: LabelCounts, shared: DirectSum, naive: DirectSum) -> Table:
    one, each = (f"{float(way.learner.cost.epsilon):.3f}" for way in (shared, naive))  # type: ignore[union-attr]
    title = f"{len(model.labels)} labels, {counts.n} rows, ε = 1: errors, mean of {RUNS} runs"
    table = Table(
        "", "best rule", f"one budget (ε {one} a label)", f"split (ε {each})", title=title
    )
    best = [
        min(counts.mistakes(h, label=j) for h in model.concepts.concepts()) / counts.n
        for j in range(len(model.labels))
    ]
    errors = [_errors(way, counts) for way in (shared, naive)]
    for j, label in enumerate(model.labels):
        table.add_row(label, *(f"{error:.4f}" for error in (best[j], errors[0][j], errors[1][j])))
    above = [sum(found) / len(found) - sum(best) / len(best) for found in errors]
    table.add_row("mean above the best rule", "", *(f"{excess:.5f}" for excess in above))
    promised = [way.accuracy(counts.n, BETA) for way in (shared, naive)]
    said = ["nothing" if p is None else f"{float(p.alpha):.4f}" for p in promised]
    table.add_row("promised above the best rule, 95 %", "", *said)
    goal = Accuracy("0.1", BETA)
    rows = [f"{way.sample_size(goal)}" for way in (shared, naive)]
    table.add_row("rows that a promise of 0.1 takes", "", *rows)
    return table


def _errors(way: DirectSum, counts: LabelCounts) -> list[float]:
    """Return the mean error of each label over many runs."""
    wrong = [0] * way.labels
    for _ in range(RUNS):
        for j, hypothesis in enumerate(way(counts, rng=System())):
            wrong[j] += counts.mistakes(hypothesis, label=j)
    return [count / (RUNS * counts.n) for count in wrong]


main(Path(sys.argv[1]))
