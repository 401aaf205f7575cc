"""What is told of groups: counted right, covered as often as it says, publicly refused."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np
import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TacitError
from tacit.core.numbers.decay import Decay
from tacit.data import Bits, Category, Integer, Schema
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.group_measurement import (
    PARTS,
    GroupMeasurement,
    GroupReading,
    pooled,
)
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.statistics.counts.group_counts import GroupCounts
from tacit.statistics.counts.joint_counts import JointCounts
from tacit.statistics.counts.person_counts import PersonCounts
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


def test_what_is_learned_is_measured_in_groups_by_a_column_it_is_not_told() -> None:
    asked: dict[str, Any] = {"concepts": "thresholds", "features": ["age"], "labels": ["sick"]}
    model = learn(people(), SCHEMA, **asked, by="sex", hold_out="1/2", epsilon=2000, rng=Seeded(1))
    assert (model.features, model.privacy.epsilon) == (("age",), 2000)
    assert model.groups == ("sex is f", "sex is m", "sex is missing or another value")
    (found,) = model.grouped
    assert sum(found.rows) == found.n == model.measured[0].n == 1000
    assert sum(found.errors) == model.measured[0].errors
    assert found.errors[0] == found.errors[2] == 0 < found.errors[1]
    again = Model.loads(model.dumps())
    assert again == model
    stated = model.encode()["groups"]["sick"]
    assert stated[1]["low"] > stated[0]["high"]
    cut = learn(
        people(),
        SCHEMA,
        **asked,
        by="age",
        cuts={"age": [50]},
        hold_out="1/2",
        epsilon=9,
        rng=Seeded(1),
    )
    assert cut.groups == ("age is below 50", "age is at least 50")
    for wrong in ({"by": "sex"}, {"by": "sick", "hold_out": "1/5"}, {"by": "zip"}):
        with pytest.raises(InvalidArgument, match="by"):
            learn(people(), SCHEMA, **asked, **wrong, epsilon=1, rng=Seeded(1))


def test_persons_are_measured_in_groups_by_a_column_they_are_not_learned_by() -> None:
    table = people()
    table["id"] = [i // 2 for i in range(len(table["age"]))]
    asked: dict[str, Any] = {"concepts": "thresholds", "features": ["age"], "labels": ["sick"]}
    asked |= {"person": ["id"], "by": "sex", "hold_out": "1/2", "epsilon": 4000}
    model = learn(table, SCHEMA, **asked, rng=Seeded(1))
    assert (model.n, model.features, model.weight) == (1000, ("age",), 60)
    assert sum(model.grouped[0].rows) == model.grouped[0].n == 500
    assert model.grouped[0].errors[0] == 0 < model.grouped[0].errors[1]
    rows, who = (
        np.array([[i % 3, i % 2, i % 5 > 2] for i in range(30)]),
        np.arange(30)[:, None] // 4,
    )
    short = PersonCounts.of(who, rows, features=2).of_features(1)
    other = PersonCounts.of(who, rows[:, [0, 2]], features=1)
    for field in ("n", "features", "codes", "starts", "cells", "times"):
        assert np.array_equal(getattr(short, field), getattr(other, field))


def test_rows_by_their_first_coordinates_are_the_same_rows() -> None:
    rows = [((i % 3, i % 2, i % 5), (i % 2, i % 7 < 3)) for i in range(40)]
    wide = JointCounts.of(rows, labels=2)
    for many in (1, 2):
        short = [(point[0] if many == 1 else point[:many], marks) for point, marks in rows]
        one, other = wide.of_features(many), JointCounts.of(short, labels=2)
        assert one.n == other.n == 40
        assert _table(one) == _table(other)
        who = np.zeros((40, 1), dtype=np.int64)
        flat = np.array([[*point, *marks] for point, marks in rows], dtype=np.int64)
        person = PersonCounts.of(who, flat, features=3).of_features(many)
        alone = PersonCounts.of(who, np.delete(flat, np.s_[many:3], axis=1), features=many)
        assert np.array_equal(person.times, alone.times)


def _table(sample: JointCounts) -> dict[Any, int]:
    keys = zip(np.asarray(sample.points).tolist(), sample.marks.tolist(), strict=True)
    table = dict(zip(map(repr, keys), sample.totals.tolist(), strict=True))
    assert len(table) == len(sample.totals), "each record once"
    return table


def test_sizes_of_groups_are_told_once_for_all_labels() -> None:
    """The sum of several noisy counts of the same rows covers, and is narrower than one."""
    mechanism, rng, rows = GroupMeasurement("1/2"), Seeded(7), np.array([300, 80, 20])
    held, runs = 0, 60
    for _ in range(runs):
        counts = GroupCounts(400, np.array([rows // 9, rows // 2, rows]))
        told = [mechanism(counts, rng=rng) for _ in range(12)]
        alone, all_of_them = told[0].shares()[0], pooled(told)
        assert len({each.rows for each in all_of_them}) == 1
        found = [each.rows_between for each in all_of_them[3].shares()]
        held += all(low <= many <= high for (low, high), many in zip(found, rows, strict=True))
        assert found[0][1] - found[0][0] < alone.rows_between[1] - alone.rows_between[0]
    assert held >= runs - 5
    assert pooled(told[:1])[0].shares() == told[0].shares()


@pytest.mark.parametrize(
    "change",
    [{"times": 0}, {"times": 9}, {"rates": ["1"]}, {"errors": [1]}, {"n": 0}, {"rows": ["a", 1]}],
)
def test_a_malformed_reading_of_groups_is_refused(change: dict[str, Any]) -> None:
    told = GroupReading(10, (3, 0), (2, 0), (9, -4), (Fraction(1, 8),) * 3)
    assert GroupReading.decode(told.encode(), 2) == told
    with pytest.raises(TacitError):
        GroupReading.decode(told.encode() | change, 2)


def test_no_rows_leave_everything_open() -> None:
    told = GroupReading(10, (3, 0), (2, 0), (9, -4), (Fraction(1, 8),) * 3)
    for each in told.shares():
        assert each.rows_between == (0, 10)
        assert each.error_interval.low <= each.error <= each.error_interval.high
    assert told.shares()[1].error_interval.high == 1


def test_rows_are_between_what_noise_exceeds_as_rarely_as_it_may() -> None:
    """Three statements a group, and either side: 0.05 / 6 / 2 of the cases at most, no fewer."""
    first, _ = GroupReading(900, (9, 9), (9, 9), (400, 500), (Fraction(1, 5),) * 3).shares()
    q = float(Decay.of(Fraction(1, 5)).ratio)
    off = next(r for r in range(99) if q ** (r + 1) / (1 + q) <= 0.05 / 12)
    assert first.rows_between == (400 - off, 400 + off)


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
