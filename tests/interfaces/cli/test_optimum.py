"""`tacit optimum`: the contract, certificates that can be checked again, a clean end."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tacit.interfaces.cli.application import app
from tests.support.processes import started

KEYS = ["class", "n", "epsilon", "delta", "alpha", "proper", "agnostic", "labels", "loss"]
KEYS += [
    "lower",
    "upper",
    "verified",
    "learners",
    "left_out",
    "lower_exact",
    "upper_exact",
    "unknowns",
]


def ask(*words: str) -> Any:
    done = CliRunner().invoke(app, ["optimum", *words, "--json"])
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_json() -> None:
    told = ask("thresholds(values=2)", "--n", "3", "--epsilon", "1", "--proper")
    assert list(told) == [*KEYS, "constraints", "prior", "law"]
    assert told["verified"]
    assert told["lower"] <= Fraction(told["lower_exact"]) <= Fraction(told["upper_exact"])
    assert Fraction(told["upper_exact"]) <= told["upper"] < told["lower"] + 1e-9
    assert sum(Fraction(each["weight"]) for each in told["prior"]) == 1
    for each in told["law"]:
        assert sum(map(sum, each["cells"])) == 3
        assert sum(map(Fraction, each["hypotheses"].values())) == 1
    assert {each["name"] for each in told["learners"]} >= {"permute-and-flip", "generic"}
    assert all(each["ratio"] >= 1 for each in told["learners"])


def test_two_labels() -> None:
    told = ask(
        *("points(values=2)", "--n", "2", "--epsilon", "2", "--alpha", "0.3", "--labels", "2"),
        *("--time-limit", "0.1"),
    )
    assert (told["labels"], told["verified"]) == (2, True)
    assert told["upper"] < told["lower"] + 1e-9
    for each in told["law"]:
        assert [len(cells) for cells in each["cells"]] == [4, 4]
        assert all(len(rules) == 5 and rules[2] == "/" for rules in each["hypotheses"])
        assert sum(map(Fraction, each["hypotheses"].values())) == 1
    assert {each["name"] for each in told["learners"]} >= {"permute-and-flip", "generic"}
    assert all(each["ratio"] >= 1 for each in told["learners"])


def test_populations_and_matrices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text("0,0\n0,1\n")
    told = ask("matrix(mine.csv)", "--n", "3", "--epsilon", "1", "--alpha", "0.2", "--proper")
    assert (told["class"], told["alpha"]) == ("matrix(mine.csv)", 0.2)
    assert [["4/5", "0"], ["1/5", "0"]] in [each["cells"] for each in told["prior"]]


def test_votes() -> None:
    told = ask("votes(candidates=2^32)", "--n", "8", "--epsilon", "3")
    assert list(told) == [*KEYS, "constraints", "law"]
    (unanimous,) = (each["candidates"] for each in told["law"] if each["votes"] == [8])
    missed = 1 - Fraction(unanimous["8"])
    assert missed == (2**32 - 1) * Fraction(unanimous["0"]) == Fraction(told["upper_exact"])
    assert (told["class"], told["verified"]) == ("votes(candidates=4294967296)", True)
    assert [each["name"] for each in told["learners"]] == ["permute-and-flip", "exponential"]
    some = ask("votes(candidates=9)", "--n", "5", "--epsilon", "1", "--alpha", "0.5")
    assert "each row votes with probability alpha" in some["loss"]


def test_what_is_shown() -> None:
    words = ["optimum", "points(values=2)", "--n", "2", "--epsilon", "1", "--proper"]
    shown = CliRunner().invoke(app, words).stdout
    assert "0.183939721" in shown
    assert "both proved exactly" in shown
    assert "generic" in shown


def test_an_interrupt_ends_it_while_it_solves() -> None:
    """HiGHS does not look at signals; who waits for it does."""
    words = ["optimum", "thresholds(values=5)", "--n", "6", "--epsilon", "1", "--proper"]
    command = [sys.executable, "-m", "tacit", *words]
    with started(command, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        while not process.stderr.readline().startswith("solving"):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT
    assert said.splitlines()[-1] == "tacit: interrupted; nothing was written"
