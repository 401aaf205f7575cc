"""The Learn page: a table, a schema, a budget; rules, and files to take away."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tacit.core import check
from tacit.core.budget import read_best_error
from tacit.core.chance.randomness import System
from tacit.core.cost import Cost
from tacit.core.errors import InvalidArgument
from tacit.data import Schema
from tacit.data.ledger import Ledger
from tacit.data.reading.source import open_source
from tacit.interfaces.output.files import whole
from tacit.interfaces.page.columns import MOST_COLUMNS, schema_of
from tacit.interfaces.page.notebook import notebook
from tacit.interfaces.page.run_steps import CHARGING, CHECKING, COUNTING, DRAWING, WRITING
from tacit.interfaces.page.serving.fields import Fields
from tacit.interfaces.page.serving.workspace import Workspace
from tacit.interfaces.report import Asked, write_report
from tacit.interfaces.report.blocks import BarsBlock, PlotBlock
from tacit.interfaces.report.goodness import DETAILED, details, points, short_rule
from tacit.interfaces.report.html import drawn
from tacit.learners.catalogue import CATALOGUE, named
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.ranking import ranking
from tacit.mechanisms.measuring.statement import sentence
from tacit.workflows import learn as learn_table
from tacit.workflows import model_text, query, rules
from tacit.workflows.learning import prepare

Tell = Callable[[str], None]
CLASSES = {
    "thresholds": "one column: at least, or at most, a value",
    "intervals": "one column: between two values",
    "points": "one column: exactly one value",
    "boxes": "several columns: between two values in each",
    "rules(width=1)": "any columns: one condition",
    "rules(width=2)": "any columns: up to two conditions",
    "conjunctions": "yes/no columns: all of a few",
    "parities": "yes/no columns: an odd number of yes",
    "scorecards": "points for each column (the learner margin with δ above 0, or counted)",
}


def choices(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:  # noqa: ARG001
    """Return the tables of the workspace, and what can be learned from one."""
    return {
        "tables": workspace.tables(),
        "folder": str(workspace.folder),
        "classes": [{"name": name, "says": says} for name, says in CLASSES.items()],
        "learners": [
            {"name": each.name, "says": each.summary}
            for each in CATALOGUE.values()
            if not each.labels_only
        ],
    }


def columns(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:  # noqa: ARG001
    """Return the names of a table's columns: all that may be read off it."""
    opened = open_source(str(workspace.table(asked.text("table"))))
    names = [name for name in dict.fromkeys(opened.names) if name]
    return {"columns": names[:MOST_COLUMNS], "more": max(0, len(names) - MOST_COLUMNS)}


