"""From a table to a model and back: the command, the model's JSON, and every class end to end."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from rich.console import Console

from tacit.concepts.rules.scorecard import Scorecard
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, Refused, SampleTooSmall
from tacit.core.label_privacy import LabelPrivacy
from tacit.data import Bits, Category, Integer, Real, Schema
from tacit.interfaces.cli.tables.learn import model_lines
from tacit.interfaces.output.progress import steadily
from tacit.learners.contract.model import Model
from tacit.learners.contract.seal import sealed
from tacit.workflows import learn, measure, query, rules
from tacit.workflows.predicting import predictions
from tests.interfaces.cli.test_command import call, run

SCHEMA = Schema(
    {
        "age": Integer(18, 100),
        "dose": Real(0, 10, "0.5"),
        "ward": Category(("north", "south", "west")),
        "smoker": Bits(),
        "urban": Bits(),
        "sick": Bits(),
        "tired": Bits(),
    }
)


def people(n: int = 600) -> dict[str, list[Any]]:
    """Return a table in which age decides `sick` and dose decides `tired`."""
    rng = np.random.default_rng(7)
    age, dose = rng.integers(18, 101, n), rng.integers(0, 21, n) / 2
    return {
        "age": age.tolist(),
        "dose": dose.tolist(),
        "ward": rng.choice(["north", "south", "west"], n).tolist(),
        "smoker": rng.integers(0, 2, n).tolist(),
        "urban": rng.integers(0, 2, n).tolist(),
        "sick": (age >= 60).astype(int).tolist(),
        "tired": (dose >= 4).astype(int).tolist(),
    }


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = people()
    path = tmp_path / "people.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(rows)
        writer.writerows(zip(*rows.values(), strict=True))
    (tmp_path / "schema.toml").write_text(SCHEMA.dump())
    return path


@pytest.mark.parametrize(
    ("spec", "features", "n"),
    [
        ("thresholds", ["age"], 600),
        ("points", ["ward"], 600),
        ("intervals", ["age"], 600),
        ("boxes", ["age", "dose"], 80),
        ("boxes", ["smoker", "urban", "tired"], 600),
        ("conjunctions", ["smoker", "urban"], 600),
        ("rules", ["age", "dose", "ward", "smoker"], 600),
        ("rules(width=1, cuts=4, age=40:60)", ["age", "ward"], 600),
        ("parities", ["smoker", "urban"], 600),
        ("lines(p=5)", ["ward", "smoker"], 200),
        ("halfspaces", ["smoker", "urban"], 600),
        ("halfspaces(bits=2, dims=2)", ["ward", "smoker"], 600),
        ("balls(bits=2, dims=2)", ["ward", "smoker"], 600),
    ],
)
def test_every_class_is_learned_end_to_end(spec: str, features: list[str], n: int) -> None:
    source = {name: column[:n] for name, column in people().items()}
    model = learn(
        source, SCHEMA, concepts=spec, features=features, labels=["sick"], epsilon=5, rng=Seeded(3)
    )
    assert Model.loads(json.dumps(model.encode())) == model
    (rule,) = rules(model)
    assert rule
    assert model.n == n
    connection = duckdb.connect()
    columns = {name: source[name] for name in features}
    connection.register("people", _arrow(columns))
    answers = [bool(row[0]) for row in connection.execute(query(model, "people")).fetchall()]
    coded = np.array([[SCHEMA[f].code(v) for v in columns[f]] for f in features]).T
    points = coded[:, 0] if len(features) == 1 else coded
    assert answers == model.predict(points)[:, 0].tolist()


def _arrow(columns: dict[str, list[Any]]) -> Any:
    import pyarrow  # noqa: PLC0415

    return pyarrow.table(columns)


def test_many_labels_share_one_budget() -> None:
    model = learn(
        people(),
        SCHEMA,
        concepts="thresholds",
        features=["age"],
        labels=["sick", "tired", "smoker"],
        epsilon=1,
        delta="1e-6",
        rng=Seeded(1),
    )
    assert 0.99 < model.privacy.epsilon <= 1
    assert len(model.hypotheses) == 3
    pure = learn(
        people(),
        SCHEMA,
        concepts="thresholds",
        features=["age"],
        labels=["sick", "tired"],
        epsilon=1,
        rng=Seeded(1),
    )
    assert pure.privacy.delta == 0
    assert pure.privacy.epsilon <= 1


def test_a_promise_that_cannot_be_kept_is_refused_before_anything_is_drawn() -> None:
    with pytest.raises(SampleTooSmall, match="rows are needed"):
        learn(
            people(),
            SCHEMA,
            concepts="thresholds",
            features=["age"],
            labels=["sick"],
            epsilon=1,
            alpha="0.001",
            rng=Seeded(1),
        )
    with pytest.raises(Refused, match="at most"):
        learn(
            {name: column * 200 for name, column in people().items()},
            SCHEMA,
            concepts="lines(p=101)",
            features=["age", "ward"],
            labels=["sick"],
            epsilon=1,
            rng=Seeded(1),
        )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"concepts": "circles"}, "is not known"),
        ({"concepts": "treshold"}, "did you mean 'thresholds'"),
        ({"concepts": "Threshholds(bits=3)"}, "did you mean 'thresholds'"),
        ({"concepts": "lines"}, r"needs its sizes, as in lines\(p=7\)"),
        ({"concepts": "thresholds(bits=2)"}, "reads only 4: choose a larger class"),
        ({"concepts": "thresholds", "features": ["age", "dose"]}, "over one column"),
        ({"concepts": "thresholds(bits=8)", "features": ["age", "dose"]}, "over 1 column here"),
        ({"concepts": "boxes(bits=7, dims=2)"}, "over 2 columns"),
        ({"concepts": "conjunctions", "features": ["smoker", "age"]}, "choose rules"),
        ({"concepts": "rules(depth=2)"}, "rules takes width, cuts"),
        ({"concepts": "rules(width=two)"}, "width must be an integer"),
        ({"concepts": "rules(width=0)"}, "width must be at least 1"),
        ({"concepts": "rules(age=40:one)"}, "must be a number"),
        ({"concepts": "rules(age=18)"}, "can be cut above 18 and up to 100; got 18"),
        ({"concepts": "rules(dose=0.3)", "features": ["dose"]}, "in steps of 0.5; got 0.3"),
        ({"concepts": "rules(ward=1)", "features": ["ward"]}, "has categories"),
        ({"features": ["age", "age"]}, "'age' comes twice"),
        ({"labels": ["sick", "sick"]}, "'sick' comes twice"),
        ({"features": ["age", "sick"]}, "cannot be a feature too"),
        ({"features": ["Age"]}, "did you mean 'age'"),
        ({"features": "age"}, "must be a list"),
        ({"features": []}, "at least one column"),
        ({"labels": []}, "at least one column"),
        ({"labels": ["age"]}, "age"),
        ({"features": ["height"]}, "height"),
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": "1e9"}, "between 1e-09 and 10000, got 1e9"),
        ({"epsilon": "1e400"}, "between 1e-09 and 10000"),
        ({"epsilon": "1e-400"}, "between 1e-09 and 10000, got 1e-400"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"delta": 1}, "delta"),
        ({"delta": "1e-400"}, "delta must be at least 1e-30, got 1e-400"),
        ({"alpha": "1e-400"}, "alpha must be at least 1e-09"),
        ({"beta": "1e-400"}, "beta must be at least 1e-30"),
        ({"alpha": 2}, "alpha"),
        ({"beta": 0}, "beta"),
        ({"best_error": "0.5"}, "best_error .--best-error. must be below 1/2"),
        ({"best_error": "0.1", "agnostic": False}, "leave out one of it"),
    ],
)
def test_bad_requests_are_refused(changes: dict[str, Any], words: str) -> None:
    request: dict[str, Any] = {
        "concepts": "thresholds",
        "features": ["age"],
        "labels": ["sick"],
        "epsilon": 1,
    }
    with pytest.raises(InvalidArgument, match=words):
        learn(people(), SCHEMA, **(request | changes), rng=Seeded(0))


def test_the_command_learns_predicts_and_writes_sql(table: Path) -> None:
    folder = table.parent
    model, out = folder / "m.json", folder / "p.csv"
    arguments = ("--schema", str(folder / "schema.toml"), "--features", "age", "--epsilon", "2")
    done = run(
        "learn", str(table), *arguments, "--labels", "sick,tired", "--out", str(model), "--json"
    )
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)
    assert written == json.loads(model.read_text())
    assert written["secure"] is True
    assert written["rules"]["sick"].startswith("age is at least")
    assert run("predict", str(model), str(table), "--out", str(out)).returncode == 0
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 600
    wrong = sum(
        int(row["sick"]) != truth for row, truth in zip(rows, people()["sick"], strict=True)
    )
    assert wrong < 60
    sql = run("sql", str(model), "--table", "people").stdout
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE people AS FROM read_csv('{table}')")
    answers = [(str(a), str(b)) for a, b in connection.execute(sql).fetchall()]
    assert answers == [(row["sick"], row["tired"]) for row in rows]
    shown = run(
        "learn", str(table), *arguments, "--labels", "sick", "--out", str(model), "--seed", "1"
    )
    assert "NOT PRIVATE" in shown.stdout
    assert "Private:" not in shown.stdout
    assert "ε = 2" in shown.stdout


def test_a_promise_from_the_best_error_says_so(table: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "m.json", tmp_path / "r.md"
    given = ("--schema", str(table.parent / "schema.toml"), "--features", "age", "--epsilon", "1")
    # Nothing is held out: what is measured may sharpen a promise further than what is stated.
    asked = ("learn", str(table), *given, "--labels", "sick", "--hold-out", "0", "--out", str(out))
    free = json.loads(run(*asked, "--json").stdout)
    shown = run(*asked, "--best-error", "0.05", "--report", str(report))
    assert "independent draws and the best rule errs at most 0.05." in shown.stdout
    assert "and the best rule errs at most 0.05." in report.read_text()
    model = Model.loads(out.read_text())
    assert "best_error" not in free
    assert (model.best_error, json.loads(out.read_text())["best_error"]) == (
        Fraction(1, 20),
        "1/20",
    )
    assert model.accuracy is not None
    assert model.accuracy.alpha < Fraction(free["accuracy"]["alpha"])
    planned = ("plan", "thresholds(bits=8)", "--n", "600", "--epsilon", "1", "--best-error", "0.05")
    assert "1 label, if the best rule errs at most 0.05." in run(*planned).stdout
    offers = json.loads(run(*planned, "--json").stdout)["learners"]
    assert {offer["best_error"] for offer in offers} == {0.05}


def test_a_refusal_leaves_nothing_behind(table: Path) -> None:
    folder = table.parent
    before = sorted(folder.iterdir())
    arguments = ("learn", str(table), "--schema", str(folder / "schema.toml"), "--features", "age")
    out = ("--out", str(folder / "m.json"))
    refused = run(*arguments, "--labels", "sick", "--epsilon", "1", "--alpha", "0.0001", *out)
    assert refused.returncode == 3
    assert "rows are needed" in refused.stderr
    for bad in (
        (*arguments, "--labels", "sick", "--epsilon", "0", *out),
        (*arguments, "--labels", "nobody", "--epsilon", "1", *out),
        (*arguments, "--labels", "sick", "--epsilon", "1", "--out", str(folder / "no" / "m.json")),
        (*arguments, "--labels", "sick", "--epsilon", "1", "--out", "/proc/x.json"),
        (*arguments, "--labels", "sick", "--epsilon", "1", "--out", "/dev/null"),
        (*arguments, "--labels", "sick", "--epsilon", "1", "--out", str(folder)),
        ("predict", str(table), str(table), "--out", str(folder / "p.csv")),
        ("sql", str(folder / "no.json")),
        (
            "learn",
            str(folder / "no.csv"),
            *arguments[2:],
            "--labels",
            "sick",
            "--epsilon",
            "1",
            *out,
        ),
    ):
        done = call(*bad)
        assert done.returncode == 2, bad
        assert "Traceback" not in done.stderr
        assert not done.stdout
    assert sorted(folder.iterdir()) == before


def test_the_schema_command(table: Path) -> None:
    folder = table.parent
    blank = call("schema", "template", str(table)).stdout
    assert "[columns.age]" in blank
    assert "100" not in blank.replace("0 to 120", "")
    good = call("schema", "check", str(folder / "schema.toml"), str(table), "--json")
    assert json.loads(good.stdout)["columns"]["age"] == 83
    told = call("schema", "check", str(folder / "schema.toml"), str(table)).stdout
    assert "--owner" in told.splitlines()[-1], "what fits by name and type may still not read"
    (folder / "blank.toml").write_text(blank)
    assert call("schema", "check", str(folder / "blank.toml")).returncode == 2


def test_what_is_no_model_is_refused() -> None:
    for text in (
        "",
        "{}",
        "[]",
        json.dumps(sealed({"format": "tacit-model-1"})),
        json.dumps(sealed({"format": "tacit-model-1", "class": "x", "outputs": "x"})),
    ):
        with pytest.raises(InvalidArgument, match=r"not a model|must look like"):
            Model.loads(text)


def test_an_input_is_never_overwritten(table: Path) -> None:
    folder, before = table.parent, table.read_text()
    arguments = ("--schema", str(folder / "schema.toml"), "--features", "age", "--labels", "sick")
    done = call("learn", str(table), *arguments, "--epsilon", "1", "--out", str(table))
    assert done.returncode == 2
    assert "would be lost" in done.stderr
    assert table.read_text() == before


def test_boxes_over_one_column_name_the_way_out() -> None:
    with pytest.raises(InvalidArgument, match="intervals"):
        learn(
            people(),
            SCHEMA,
            concepts="boxes",
            features=["age"],
            labels=["sick"],
            epsilon=1,
            rng=Seeded(0),
        )


def test_rules_go_all_the_way(table: Path) -> None:
    """From the command to a model, predictions and SQL, over columns of every type."""
    folder, out = table.parent, table.parent / "p.csv"
    with table.open("a") as file:
        file.write("6S,4,north,1,0,0,1\r\n61,4.O,south,no,0,1,1\r\n")
    arguments = ("--schema", str(folder / "schema.toml"), "--features", "age,dose,ward,smoker")
    model = str(folder / "m.json")
    asked = (*arguments, "--labels", "sick,tired", "--epsilon", "4", "--out", model)
    learned = run("learn", str(table), *asked, "--class", "rules(width=2, age=40:60, dose=4)")
    assert learned.returncode == 0, learned.stderr
    assert "sick: yes if age is at least 60" in learned.stdout
    assert "for all 2 labels at once" in learned.stdout
    assert "Class: rules, 106 rules" in learned.stdout
    assert run("predict", model, str(table), "--out", str(out)).returncode == 0
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE people AS FROM read_csv('{table}')")
    answers = connection.execute(run("sql", model, "--table", "people").stdout).fetchall()
    assert [f"{a},{b}" for a, b in answers] == out.read_text().splitlines()[1:]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["learn", "none.csv"], "there is no file none.csv"),
        (["learn", "no/none.csv"], "and no such folder"),
        (["learn", "header.csv"], "the table has no rows"),
        (["learn", "people.csv", "--schema", "bad.toml"], "--schema: bad.toml: the schema is not"),
        (["learn", "people.csv", "--schema", "no.toml"], "write one with: tacit schema template"),
        (["learn", "people.csv", "--out", "no/m.json"], "mkdir -p"),
        (["predict", "bad.json", "people.csv"], "MODEL: bad.json: not a model"),
        (["sql", "bad.json"], "MODEL: bad.json: not a model"),
        (["schema", "check", "bad.toml"], "SCHEMA: bad.toml: the schema is not"),
    ],
)
def test_a_message_names_the_file_and_the_way_out(
    arguments: list[str], words: str, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    Path("bad.toml").write_text("[columns.age")
    Path("bad.json").write_text("{}")
    Path("header.csv").write_text(table.read_text().splitlines()[0] + "\n")
    if arguments[0] == "learn":
        arguments += ["--features", "age", "--labels", "sick", "--epsilon", "1"]
        arguments += [] if "--schema" in arguments else ["--schema", "schema.toml"]
    done = call(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_boxes_that_cannot_be_scored_name_the_way_out() -> None:
    fine = Schema({"x": Integer(0, 1 << 20), "y": Integer(0, 1 << 20), "sick": Bits()})
    columns = {"x": list(range(400)), "y": list(range(400)), "sick": [0, 1] * 200}
    with pytest.raises(
        Refused, match=r"has 400: choose another learner \(.*per-side-box\), .* choose the class"
    ):
        learn(
            columns,
            fine,
            concepts="boxes",
            features=["x", "y"],
            labels=["sick"],
            epsilon=1,
            rng=Seeded(0),
        )


def test_more_epsilon_never_promises_less_and_all_of_it_is_spent() -> None:
    promised = []
    for epsilon in ("0.05", "0.1", "0.2", "0.5", "1", "2", "5", "50", "10000"):
        model = learn(
            people(),
            SCHEMA,
            concepts="thresholds",
            features=["age"],
            labels=["sick"],
            epsilon=epsilon,
            alpha="0.99",
            rng=Seeded(0),
        )
        assert model.privacy.epsilon == Fraction(epsilon), "nothing is left unspent in silence"
        promised.append(model.accuracy.alpha)
    assert promised == sorted(promised, reverse=True)


def test_help_lists_the_classes_and_says_what_is_written() -> None:
    shown = call("learn", "--help").stdout
    for name in ("thresholds", "intervals", "boxes", "rules", "conjunctions", "halfspaces"):
        assert name in shown
    assert "Only the label columns are written" in call("predict", "--help").stdout


def test_names_are_taken_as_they_are(tmp_path: Path) -> None:
    """Commas and blanks in names, and names that are signs for a terminal."""
    names = ["a,b", " c ", ":heart:", "[bold]x[/]"]
    schema = Schema({"a,b": Integer(0, 9), **{name: Bits() for name in names[1:]}})
    table = duckdb.from_arrow(_arrow({name: [0, 1] * 50 for name in names}))
    table.write_parquet(str(tmp_path / "t.parquet"))
    (tmp_path / "s.toml").write_text(schema.dump())
    asked = ["learn", str(tmp_path / "t.parquet"), "--schema", str(tmp_path / "s.toml")]
    asked += ["--features", "a,b", "--labels", " c ", "--labels", ":heart:,[bold]x[/]"]
    asked += ["--epsilon", "9", "--out", str(tmp_path / "m.json")]
    told = json.loads(call(*asked, "--json").stdout)
    assert told == json.loads((tmp_path / "m.json").read_text())
    assert (told["features"], told["labels"]) == (names[:1], names[1:])
    shown = call(*asked).stdout
    assert all(f"{name}: yes if a,b is" in shown for name in names[1:])


def test_what_takes_long_says_so(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    patience = nullcontext(steps.append)
    for verb in ("tables.predict.steadily", "tables.flow.steadily",
                 "theory.plan.patiently", "checks.audit.patiently"):  # fmt: skip
        monkeypatch.setattr(f"tacit.interfaces.cli.{verb}", lambda: patience)
    monkeypatch.chdir(table.parent)
    asked = ["people.csv", "--schema", "schema.toml", "--epsilon", "1"]
    assert not call("learn", *asked, "--features", "age", "--labels", "sick").returncode
    assert not call("predict", "model.json", "people.csv").returncode
    assert not call("quantile", *asked, "--column", "age").returncode
    assert not call("plan", "points(bits=2)", "--alpha", "0.1", "--epsilon", "1").returncode
    assert not call("audit", "budget-counted-once").returncode
    assert steps == [
        "learning",
        "predicting",
        "counting",
        "planning",
        "auditing budget-counted-once",
    ]


def test_where_rows_are_read_the_clock_tells_nothing(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One byte made a file slow to read, and a line of progress appear."""
    for terminal in (True, False):
        monkeypatch.setattr(
            "tacit.interfaces.output.progress.Console",
            partial(Console, force_terminal=terminal, color_system=None, width=80),
        )
        with steadily() as tell:
            tell("reading rows")
            tell("learning")
        shown = capsys.readouterr()
        assert shown.out == ""
        assert ("reading rows" in shown.err or "learning" in shown.err) == terminal
    for verb in ("learn", "flow", "ledger"):
        source = Path(f"src/tacit/interfaces/cli/tables/{verb}.py").read_text()
        assert "patiently" not in source, "the clock depends on the rows there"
    monkeypatch.chdir(table.parent)
    asked = ["people.csv", "--schema", "schema.toml", "--epsilon", "1"]
    assert call("learn", *asked, "--features", "age", "--labels", "sick").stderr == ""


