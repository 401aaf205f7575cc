"""Questions and messages: what is refused, and that nothing that was changed is taken."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, Refused, TooLarge
from tacit.data import Integer, Schema
from tacit.statistics import Counts
from tacit.workflows.sites.answering import answer
from tacit.workflows.sites.asking import KINDS, join_messages
from tacit.workflows.sites.message import SiteMessage
from tacit.workflows.sites.question import SiteQuestion, canonical
from tacit.workflows.sites.tables import MOST_CELLS, NoisyTables
from tests.support.messages import NOW, SCHEMA, UNTIL, Houses, rows, tampered

ASKED = {
    "scorecard": {"labels": ["ill"], "features": ["age"]},
    "steps": {"features": ["age", "days"]},
    "count": {"by": ["ill"], "mean": ["age"], "quantiles": {"days": ["1/2"]}},
    "survival": {"time": "days", "event": "ill"},
    "conjunction": {"labels": ["ill"], "features": ["ill"]},
    "synthetic": {"columns": ["age", "ill"]},
    "descent": {"labels": ["ill"], "features": ["age"], "delta": "1e-6"},
}


@pytest.fixture(scope="module")
def houses() -> Houses:
    return Houses.of(2)


@pytest.mark.parametrize("kind", ASKED)
def test_a_question_is_read_back_as_it_was_written(kind: str, houses: Houses) -> None:
    question = houses.ask(kind, **ASKED[kind])
    assert SiteQuestion.loads(question.dumps()) == question
    assert kind in KINDS


def test_a_message_is_read_back_and_says_what_it_holds(houses: Houses) -> None:
    question = houses.ask("count", by=["ill"])
    text, _ = houses.answer(question, [rows(9), rows(7)])
    message = SiteMessage.loads(text)
    assert (message.n, message.secure, message.dumps()) == (9, False, text)
    assert "1 count of rows by ill" in json.loads(text)["question"]["tells"][0]


@pytest.mark.parametrize("honest", [None, 2])
def test_no_changed_set_of_messages_is_taken(honest: int | None) -> None:
    kinds = set()
    sets = tampered(Houses.of(3), Random(1), honest)
    for _, (what, texts) in zip(range(60), sets, strict=False):
        kinds.add(what)
        with pytest.raises(InvalidArgument):
            join_messages(texts)
    assert len(kinds) == 29 + bool(honest)


def test_a_house_that_is_not_asked_is_not_joined_though_it_signs(houses: Houses) -> None:
    question = houses.ask("count", by=["ill"])
    texts, (stranger,) = houses.answer(question, [rows(9), rows(7)]), Houses.of(1).keys
    theirs = replace(
        SiteMessage.loads(texts[0]), site=stranger.public_key().public_bytes_raw().hex()
    ).signed(stranger)
    with pytest.raises(InvalidArgument, match="not one that the question asks"):
        join_messages([*texts, theirs.dumps()])
    with pytest.raises(InvalidArgument, match="each of them once"):
        replace(question, sites=(*houses.sites, houses.sites[0]))


@pytest.mark.parametrize("neighbours", ["replaced", "added"])
def test_what_is_joined_says_no_more_than_all_messages(neighbours: str, houses: Houses) -> None:
    question = houses.ask("count", by=["ill"], neighbours=neighbours)
    texts = houses.answer(question, [rows(9), rows(7)])
    secret = replace(SiteMessage.loads(texts[0]), secure=True).signed(houses.keys[0])
    joined = join_messages([secret.dumps(), texts[1]])[0]
    assert (joined.secure, joined.n) == (False, 16 if neighbours == "replaced" else None)


def test_tables_are_bounded_in_what_they_read_and_in_number(houses: Houses) -> None:
    count, total = houses.ask("count", by=["ill"], mean=["age"], epsilon=10**4).tables
    one, outside = np.ones(1, dtype=np.int64), {"age": np.array([1 << 40]), "ill": np.array([0])}
    assert abs(total.counts(outside, one)).sum() <= 99
    names, many = ("age", "ill"), MOST_CELLS // total.size
    assert NoisyTables(names, (total,) * many).tables
    with pytest.raises(TooLarge, match="cells"):
        NoisyTables(names, (total,) * (many + 1))
    rho = replace(total, gaussian=True)
    for mixed in ((count, rho), (count, replace(total, added=True)), (replace(rho, honest=2),)):
        with pytest.raises(InvalidArgument, match="one kind of noise"):
            NoisyTables(names, mixed)


def test_an_untouched_set_is_joined_in_any_order(houses: Houses) -> None:
    question = houses.ask("count", by=["ill", "age=50"], epsilon=60)
    texts = houses.answer(question, [rows(50), rows(30)])
    joined, told = join_messages(texts, question=question)
    assert join_messages(texts[::-1])[1] == told
    ages = [*rows(50)["age"], *rows(30)["age"]]
    young, old = sum(a < 50 for a in ages), sum(a >= 60 for a in ages)
    assert [a.value for a in told.answers] == [young, 80 - young - old, 0, old]
    assert (joined.n, joined.draws) == (80, 2)


def test_another_question_than_expected_is_refused(houses: Houses) -> None:
    first, second = (houses.ask("count", by=["ill"]) for _ in range(2))
    texts = houses.answer(first, [rows(9), rows(7)])
    with pytest.raises(InvalidArgument, match="another question"):
        join_messages(texts, question=second)
    assert join_messages(texts[:1], some=True)[0].draws == 1


def test_a_house_refuses_what_is_late_or_asks_others_or_reads_its_rows_otherwise(
    houses: Houses,
) -> None:
    question, site = houses.ask("count", by=["ill", "age=50"]), houses.sites[0]
    with pytest.raises(Refused, match="until"):
        answer(rows(9), SCHEMA, question=question, site=site, now=UNTIL.replace(year=2027))
    with pytest.raises(Refused, match="does not ask this house"):
        answer(rows(9), SCHEMA, question=question, site="0" * 64, now=NOW)
    mine = Schema(dict(SCHEMA.columns) | {"age": Integer(0, 120)})
    with pytest.raises(InvalidArgument, match="'age' in another way"):
        answer(rows(9), mine, question=question, site=site, now=NOW)


def test_a_question_that_costs_more_than_it_says_is_refused(houses: Houses) -> None:
    told = houses.ask("count", by=["ill"]).encode()
    told["tables"][0]["epsilon"] = "2"
    with pytest.raises(InvalidArgument, match="cost epsilon = 2"):
        SiteQuestion.loads(canonical(told))


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "tacit-question-2"},
        {"kind": 3},
        {"tables": []},
        {"tables": [{"by": [{"column": "ill", "edges": [0, 5]}], "epsilon": "1"}]},
        {"tables": [{"by": [{"column": "nobody"}], "epsilon": "1"}]},
        {"tables": [{"by": [], "epsilon": "1"}]},
        {"tables": [{"by": [{"model": "wrong", "label": 0}], "epsilon": "1"}]},
        {"tables": [{"by": [{"column": "ill"}], "epsilon": "1", "rho": "1"}]},
        {"tables": 7},
        {"sites": []},
        {"sites": ["ab"]},
        {"until": "tomorrow"},
        {"round": 0},
        {"unit": 3},
        {"schema": "[["},
        {"privacy": {"epsilon": "0", "delta": "0"}},
        {"model": {}},
        {"note": "trust me"},
        {"tells": ["nothing"]},
    ],
    ids=str,
)
def test_a_hostile_question_is_refused(changes: dict[str, object], houses: Houses) -> None:
    told = houses.ask("count", by=["ill"]).encode() | changes
    with pytest.raises(InvalidArgument):
        SiteQuestion.loads(canonical(told))


def test_nothing_is_drawn_before_it_is_charged(houses: Houses) -> None:
    charged = []
    question = houses.ask("count", by=["ill"])

    def charge(cost: object, *rest: object) -> None:
        charged.append((cost, *rest))
        raise Refused("no budget")

    with pytest.raises(Refused, match="no budget"):
        answer(rows(9), SCHEMA, question=question, site=houses.sites[0], now=NOW, charge=charge)
    assert charged[0][0] == question.cost


def test_a_secret_number_of_rows_is_not_in_the_message(houses: Houses) -> None:
    question = houses.ask("count", by=["ill"], neighbours="added")
    told = answer(rows(9), SCHEMA, question=question, site=houses.sites[0], now=NOW, rng=Seeded(1))
    assert told.n is None
    assert len(told.tables[0]) == 2
    with pytest.raises(InvalidArgument, match="tell n"):
        replace(told, n=9).signed(houses.keys[0]).check()


def test_a_house_without_rows_answers_only_where_that_is_secret(houses: Houses) -> None:
    empty: Any = {name: [] for name in SCHEMA.names}
    asked: Any = {"site": houses.sites[0], "now": NOW}
    secret = houses.ask("count", by=["ill"], mean=["age"], neighbours="added", epsilon=10**4)
    assert answer(empty, SCHEMA, question=secret, **asked).tables == ((0, 0), (0, 0))
    with pytest.raises(InvalidArgument, match="no rows"):
        answer(empty, SCHEMA, question=houses.ask("count", by=["ill"]), **asked)


def test_sums_beyond_64_bits_do_not_wrap_around(houses: Houses) -> None:
    question, many = houses.ask("count", by=["ill"], mean=["age"], epsilon=10**4), 1 << 58
    held = Counts(2 * many + 3, {(0, 0): 2 * many, (1, 99): 3})
    ill, ages = question.mechanism(held, rng=Seeded(1))
    assert ill == (2 * many,)
    assert ages == (-99 * 2 * many, 3 * 99)
