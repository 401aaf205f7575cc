"""Learners made from learners, by name: what they are made from, promises, totality, command."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.contract.specification import parse
from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.data import Bits, Integer, Schema
from tacit.learners import (
    CATALOGUE,
    ConfidenceBooster,
    DirectSum,
    EmpiricalLearner,
    GenericLearner,
    Model,
    ParityLearner,
    PriorLearner,
    SelectedLearner,
    named,
)
from tacit.learners.contract.entry import Request
from tacit.statistics import LabelCounts
from tacit.verify.enough.hard_populations import hard_populations
from tacit.verify.enough.simulation import alarm
from tacit.workflows import learn
from tacit.workflows.planning.plan import plan
from tests.interfaces.cli.test_command import call
from tests.support.promises import kept, needed

F = Fraction
GOAL = Accuracy("0.1", "0.05")
NAMES = ("boosted", "empirical", "selected")


def _request(spec: str, *, n: int = 2000, asked: bool = True, **rest: Any) -> Request:
    given: dict[str, Any] = {"privacy": Privacy(1, 0), "agnostic": False, "labels": 1} | rest
    alpha = GOAL.alpha if asked else None
    return Request(parse(spec), n=n, alpha=alpha, beta=GOAL.beta, **given)


def _learner(name: str, request: Request) -> Any:
    made = named(name)(request)
    assert isinstance(made, DirectSum)
    return made.learner


def test_each_name_is_its_class() -> None:
    request = _request("thresholds(bits=8)")
    assert isinstance(_learner("boosted", request), ConfidenceBooster)
    assert isinstance(_learner("empirical", request), EmpiricalLearner)
    assert isinstance(_learner("selected", request), SelectedLearner)
    assert all(CATALOGUE[name].wrapper and CATALOGUE[name].pure for name in NAMES)


def test_public_numbers_say_what_they_are_made_from() -> None:
    assert isinstance(_learner("boosted", _request("parities(dims=64)")).base, ParityLearner)
    assert isinstance(_learner("boosted", _request("thresholds(bits=8)")).base, GenericLearner)
    tried = _learner("selected", _request("thresholds(bits=8)")).candidates
    assert {type(one) for one in tried} >= {GenericLearner, PriorLearner}
    assert len(tried) <= 3
    (alone,) = _learner("selected", _request("intervals(bits=4)")).candidates
    assert isinstance(alone, GenericLearner)
    assert isinstance(_learner("empirical(prior)", _request("thresholds(bits=8)")).of, PriorLearner)
    both = _learner("selected(prior, generic)", _request("thresholds(bits=8)")).candidates
    assert [type(one) for one in both] == [PriorLearner, GenericLearner]
    approximate = named("boosted(line)")
    assert (approximate.pure, approximate.families) == (False, ("lines",))
    made = approximate(_request("lines(p=7)", privacy=Privacy(1, "1e-6")))
    assert price(made.cost, "1e-6").privacy.epsilon <= 1


@pytest.mark.parametrize("outer", NAMES)
def test_what_one_part_needs_the_whole_needs(outer: str) -> None:
    mixed, plain = named(f"{outer}(generic, cover, stable-point)"), named(f"{outer}(generic)")
    assert (mixed.pure, mixed.proper) == (False, False)
    assert (plain.pure, plain.proper) == (True, True)
    assert "uniform points" in mixed.assumes
    assert "uniform points" not in plain.assumes


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("spec", ["thresholds(bits=8)", "conjunctions(dims=4, width=2)"])
@pytest.mark.parametrize("labels", [1, 3])
def test_the_budget_holds_and_the_rows_are_enough(name: str, spec: str, labels: int) -> None:
    total = Privacy(1, 0 if labels == 1 else "1e-6")
    request = _request(spec, labels=labels, privacy=total)
    n = named(name)(request).sample_size(GOAL)
    made = named(name)(_request(spec, n=n, labels=labels, privacy=total))
    assert price(made.cost, total.delta).privacy.epsilon <= 1
    promised = made.accuracy(n, GOAL.beta)
    assert promised is not None
    assert promised.alpha <= GOAL.alpha
    generic = named("generic")(request).sample_size(GOAL)
    assert n >= generic, "a wrapper never needs fewer rows than what it is made from"


@pytest.mark.parametrize("name", ["boosted", "selected", "boosted(prior)"])
def test_the_promise_in_simulation(name: str) -> None:
    concepts = Thresholds(8)
    learner = _learner(name, _request(str(concepts)))
    shapes = hard_populations(concepts, Threshold(77), GOAL.alpha)
    n = kept(learner, shapes, GOAL, runs=60)
    worst = needed(learner, shapes["one bad region"], GOAL, most=n, runs=150)
    assert n / worst < 4


def test_the_empirical_promise_in_simulation() -> None:
    """It is about the rows at hand: they are fixed here, and not drawn from anything."""
    concepts, runs, rng = Thresholds(8), 120, Seeded(3)
    n = _learner("empirical", _request(str(concepts))).sample_size(GOAL)
    learner = _learner("empirical", _request(str(concepts), n=n))
    for far in (1, 13, 100):
        rows = [(77 - far, (0,))] * (n // 2) + [(77 + (j * far) % 150, (1,)) for j in range(n)]
        sample = LabelCounts.of(rows[:n], labels=1)
        missed = sum(
            sample.mistakes(learner(sample, rng=rng)) > GOAL.alpha * n for _ in range(runs)
        )
        assert missed < alarm(runs, GOAL.beta)


@pytest.mark.parametrize("name", NAMES)
@given(
    rows=st.lists(st.tuples(st.integers(-3, 300), st.tuples(st.booleans())), max_size=9),
    asked=st.booleans(),
)
@settings(max_examples=15, deadline=None)
def test_any_sample_gives_a_hypothesis(
    name: str, rows: list[tuple[int, tuple[bool]]], asked: bool
) -> None:
    sample = LabelCounts.of(rows, labels=1)
    learner = _learner(name, _request("thresholds(bits=8)", n=max(len(rows), 1), asked=asked))
    if rows or name != "empirical":
        found = learner(sample, rng=Seeded(1))
        assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found


def test_more_rows_promise_more_where_nothing_is_asked_for() -> None:
    for name in NAMES:
        promised = [
            named(name)(_request("thresholds(bits=8)", n=n, asked=False)).accuracy(n, GOAL.beta)
            for n in (4000, 40_000)
        ]
        assert promised[0].alpha > 5 * promised[1].alpha  # type: ignore[union-attr]


def test_wrappers_are_not_offered_by_a_plan() -> None:
    offers = plan("thresholds(bits=8)", alpha="0.1", epsilon=1).offers
    assert not {offer.name for offer in offers} & set(NAMES)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("boosted(nobody)", "made from"),
        ("boosted(histogram)", "made from"),
        ("boosted(parties)", "made from"),
        ("boosted()", "made from"),
        ("wrapped(generic)", "not known"),
        ("boosted(generic", "not known"),
    ],
)
def test_names_that_say_nothing(name: str, problem: str) -> None:
    with pytest.raises(InvalidArgument, match=problem):
        named(name)


def test_requests_that_do_not_fit() -> None:
    with pytest.raises(InvalidArgument, match="realisable"):
        named("boosted")(_request("thresholds(bits=8)", agnostic=True))
    with pytest.raises(InvalidArgument, match="not for thresholds"):
        named("boosted(parity)")(_request("thresholds(bits=8)"))
    with pytest.raises(InvalidArgument, match="delta"):
        named("selected(line)")(_request("lines(p=7)"))


SCHEMA = Schema({"age": Integer(0, 120), "sick": Bits()})


@pytest.mark.parametrize("name", [*NAMES, "selected(generic, prior)"])
def test_the_command_and_the_model(name: str, tmp_path: Path) -> None:
    table, out = tmp_path / "people.csv", tmp_path / "model.json"
    with table.open("w", newline="") as file:
        rows = [(j % 121, int(j % 121 >= 65)) for j in range(6000)]
        csv.writer(file).writerows([("age", "sick"), *rows])
    schema = tmp_path / "s.toml"
    schema.write_text(SCHEMA.dump())
    asked = ["--features", "age", "--labels", "sick", "--epsilon", "1", "--seed", "3"]
    asked += ["--class", "thresholds", "--hold-out", "0"]
    ended = call(
        *("learn", str(table), "--schema", str(schema), *asked),
        *("--learner", name, "--realisable", "--out", str(out)),
    )
    said = ended.stdout
    assert "sick: yes if age is at least" in said
    assert f"learner: {name}." in said
    assert ("It assumes" in said) == (name == "empirical")
    model = Model.loads(out.read_text())
    assert model.learner == name
    assert model.accuracy is not None
    again = learn(
        str(table), SCHEMA, concepts="thresholds", features=["age"], labels=["sick"], epsilon=1,
        learner=name, agnostic=False, rng=Seeded(3),
    )  # fmt: skip
    assert json.dumps(again.encode()) == json.dumps(model.encode())