def test_programs_hear_one_object(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(table.parent)
    listed = [call("learners", "--json").stdout, call("learn", "--list", "--json").stdout]
    assert listed[0] == listed[1]
    assert json.loads(listed[0])["learners"]
    asked = ["people.csv", "--schema", "schema.toml", "--epsilon", "1", "--features", "age"]
    assert not call("learn", *asked, "--labels", "sick").returncode
    for dialect in ("duckdb", "postgres", "sqlite", "spark"):
        told = json.loads(call("sql", "model.json", "--dialect", dialect, "--json").stdout)
        said = call("sql", "model.json", "--dialect", dialect).stdout.rstrip("\n")
        assert told == {"sql": said, "dialect": dialect}
    assert json.loads(call("sql", "model.json", "--json").stdout)["dialect"] == "duckdb"


def test_labels_only_says_so_everywhere(table: Path) -> None:
    out, report = table.with_name("labels.json"), table.with_name("labels.html")
    asked = ["learn", str(table), "--schema", str(table.with_name("schema.toml"))]
    asked += ["--features", "age", "--labels", "sick,tired", "--epsilon", "1", "--labels-only"]
    told = call(*asked, "--out", str(out), "--report", str(report), "--seed", "1", "--json").stdout
    said = json.loads(told)
    assert said["learner"] == "label-private"
    assert said["cost"] is None
    assert said["privacy"] is None
    assert said["label_privacy"] == {
        "epsilon": "1",
        "neighbours": "replace-labels-of-one",
        "says": "labels are protected, features are not",
    }
    model = Model.loads(out.read_text())
    assert model.privacy == LabelPrivacy(1)
    assert model.cost is None
    assert json.loads(model.dumps())["label_privacy"] == said["label_privacy"]
    page = report.read_text()
    assert "labels are protected, features are not" in page
    assert "People with several rows" not in page
    assert "No ledger takes this release" in page
    assert "tacit ledger keeps count" not in page
    assert "Nor are the features of any row" in page
    told = call(*asked, "--out", str(out)).stdout
    assert (
        "Labels are protected, features are not: ε = 1 for replacing the labels of any one" in told
    )


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--delta", "1e-6"], "leave out --delta"),
        (["--learner", "histogram"], "protects whole rows"),
        (["--learner", "empirical(label-private)"], "must be made from learners of one label"),
        (["--learner", "nonsense"], "is not known"),
        (["--ledger", "budget.db", "--dataset", "people"], "leave out --ledger"),
    ],
)
def test_labels_only_is_never_taken_for_more(table: Path, more: list[str], why: str) -> None:
    ledger = table.with_name("budget.db")
    call("ledger", "init", str(ledger))
    schema = ["--schema", str(table.with_name("schema.toml"))]
    call("ledger", "grant", str(ledger), "--dataset", "people", *schema, "--epsilon", "5")
    more = [str(ledger) if word == "budget.db" else word for word in more]
    asked = ["learn", str(table), *schema]
    asked += ["--features", "age", "--labels", "sick", "--epsilon", "1", "--labels-only"]
    result = call(*asked, "--out", str(table.with_name("m.json")), *more)
    assert result.returncode == 2
    assert why in result.stderr.replace("\n", " ")
    assert not table.with_name("m.json").exists()


