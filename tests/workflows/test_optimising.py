"""Solutions for the rows of a table: the promise, the law from the rows on, refusals, the verb."""

from __future__ import annotations

import json
from fractions import Fraction as F
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import BoundedRange, ReleaseCost
from tacit.core.errors import InvalidArgument, Refused, TooLarge
from tacit.core.unit import Unit
from tacit.data import Bits, Integer, Real, Schema
from tacit.data.ledger import Cap, Ledger
from tacit.theory.optimisation.satisfiability import satisfied
from tacit.verify.enough.simulation import alarm
from tacit.verify.enumeration import Case, verify
from tacit.workflows import optimise
from tacit.workflows.charging import watched
from tests.interfaces.cli.test_command import call

LITERALS = Schema({"a": Integer(-3, 3), "b": Integer(-3, 3), "c": Integer(-3, 3, outside="null")})
PLACES = Schema(
    {
        "x": Integer(0, 4),
        "y": Real(0, 2, "0.5"),
        "z": Integer(0, 4, outside="null"),
        "sick": Bits(),
    }
)


def _columns(rows: Any) -> dict[str, list[Any]]:
    return {name: [row[i] for row in rows] for i, name in enumerate("abc")}


@pytest.mark.parametrize("epsilon", ["1", "6"])
def test_clauses_are_private_from_the_cells_on(epsilon: str) -> None:
    """Cells that are no literal, or no number at all, make a row that is no clause: read alike."""
    rows = ((1, 2, -3), (-1, -2, 3), (1, 1, 2), (2, 0, 3), (1, "x", 99), (1, -1, None))

    def law(database: tuple[Any, ...]) -> Law[Any]:
        with watched() as seen:
            optimise(
                _columns(database), LITERALS, problem="3-sat", columns=["a", "b", "c"],
                epsilon=epsilon, rng=Seeded(1),
            )  # fmt: skip
        return seen[0].law().map(lambda told: told.solution)

    claim = BoundedRange(epsilon)
    assert verify(Case("3-sat", "n=2", "learner", claim, rows, 2, law)).verdict == "verified"
    assert law(((1, 1, 2), (1, 2, 3))) == law(((1, 2, 3), (2, 0, 3)))
    assert law(((1, 2, 3), (1, 2, 3))) != law(((-1, -2, 3), (1, 2, 3)))


def test_clauses_are_left_as_rarely_as_promised() -> None:
    signs = list(product((1, -1), repeat=3))
    rows = [tuple(s * i for s, i in zip(signs[k % 8], (1, 2, 3), strict=True)) for k in range(63)]
    missed, runs = 0, 200
    for seed in range(runs):
        told = optimise(
            _columns(rows), LITERALS, problem="3-sat", columns=["a", "b", "c"], epsilon=1,
            rng=Seeded(seed),
        )  # fmt: skip
        values = [i > 0 for i in told.solution]
        missed += sum(not satisfied(c, values) for c in rows) > told.promised  # type: ignore[arg-type]
    assert told.promised == 13
    assert missed < alarm(runs, F(1, 20))


def test_points_are_as_deep_as_promised() -> None:
    rng = np.random.default_rng(1)
    table = {"x": rng.integers(0, 5, 200).tolist(), "y": (rng.integers(0, 5, 200) / 2).tolist()}
    asked: Any = {"problem": "centre-point", "columns": ["x", "y"], "epsilon": 2}
    told = optimise(table, PLACES, **asked, rng=Seeded(3))
    assert told.promised == 44
    x, y = told.solution
    for u, v in product(range(-5, 6), repeat=2):
        if u or v:
            held = [
                u * (p - x) + v * (q - y) >= 0 for p, q in zip(table["x"], table["y"], strict=True)
            ]
            assert sum(held) >= told.promised
    assert told.describe()["promised"] == {"depth": 44}
    one = optimise(table, PLACES, problem="centre-point", columns=["x"], epsilon=9, rng=Seeded(1))
    assert len(one.solution) == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"problem": "knapsack", "columns": ["x"]}, "3-sat, centre-point"),
        ({"problem": "3-sat", "columns": ["x", "y", "sick"]}, "three columns of type integer"),
        ({"problem": "centre-point", "columns": ["x", "sick"]}, "have no order"),
        ({"problem": "centre-point", "columns": ["x", "z"]}, "'z'.*have no order"),
        ({"problem": "centre-point", "columns": []}, "features"),
    ],
)
def test_what_cannot_be_posed_is_refused(asked: Any, said: str) -> None:
    table = {"x": [1], "y": [0.5], "z": [1], "sick": [1]}
    with pytest.raises(InvalidArgument, match=said):
        optimise(table, PLACES, **asked, epsilon=1)


