"""The verbs where how many rows there are is secret: nothing of it is let out."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Added, Approximate, Pure, Sequential
from tacit.core.errors import InvalidArgument, SampleTooSmall
from tacit.core.unit import Unit
from tacit.data import Bits, Category, Integer, Schema
from tacit.learners.contract.model import Model
from tacit.mechanisms import DiscreteLaplace
from tacit.workflows import count, learn, measure, quantile
from tacit.workflows.charging import REHEARSED
from tacit.workflows.learning import prepare
from tacit.workflows.releasing import check_release

SCHEMA = Schema(
    {
        "id": Integer(0, 10**6),
        "age": Integer(0, 120),
        "sex": Category(["f", "m"]),
        "sick": Bits(),
    }
)
LINE: dict[str, Any] = {"concepts": "thresholds", "features": ["age"]}
ASKED: dict[str, Any] = {"labels": ["sick"], "epsilon": 1, "neighbours": "added"}


def table(n: int) -> dict[str, list[Any]]:
    age = [20 + (7 * i) % 80 for i in range(n)]
    sex = ["fm"[i % 2] for i in range(n)]
    return {"id": list(range(n)), "age": age, "sex": sex, "sick": [x >= 65 for x in age]}


def public(text: str) -> str:
    """Return what a model tells beside rules and what noise decided."""
    model = Model.loads(text)
    return f"{model.cost} {model.privacy} {model.unit} {model.declared} {model.labels}"


@pytest.mark.parametrize("more", [{}, {"delta": "1e-6"}, LINE, {"person": ["id"]}])
@pytest.mark.parametrize("n", [0, 1, 500])
def test_any_table_goes_through_and_tells_the_same_cost(n: int, more: dict[str, Any]) -> None:
    charged: list[Any] = []
    given: Any = {**ASKED, "hold_out": "1/5", **more, "rng": Seeded(3)}
    model = learn(table(n), SCHEMA, **given, charge=lambda *told: charged.append(told))
    other = learn(table(900), SCHEMA, **given)
    assert public(model.dumps()) == public(other.dumps())
    ((cost, delta, _, unit),) = charged
    assert (cost, unit) == (model.cost, Unit(more.get("person", ()), "added"))
    assert delta == Fraction(more.get("delta", 0))
    assert Model.loads(model.dumps()) == model
    assert isinstance(model.cost, Added)
    assert isinstance(model.cost.part, Sequential)
    assert model.cost.part.parts[0] == Pure("1/20")
    assert model.privacy.epsilon <= 1
    check_release.check_measured(json.loads(model.dumps()), added=True)


def test_the_purpose_of_a_chosen_class_is_public_before_the_number_is_told() -> None:
    prepared = prepare(table(10**4), SCHEMA, **ASKED)
    assert prepared.purpose.startswith("auto: ")
    leaf = prepared.blank.cost.part.parts[1]  # type: ignore[union-attr]
    assert leaf == Pure("19/20")
    private = prepare(table(10), SCHEMA, **ASKED, delta="1e-6")
    assert private.blank.cost.part.parts[1] == Approximate("19/20", "1e-6")  # type: ignore[union-attr]


def test_a_declared_number_costs_nothing_and_is_what_is_told() -> None:
    model = learn(table(700), SCHEMA, **ASKED, **LINE, rows=5000, hold_out="1/5", rng=Seeded(1))
    assert (model.n, model.declared) == (5000, True)
    assert not isinstance(model.cost.part, Sequential)  # type: ignore[union-attr]
    described = model.encode()
    assert described["neighbours"] == "added"
    assert described["privacy"]["neighbours"] == "add-or-remove-one"
    measured = described["measured"]["sick"]
    assert measured["rows_low"] <= measured["rows"] <= measured["rows_high"]
    assert measured["auc"] is None


def test_a_promise_is_for_the_fewest_rows_that_there_may_be() -> None:
    given: Any = {**ASKED, **LINE, "agnostic": False, "rng": Seeded(1)}
    promised = [
        learn(table(900), SCHEMA, **given, **more).accuracy
        for more in ({"rows": 900}, {}, {"rows": 900, "hold_out": "1/5"})
    ]
    alphas = [float(each.alpha) for each in promised if each is not None]
    assert len(alphas) == 3
    assert alphas[0] < min(alphas[1:])
    assert all(each is not None and each.beta == Fraction(1, 20) for each in promised)


def test_a_promise_is_that_of_so_many_declared_rows_less_what_coins_and_noise_may_take() -> None:
    given: Any = {**ASKED, **LINE, "agnostic": False, "rng": Seeded(1)}
    off = DiscreteLaplace("1/20").deviation(Fraction(1, 200)) - 1
    told = learn(table(900), SCHEMA, **given)
    for model, fewer, epsilon in (
        (told, told.n - off, "19/20"),
        (learn(table(900), SCHEMA, **given, rows=900, hold_out="1/5"), 720 - 48 - 1, 1),
    ):
        asked = given | {"epsilon": epsilon, "rows": fewer, "beta": Fraction(9, 200)}
        alike = learn(table(900), SCHEMA, **asked).accuracy
        assert model.accuracy is not None
        assert alike is not None
        assert model.accuracy.alpha == alike.alpha
    with pytest.raises(SampleTooSmall) as few:
        learn(table(9), SCHEMA, **given, rows=1, alpha="1/4")
    enough = few.value.needed
    assert learn(table(9), SCHEMA, **given, rows=enough, alpha="1/4").n == enough
    for _ in range(2):  # as many as were needed are not enough where some of them are held out
        with pytest.raises(SampleTooSmall) as few:
            learn(table(9), SCHEMA, **given, rows=enough, alpha="1/4", hold_out="1/5")
        enough = few.value.needed


def test_what_is_promised_of_persons_is_of_one_row_each() -> None:
    given: Any = {**ASKED, **LINE, "person": ["id"], "rows": 900, "rng": Seeded(1)}
    means, one = (learn(table(900), SCHEMA, **given, **more) for more in ({}, {"alpha": "1/4"}))
    assert (means.weight, means.accuracy) == (60, None)
    assert one.weight == 1
    assert one.accuracy is not None


def test_what_is_asked_of_the_error_needs_a_declared_number() -> None:
    with pytest.raises(InvalidArgument, match="--rows"):
        learn(table(900), SCHEMA, **ASKED, **LINE, alpha="0.1")
    with pytest.raises(SampleTooSmall):
        learn(table(10**4), SCHEMA, **ASKED, **LINE, alpha="0.1", rows=20)
    assert learn(table(1), SCHEMA, **ASKED, **LINE, alpha="0.3", rows=2000).n == 2000


@pytest.mark.parametrize(
    "more",
    [
        {"labels_only": True},
        {"learner": "stable-point", "concepts": "points", "features": ["age"], "delta": "1e-6"},
        {"concepts": "boxes", "features": ["age", "id"]},
        {"neighbours": "near"},
        {"neighbours": "replaced", "rows": 9},
        {"rows": -1},
    ],
)
def test_what_does_not_offer_it_is_refused_before_reading(more: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        learn("there-is-no-such-file.csv", SCHEMA, **{**ASKED, **more})


def test_rehearsals_are_as_large_for_every_table() -> None:
    for n in (0, 3, 2000):
        made = prepare(table(n), SCHEMA, **ASKED, **LINE).made_up()
        assert made.statistic.n == REHEARSED


def test_measuring_tells_the_number_with_noise_and_no_other() -> None:
    model = learn(table(800), SCHEMA, **LINE, labels=["sick"], epsilon=1, rng=Seeded(1))
    for n in (0, 1, 4000):
        told = measure(model, table(n), epsilon=1, neighbours="added", rng=Seeded(2))
        assert told.n is None
        assert isinstance(told.cost, Added)
        assert told.grouped[0].n == 1 << 53
        said = told.describe()["measured"]["sick"]
        assert said["rows_low"] <= n <= said["rows_high"]
        groups = measure(model, table(n), epsilon=1, neighbours="added", by="sex", rng=Seeded(2))
        assert len(groups.describe()["groups"]["sick"]) == 2
        assert groups.describe()["measured"] == {}


def test_counts_and_means_hold_the_truth() -> None:
    given: Any = {"epsilon": 1, "neighbours": "added", "confidence": "0.999"}
    for n in (0, 1, 3001):
        told = count(table(n), SCHEMA, by=["sex"], mean=["age"], **given, rng=Seeded(2))
        assert told.n is None
        counts = [answer for answer in told.answers if answer.kind == "count"]
        assert [a.low <= (n + 1 - i) // 2 <= a.high for i, a in enumerate(counts)] == [True] * 2
        alone = count(table(n), SCHEMA, mean=["age"], **given, delta="1e-6", rng=Seeded(2))
        assert [answer.kind for answer in alone.answers] == ["count", "mean"]
        assert alone.answers[0].low <= n <= alone.answers[0].high
    with pytest.raises(InvalidArgument, match="tacit quantile"):
        count(table(9), SCHEMA, quantiles={"age": ["1/2"]}, **given)


def test_quantiles_say_nothing_of_the_number() -> None:
    given: Any = {"column": "age", "epsilon": 1, "neighbours": "added"}
    for n in (0, 1, 3000):
        told = quantile(table(n), SCHEMA, **given, rng=Seeded(2))
        assert told.describe()["n"] is None
    assert abs(told.value - 59) < 3
    assert quantile(table(5), SCHEMA, **given, rows=70).n == 70
    with pytest.raises(InvalidArgument, match="exponential"):
        quantile(table(5), SCHEMA, **given, delta="1e-6", method="interior-point")
