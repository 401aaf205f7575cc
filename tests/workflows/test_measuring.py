"""Learning with rows held out: chosen, measured, scored; categories and numbers; refusals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tacit.core.chance.randomness import Seeded, System
from tacit.core.composition import price
from tacit.core.cost import Parallel
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Integer, Real, Schema
from tacit.learners.contract.model import Model
from tacit.workflows import learn, measure, predict
from tacit.workflows.charging import watched
from tacit.workflows.learning import prepare
from tacit.workflows.planning.table_plan import plan_table
from tacit.workflows.predicting import Saying, outcomes_of, predictions

SCHEMA = Schema(
    {
        "age": Integer(0, 120),
        "bmi": Real(10, 60, "0.5"),
        "ward": Category(["a", "b", "c"]),
        "same": Integer(3, 3),
        "income": Integer(0, 100),
        "sick": Bits(),
    }
)
N = 4000


def _people(n: int = N, seed: int = 1) -> dict[str, Any]:
    floats = np.random.default_rng(seed)
    age, bmi = floats.integers(18, 95, n), floats.normal(27, 5, n).round(1)
    ward = np.where(age > 60, "c", np.where(bmi > 27, "b", "a"))
    odds = 1 / (1 + np.exp(-(age - 60) / 8))
    return {
        "age": age,
        "bmi": bmi,
        "ward": ward,
        "same": np.full(n, 3),
        "income": np.clip(age + floats.normal(0, 8, n), 0, 100).astype(int),
        "sick": floats.random(n) < odds,
    }


ASKED: dict[str, Any] = {"epsilon": 1, "delta": "1e-6", "hold_out": None}


def test_class_learner_and_features_are_chosen_and_said() -> None:
    model = learn(_people(), SCHEMA, labels=["sick"], rng=Seeded(1), **ASKED)
    assert model.features == ("age", "bmi", "ward", "income")
    assert (model.learner, model.why.split(":")[0]) == (
        "margin",
        "scorecards by noisy gradient steps",
    )
    assert model.encode()["chosen"]["why"] == model.why
    assert Model.loads(model.dumps()) == model


def test_what_is_measured_is_near_the_error_on_new_rows() -> None:
    model = learn(_people(), SCHEMA, labels=["sick"], rng=Seeded(1), **ASKED)
    (told,) = model.measured
    assert (model.n, told.n) == (N, N // 5)
    new = _people(20_000, seed=2)
    error = float(np.mean(predict(model, new)[:, 0] != new["sick"]))
    low, high = told.error_interval()
    assert low <= error <= high
    assert told.better


def test_both_parts_cost_no_more_than_what_was_given() -> None:
    model = learn(_people(), SCHEMA, labels=["sick", "ward"], rng=System(), **ASKED)
    assert isinstance(model.cost, Parallel)
    assert price(model.cost, Fraction(1, 10**6)).privacy.epsilon <= 1
    assert model.of_rows.epsilon <= 1
    assert model.secure


def test_held_out_rows_are_not_learned_from() -> None:
    """All that is learned from is what is not held out: the two blocks are the table, each once."""
    seen = []
    with watched() as kept:
        learn(_people(500), SCHEMA, labels=["sick"], features=["age"], rng=Seeded(1), **ASKED)
        mechanism = kept[0].mechanism
        learned, held = kept[0].statistic.split(mechanism.block_sizes(500), rng=Seeded(7))
        seen = [learned.n, held.n]
        both = learned.marginal().merge(held.marginal())
        whole = kept[0].statistic.marginal()
    assert seen == [400, 100]
    assert both.totals.tolist() == whole.totals.tolist()
    assert both.positives.tolist() == whole.positives.tolist()


def test_risks_are_calibrated_on_new_rows() -> None:
    model = learn(_people(20_000), SCHEMA, labels=["sick"], rng=Seeded(1), **ASKED)
    new = _people(40_000, seed=3)
    risks = np.array([line[-1] for part in predictions(model, new, risk=True) for line in part])
    for low, high in ((0, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 1)):
        here = (risks >= low) & (risks < high)
        if here.sum() > 1000:
            assert abs(risks[here].mean() - new["sick"][here].mean()) < 0.06


def test_a_category_is_told_as_its_value() -> None:
    model = learn(_people(), SCHEMA, labels=["ward"], rng=Seeded(1), **ASKED)
    assert model.labels == ("ward is a", "ward is b", "ward is c")
    new = _people(2000, seed=2)
    said = [line[0] for part in predictions(model, new) for line in part]
    assert [name for name, _ in Saying(model).columns] == ["ward"]
    assert set(said) <= {"a", "b", "c"}
    assert np.mean(np.array(said) == new["ward"]) > 0.8
    assert Model.loads(model.dumps()).outcomes == (("ward", ()),)
    with pytest.raises(InvalidArgument, match="not a model"):
        outcomes_of(replace(model, labels=model.labels[:-1]))


def test_a_number_is_told_with_an_interval_that_holds_most() -> None:
    cuts = {"income": [20, 40, 60, 80]}
    model = learn(_people(), SCHEMA, labels=["income"], rng=Seeded(1), cuts=cuts, **ASKED)
    assert [outcome.cuts for outcome in outcomes_of(model)] == [(20, 40, 60, 80)]
    assert [name for name, _ in Saying(model, risk=True).columns][:3] == [
        "income",
        "income_low",
        "income_high",
    ]
    new = _people(2000, seed=2)
    told = np.array([line for part in predictions(model, new) for line in part])
    middle, low, high = told.T
    assert (low <= middle).all()
    assert (middle <= high).all()
    assert np.mean((low <= new["income"]) & (new["income"] <= high)) > 0.75
    assert np.mean(abs(middle - new["income"])) < np.mean(abs(np.median(middle) - new["income"]))


def test_without_rows_held_out_there_are_no_risks_but_answers() -> None:
    model = learn(_people(), SCHEMA, labels=["ward"], rng=Seeded(1), epsilon=1)
    assert not model.measured
    assert [line[0] for part in predictions(model, _people(5)) for line in part]
    with pytest.raises(InvalidArgument, match="tacit measure"):
        next(predictions(model, _people(5), risk=True))


def test_a_model_is_measured_afterwards_on_other_rows() -> None:
    model = learn(_people(), SCHEMA, labels=["sick", "ward"], rng=Seeded(1), epsilon=1)
    told = measure(model, _people(3000, seed=5), epsilon=1, rng=Seeded(2))
    assert [reading.n for reading in told.readings] == [3000] * 4
    assert told.privacy.epsilon <= 1
    assert set(told.describe()["measured"]) == set(model.labels)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"hold_out": 1}, "hold_out"),
        ({"hold_out": -0.1}, "hold_out"),
        ({"hold_out": "1e400"}, "got 1e400"),
        ({"hold_out": "0.2", "labels_only": True, "delta": 0}, "tacit measure"),
        ({"learner": "margin"}, "--class"),
        ({"learner": "nonsense"}, "not known"),
        ({"features": ["same"]}, "one value"),
        ({"labels": ["same"]}, "one value"),
        ({"cuts": {"sick": [1]}}, "cannot be cut"),
        ({"cuts": {"age": [1]}}, "no label"),
        ({"cuts": {"income": [101]}, "labels": ["income"]}, "cut"),
    ],
)
def test_refusals_are_public_and_name_the_way_out(changes: dict[str, Any], said: str) -> None:
    asked = {"labels": ["sick"], **ASKED, **changes}
    with pytest.raises(InvalidArgument, match=said):
        prepare(_people(100), SCHEMA, **asked)


@pytest.mark.parametrize("n", [1, 2, 4, 5, 7])
def test_tables_of_few_rows_are_learned_from(n: int) -> None:
    model = learn(_people(n), SCHEMA, labels=["sick"], rng=Seeded(1), **ASKED)
    assert len(model.measured) == (n >= 5)


def test_a_promise_is_sharpened_by_what_was_measured() -> None:
    people: dict[str, Any] = {
        "age": list(range(100)) * 60,
        "sick": [a >= 50 for a in range(100)] * 60,
    }
    asked: dict[str, Any] = {"concepts": "thresholds", "features": ["age"], "labels": ["sick"]}
    schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    model = learn(people, schema, **asked, epsilon=1, hold_out="1/5", rng=Seeded(1))
    plain = learn(dict(people), schema, **asked, epsilon=1, hold_out=0, rng=Seeded(1))
    assert model.accuracy is not None
    assert plain.accuracy is not None
    assert model.accuracy.beta == plain.accuracy.beta
    assert model.accuracy.alpha < plain.accuracy.alpha


def test_a_plan_is_what_learn_does() -> None:
    found = plan_table(SCHEMA, labels=["sick"], n=N, epsilon=1, delta="1e-6")
    model = learn(_people(), SCHEMA, labels=["sick"], rng=Seeded(1), **ASKED)
    assert (found.chosen.learner, found.chosen.why) == (model.learner, model.why)
    assert found.held == model.measured[0].n
    low, high = model.measured[0].error_interval()
    assert found.told_within == pytest.approx((high - low) / 2, rel=0.3)
    assert plan_table(SCHEMA, labels=["sick"], n=500, epsilon="0.1").arbitrary is not None
    with pytest.raises(InvalidArgument, match="hold_out"):
        plan_table(SCHEMA, labels=["sick"], n=500, epsilon=1, hold_out=-1)


def test_a_plan_for_persons_is_what_learn_does_with_them() -> None:
    rows = _people()
    rows["house"] = [place // 3 for place in range(N)]
    schema = Schema({name: SCHEMA[name] for name in SCHEMA.names} | {"house": Integer(0, N)})
    asked: dict[str, Any] = {"labels": ["sick"], "epsilon": 1, "person": ["house"]}
    for delta, concepts in (("1e-6", "auto"), (0, "auto"), (0, "thresholds")):
        asked |= {"delta": delta, "concepts": concepts}
        asked["features"] = ["age"] if concepts == "thresholds" else None
        found = plan_table(schema, n=-(-N // 3), **asked)
        model = learn(rows, schema, **asked, hold_out=None, rng=Seeded(1))
        assert (found.n, found.held) == (model.n, model.measured[0].n)
        assert (found.chosen.learner, found.weight) == (model.learner, model.weight)
        assert "house" not in found.features == model.features
        assert found.arbitrary is None is model.accuracy
        assert found.unit == model.unit


@pytest.mark.parametrize("learner", ["prior", "sanitized"])
def test_other_learners_promise_what_they_do_without_measuring(learner: str) -> None:
    """A learner that is made for another beta would be another learner: nothing is borrowed."""
    rows = [a % 100 for a in range(2000)]
    schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    asked: dict[str, Any] = {"concepts": "thresholds", "features": ["age"], "labels": ["sick"]}

    def learned(n: int, hold_out: str) -> Model:
        people = {"age": rows[:n], "sick": [a >= 50 for a in rows[:n]]}
        coins = {"rng": Seeded(1), "hold_out": hold_out}
        return learn(people, schema, **asked, epsilon=1, learner=learner, **coins)

    assert learned(2000, "1/5").accuracy == learned(1600, "0").accuracy