def test_a_learner_of_labels_is_refused_without_the_words(table: Path) -> None:
    with pytest.raises(InvalidArgument, match="--labels-only"):
        learn(
            people(),
            SCHEMA,
            concepts="thresholds",
            features=["age"],
            labels=["sick"],
            epsilon=1,
            learner="label-private",
        )


def test_what_the_schema_decides_is_said(table: Path) -> None:
    """A number is cut, and columns are taken, that nobody named: the output says so."""
    out = ["--out", str(table.parent / "m.json")]
    asked = [
        "learn",
        str(table),
        "--schema",
        str(table.parent / "schema.toml"),
        "--epsilon",
        "1",
        *out,
    ]
    said = run(*asked, "--labels", "dose").stdout
    assert "Learned from every other column: age, ward, smoker, urban, sick, tired." in said
    assert "dose is cut at " in said
    assert "--cuts dose=" in said
    said = run(*asked, "--labels", "dose", "--cuts", "3:7", "--features", "-tired,-sick").stdout
    assert "Learned from" not in said
    assert "is cut at" not in said
    model = Model.loads((table.parent / "m.json").read_text())
    assert model.features == ("age", "ward", "smoker", "urban")
    assert model.labels == ("dose is at least 3", "dose is at least 7")
    told = run("predict", out[1], str(table), "--out", str(table.parent / "p.csv")).stdout
    assert "intervals of 80%" in told


