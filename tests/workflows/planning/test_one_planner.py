"""Twenty questions, asked of every interface that says how many rows: they all say the same."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tacit.core.cost import Pure
from tacit.core.errors import SampleTooSmall
from tacit.core.privacy import Privacy
from tacit.data import Bits, Integer, Schema, class_for
from tacit.interfaces.cli.application import app
from tacit.interfaces.page.serving.tasks import perform
from tacit.interfaces.page.serving.workspace import Workspace
from tacit.interfaces.report import Asked
from tacit.interfaces.report.power import offers, power_curve
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.contract.model import Model
from tacit.theory.papers.tables import NAMES, Cell, table
from tacit.workflows import learn
from tacit.workflows.planning.advice import ways_out
from tacit.workflows.planning.plan import Plan, plan
from tacit.workflows.planning.table_numbers import SINGLE, Parameters, number

APPROXIMATE = {"delta": "1e-6"}
QUESTIONS: tuple[tuple[str, dict[str, int], dict[str, Any]], ...] = (
    ("thresholds", {"bits": 32}, {"alpha": "0.05"}),
    ("thresholds", {"bits": 32}, {"alpha": "0.05", "proper": True}),
    ("thresholds", {"bits": 16}, {"alpha": "0.1", **APPROXIMATE}),
    ("thresholds", {"bits": 8}, {"alpha": "0.1", "labels": 3}),
    ("thresholds", {"bits": 8}, {"alpha": "0.1", "labels": 3, "agnostic": True, **APPROXIMATE}),
    ("thresholds", {"bits": 8}, {"alpha": "0.02", "beta": "0.01", "labels": 64, "agnostic": True}),
    ("points", {"bits": 32}, {"alpha": "0.1"}),
    ("points", {"bits": 32}, {"alpha": "0.1", "proper": True}),
    ("points", {"bits": 16}, {"alpha": "0.1", "labels": 5, **APPROXIMATE}),
    ("points", {"bits": 8}, {"alpha": "0.2", "epsilon": "0.5", "agnostic": True}),
    ("intervals", {"bits": 16}, {"alpha": "0.05", "epsilon": "2"}),
    ("intervals", {"bits": 8}, {"alpha": "0.1", "labels": 4, "agnostic": True}),
    ("boxes", {"bits": 8, "dims": 2}, {"alpha": "0.1"}),
    ("boxes", {"bits": 8, "dims": 2}, {"alpha": "0.1", "labels": 2, **APPROXIMATE}),
    ("parities", {"dims": 16}, {"alpha": "0.1", "labels": 3}),
    ("parities", {"dims": 8}, {"alpha": "0.3", **APPROXIMATE}),
    ("lines", {"p": 7}, {"alpha": "0.1"}),
    ("lines", {"p": 5}, {"alpha": "0.1", "proper": True, **APPROXIMATE}),
    ("conjunctions", {"dims": 6, "width": 2}, {"alpha": "0.1", "beta": "0.2"}),
    ("halfspaces", {"bits": 3, "dims": 2}, {"alpha": "0.1"}),
)
FEW = 50
"""Rows that are too few for all of these."""


class Question:
    """One of them, with what the library answers."""

    def __init__(self, family: str, sizes: dict[str, int], asked: dict[str, Any]) -> None:
        self.family, self.sizes = family, sizes
        self.spec = f"{family}({', '.join(f'{k}={v}' for k, v in sizes.items())})"
        self.asked = {"epsilon": "1", "beta": "0.05", "delta": "0", "labels": 1} | asked
        self.found = self.plan()

    def plan(self, **other: Any) -> Plan:
        return plan(self.spec, **(self.asked | other))

    def command(self, *more: str) -> dict[str, Any]:
        flags = [f"--{name}" for name, value in self.asked.items() if value is True]
        given = [f"--{k}={v}" for k, v in self.asked.items() if v is not True]
        done = CliRunner().invoke(app, ["plan", self.spec, *given, *flags, *more, "--json"])
        return dict(json.loads(done.stdout))

    def page(self, task: str, **more: Any) -> dict[str, Any]:
        asked = {"class": {"family": self.family, "sizes": self.sizes}, "question": "n"}
        nowhere = Workspace(Path("nowhere"))
        return perform(task, asked | self.asked | more, nowhere, lambda _: None)


@pytest.fixture(scope="module", params=QUESTIONS, ids=lambda q: f"{q[0]} {q[1]} {q[2]}")
def question(request: pytest.FixtureRequest) -> Question:
    return Question(*request.param)


def test_the_command_says_what_the_library_does(question: Question) -> None:
    said, found = question.command(), question.found
    assert found.best is not None
    assert (said["answer"], said["best"]) == (found.answer, found.best.name)
    assert [(e["name"], e["n"]) for e in said["learners"]] == [(o.name, o.n) for o in found.offers]
    assert said["lower_bounds"] == [bound.facts for bound in found.lower_bounds]
    assert said["nonprivate_n"] == found.nonprivate_n
    binding = [b.n for b in found.lower_bounds if found.goal.proper or not b.proper]
    assert found.impossible_below == max(binding) <= found.best.n


def test_the_page_says_what_the_library_does(question: Question) -> None:
    found = question.found
    assert found.best is not None
    said = question.page("plan.first", learners=[found.best.name])
    (result,) = said["results"]
    assert (result["answer"], result["rows"]) == (found.answer, found.best.n)
    assert said["lower_bounds"] == [bound.facts for bound in found.lower_bounds]
    assert said["nonprivate_n"] == found.nonprivate_n
    assert f"{found.best.n:,} rows are enough" in result["sentence"]
    assert f"fewer than {found.impossible_below:,}." in result["sentence"]
    for alpha, rows in said["impossible"][::3]:
        assert rows == question.plan(alpha=str(alpha)).impossible_below
    ranked = {name for name in said["pending"] if name != found.best.name}
    assert ranked >= {offer.name for offer in found.offers} - {found.best.name}


def test_the_report_says_what_the_library_does(question: Question) -> None:
    goal, found = question.found.goal, question.found
    if goal.proper:
        return  # nobody asks a report for proper learners
    model = Model(
        concepts=goal.concepts,
        outputs=goal.concepts,
        features=("x",),
        labels=tuple("abcdefgh" * 8)[: goal.labels],
        hypotheses=(),
        n=10**4,
        learner=found.offers[0].name,
        cost=Pure(1),
        privacy=Privacy(goal.epsilon, goal.delta),
        accuracy=goal.accuracy,
        agnostic=goal.agnostic,
        secure=True,
        schema="",
        version="",
    )
    asked = Asked(question.spec, goal.epsilon, goal.delta, goal.alpha, goal.beta)
    expected = [(o.name, o.n) for o in found.offers if CATALOGUE[o.name].contends]
    assert [(offer.name, offer.n) for offer in offers(model, asked)] == expected
    curve = power_curve(model, asked)
    assert curve is not None
    never = {error: n for n, error in curve.impossible}
    for n, error in curve.promised[::5]:
        there = question.plan(alpha=str(error))
        assert n in {offer.n for offer in there.offers if offer.name == model.learner}
        assert never.get(error, 0) == there.impossible_below or there.impossible_below <= 1


def test_the_tables_say_what_the_library_does(question: Question) -> None:
    goal, found = question.found.goal, question.found
    given = Parameters(
        alpha=goal.alpha, beta=goal.beta, epsilon=goal.epsilon, delta=goal.delta or "1e-6"
    )
    privacy = "approximate" if goal.delta else "pure"
    empty = {"row": "", "column": "", "formula": "", "theorem": "", "where": "", "note": ""}
    numbers = {}
    for side in ("upper", "lower"):
        cell = Cell(
            **empty,
            side=side,
            spec=question.spec,
            privacy=privacy,
            proper=goal.proper,
            agnostic=goal.agnostic,
            assumes="",
            errata=(),
            by=(),
        )
        numbers[side] = number(cell, given, labels=goal.labels)
    assert found.best is not None
    assert (numbers["upper"].best, numbers["upper"].best_by) == (found.best.n, found.best.name)
    assert numbers["lower"].best == found.impossible_below


def test_advice_is_the_same_everywhere(question: Question) -> None:
    ways = [asdict(way) for way in ways_out(question.found.goal, FEW)]
    said = question.command("--n", str(FEW))
    assert said["enough"] is False
    assert said["advice"] == ways == question.page("plan.advice", have=FEW)["ways"]
    assert ways[0] == {"change": "collect more rows", "n": question.found.answer}


@pytest.mark.parametrize("name", [name for name in NAMES if name != "classes"])
def test_the_command_bounds_says_what_the_library_does(name: str) -> None:
    asked = ["bounds", "--table", name, "--bits", "8", "--labels", "3", "--json"]
    (said,) = json.loads(CliRunner().invoke(app, asked).stdout)["tables"]
    for cell, shown in zip(table(name).cells, said["cells"], strict=True):
        if cell.assumes:
            continue
        found = plan(
            shown["spec"],
            alpha="0.1",
            beta="0.1",
            epsilon=1,
            delta="1e-6" if cell.privacy == "approximate" else 0,
            labels=1 if name == SINGLE else 3,
            agnostic=cell.agnostic,
            proper=cell.proper,
        )
        best, own = shown["best"], shown["number"]
        assert best == (found.answer if cell.side == "upper" else found.impossible_below)
        assert own is None or (own >= best if cell.side == "upper" else own <= best)


@pytest.mark.parametrize("labels", [["a"], ["a", "b", "c"]])
@pytest.mark.parametrize("learner", ["generic", "shared-cover", "statistical-query"])
def test_what_is_learned_is_promised_as_planned(learner: str, labels: list[str]) -> None:
    """The failure probability is for all labels, and is divided between them once."""
    schema = Schema({"x": Integer(0, 1023), **{name: Bits() for name in labels}})
    agnostic = CATALOGUE[learner].agnostic
    goal: dict[str, Any] = {"alpha": "0.1", "beta": "0.05", "epsilon": 1, "agnostic": agnostic}
    concepts = class_for("thresholds", schema, ["x"])
    planned = plan(concepts, labels=len(labels), among=(learner,), **goal).answer
    assert isinstance(planned, int)
    rows = {name: [0] * (planned - 1) for name in ("x", *labels)}
    given: dict[str, Any] = {"concepts": "thresholds", "features": ["x"], "labels": labels}
    with pytest.raises(SampleTooSmall) as refused:
        learn(rows, schema, learner=learner, **given, **goal)
    assert (refused.value.needed, refused.value.got) == (planned, planned - 1)


def test_the_three_answers_that_were_one_question() -> None:
    """It was 312 or 86 in the plan, 86 on the page and 45 in the report."""
    free, proper = (
        plan("thresholds(bits=32)", alpha="0.05", epsilon=1, proper=asked)
        for asked in (False, True)
    )
    assert (free.impossible_below, proper.impossible_below) == (113, 320)
    assert free.best is not None
    assert free.gap is not None
    assert free.gap.ratio == free.best.n / 320  # the best learner is proper
