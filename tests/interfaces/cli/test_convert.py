"""`tacit convert`: one object, numbers as floats and as fractions, and clean refusals."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tacit.core.errors import InvalidArgument, TooLarge
from tacit.interfaces.cli.application import app


def ask(*words: str) -> Any:
    done = CliRunner().invoke(app, ["convert", *words, "--json"])
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_json() -> None:
    told = ask("points(values=3)", "--from", "learner", "--to", "learner")
    assert list(told) == ["class", "from", "to", "steps"]
    steps = told["steps"]
    assert [step["kind"] for step in steps] == ["learner", "representation", "protocol", "learner"]
    keys = ["kind", "by", "size", "nats", "bits", "declared", "exact", "loss"]
    assert all(list(step) == keys for step in steps)
    for step in steps:
        for numbers in (step["declared"], step["exact"] or {}):
            for name in [name for name in numbers if not name.endswith("_exact")]:
                assert float(Fraction(numbers[f"{name}_exact"])) == numbers[name]
    assert steps[2]["exact"]["error"] <= steps[2]["declared"]["error"]
    assert steps[0]["nats"] is None
    assert steps[0]["exact"] is None


def test_matrices_and_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text("0,0\n0,1\n1,1\n")
    told = ask("matrix(mine.csv)", "--from", "game", "--to", "representation", "--messages", "2")
    assert told["class"] == "matrix(mine.csv)"
    assert told["steps"][0]["declared"]["error_exact"] == "1/5"
    words = ["convert", "matrix(mine.csv)", "--from", "game", "--to", "game", "--messages", "2"]
    shown = CliRunner().invoke(app, words)
    assert shown.exit_code == 0
    assert "minimax" in shown.stdout
    refused = CliRunner().invoke(
        app, ["convert", "points(bits=64)", "--from", "game", "--to", "game"]
    )
    assert isinstance(refused.exception, TooLarge)
    assert not refused.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--from", "game", "--n", "5"), "n is of a learner that is begun with"),
        (("--from", "learner", "--messages", "3"), "messages is of a game that is begun with"),
        (("--from", "learner", "--learner", "histogram"), "is pure; see: tacit learners"),
    ],
)
def test_what_would_not_be_used_is_refused(words: tuple[str, ...], said: str) -> None:
    refused = CliRunner().invoke(app, ["convert", "points(values=5)", "--to", "learner", *words])
    assert isinstance(refused.exception, InvalidArgument)
    assert said in str(refused.exception)
    assert "--delta" not in str(refused.exception)


def test_an_error_that_grew_is_said_to_be_lost() -> None:
    last = ask("points(values=5)", "--from", "protocol", "--to", "learner", "--error", "1/2")
    last = last["steps"][-1]
    assert last["declared"]["alpha"] > 1 / 4
    assert last["loss"] == "alpha 0.25 is out of reach of this protocol"
    assert ask("points(values=5)", "--from", "game", "--to", "learner")["steps"][-1]["loss"] == ""