@pytest.mark.parametrize(
    ("more", "hint"),
    [
        (["--labels", "sik"], "did you mean 'sick'?"),
        (["--labels", "sick", "--features", "Smokr"], "did you mean 'smoker'?"),
        (["--labels", "sick", "--features", "-Smokr"], "did you mean 'smoker'?"),
        (["--labels", "dose", "--cuts", "dosis=3"], "did you mean 'dose'?"),
        (["--labels", "dose,sick", "--cuts", "3:7"], "income=20:40:60"),
        (["--labels", "blood"], "declare [columns.blood]"),
    ],
)
def test_a_name_that_is_nearly_right_is_found(table: Path, more: list[str], hint: str) -> None:
    schema = str(table.parent / "schema.toml")
    refused = run("learn", str(table), "--schema", schema, "--epsilon", "1", *more)
    assert refused.returncode == 2
    assert hint in refused.stderr


def test_risks_of_values_agree(tmp_path: Path) -> None:
    """Those of a category add up to 1, and those of a number do not rise."""
    rows = people(3000)
    model = learn(
        rows,
        SCHEMA,
        features=["age", "dose", "smoker"],
        labels=["ward", "sick"],
        epsilon=1,
        delta="1e-6",
        hold_out="0.2",
        rng=Seeded(3),
    )
    numbers = {"labels": ["dose"], "features": ["tired", "age"], "cuts": {"dose": [2, 5, 8]}}
    other = learn(rows, SCHEMA, epsilon=1, hold_out="0.2", rng=Seeded(3), **numbers)  # type: ignore[arg-type]
    for line in (line for part in predictions(model, rows, risk=True) for line in part):
        assert sum(line[2:5]) == pytest.approx(1, abs=1e-5)
        assert 0 < line[5] < 1
    for line in (line for part in predictions(other, rows, risk=True) for line in part):
        assert line[3:] == sorted(line[3:], reverse=True)
    with pytest.raises(InvalidArgument, match="the model reads it by this name: rename one of"):
        next(predictions(other, {"tired": [1], "Age": [2]}))
    with pytest.raises(InvalidArgument, match="the model reads it by this name"):
        measure(other, {"tired": [1], "Age": [2], "dose": [1]}, epsilon=1)


