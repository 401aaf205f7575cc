"""Quantiles of a table's column: the promise, which mechanism is taken, refusals, the command."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.cost import ReleaseCost
from tacit.core.errors import InvalidArgument, Refused
from tacit.core.unit import Unit
from tacit.data import Bits, Category, Integer, Real, Schema
from tacit.statistics.counts.line_counts import LineCounts
from tacit.verify.enough.simulation import alarm
from tacit.workflows import quantile
from tests.interfaces.cli.test_command import call
from tests.support.ranks import rank_misses

F = Fraction
SCHEMA = Schema(
    {
        "age": Integer(0, 120),
        "dose": Real(0, 10, "0.5"),
        "key": Integer(0, (1 << 61) - 1),
        "ward": Category(("north", "south")),
        "sick": Bits(),
        "gone": Integer(0, 9, outside="null"),
    }
)


@pytest.mark.parametrize("level", ["0", "0.9"])
def test_the_rank_is_missed_as_rarely_as_promised(level: str) -> None:
    ages = [(7 * i * i) % 121 for i in range(300)] + [40] * 50
    records, runs, rng = LineCounts.of(ages, bits=7), 50, Seeded(1)
    missed = 0
    for _ in range(runs):
        told = quantile({"age": ages}, SCHEMA, column="age", level=level, epsilon=1, rng=rng)
        missed += rank_misses(records, F(level), int(told.value)) > told.rank_error
        assert 0 <= told.value <= 120
    assert missed < alarm(runs, F(1, 20))


def test_interior_points() -> None:
    keys = [i << 40 for i in range(4000)]
    told = quantile(
        {"key": keys}, SCHEMA, column="key", epsilon=1, delta="1e-6",
        method="interior-point", rng=Seeded(2),
    )  # fmt: skip
    assert (told.method, told.rank_error) == ("interior-point", 124)
    assert price(told.cost, "1e-6").privacy.epsilon <= 1
    assert rank_misses(LineCounts.of(keys, bits=61), F(1, 2), int(told.value)) <= 124
    usual = quantile({"key": keys}, SCHEMA, column="key", epsilon=1, rng=Seeded(2))
    assert (usual.method, usual.rank_error) == ("exponential", 90)


def test_cells_that_hold_anything() -> None:
    told = quantile(
        {"dose": [None, float("nan"), "much", -5, 99.0] * 20 + [3.5] * 900},
        SCHEMA, column="dose", epsilon=3, rng=Seeded(3),
    )  # fmt: skip
    assert (told.value, told.told, told.n) == (3.5, "3.5", 1000)
    assert json.loads(json.dumps(told.describe()))["privacy"] == {"epsilon": "3", "delta": "0"}
    alone = quantile({"age": ["?"]}, SCHEMA, column="age", epsilon=1, rng=Seeded(4))
    assert 0 <= alone.value <= 120


def test_refusals_are_for_public_reasons() -> None:
    for column, why in {
        "ward": "integer or real",
        "sick": "integer or real",
        "gone": "clip",
    }.items():
        with pytest.raises(InvalidArgument, match=why):
            quantile({column: [1]}, SCHEMA, column=column, epsilon=1)
    with pytest.raises(InvalidArgument, match="no rows"):
        quantile({"age": []}, SCHEMA, column="age", epsilon=1)
    with pytest.raises(InvalidArgument, match="level"):
        quantile({"age": [1]}, SCHEMA, column="age", level=2, epsilon=1)
    for method in ("interior-point", "median"):
        with pytest.raises(InvalidArgument, match="method"):
            quantile({"age": [1]}, SCHEMA, column="age", epsilon=1, method=method)
    with pytest.raises(InvalidArgument, match="epsilon"):
        quantile({"age": [1]}, SCHEMA, column="age", epsilon=0)


def test_nothing_is_drawn_before_it_is_charged() -> None:
    class Never(Seeded):
        def bits(self, count: int, /) -> int:
            raise AssertionError(f"{count} bits were drawn")

    def refuse(cost: ReleaseCost, delta: Fraction, purpose: str, _: Unit) -> None:
        assert price(cost, delta).privacy.epsilon == 1
        assert purpose == "the quantile of age at 1/4"
        raise Refused("nothing is left")

    with pytest.raises(Refused):
        quantile(
            {"age": [1, 2]}, SCHEMA, column="age", level="1/4", epsilon=1,
            rng=Never(1), charge=refuse,
        )  # fmt: skip


def test_the_command(tmp_path: Path) -> None:
    table, schema = tmp_path / "people.csv", tmp_path / "s.toml"
    table.write_text("age\n" + "\n".join(str(20 + i % 60) for i in range(6000)))
    schema.write_text(SCHEMA.dump())
    asked = ("quantile", str(table), "--schema", str(schema), "--column", "age", "--epsilon", "1")
    told = call(*asked, "--seed", "1")
    assert "age: the quantile at 1/2 is about 49" in told.stdout
    assert "NOT PRIVATE" in told.stdout
    secret = call(*asked, "--level", "0.9", "--json")
    said = json.loads(secret.stdout)
    assert said["secure"]
    assert abs(said["value"] - 74) <= 3
    assert "tacit quantile" in call("learn", "--list").stdout
