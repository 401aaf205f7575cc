"""Descents in rounds: the steps of one table's learner, with the noise of all houses."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.cost import Added
from tacit.core.errors import InvalidArgument, TacitError
from tacit.data import Bits, Category, Integer, Schema
from tacit.learners import JointMargin
from tacit.learners.contract.model import Model
from tacit.learners.contract.seal import sealed
from tacit.statistics import Counts, JointCounts
from tacit.workflows import predict
from tacit.workflows.sites.asking import ask_after, check_kind, join_messages
from tacit.workflows.sites.descent import Descent, Pulls, rho_of
from tacit.workflows.sites.kinds.descent import made, read_state
from tacit.workflows.sites.question import SiteQuestion, canonical
from tacit.workflows.sites.tables import SiteTable
from tests.support.messages import SCHEMA, UNTIL, Houses, rows

WARDS = Schema({"age": Integer(0, 99), "smoker": Bits(), "ward": Category(["a", "b", "c"])})
ASKED: Any = {"labels": ["ill"], "features": ["age"], "delta": "1e-6"}


@pytest.fixture(scope="module")
def houses() -> Houses:
    return Houses.of(3)


def _table(n: int, start: int) -> dict[str, list[Any]]:
    ages = [(start + 37 * i) % 100 for i in range(n)]
    return {
        "age": ages,
        "smoker": [(age + start) % 2 for age in ages],
        "ward": ["abc"[age // 34] for age in ages],
    }


def _learned(
    houses: Houses, question: SiteQuestion, tables: Any, schema: Schema
) -> tuple[Model, list[SiteQuestion]]:
    """Ask all rounds; return the model, and every question."""
    asked = [question]
    while True:
        assert SiteQuestion.loads(asked[-1].dumps()) == asked[-1]
        made = join_messages(houses.answer(asked[-1], tables, schema), question=asked[-1])[1]
        if isinstance(made, Model):
            return made, asked
        assert made["round"] == len(asked)
        asked.append(ask_after(json.loads(json.dumps(made)), until=UNTIL))


@pytest.mark.parametrize("labels", [["ward"], ["smoker"], ["ward", "smoker"]], ids=str)
def test_without_noise_all_rounds_are_the_learner_on_one_table(
    labels: list[str], houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that noise decides by its size stays: rates, cuts, and how far weights are shrunk."""

    def none(_: Fraction, count: int, *, rng: Any) -> Any:
        return np.zeros(count, dtype=np.int64)

    monkeypatch.setattr("tacit.mechanisms.noise.discrete_gaussian.discrete_gaussian", none)
    tables = [_table(n, start) for start, n in enumerate((400, 300, 500))]
    features = [name for name in ("age", "smoker") if name not in labels]
    asked: Any = {"labels": labels, "features": features, "epsilon": 2, "delta": "1e-6"}
    question = houses.ask("descent", WARDS, **asked, rounds=6)
    model, questions = _learned(houses, question, tables, WARDS)
    read = Descent.of(WARDS, question.given)
    made: Any = {"outcomes": read.learner.outcomes, "steps": 5, "caution": 0}
    learner = JointMargin(read.learner.concepts, rho=rho_of(read.whole) / 3, **made)
    pooled = {name: [cell for table in tables for cell in table[name]] for name in WARDS.names}
    codes = {name: [WARDS[name].code(each) for each in pooled[name]] for name in WARDS.names}
    marks = np.hstack(
        [each.marked(np.array(codes[each.name])).astype(int) for each in read.coding.outcomes]
    )
    points = zip(*(codes[name] for name in features), strict=True)
    held = [(x if len(x) > 1 else x[0], y) for x, y in zip(points, marks.tolist(), strict=True)]
    cards = learner(JointCounts.of(held, labels=marks.shape[1]), rng=Seeded(1))
    assert model.hypotheses == cards
    assert (model.n, model.learner, len(questions)) == (1200, "margin", 6)
    assert {question.round for question in questions} == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("unit", [{}, {"neighbours": "added"}, {"person": ["who"]}], ids=str)
def test_all_rounds_together_cost_what_was_said_at_the_start(
    unit: dict[str, Any], houses: Houses
) -> None:
    tables = [_table(700, start) | {"who": [*range(700)]} for start in range(3)]
    asked: Any = {"labels": ["ward"], "epsilon": 2, "delta": "1e-6"}
    question = houses.ask("descent", WARDS, **asked, rounds=8, **unit)
    model, questions = _learned(houses, question, tables, WARDS)
    rho = sum(table.share for each in questions for table in each.tables)
    assert rho == rho_of(Descent.of(WARDS, question.given).whole)
    assert price(model.cost, "1e-6").privacy == model.privacy
    assert isinstance(model.cost, Added) == question.unit.added
    assert Fraction("1.99") < model.privacy.epsilon <= 2
    assert all(each.unit == model.unit == question.unit for each in questions)
    learner = Descent.of(WARDS, questions[-1].given).learner
    whole = learner.noise(learner.whole).sigma_squared
    assert whole == 3 * questions[-1].tables[0].noise.sigma_squared  # type: ignore[union-attr]
    said = predict(model, tables[0])
    assert (said[:, 0] == (np.array(tables[0]["age"]) < 34)).mean() > 0.85


