"""The command line: one JSON object, stable fields, clear refusals."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tacit", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def read(*arguments: str) -> dict[str, Any]:
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_one_target_as_json() -> None:
    answer = read("audit", "exponential")
    assert {"target", "claimed", "method", "found", "pairs", "kind", "verdict"} <= set(answer)
    assert answer["target"] == "exponential"
    assert answer["method"] == "exact"
    assert answer["verdict"] == "verified"
    assert answer["found"]["epsilon"] <= answer["claimed"]["epsilon"] * (1 + 1e-12)
    assert answer["pairs"] == sum(case["pairs"] for case in answer["cases"])


def test_a_twin_is_refuted_and_that_is_success() -> None:
    answer = read("audit", "printed-a-dist")
    assert answer["verdict"] == "refuted"
    assert answer["found"]["delta"] == pytest.approx(0.390112, abs=1e-6)


def test_another_claim_is_tested() -> None:
    assert read("audit", "exponential", "--epsilon", "0.01")["verdict"] == "refuted"
    assert (
        read("audit", "exponential", "--epsilon", "9", "--delta", "1e-6")["verdict"] == "verified"
    )


def test_everything_is_as_it_should_be() -> None:
    answer = read("audit", "--all")
    for target in answer["targets"]:
        expected = "refuted" if target["kind"] == "broken" else "verified"
        assert target["verdict"] == expected, target["target"]
    listed = read("audit", "--list")
    assert [t["target"] for t in listed["targets"]] == [t["target"] for t in answer["targets"]]


def test_tables_for_people() -> None:
    shown = run("audit", "randomised-response")
    assert shown.returncode == 0
    assert "verified" in shown.stdout
    assert "broken" in run("audit", "--list").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["audit"], "give one TARGET"),
        (["audit", "exponential", "--all"], "give one TARGET"),
        (["audit", "nothing"], "not registered"),
        (["audit", "exponential", "--epsilon", "nan"], "epsilon"),
        (["audit", "exponential", "--epsilon", "-1"], "epsilon must be at least 0"),
        (["audit", "exponential", "--epsilon", "1", "--delta", "1"], "delta must be"),
        (["audit", "--all", "--epsilon", "1"], "one TARGET"),
        (["audit", "exponential", "--colour"], "No such option"),
        (["nonsense"], "No such command"),
    ],
)
def test_bad_requests_exit_with_two(arguments: list[str], words: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout


def test_help_has_examples_and_the_version_is_told() -> None:
    assert "tacit audit --all --json" in run("audit", "--help").stdout
    assert run("--version").stdout.startswith("tacit 0.")
    assert "audit" in run("--help").stdout
