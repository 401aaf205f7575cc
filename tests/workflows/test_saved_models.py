"""A model that 0.1.0 has written is still read, used, written as SQL and explained."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np

from tacit import Model, Privacy, query, rules
from tacit.core.version import __version__
from tacit.data import Schema, read_points
from tacit.interfaces.report import Asked, write_report
from tests.interfaces.cli.test_command import call

SAVED = Path(__file__).with_name("model_0_1_0.json")
AGES = [18, 65, 66, 80, 81, 120]
ASKED = Asked("thresholds", Fraction(1), Fraction(1, 10**6), None, Fraction(1, 20))


def test_it_says_what_it_said() -> None:
    model = Model.loads(SAVED.read_text(encoding="utf-8"))
    assert model.version == "0.1.0"
    assert rules(model) == ["age is at least 66", "age is at least 81"]
    assert model.privacy == Privacy(Fraction(2499983, 2500000), Fraction(1, 10**6))
    assert Model.loads(model.dumps()) == model
    assert __version__ >= model.version


def test_it_predicts_and_gives_the_same_in_sql() -> None:
    model = Model.loads(SAVED.read_text(encoding="utf-8"))
    points = read_points({"age": AGES}, Schema.parse(model.schema), model.features)
    expected = np.array([[age >= 66, age >= 81] for age in AGES])
    assert np.array_equal(model.predict(points), expected)
    with duckdb.connect() as database:
        database.execute("CREATE TABLE people AS SELECT unnest(?::INT[]) AS age", [AGES])
        told = database.execute(query(model, "people")).fetchall()
    assert np.array_equal(np.array(told, dtype=np.bool_), expected)


def test_it_has_a_report(tmp_path: Path) -> None:
    model = Model.loads(SAVED.read_text(encoding="utf-8"))
    for name in ("report.html", "report.md"):
        write_report(tmp_path / name, model, ASKED)
        assert "age is at least 66" in (tmp_path / name).read_text(encoding="utf-8")


def test_the_command_takes_it(tmp_path: Path) -> None:
    table, out = tmp_path / "people.csv", tmp_path / "out.csv"
    table.write_text("age\n" + "\n".join(map(str, AGES)) + "\n", encoding="utf-8")
    assert not call("predict", str(SAVED), str(table), "--out", str(out)).returncode
    with out.open(encoding="utf-8") as text:
        assert next(csv.reader(text)) == ["sick", "old"]
    assert "age" in call("sql", str(SAVED)).stdout