def test_what_says_no_to_every_row_names_the_way_out() -> None:
    features = ["age", "dose", "smoker"]
    asked: dict[str, Any] = {"features": features, "labels": ["sick"], "epsilon": 1}
    asked |= {"delta": "1e-6", "hold_out": "0.2", "rng": Seeded(3)}
    model = learn(people(3000), SCHEMA, **asked)
    (card,) = model.hypotheses
    assert isinstance(card, Scorecard)
    for threshold, hint in ((card.threshold, False), (10**6, True)):
        found = replace(model, hypotheses=(replace(card, threshold=threshold),))
        lines = model_lines(found, {"sick": rules(found)[0]}, Fraction(1), Path("m.json"))
        assert any(line.endswith("say so: --weights sick=20") for line in lines) is hint


def test_of_many_cards_three_are_shown_and_the_others_are_in_the_report() -> None:
    asked: dict[str, Any] = {"features": ["age", "smoker"], "labels": ["dose"], "epsilon": 1}
    asked |= {"concepts": "scorecards", "delta": "1e-6", "rng": Seeded(3)}
    for cuts, more in (([2, 5, 8], False), ([2, 3, 5, 7, 8], True)):
        model = learn(people(3000), SCHEMA, **asked, cuts={"dose": cuts})
        said = dict.fromkeys(model.labels, "x" * 999)
        lines = model_lines(model, said, Fraction(1), Path("a b.json"))
        assert sum("\n  age: " in line for line in lines) == 3
        left = [line for line in lines if "The points of 2 more are left out" in line]
        assert [line.endswith("tacit report 'a b.json'") for line in left] == [True] * more


