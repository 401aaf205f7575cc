"""The Learn page: a table, a schema, a budget; rules, and files to take away."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core import check
from tacit.core.budget import read_best_error
from tacit.core.chance.randomness import System
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.data import Bits, Integer, Schema
from tacit.data.reading.source import open_source
from tacit.data.schema.classes import class_for
from tacit.interfaces.output.files import whole
from tacit.interfaces.page.budget import charging, policy_of
from tacit.interfaces.page.columns import MOST_COLUMNS, cuts_of, schema_of
from tacit.interfaces.page.models import said_of
from tacit.interfaces.page.notebook import notebook
from tacit.interfaces.page.run_steps import CHECKING, WRITING
from tacit.interfaces.page.serving.fields import Fields
from tacit.interfaces.page.serving.workspace import Workspace
from tacit.interfaces.page.telling import promised, told
from tacit.interfaces.report import Asked, write_report
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.contract.entry import Request
from tacit.learners.contract.model import Model
from tacit.workflows import learn as learn_table
from tacit.workflows import model_text, query
from tacit.workflows.learned.question import AUTO
from tacit.workflows.learning import prepare
from tacit.workflows.releasing.policy import intended, request_to_learn, to_learn

Tell = Callable[[str], None]
MOST_RUNS = 40
"""So many are listed, the last first."""

CLASSES = {
    AUTO: "chosen, with its learner, by rows, columns, ε and δ",
    "thresholds": "one column: at least, or at most, a value",
    "intervals": "one column: between two values",
    "points": "one column: exactly one value",
    "boxes": "several columns: between two values in each",
    "rules(width=1)": "any columns: one condition",
    "rules(width=2)": "any columns: up to two conditions",
    "conjunctions": "yes/no columns: all of a few",
    "parities": "yes/no columns: an odd number of yes",
    "scorecards": "points for each column, to add up on paper",
}


def choices(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:  # noqa: ARG001
    """Return the tables of the workspace, and what can be learned from one."""
    return {
        "tables": workspace.tables(),
        "folder": str(workspace.folder),
        "classes": [{"name": name, "says": says} for name, says in CLASSES.items()],
        "learners": _learners(),
        "runs": [
            {"run": made, "says": said_of(workspace, made)} for made in workspace.runs[:MOST_RUNS]
        ],
    }


@cache
def _learners() -> dict[str, list[dict[str, Any]]]:
    """Return the learners that apply to each kind of rule, asked of a small class of that kind."""
    asked = Privacy(1, "1e-6")
    found: dict[str, list[dict[str, Any]]] = {AUTO: []}
    for name in (each for each in CLASSES if each != AUTO):
        request = Request(_small(name), asked, 1000, None, Fraction(1, 20), agnostic=True)
        found[name] = [
            {"name": each.name, "says": each.summary, "pure": each.pure}
            for each in CATALOGUE.values()
            if not each.by_party and each.suits(request)
        ]
    return found


def _small(name: str) -> ConceptClass[Any]:
    """Return a small class of a kind, over as many columns, and such, as it takes."""
    for kind, most in ((Integer(0, 7), 2), (Bits(), 3)):
        for many in range(1, most + 1):
            schema = Schema({f"x{i}": kind for i in range(many)})
            with suppress(InvalidArgument):
                return class_for(name, schema, schema.names)
    raise AssertionError(name)


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
    made = prepared.mechanism
    while not hasattr(made, "theorem"):  # what measures it, or gives it a part of each person
        made = made.learner
    return promised(prepared.blank) | {
        "theorem": made.theorem,
        "beta": float(wanted.beta),
        "schema": prepared.blank.schema,
    }


def run(asked: Fields, tell: Tell, workspace: Workspace) -> dict[str, Any]:
    """Learn, charging the workspace's ledger first; write model, report, SQL and notebook."""
    tell(CHECKING)
    wanted = _Wanted.read(asked, workspace)
    facts = to_learn(wanted.concepts, wanted.learner, hold_out=wanted.hold_out, by=wanted.by)
    asks = intended(wanted.epsilon, wanted.delta, person=wanted.person, **facts)

    def rehearse(model: Model) -> None:
        if (policy := policy_of(workspace)) is not None:
            policy.check_tried(model)
        with workspace.draft() as folder:
            _write(folder, model, wanted)
            json.dumps(told(model))

    question = request_to_learn(wanted.question(alpha=None))
    with charging(workspace, wanted.dataset, wanted.schema, asks, question, tell) as charge:
        model = learn_table(
            str(wanted.path),
            wanted.schema,
            **wanted.question(alpha=wanted.alpha),
            rng=System(),
            charge=charge,
            rehearsal=rehearse,
        )
        tell(WRITING)
        with workspace.draft() as folder:
            files, said = _write(folder, model, wanted), told(model)
            return {"run": workspace.keep(folder), "files": files, **said}


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


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The request of the page, read and checked."""

    path: Any
    dataset: str
    schema: Schema
    concepts: str
    features: list[str] | None
    labels: list[str]
    cuts: dict[str, list[str]]
    by: str | None
    person: list[str]
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
            "cuts": self.cuts,
            "by": self.by,
            "person": self.person,
        }

    @classmethod
    def read(cls, asked: Fields, workspace: Workspace) -> _Wanted:
        path = workspace.table(asked.text("table"))
        wished, stated = asked.maybe("alpha"), asked.maybe("best_error")
        held, by = asked.maybe("hold_out"), asked.texts("by", most=MOST_COLUMNS, longest=500)
        if len(by) > 1:
            raise InvalidArgument("choose one column whose groups are compared, or none")
        found = cls(
            path=path,
            dataset=path.name,
            schema=schema_of(asked),
            concepts=asked.choice("class", CLASSES, default=AUTO),
            features=asked.texts("features", most=MOST_COLUMNS, longest=500) or None,
            labels=asked.texts("labels", most=64, longest=500),
            cuts=cuts_of(asked),
            by=by[0] if by else None,
            person=asked.texts("person", most=MOST_COLUMNS, longest=500),
            epsilon=check.positive(epsilon=asked.number("epsilon")),
            delta=check.small_probability(delta=asked.number("delta", default="0")),
            learner=asked.choice("learner", (AUTO, *CATALOGUE), default=AUTO),
            alpha=None if wished is None else check.probability(alpha=wished),
            beta=check.probability(beta=asked.number("beta", default="0.05")),
            best_error=None if stated is None else read_best_error(stated),
            hold_out=None if held is None else check.exact(hold_out=held),
        )
        if not found.labels:
            raise InvalidArgument("choose at least one column to predict")
        return found