def test_variables_are_as_many_as_either_end_reaches() -> None:
    schema = Schema({name: Integer(-4, 3) for name in "abc"})
    rows = [(-4, 1, 2), (-4, 2, 3)] * 40
    asked: Any = {"problem": "3-sat", "columns": ["a", "b", "c"], "epsilon": 9}
    told = optimise(_columns(rows), schema, **asked, rng=Seeded(1))
    assert [abs(i) for i in told.solution] == [1, 2, 3, 4]


def test_what_would_take_too_long_is_refused_by_public_numbers() -> None:
    wide = Schema({"x": Integer(0, 255), "y": Integer(0, 255)})
    for cells in ([0] * 400, list(range(256)) + [0] * 144):
        with pytest.raises(TooLarge, match="coarser steps"):
            optimise(
                {"x": cells, "y": cells}, wide, problem="centre-point", columns=["x", "y"],
                epsilon=1,
            )  # fmt: skip
    with pytest.raises(InvalidArgument, match="no rows"):
        optimise({"x": [], "y": []}, wide, problem="centre-point", columns=["x"], epsilon=1)


def test_the_cost_is_charged_first() -> None:
    paid: list[ReleaseCost] = []

    def refuse(cost: ReleaseCost, delta: F, purpose: str, _: Unit) -> None:
        paid.append(cost)
        assert (delta, purpose) == (0, "centre-point of x")
        raise Refused("no")

    with pytest.raises(Refused):
        optimise(
            {"x": [1, 2]}, PLACES, problem="centre-point", columns=["x"], epsilon="1/2",
            charge=refuse,
        )  # fmt: skip
    assert paid == [BoundedRange("1/2")]


def test_the_verb(tmp_path: Path) -> None:
    table, schema, ledger = tmp_path / "t.csv", tmp_path / "s.toml", tmp_path / "b.db"
    table.write_text("a,b,c\n" + "1,-2,3\n-1,2,3\n" * 100)
    schema.write_text(LITERALS.dump())
    Ledger.create(ledger).grant("wishes", LITERALS, Cap(2, 0))
    asked: tuple[str, ...] = ("optimise", str(table), "--problem", "3-sat", "--schema", str(schema))
    asked += ("--columns", "a,b,c", "--epsilon", "1", "--ledger", str(ledger))
    asked += ("--dataset", "wishes")
    told = json.loads(call(*asked, "--json").stdout)
    assert list(told) == ["problem", "columns", "solution", "n", "promised", "beta", "privacy",
                          "secure", "unit", "neighbours"]  # fmt: skip
    assert (told["n"], told["promised"], told["secure"]) == (200, {"unsatisfied": 30}, True)
    assert [abs(i) for i in told["solution"]] == [1, 2, 3]
    shown = call(*asked)
    assert "at most 30 of the 200 clauses are left unsatisfied" in shown.stdout
    assert call(*asked).returncode == 3, "the budget is spent"
    asked = ("optimise", str(table), "--problem", "centre-point", "--schema", str(schema))
    shown = call(*asked, "--columns", "a,b", "--epsilon", "1", "--seed", "1")
    assert "every halfspace that holds it has at least" in shown.stdout
