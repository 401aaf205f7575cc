"""The planner: it solves for each unknown, is monotone, and never promises the impossible."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from tacit.concepts.specification import parse
from tacit.core.errors import InvalidArgument
from tacit.evaluation.advice import ways_out
from tacit.evaluation.plan import Goal, offers_for, plan
from tacit.interfaces.application import app

SPECS = ["thresholds(bits=32)", "points(bits=32)", "parities(dims=16)", "intervals(bits=16)"]


def _rows(**changed: str | int) -> int:
    goal = {"alpha": "0.1", "epsilon": "1", "beta": "0.05"} | changed
    answer = plan(parse(str(goal.pop("spec", SPECS[0]))), **goal).answer
    assert isinstance(answer, int)
    return answer


def test_golden_numbers() -> None:
    found = plan(parse("thresholds(bits=32)"), alpha="0.05", epsilon=1)
    assert found.best is not None
    assert found.best.proper
    assert found.best.n <= 1232
    proper = {b.name: b.n for b in found.lower_bounds}
    assert proper["packing of thresholds"] >= 267


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("delta", ["0", "1e-6"])
def test_offers_are_sorted_and_above_the_bounds_for_everybody(spec: str, delta: str) -> None:
    found = plan(parse(spec), alpha="0.1", epsilon=1, delta=delta)
    rows = [offer.n for offer in found.offers]
    assert rows == sorted(rows)
    assert found.best is not None
    assert found.answer == found.best.n
    for bound in found.lower_bounds:
        if bound.applies_to in ("every learner", "every private learner", "pure learners"):
            pure = [o.n for o in found.offers if not o.assumes and not o.goal.delta]
            assert all(bound.n <= n for n in pure)


@settings(max_examples=8, deadline=None)
@given(
    spec=st.sampled_from(SPECS),
    epsilon=st.integers(1, 30),
    alpha=st.integers(1, 45),
    labels=st.integers(1, 5),
)
def test_more_of_anything_never_needs_more_rows(
    spec: str, epsilon: int, alpha: int, labels: int
) -> None:
    base = {"spec": spec, "epsilon": f"{epsilon}/10", "alpha": f"{alpha}/100", "labels": labels}
    rows = _rows(**base)
    assert _rows(**base | {"epsilon": f"{epsilon + 3}/10"}) <= rows
    assert _rows(**base | {"alpha": f"{alpha + 3}/100"}) <= rows
    assert _rows(**base | {"beta": "0.1"}) <= rows
    assert _rows(**base | {"delta": "1e-6"}) <= rows
    assert _rows(**base | {"labels": labels + 1}) >= rows


@pytest.mark.parametrize("spec", SPECS)
def test_solving_twice_returns_what_was_asked(spec: str) -> None:
    concepts = parse(spec)
    n = plan(concepts, alpha="0.07", epsilon="0.9").answer
    assert isinstance(n, int)
    alpha = plan(concepts, n=n, epsilon="0.9").answer
    epsilon = plan(concepts, n=n, alpha="0.07").answer
    assert alpha is not None
    assert epsilon is not None
    assert alpha <= Fraction("0.07")
    assert epsilon <= Fraction("0.9")
    assert plan(concepts, alpha=alpha, epsilon="0.9").answer <= n  # type: ignore[operator]
    assert plan(concepts, alpha="0.07", epsilon=epsilon).answer <= n  # type: ignore[operator]


def test_too_few_rows_for_anything() -> None:
    found = plan(parse("thresholds(bits=32)"), n=3, epsilon="0.01")
    assert found.answer is None


def test_ways_out_are_true() -> None:
    goal = Goal(
        parse("thresholds(bits=32)"), Fraction(1, 20), Fraction(1, 20), Fraction(1), labels=9
    )
    ways = {way.change: way.n for way in ways_out(goal, 3000)}
    assert ways["collect more rows"] == min(o.n for o in offers_for(goal) if not o.assumes)
    assert ways["learn one label only"] < ways["allow delta = 1e-6"] < ways["collect more rows"]
    assert any(change.startswith("ask for error") and n <= 3000 for change, n in ways.items())
    assert any(change.startswith("spend epsilon") and n <= 3000 for change, n in ways.items())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"alpha": "0.5", "epsilon": 1}, "guessing"),
        ({"alpha": "0.1", "epsilon": 0}, "epsilon"),
        ({"alpha": "0.1", "epsilon": 1, "beta": 1}, "beta"),
        ({"alpha": "0.1", "epsilon": 1, "labels": 0}, "labels"),
        ({"alpha": "0.1", "epsilon": 1, "n": 5}, "two of"),
        ({"alpha": "0.1"}, "two of"),
    ],
)
def test_nonsense_is_refused(asked: dict[str, str | int], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        plan(parse("points(bits=4)"), **asked)


def test_the_command_answers_per_the_contract() -> None:
    asked = ["plan", "thresholds(bits=32)", "--alpha", "0.05", "--epsilon", "1", "--json"]
    said = json.loads(CliRunner().invoke(app, asked).stdout)
    assert said["question"] == "n"
    assert said["best"] in {learner["name"] for learner in said["learners"]}
    keys = {"name", "n", "alpha", "epsilon", "delta", "proper", "agnostic", "theorem", "spec"}
    assert all(keys <= set(learner) for learner in said["learners"])
    assert all(set(b) == {"name", "n", "theorem", "applies_to"} for b in said["lower_bounds"])
    few = json.loads(CliRunner().invoke(app, [*asked, "--n", "700"]).stdout)
    assert few["enough"] is False
    assert few["advice"][0]["change"] == "collect more rows"
    shown = CliRunner().invoke(app, asked[:-1]).stdout
    assert "Without privacy" in shown
    assert "generic" in shown


@pytest.mark.parametrize(
    "asked",
    [
        {"alpha": "0.1", "epsilon": "1e9"},
        {"alpha": "0.1", "epsilon": "1e-400"},
        {"n": 1000, "epsilon": "501"},
    ],
)
def test_budgets_beyond_reason_are_refused_with_a_way_out(asked: dict[str, str]) -> None:
    with pytest.raises(InvalidArgument, match="plan for these"):
        plan("parities(dims=8)", **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "asked",
    [
        {"alpha": "1e-9", "epsilon": 1},
        {"alpha": "0.1", "epsilon": 1, "labels": 10**6},
        {"alpha": "0.1", "epsilon": 1, "beta": "1e-12"},
        {"alpha": "0.1", "epsilon": "1e-6"},
        {"n": 10**15, "epsilon": "1e-9"},
        {"n": 10**15, "alpha": "1e-9"},
    ],
)
def test_extreme_goals_are_answered(asked: dict[str, str | int]) -> None:
    found = plan("thresholds(bits=32)", **asked)  # type: ignore[arg-type]
    assert found.answer is not None
    assert found.best is not None
    assert found.best.n >= max(b.n for b in found.lower_bounds if b.applies_to == "every learner")


def test_solving_for_a_tiny_budget_keeps_its_digits() -> None:
    n = plan("parities(dims=8)", alpha="0.1", epsilon="0.0001234").answer
    assert isinstance(n, int)
    assert plan("parities(dims=8)", n=n, alpha="0.1").answer == Fraction("0.0001234")
