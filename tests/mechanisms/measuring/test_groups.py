"""What is told of groups: counted right, covered as often as it says, publicly refused."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np
import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Integer, Schema
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.group_measurement import PARTS, GroupMeasurement, GroupReading
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.statistics.counts.group_counts import GroupCounts
from tacit.workflows import learn
from tacit.workflows.measuring import measure

SCHEMA = Schema(
    {
        "age": Integer(0, 99),
        "sex": Category(("f", "m"), outside="null"),
        "zip": Category(tuple(f"z{i}" for i in range(40))),
        "sick": Bits(),
    }
)


def people(n: int = 2000) -> dict[str, list[Any]]:
    """Men err in a quarter of the rows, women never; some are neither."""
    age = [i % 100 for i in range(n)]
    sex: list[Any] = ["f" if i % 5 < 3 else "m" if i % 5 == 3 else None for i in range(n)]
    off = [s == "m" and (i // 5) % 4 == 0 for i, s in enumerate(sex)]
    sick = [(a >= 50) ^ o for a, o in zip(age, off, strict=True)]
    return {"age": age, "sex": sex, "zip": ["z1"] * n, "sick": sick}


@pytest.fixture(scope="module")
def model() -> Model:
    asked = {"concepts": "thresholds", "features": ["age"], "labels": ["sick"], "epsilon": 400}
    return learn(people(), SCHEMA, **asked, rng=Seeded(1))


def test_groups_are_counted_as_by_hand(model: Model) -> None:
    told = measure(model, people(), epsilon=2000, by="sex", rng=Seeded(1))
    assert told.groups == ("sex is f", "sex is m", "sex is missing or another value")
    (found,) = told.grouped
    table = people()
    rows = list(zip(table["sex"], table["age"], table["sick"], strict=True))
    for place, sex in enumerate(("f", "m", None)):
        mine = [(age, sick) for each, age, sick in rows if each == sex]
        assert found.rows[place] == len(mine)
        assert found.positives[place] == sum(bool(sick) for _, sick in mine)
        assert found.errors[place] == sum((age >= 50) != sick for age, sick in mine)
    assert told.readings[0].errors == sum(found.errors)
    assert told.privacy.epsilon == 2000
    stated = told.describe()["groups"]["sick"]
    assert [each["group"] for each in stated] == list(told.groups)
    assert stated[1]["low"] > stated[0]["high"], "men are seen to be worse off"


def test_a_number_is_cut_at_public_places_and_may_be_a_feature(model: Model) -> None:
    told = measure(model, people(), epsilon=2000, by="age", cuts=[30, 80], rng=Seeded(1))
    assert told.groups == ("age is below 30", "age is between 30 and 79", "age is at least 80")
    assert told.grouped[0].rows == (600, 1000, 400)
    usual = measure(model, people(), epsilon=2000, by="age", rng=Seeded(1))
    assert 2 <= len(usual.groups) <= 4
    assert sum(usual.grouped[0].rows) == 2000


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"by": "sick"}, "a label"),
        ({"by": "zip"}, "has 40 groups"),
        ({"by": "sex", "cuts": [1]}, "is no number"),
        ({"by": "height"}, "height"),
        ({"by": "age", "cuts": [200]}, "can be cut above 0"),
    ],
)
def test_what_is_refused(model: Model, asked: dict[str, object], why: str) -> None:
    with pytest.raises(InvalidArgument, match=why):
        measure(model, people(), epsilon=1, **asked, rng=Seeded(1))


def test_no_rows_leave_everything_open() -> None:
    told = GroupReading(10, (3, 0), (2, 0), (9, -4), (Fraction(1, 8),) * 3)
    for each in told.shares():
        assert each.rows_between == (0, 10)
        assert each.error_interval.low <= each.error <= each.error_interval.high
    assert told.shares()[1].error_interval.high == 1


def test_all_intervals_hold_at_once_as_often_as_they_say() -> None:
    """Rows fall into groups by chance, err and are positive by chance; noise is as wide as they."""
    shares, errors, positives = (0.7, 0.25, 0.05), (0.1, 0.4, 0.9), (0.5, 0.02, 0.97)
    coins, mechanism, rng = np.random.default_rng(5), GroupMeasurement("1/2"), Seeded(5)
    held = 0
    runs = 120
    for _ in range(runs):
        rows = coins.multinomial(400, shares)
        wrong, ones = coins.binomial(rows, errors), coins.binomial(rows, positives)
        told = mechanism(GroupCounts(400, np.array([wrong, ones, rows])), rng=rng)
        kept = zip(told.shares(Fraction(4, 5)), errors, positives, rows, strict=True)
        held += all(
            each.error_interval.low <= e <= each.error_interval.high
            and each.positive_interval.low <= p <= each.positive_interval.high
            and each.rows_between[0] <= m <= each.rows_between[1]
            for each, e, p, m in kept
        )
    assert held >= 0.8 * runs - 3 * (runs * 0.16) ** 0.5


def test_an_interval_covers_in_exact_enumeration() -> None:
    """Every number of rows and errors among 14, every noise; what is left out counts as missed."""
    n, chance, mechanism = 14, Fraction(2, 5), GroupMeasurement(16)
    rates = tuple(part * 8 for part in PARTS)
    noise = {off: DiscreteLaplace(4, 2).law(0, low=-6, high=6)[off] for off in range(-5, 6)}
    blur = {off: DiscreteLaplace(8, 2).law(0, low=-6, high=6)[off] for off in range(-5, 6)}

    @cache
    def missed(errors: int, rows: int) -> bool:
        (found,) = GroupReading(n, (errors,), (0,), (rows,), rates).shares(Fraction(1, 2))
        return not found.error_interval.low <= chance <= found.error_interval.high

    assert mechanism(GroupCounts(n, np.ones((3, 1), int)), rng=Seeded(1)).rates == rates
    held = Fraction(0)
    for rows in range(n + 1):
        for wrong in range(rows + 1):
            weight = _binomial(n, Fraction(1, 2), rows) * _binomial(rows, chance, wrong)
            held += weight * sum(
                p * q
                for off, p in noise.items()
                for far, q in blur.items()
                if not missed(wrong + far, rows + off)
            )
    assert Fraction(1, 2) <= held < Fraction(99, 100), "and not because it says nothing"


def _binomial(n: int, p: Fraction, k: int) -> Fraction:
    return comb(n, k) * p**k * (1 - p) ** (n - k)
