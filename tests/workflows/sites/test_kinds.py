"""What is made of joined tables, with so little noise that it is what one table gives."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tacit.core import Decay
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Integer, Schema
from tacit.probability.party_noise import NoiseSum
from tacit.statistics import Counts
from tacit.workflows import predict, rules
from tacit.workflows.sites.asking import KINDS, ask, check_kind, join_messages
from tacit.workflows.sites.joining import JoinedTables
from tacit.workflows.sites.kinds.survival import SurvivalCurve
from tacit.workflows.sites.question import SiteQuestion
from tests.support.messages import SCHEMA, Houses, rows

TABLES = [rows(400, 1), rows(300, 2), rows(500, 3)]


@pytest.fixture(scope="module")
def houses() -> Houses:
    return Houses.of(3)


def _made(
    houses: Houses, kind: str, tables: Any = TABLES, schema: Schema = SCHEMA, **asked: Any
) -> Any:
    question = houses.ask(kind, schema, **({"epsilon": 300} | asked))
    return join_messages(houses.answer(question, tables, schema))[1]


def test_a_card_tells_the_old_from_the_young(houses: Houses) -> None:
    steps = _made(houses, "steps", features=["age"])["steps"]
    model = _made(houses, "scorecard", labels=["ill"], features=["age"], steps=steps)
    wrong = predict(model, TABLES[0])[:, 0] != np.array(TABLES[0]["ill"], dtype=bool)
    assert wrong.mean() < 0.1
    assert (model.n, model.secure, model.learner) == (1200, False, "counted")
    coarse = _made(houses, "scorecard", labels=["ill"], features=["age"])
    assert "age" in rules(coarse)[0]


def test_a_card_for_each_value_of_a_label_costs_one_table(houses: Houses) -> None:
    schema = Schema({"dose": Integer(0, 9), "ward": Category(["a", "b", "c"]), "old": Bits()})
    doses = [i % 10 for i in range(300)]
    table = {"dose": doses, "ward": ["abc"[d // 4] for d in doses], "old": [d > 4 for d in doses]}
    asked: Any = {"labels": ["ward", "old"], "features": ["dose"], "epsilon": 300}
    question = houses.ask("scorecard", schema, **asked)
    assert [table.cells for table in question.tables] == [3, 30, 1, 20]
    model = join_messages(houses.answer(question, [table] * 3, schema))[1]
    assert model.labels == ("ward is a", "ward is b", "ward is c", "old")
    said = predict(model, table)
    assert (said[:, 0] == (np.array(doses) < 4)).mean() > 0.85
    assert (said[:, 3] == np.array(table["old"])).all()


def test_measuring_knows_the_noise_of_all_houses(houses: Houses) -> None:
    model = _made(houses, "scorecard", labels=["ill"], features=["age"])
    schema = Schema({name: SCHEMA[name] for name in ("age", "ill")})
    told = _made(houses, "measure", schema=schema, model=model)
    wrong = [
        int(said[0]) != ill
        for table in TABLES
        for said, ill in zip(predict(model, table).tolist(), table["ill"], strict=True)
    ]
    assert told.readings[0].errors == sum(wrong)
    assert told.readings[0].draws == 3
    near = _made(houses, "measure", schema=schema, model=model, epsilon=1).readings[0]
    wide, narrow = near.error_interval(), told.readings[0].error_interval()
    assert wide.high - wide.low > narrow.high - narrow.low


def test_counts_means_and_quantiles_are_those_of_all_rows(houses: Houses) -> None:
    told = _made(
        houses, "count", by=["ill"], mean=["age"], quantiles={"age": ["1/2", 1]}, epsilon=600
    )
    ages = np.concatenate([table["age"] for table in TABLES])
    count, old, *_ = [a for a in told.answers if a.kind == "count"]
    assert (count.value, old.value) == ((ages < 60).sum(), (ages >= 60).sum())
    means = [a for a in told.answers if a.kind == "mean"]
    assert means[0].low <= ages[ages < 60].mean() <= means[0].high
    middle, last = [a for a in told.answers if a.kind == "quantile"]
    assert middle.low <= np.sort(ages)[599] <= middle.high
    assert last.low <= 99 <= last.high


def test_quantiles_lie_between_their_ends_at_every_level() -> None:
    """Ranks near the end are read from the end: a sum from the beginning has more noise."""
    schema, n, levels = Schema({"x": Integer(0, 63)}), 2000, ["1/2", "9/10", "97/100"]
    question = ask("count", schema, quantiles={"x": levels}, epsilon="0.1", sites=["a" * 64])
    values = [i * 64 // n for i in range(n)]
    held, missed = Counts.of(values), dict.fromkeys(levels, 0)
    for seed in range(100):
        told = question.mechanism(held, rng=Seeded(seed))
        joined = JoinedTables(question, question.sites, n, told, secure=False)
        for level, answer in zip(levels, KINDS["count"].made(joined).answers, strict=True):
            true = values[int(Fraction(level) * n) - 1]
            missed[level] += not answer.low <= true <= answer.high
    assert max(missed.values()) <= 5, missed


def test_what_no_join_can_make_is_refused_before_it_is_paid_for() -> None:
    bits = Schema({f"b{i}": Bits() for i in range(40)} | {"age": Integer(0, 99)})
    two = ["a" * 64, "b" * 64]
    rule: Any = {"labels": ["b0"], "features": ["b1", "b2"], "sites": two}
    for kind, asked in (
        ("count", {"quantiles": {"age": ["1/2"]}, "sites": two, "neighbours": "added"}),
        ("count", {"mean": ["age"], "sites": two, "neighbours": "added"}),
        ("conjunction", rule | {"neighbours": "added"}),
        ("conjunction", rule | {"sites": two[:1]}),
    ):
        with pytest.raises(InvalidArgument):
            ask(kind, bits, epsilon=1, **asked)


def test_tables_at_other_prices_than_their_kind_says_are_refused() -> None:
    schema = Schema({"a": Bits(), "b": Bits(), "y": Bits()})
    two = ["a" * 64, "b" * 64]
    asked = ask("conjunction", schema, labels=["y"], features=["a", "b"], epsilon=2, sites=two)
    check_kind(asked)
    first, second = (
        replace(table, share=share)
        for table, share in zip(asked.tables, (Fraction(199, 100), Fraction(1, 1000)), strict=True)
    )
    for changed in (replace(asked, tables=(first, second)), replace(asked, kind="survey")):
        with pytest.raises(InvalidArgument):
            check_kind(changed)


def _life(days: Any, died: Any) -> Any:
    """Return Kaplan and Meier's curve after each day."""
    reached = np.array([np.sum(days >= day) for day in range(365)])
    ended = np.array([np.sum((days == day) & died) for day in range(365)])
    return np.cumprod(1 - ended / np.maximum(reached, 1))