def test_a_plan_of_one_number_is_cut_as_it_is_learned(table: Path) -> None:
    schema = str(table.parent / "schema.toml")
    asked = ("plan", "--schema", schema, "--labels", "dose", "--n", "6000", "--epsilon", "1")
    said = call(*asked, "--cuts", "3:7").stdout
    assert said == call(*asked, "--cuts", "dose=3:7").stdout
    within = json.loads(call(*asked, "--cuts", "3:7", "--json").stdout)["told_within"]
    assert f"as one of about {20 - 100 * within:.1f} to {20 + 100 * within:.1f} %." in said


def test_labels_only_names_its_learner() -> None:
    asked = {"features": ["age"], "labels": ["sick"], "concepts": "thresholds"}
    for name in ("generic", "prior"):
        with pytest.raises(InvalidArgument, match=r"leave out --learner, which is label-private"):
            learn(people(), SCHEMA, epsilon=1, learner=name, labels_only=True, **asked)  # type: ignore[arg-type]
    for name in ("auto", "label-private"):
        model = learn(people(), SCHEMA, epsilon=1, learner=name, labels_only=True, **asked)  # type: ignore[arg-type]
        assert model.learner == "label-private"


def test_audits_are_listed_without_scikit_learn() -> None:
    program = "import sys; sys.modules['sklearn'] = None; from tacit.interfaces.cli import command"
    started = [sys.executable, "-c", f"{program}; command.main()", "audit", "--list", "--json"]
    listed = subprocess.run(started, capture_output=True, text=True, check=True)
    told = json.loads(listed.stdout)
    assert "exponential" in {each["target"] for each in told["targets"]}
    assert "scikit-learn is not installed" in told["not_listed"]["table-fit-pandas"]