def test_no_row_pulls_more_than_its_noise_is_for(houses: Houses) -> None:
    """At weights that no descent leads to, of rows far from the centre that was told."""
    table = _table(300, 1)
    question = houses.ask("descent", WARDS, labels=["ward"], epsilon=1, delta="1e-6")
    state = join_messages(houses.answer(question, [table] * 3, WARDS))[1]
    wild = dict(state["given"]["reached"])
    wild["weights"] = [[(-1) ** i << 22 for i in range(len(w))] for w in wild["weights"]]
    wild["moments"] = [0 for _ in wild["moments"]]
    asked = ask_after(state | {"given": state["given"] | {"reached": wild}})
    (told,) = asked.tables
    every = list(product(range(100), range(2), range(3)))
    names = asked.mechanism.columns
    order = [("age", "smoker", "ward").index(name) for name in names]
    each = [
        told.counts(
            {name: np.array([row[at]]) for name, at in zip(names, order, strict=True)},
            np.ones(1, dtype=np.int64),
        )
        for row in every
    ]
    assert max(int(v @ v) for v in each) <= replace(told, added=True).moved[1]
    lengths = sorted(each, key=lambda v: -int(v @ v))[:40]
    farthest = max(int((a - b) @ (a - b)) for a, b in product(lengths, repeat=2))
    assert told.moved[1] / 100 < farthest <= told.moved[1]


@pytest.mark.parametrize("feature", ["age", "ward"])
def test_no_row_moves_moments_by_more_than_its_noise_is_for(feature: str, houses: Houses) -> None:
    asked = {"labels": ["smoker"], "features": [feature], "epsilon": 1, "delta": "1e-6"}
    told = houses.ask("descent", WARDS, **asked).tables[-1]
    one = np.ones(1, dtype=np.int64)
    each = [told.counts({feature: np.array([code])}, one) for code in range(WARDS[feature].size)]
    farthest = max(int((a - b) @ (a - b)) for a, b in product(each, repeat=2))
    added = replace(told, added=True).moved[1]
    assert added < farthest <= told.moved[1]
    assert max(int(v @ v) for v in each) <= added


def test_sums_beyond_64_bits_do_not_wrap_around(houses: Houses) -> None:
    question = houses.ask("descent", **ASKED)
    state = join_messages(houses.answer(question, [rows(50)] * 3))[1]
    for asked in (question, ask_after(state)):
        table = asked.tables[-1]
        names, many = asked.mechanism.columns, 1 << 58
        row = {"age": 99, "ill": 1}
        codes = {name: np.array([row[name]]) for name in names}
        one = table.counts(codes, np.array([1])).tolist()
        assert table.counts(codes, np.array([many])).tolist() == [many * each for each in one]


def test_a_house_without_rows_answers_every_round_where_that_is_secret(houses: Houses) -> None:
    empty: Any = {name: [] for name in SCHEMA.names}
    question = houses.ask("descent", **ASKED, neighbours="added", rounds=2)
    tables = [rows(900, 1), rows(900, 2), empty]
    assert _learned(houses, question, tables, SCHEMA)[0].n > 1000


def test_messages_of_another_round_and_states_that_were_changed_are_refused(
    houses: Houses,
) -> None:
    tables = [rows(200, start) for start in range(3)]
    first = houses.ask("descent", **ASKED)
    texts = houses.answer(first, tables)
    state = join_messages(texts)[1]
    second, again = (ask_after(state, until=UNTIL) for _ in range(2))
    assert second.given["after"] == first.digest
    for mixed in (
        [*texts[:2], houses.answer(second, tables)[2]],
        [*houses.answer(second, tables)[:2], houses.answer(again, tables)[2]],
    ):
        with pytest.raises(InvalidArgument, match="another round"):
            join_messages(mixed)
    with pytest.raises(InvalidArgument, match="another question"):
        join_messages(texts, question=second)
    last = replace_in(state, step=10)
    weights = state["given"]["reached"]["weights"]
    heavy = [[(1 << 40) + 1] * len(w) for w in weights]
    for changed in (
        *(last, {}, {"given": 3}, replace_in(state, yes=[1, 2]), replace_in(state, n=0)),
        *(
            replace_in(state, **{name: each})
            for name in ("weights", "late")
            for each in (heavy, [])
        ),
    ):
        with pytest.raises(InvalidArgument):
            ask_after(sealed(changed))
    assert read_state(canonical(state)) == state
    with pytest.raises(InvalidArgument, match="changed"):
        read_state(canonical(replace_in(state, n=5)))


