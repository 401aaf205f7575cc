"""From a table to a model and back: the command, the model's JSON, and every class end to end."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from tacit.core.errors import InvalidArgument, Refused, SampleTooSmall
from tacit.core.randomness import Seeded
from tacit.data import Bits, Category, Integer, Real, Schema, learn, query, rules
from tacit.learners.model import Model
from tests.test_command import run

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
        ("boxes", ["smoker", "urban", "sick"], 600),
        ("conjunctions", ["smoker", "urban"], 600),
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
        ({"concepts": "circles"}, "needs its sizes"),
        ({"concepts": "thresholds(bits=2)"}, "reads only 4"),
        ({"concepts": "boxes(bits=7, dims=2)"}, "over 2 columns"),
        ({"features": []}, "at least one column"),
        ({"labels": []}, "at least one column"),
        ({"labels": ["age"]}, "age"),
        ({"features": ["height"]}, "height"),
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"delta": 1}, "delta"),
        ({"alpha": 2}, "alpha"),
        ({"beta": 0}, "beta"),
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
    assert "ε = 2" in shown.stdout


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
        done = run(*bad)
        assert done.returncode == 2, bad
        assert "Traceback" not in done.stderr
        assert not done.stdout
    assert sorted(folder.iterdir()) == before


def test_the_schema_command(table: Path) -> None:
    folder = table.parent
    blank = run("schema", "template", str(table)).stdout
    assert "[columns.age]" in blank
    assert "100" not in blank.replace("0 to 120", "")
    good = run("schema", "check", str(folder / "schema.toml"), str(table), "--json")
    assert json.loads(good.stdout)["columns"]["age"] == 83
    (folder / "blank.toml").write_text(blank)
    assert run("schema", "check", str(folder / "blank.toml")).returncode == 2


def test_what_is_no_model_is_refused() -> None:
    for text in (
        "",
        "{}",
        "[]",
        '{"format": "tacit-model-1"}',
        '{"format": "tacit-model-1", "class": "x"}',
    ):
        with pytest.raises(InvalidArgument, match=r"not a model|must look like"):
            Model.loads(text)


def test_an_input_is_never_overwritten(table: Path) -> None:
    folder, before = table.parent, table.read_text()
    arguments = ("--schema", str(folder / "schema.toml"), "--features", "age", "--labels", "sick")
    done = run("learn", str(table), *arguments, "--epsilon", "1", "--out", str(table))
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