def test_weights_are_kept_said_and_refused() -> None:
    asked: dict[str, Any] = {"labels": ["sick", "tired"], "epsilon": 4, "rng": Seeded(1)}
    model = learn(
        people(), SCHEMA, concepts="rules", weights={"tired": "5/2"}, hold_out="0.2", **asked
    )
    assert model.weights == (1, Fraction(5, 2))
    assert model.accuracy is None
    assert Model.loads(model.dumps()) == model
    assert "weighted" not in model.encode()["measured"]["sick"]
    assert model.encode()["measured"]["tired"]["weighted"]["weight"] == "5/2"
    told = measure(model, people(), epsilon=1, rng=Seeded(1)).describe()["measured"]
    assert told["tired"]["weighted"]["weight"] == "5/2"
    for wrong, said in (
        ({"weights": {"sad": 2}}, "sick, tired"),
        ({"weights": {"sick": 2}, "neighbours": "added"}, "leave out"),
        ({"weights": {"sick": 2}, "labels_only": True}, "leave out"),
        ({"weights": {"sick": 2}, "alpha": "0.2", "concepts": "rules"}, "nothing is promised"),
        (
            {
                "weights": {"sick": 2},
                "concepts": "thresholds",
                "features": ["age"],
                "delta": "1e-6",
                "learner": "prefix-threshold",
                "agnostic": False,
            },
            "short-rules, counted, margin",
        ),
    ):
        with pytest.raises(InvalidArgument, match=said):
            learn(people(), SCHEMA, **asked, **wrong)