def preview(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:
    """Say what a run would cost and promise: nothing is drawn, nothing is spent."""
    wanted = _Wanted.read(asked, workspace)
    tell("1/2 counting the rows")
    prepared = prepare(str(wanted.path), wanted.schema, **wanted.question(alpha=None))
    return _promised(prepared.blank) | {
        "theorem": getattr(prepared.mechanism, "learner", prepared.mechanism).theorem,
        "beta": float(wanted.beta),
        "schema": prepared.blank.schema,
    }


def run(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:
    """Learn, charging the workspace's ledger first; write model, report, SQL and notebook."""
    tell(CHECKING)
    wanted = _Wanted.read(asked, workspace)
    if not workspace.ledger.exists():
        raise InvalidArgument("open a budget for this table first")
    ledger = Ledger(workspace.ledger)
    with ledger.charging(wanted.dataset, wanted.schema) as reserve:
        tell(COUNTING)

        def charge(cost: Cost, delta: Fraction, purpose: str) -> None:
            tell(CHARGING)
            reserve(cost, delta, purpose)
            tell(DRAWING)

        def rehearse(model: Model) -> None:
            with TemporaryDirectory(prefix=".tacit-", dir=workspace.folder) as folder:
                _write(Path(folder), model, wanted)
                json.dumps(_told(model))

        model = learn_table(
            str(wanted.path),
            wanted.schema,
            **wanted.question(alpha=wanted.alpha),
            rng=System(),
            charge=charge,
            rehearsal=rehearse,
        )
        tell(WRITING)
        folder = workspace.new_run()
        return {"run": folder.name, "files": _write(folder, model, wanted), **_told(model)}


def _write(folder: Path, model: Model, wanted: _Wanted) -> list[str]:
    """Write the model and what follows from it."""
    with whole(folder / "model.json") as text:
        text.write(model_text(model))
    digest = sha256((folder / "model.json").read_bytes()).hexdigest()
    asked = Asked(
        wanted.concepts,
        wanted.epsilon,
        wanted.delta,
        wanted.alpha,
        wanted.beta,
        wanted.dataset,
        "",
        digest,
    )
    write_report(folder / "report.html", model, asked)
    texts = {
        "rules.sql": query(model, "data") + "\n",
        "notebook.ipynb": notebook(model, wanted.dataset),
        "schema.toml": model.schema,
    }
    for name, said in texts.items():
        with whole(folder / name) as file:
            file.write(said)
    return ["model.json", "report.html", *texts]


def _told(model: Model) -> dict[str, Any]:
    said = [short_rule(model, place, rule) for place, rule in enumerate(rules(model))]
    return {
        "rules": [list(pair) for pair in zip(model.labels, said, strict=True)],
        "points": [drawn(block) for block in points(model) if isinstance(block, BarsBlock)],
        "measured": list(_measured(model)),
    } | _promised(model)


def _measured(model: Model) -> Iterator[dict[str, Any]]:
    """Say how good each rule was found, and draw it as the report does."""
    for place, told in enumerate(model.measured[:DETAILED]):
        shown = details(model, place, ranking(told))
        yield {
            "label": model.labels[place],
            "says": sentence(told),
            "better": told.better,
            "pictures": [drawn(block) for block in shown if isinstance(block, PlotBlock)],
        }


def _promised(model: Model) -> dict[str, Any]:
    """Say what is known of a model before it is drawn: its cost and its promise."""
    promised = model.accuracy
    return {
        "rows": model.n,
        "learner": model.learner,
        "class": _short(str(model.concepts)),
        "epsilon": float(model.of_rows.epsilon),
        "delta": float(model.of_rows.delta),
        "alpha": None if promised is None else float(promised.alpha),
        "beta": None if promised is None else float(promised.beta),
        "best_error": None if model.best_error is None else float(model.best_error),
        "assumes": named(model.learner).assumes,
    }


def _short(told: str) -> str:
    return told if len(told) <= 100 else told.partition("(")[0]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The request of the page, read and checked."""

    path: Any
    dataset: str
    schema: Schema
    concepts: str
    features: list[str]
    labels: list[str]
    epsilon: Fraction
    delta: Fraction
    learner: str
    alpha: Fraction | None
    beta: Fraction
    best_error: Fraction | None
    hold_out: Fraction | None

    def question(self, *, alpha: Fraction | None) -> dict[str, Any]:
        """Return what `tacit.learn` is asked; a preview tells an error and demands none."""
        return {
            "concepts": self.concepts,
            "features": self.features,
            "labels": self.labels,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "learner": self.learner,
            "alpha": alpha,
            "beta": self.beta,
            "best_error": self.best_error,
            "hold_out": self.hold_out,
        }

    @classmethod
    def read(cls, asked: Fields, workspace: Workspace) -> _Wanted:
        path = workspace.table(asked.text("table"))
        wished, stated = asked.maybe("alpha"), asked.maybe("best_error")
        held = asked.maybe("hold_out")
        found = cls(
            path=path,
            dataset=path.name,
            schema=schema_of(asked),
            concepts=asked.choice("class", CLASSES),
            features=asked.texts("features", most=MOST_COLUMNS, longest=500),
            labels=asked.texts("labels", most=64, longest=500),
            epsilon=check.positive(epsilon=asked.number("epsilon")),
            delta=check.small_probability(delta=asked.number("delta", default="0")),
            learner=asked.choice("learner", CATALOGUE, default="generic"),
            alpha=None if wished is None else check.probability(alpha=wished),
            beta=check.probability(beta=asked.number("beta", default="0.05")),
            best_error=None if stated is None else read_best_error(stated),
            hold_out=None if held is None else check.exact(hold_out=held),
        )
        if not found.features or not found.labels:
            raise InvalidArgument("choose at least one column to learn from and one to predict")
        return found