def test_coins_that_were_not_secret_in_one_round_are_not_in_all(houses: Houses) -> None:
    first = houses.ask("descent", **ASKED)
    state = join_messages(houses.answer(first, [rows(50)] * 3))[1]
    joined = join_messages(houses.answer(ask_after(state, until=UNTIL), [rows(50)] * 3))[0]
    for before in (False, True):
        known: Any = replace_in(state, secure=before)["given"]
        later = replace(joined.question, given=known)
        after: Any = made(replace(joined, question=later, secure=True))
        assert after["given"]["reached"]["secure"] is before


def test_a_house_that_stops_answering_is_not_asked_again(houses: Houses) -> None:
    asked = houses.ask("descent", **ASKED, rounds=3)
    texts = houses.answer(asked, [rows(200, start) for start in range(3)])
    later = ask_after(join_messages(texts[:2], some=True)[1], until=UNTIL)
    assert later.sites == tuple(sorted(houses.sites[:2]))
    two = Houses(houses.keys[:2])
    last = join_messages(two.answer(later, [rows(200), rows(200)])[:1], some=True)[1]
    alone = Houses(tuple(key for key, site in zip(two.keys, two.sites, strict=True)
                         if site in last["sites"]))  # fmt: skip
    made = join_messages(alone.answer(ask_after(last, until=UNTIL), [rows(200)]))[1]
    assert (made.n, len(last["sites"])) == (400, 1)


def replace_in(state: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a state that reached something else."""
    given = state["given"]
    return state | {"given": given | {"reached": given["reached"] | changes}}


@pytest.mark.parametrize(
    "changes",
    [
        {"reached": 3},
        {"reached": {"weights": []}},
        {"whole": {"epsilon": "5", "delta": "1e-6", "neighbours": "replaced"}},
        {"whole": {"epsilon": "1"}},
        {"rounds": 3},
        {"rounds": "many"},
        {"labels": ["days"]},
        {"features": []},
    ],
    ids=str,
)
def test_a_hostile_question_is_refused(changes: dict[str, Any], houses: Houses) -> None:
    first = houses.ask("descent", **ASKED)
    told = ask_after(join_messages(houses.answer(first, [rows(50)] * 3))[1]).encode()
    with pytest.raises(TacitError):
        check_kind(SiteQuestion.loads(canonical(told | {"given": told["given"] | changes})))


@pytest.mark.parametrize(
    "reached", [{"n": 1, "houses": 1 << 10}, {"yes": [1 << 200]}, {"moments": [-(1 << 200)] * 3}]
)
def test_a_strange_state_at_a_tiny_price_is_answered(
    reached: dict[str, Any], houses: Houses
) -> None:
    """What a house draws is decided before it looks at its rows: nothing fails after the charge."""
    first = houses.ask("descent", **ASKED | {"epsilon": "1e-9", "features": ["age"]})
    state = join_messages(houses.answer(first, [rows(50)] * 3))[1]
    many = len(state["given"]["reached"]["moments"])
    changed = {k: v[:many] if isinstance(v, list) else v for k, v in reached.items()}
    question = ask_after(replace_in(state, **changed), until=UNTIL)
    joined = join_messages(houses.answer(question, [rows(50)] * 3))[0]
    assert len(joined.sums[0]) == question.tables[0].cells


def test_what_no_descent_can_do_is_refused(houses: Houses) -> None:
    for changes, said in (
        ({"delta": 0}, "delta"),
        ({"honest": 2}, "honest"),
        ({"rounds": 1}, "rounds"),
        ({"labels": ["age"]}, "feature"),
    ):
        with pytest.raises(InvalidArgument, match=said):
            houses.ask("descent", **ASKED | changes)


def test_pulls_are_asked_for_with_gaussian_noise_or_bounded_in_total(houses: Houses) -> None:
    """The total of integers is at most that of their squares, should anybody ask so."""
    first = houses.ask("descent", **ASKED)
    asked = ask_after(join_messages(houses.answer(first, [rows(50)] * 3))[1])
    (table,) = asked.tables
    assert isinstance(table.of, Pulls)
    pure = SiteTable((), Fraction(1), of=table.of)
    assert pure.moved[0] == pure.moved[1] == table.moved[1]
    told = asked.mechanism(Counts.of([(3, 1)]), rng=Seeded(1))
    assert len(told[0]) == table.cells == 3
