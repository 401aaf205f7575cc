"""From a file to a measured model and its risks, by the command alone, with a ledger."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tacit.learners.contract.model import Model
from tests.interfaces.cli.test_command import call, run
from tests.interfaces.cli.test_learn import SCHEMA, people


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Hold a table, its schema, and a ledger with a budget for it."""
    rows = people(3000)
    with (tmp_path / "people.csv").open("w", newline="") as file:
        csv.writer(file).writerows([list(rows), *zip(*rows.values(), strict=True)])
    (tmp_path / "s.toml").write_text(SCHEMA.dump())
    ledger, schema = str(tmp_path / "l.db"), str(tmp_path / "s.toml")
    call("ledger", "init", ledger)
    call("ledger", "grant", ledger, "--dataset", "clinic", "--schema", schema, "--epsilon", "5")
    return tmp_path


def _learn(folder: Path, *more: str) -> dict[str, Any]:
    asked = ("--schema", str(folder / "s.toml"), "--out", str(folder / "m.json"), "--json")
    told = call("learn", str(folder / "people.csv"), *asked, "--epsilon", "1", *more)
    found: dict[str, Any] = json.loads(told.stdout)
    return found


def test_three_words_are_enough_and_the_keys_are_those_that_were_agreed(folder: Path) -> None:
    told = _learn(folder, "--labels", "sick,tired")
    assert set(told["chosen"]) == {"class", "learner", "why"}
    assert set(told["features"]) == {"age", "dose", "ward", "smoker", "urban"}
    agreed = {"rows", "error", "low", "high", "confidence", "constant_error"}
    agreed |= {"auc", "auc_low", "auc_high"}
    for label in ("sick", "tired"):
        found = told["measured"][label]
        assert agreed <= set(found)
        assert found["rows"] == 600
        assert found["low"] <= found["error"] <= found["high"]