@pytest.mark.parametrize("epsilon", [2, 300])
@pytest.mark.parametrize("time", ["days", "days=30:60:120:240"])
def test_the_curve_of_all_rows_is_between_the_ends(time: str, epsilon: int, houses: Houses) -> None:
    curve: SurvivalCurve = _made(
        houses, "survival", time=time, event="ill", epsilon=epsilon, confidence="0.999999999999"
    )
    days = np.concatenate([table["days"] for table in TABLES])
    died = np.concatenate([table["ill"] for table in TABLES]) == 1
    last = [int(part.rpartition(" to ")[2]) for part in curve.parts]
    true = _life(days, died)[last]
    assert all(low <= at <= high for at, (low, high) in zip(true, curve.between, strict=True))
    assert all(a >= b for a, b in zip(curve.survival, curve.survival[1:], strict=False))
    pairs = zip(curve.survival, curve.between, strict=True)
    assert all(low <= at <= high for at, (low, high) in pairs)


def test_a_conjunction_keeps_what_no_yes_violates(houses: Houses) -> None:
    schema = Schema(dict.fromkeys(["fever", "cough", "ill"], Bits()))
    table = {"fever": [0, 1, 1, 0] * 90, "cough": [0, 0, 1, 1] * 90, "ill": [0, 1, 1, 0] * 90}
    asked: Any = {"labels": ["ill"], "features": ["fever", "cough"]}
    model = _made(houses, "conjunction", [table] * 3, schema, **asked)
    assert rules(model) == ["fever is yes"]
    assert model.accuracy is not None


def test_synthetic_rows_have_the_pairs(houses: Houses) -> None:
    made = _made(houses, "synthetic", columns=["age=50", "ill"])
    pairs = list(zip(made.table["age"], made.table["ill"], strict=True))
    true = [pair for table in TABLES for pair in zip(table["age"], table["ill"], strict=True)]
    assert sum(a < 50 and not ill for a, ill in pairs) == sum(a < 50 and not i for a, i in true)
    assert made.rows == 1200


@pytest.mark.parametrize("gaussian", [False, True])
def test_the_width_of_a_sum_is_that_of_all_noises(gaussian: bool, houses: Houses) -> None:
    asked = houses.ask("synthetic", columns=["age", "days"]).tables[0]
    table, miss = replace(asked, share=Fraction(1, 9), gaussian=gaussian), Fraction(1, 20)
    one, more = (table.width(miss, draws=3, cells=cells) for cells in (1, 16))
    assert 3 < more / one < 4.5
    assert 1.5 < one / (3 * table.variance) ** 0.5 < 3
    if not gaussian:
        noise = NoiseSum(Decay.of(table.share / 2), 3)
        assert noise.above(one + 1) <= miss / 2 < noise.above(one)


def test_gaussian_noise_is_taken_where_it_varies_less(houses: Houses) -> None:
    wide = Schema({f"c{i}": Bits() for i in range(40)})
    card: Any = {"labels": ["c0"], "epsilon": 1}
    assert not houses.ask("scorecard", wide, **card).tables[0].gaussian
    near = houses.ask("scorecard", wide, **card, delta="1e-6")
    assert near.tables[0].gaussian
    assert SiteQuestion.loads(near.dumps()) == near
    table = {name: [0, 1] * 200 for name in wide.names}
    model = join_messages(houses.answer(near, [table] * 3, wide))[1]
    assert model.of_rows.delta == Fraction(1, 10**6)
    assert model.of_rows.epsilon <= 1


@pytest.mark.parametrize(
    ("kind", "asked", "said"),
    [
        ("guess", {}, "one of scorecard"),
        ("count", {}, "nothing is asked"),
        ("survival", {"time": "ill", "event": "ill"}, "numbers or dates"),
        ("survival", {"time": "days", "event": "age"}, "type bits"),
        ("conjunction", {"labels": ["ill"], "features": ["age"]}, "bits"),
        ("synthetic", {"columns": ["age"]}, "two columns"),
        ("steps", {"features": ["ill"]}, "no number"),
        ("scorecard", {"labels": ["ill"], "steps": {"age": [0]}}, "codes"),
        ("count", {"by": ["ill"], "quantiles": {"age": ["2"]}}, "from 0 to 1"),
    ],
)
def test_what_makes_no_question_is_refused(
    kind: str, asked: dict[str, Any], said: str, houses: Houses
) -> None:
    with pytest.raises(InvalidArgument, match=said):
        houses.ask(kind, **asked)