def test_a_model_is_measured_charged_and_tells_risks(folder: Path) -> None:
    _learn(folder, "--labels", "sick", "--hold-out", "0")
    model, table, out = (str(folder / name) for name in ("m.json", "people.csv", "m2.json"))
    refused = run("predict", model, table, "--risk", "--out", str(folder / "p.csv"))
    assert refused.returncode == 2
    assert "tacit measure" in refused.stderr
    budget = ("--ledger", str(folder / "l.db"), "--dataset", "clinic")
    told = call("measure", model, table, "--epsilon", "2", *budget, "--out", out, "--json")
    agreed = {"measured", "n", "privacy", "secure", "unit", "neighbours"}
    assert set(json.loads(told.stdout)) == agreed
    left = json.loads(call("ledger", "show", str(folder / "l.db"), "--json").stdout)
    assert left["datasets"][0]["spent"]["epsilon"] == "2"
    call("predict", out, table, "--risk", "--out", str(folder / "p.csv"))
    with (folder / "p.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["sick", "sick_risk"]
    assert all(0 < float(row["sick_risk"]) < 1 for row in rows)
    assert Model.loads((folder / "m2.json").read_text()).measured


def test_columns_are_kept_beside_what_is_said(folder: Path) -> None:
    _learn(folder, "--labels", "sick")
    asked = ("predict", str(folder / "m.json"), str(folder / "people.csv"), "--out")
    call(*asked, str(folder / "p.csv"), "--keep", "ward,age")
    with (folder / "p.csv").open(newline="") as told, (folder / "people.csv").open() as given:
        rows, people = list(csv.DictReader(told)), list(csv.DictReader(given))
    assert list(rows[0]) == ["ward", "age", "sick"]
    assert [(row["ward"], row["age"]) for row in rows] == [(p["ward"], p["age"]) for p in people]
    for wrong, said in (("sick", "written twice"), ("nobody", "--keep")):
        refused = run(*asked, str(folder / "q.csv"), "--keep", wrong)
        assert (refused.returncode, said in refused.stderr) == (2, True)
        assert not (folder / "q.csv").exists()


def test_what_is_told_says_seeded_coins_and_more_than_is_left_is_refused(folder: Path) -> None:
    _learn(folder, "--labels", "sick", "--hold-out", "0")
    model, table = str(folder / "m.json"), str(folder / "people.csv")
    assert "NOT PRIVATE" in call("measure", model, table, "--epsilon", "1", "--seed", "1").stdout
    budget = ("--ledger", str(folder / "l.db"), "--dataset", "clinic")
    assert run("measure", model, table, "--epsilon", "9", *budget).returncode == 3
    for wrong in ("0", "-1", "x"):
        assert run("measure", model, table, "--epsilon", wrong).returncode == 2


def test_a_category_and_a_number_are_predicted_in_their_own_words(folder: Path) -> None:
    _learn(folder, "--labels", "ward,age", "--cuts", "age=40:60:80")
    call(
        "predict",
        str(folder / "m.json"),
        str(folder / "people.csv"),
        "--out",
        str(folder / "p.csv"),
    )
    with (folder / "p.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["ward", "age", "age_low", "age_high"]
    assert {row["ward"] for row in rows} <= {"north", "south", "west"}
    assert all(18 <= float(row["age_low"]) <= float(row["age"]) <= 100 for row in rows)


def test_groups_are_measured_kept_and_drawn(folder: Path) -> None:
    asked = ("--labels", "sick,tired", "--class", "thresholds", "--features", "age")
    report = ("--report", str(folder / "r.md"))
    told = _learn(folder, *asked, "--by", "ward", *report)
    assert list(told["groups"]) == ["sick", "tired"]
    assert told["privacy"]["epsilon"] == "1"
    sizes = [[each["rows_low"] for each in told["groups"][label]] for label in told["groups"]]
    assert sizes[0] == sizes[1], "told once for all labels"
    groups = [each["group"] for each in told["groups"]["sick"]]
    written = (folder / "r.md").read_text()
    assert [written.count(group) for group in groups] == [1] * len(groups)
    model, table, out = (str(folder / name) for name in ("m.json", "people.csv", "m2.json"))
    assert Model.loads(Path(model).read_text()).groups == tuple(groups)
    said = call("measure", model, table, "--epsilon", "2", "--by", "age=40:65", "--out", out).stdout
    assert said.count("age is below 40") == 3, "its size once, and once a label"
    assert Model.loads(Path(out).read_text()).groups[0] == "age is below 40"
    call("measure", model, table, "--epsilon", "2", "--out", out)
    assert Model.loads(Path(out).read_text()).groups == (), "nothing is kept of other rows"
    schema = ("--schema", str(folder / "s.toml"), "--out", out, "--epsilon", "1")
    for wrong in (("--by", "sick"), ("--by", "ward", "--hold-out", "0"), ("--by", "height")):
        assert run("learn", table, *schema, *asked, *wrong).returncode == 2


def test_a_plan_for_a_schema_and_what_it_does_not_take(folder: Path) -> None:
    asked = (
        "--schema",
        str(folder / "s.toml"),
        "--labels",
        "sick",
        "--n",
        "3000",
        "--epsilon",
        "1",
    )
    told = json.loads(call("plan", *asked, "--json").stdout)
    assert told["learned_from"] + told["held_out"] == told["n"] == 3000
    assert "to learn from" in call("plan", *asked).stdout
    assert run("plan", *asked, "--alpha", "0.1").returncode == 2
    cut = ("--labels", "age", "--cuts", "age=40:60")
    told = json.loads(call("plan", *asked[:2], *cut, *asked[4:], "--json").stdout)
    assert told["labels"] == ["age is at least 40", "age is at least 60"]
    assert run("plan", "points(bits=4)", "--n", "9", "--epsilon", "1", *cut[2:]).returncode == 2
    assert run("plan").returncode == 2
    assert (
        "If no rule explains"
        in call("plan", "points(bits=4)", "--n", "500", "--epsilon", "1").stdout
    )
