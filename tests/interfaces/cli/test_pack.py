"""Key, policy and pack on the command line: from a table to a pack that Python alone believes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tacit.workflows.releasing import check_release
from tests.interfaces.cli.test_command import call

SCHEMA = '[columns.age]\ntype = "integer"\nlow = 0\nhigh = 120\n[columns.sick]\ntype = "bits"\n'
POLICY = """\
format = "tacit-policy-1"
[release]
epsilon = 1
[dataset]
epsilon = 2
[allowed]
classes = ["thresholds"]
[measured]
required = true
"""
PACK = "pack model.json --policy policy.toml --sign house.key --ledger l.db"
LEARN = "learn people.csv --schema s.toml --labels sick --policy policy.toml --ledger l.db"
LEARN += " --dataset clinic --epsilon"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{age},{int(age > 60)}\n" for age in range(100) for _ in range(6))
    (tmp_path / "people.csv").write_text(f"age,sick\n{rows}")
    (tmp_path / "s.toml").write_text(SCHEMA)
    (tmp_path / "policy.toml").write_text(POLICY)
    assert call("key", "new", "house.key").returncode == 0
    assert call("ledger", "init", "l.db").returncode == 0
    grant = "ledger grant l.db --dataset clinic --schema s.toml --epsilon 9 --delta 1e-3"
    assert call(*grant.split()).returncode == 0
    return tmp_path


def test_from_a_table_to_a_pack(house: Path) -> None:
    done = call(*LEARN.split(), "1", "--class", "thresholds")
    assert done.returncode == 0, done.stderr
    words = PACK.split()
    told = json.loads(call(*words, "--json").stdout)
    assert told["record"]["ledger"]["number"] == 4
    first = (house / "release.zip").read_bytes()
    assert call(*words).returncode == 0
    assert (house / "release.zip").read_bytes() == first
    if os.name == "posix":
        assert (house / "house.key").stat().st_mode & 0o777 == 0o600
    (house / "policy.toml").write_text(POLICY.replace("epsilon = 2", "epsilon = 0.5"))
    spent = call(*words)
    assert (spent.returncode, "forbids it: [dataset] epsilon" in spent.stderr) == (3, True)
    assert (house / "release.zip").read_bytes() == first
    words = [sys.executable, "-I", check_release.__file__, "release.zip", "--key", "house.key.pub"]
    checked = subprocess.run(words, capture_output=True, text=True)
    assert checked.stdout.endswith("BELIEVED\n"), checked.stderr


def test_what_was_measured_later_is_not_packed(house: Path) -> None:
    """Its cost says what learning cost, and a measurement may have cost any amount more."""
    assert call(*LEARN.split(), "1", "--class", "thresholds").returncode == 0
    model = next(name for name in PACK.split() if name.endswith(".json"))
    words = ["measure", model, "people.csv", "--epsilon", "1000", "--out", model]
    assert call(*words[:-1], "later.json").returncode == 0
    for asked in (["policy", "check", "policy.toml", "later.json"],
                  ["later.json" if word == model else word for word in PACK.split()]):  # fmt: skip
        refused = call(*asked)
        assert (refused.returncode, "measured after it was learned" in refused.stderr) == (3, True)
    assert not (house / "release.zip").exists()


def test_two_persons_approve_before_anything_is_read(house: Path) -> None:
    keys = {}
    for name in ("ada", "bob"):
        told = json.loads(call("key", "new", f"{name}.key", "--json").stdout)
        keys[name] = told["key"]
    by = ", ".join(f'{name} = "{key}"' for name, key in keys.items())
    (house / "policy.toml").write_text(f"{POLICY}[approval]\nneeded = 2\nby = {{ {by} }}\n")
    grant = "ledger grant l.db --dataset clinic --schema s.toml --epsilon 9 --delta 1e-3 --policy"
    assert call(*grant.split(), "policy.toml", "--renews", "04-01").returncode == 0
    (house / "people.csv").rename(house / "away.csv")
    line = (*LEARN.split(), "1", "--class", "thresholds")
    asked = call(*line)
    assert (asked.returncode, "[approval] 2 of ada, bob must" in asked.stderr) == (3, True)
    number = str(
        json.loads(call("ledger", "requests", "l.db", "--json").stdout)["requests"][0]["request"]
    )
    for _ in range(2):
        assert call("ledger", "approve", "l.db", number, "--sign", "ada.key").returncode == 0
    assert "and ada did" in call(*line).stderr
    assert call("ledger", "approve", "l.db", number, "--sign", "bob.key").returncode == 0
    (house / "away.csv").rename(house / "people.csv")
    other = call(*LEARN.split(), "1", "--class", "thresholds", "--features", "age")
    assert other.returncode == 3  # another question
    weighted = call(*line, "--weights", "1000")
    assert (weighted.returncode, "nobody did" in weighted.stderr) == (3, True)  # nor was this said
    unpoliced = [word for word in line if word not in ("--policy", "policy.toml")]
    done = call(*unpoliced)
    assert (done.returncode, "under the policy of SHA-256" in done.stderr) == (3, True)
    done = call(*line)
    assert done.returncode == 0, done.stderr
    assert call(*line).returncode == 3  # a request is for one release
    done = call(*PACK.split(), "--json")
    assert json.loads(done.stdout)["record"]["approved"] == ["ada", "bob"], done.stderr
    shown = call("ledger", "show", "l.db").stdout
    assert "begins anew each year on 04-01" in shown
    assert call("ledger", "verify", "l.db").returncode == 0


@pytest.mark.parametrize(
    ("more", "clause"),
    [
        ("1.5 --class thresholds", "[release] epsilon"),
        ("1 --class points", "[allowed] classes"),
        ("1", "[allowed] classes"),
        ("1 --class thresholds --hold-out 0", "[measured] required"),
        ("1 --class thresholds --labels-only", "labels alone"),
    ],
)
def test_what_a_clause_forbids_is_refused_before_anything_is_read(
    house: Path, more: str, clause: str
) -> None:
    (house / "people.csv").unlink()
    done = call(*LEARN.split(), *more.split())
    assert done.returncode == 3
    assert clause in done.stderr


def test_other_verbs_keep_the_policy_and_write_records(house: Path) -> None:
    table = "people.csv --schema s.toml --policy policy.toml --ledger l.db --dataset clinic"
    lines = {
        "count": f"count {table} --by sick",
        "quantile": f"quantile {table} --column age",
        "sanitize": f"sanitize {table} --columns sick",
    }
    for verb, line in lines.items():
        assert call(*line.split(), "--epsilon", "2").returncode == 3
        done = call(*line.split(), "--epsilon", "1/4", "--record", f"{verb}.json")
        assert done.returncode == 0, done.stderr
        record = json.loads((house / f"{verb}.json").read_text())
        claim = record["privacy"] | record["privacy"]["proof"]
        assert record["kind"] == verb
        assert record["ledger"]["analyst"] == ""
        assert check_release.proved(record["cost"], claim)[0] <= 1


def test_sums_are_of_the_ledger(house: Path) -> None:
    for _ in range(2):
        assert call(*LEARN.split(), "1", "--class", "thresholds").returncode == 0
    done = call(*LEARN.split(), "1", "--class", "thresholds")
    assert done.returncode == 3
    assert "[dataset] epsilon = 2" in done.stderr


def test_a_key_is_never_written_over(house: Path) -> None:
    before = (house / "house.key").read_bytes()
    assert call("key", "new", "house.key").returncode == 2
    assert (house / "house.key").read_bytes() == before
    shown = call("key", "show", "house.key").stdout
    assert shown == (house / "house.key.pub").read_text()


def test_certificates_are_written(house: Path) -> None:
    done = call("dims", "points(values=4)", "--certificate", "d.json", "--time-limit", "20")
    assert done.returncode == 0, done.stderr
    words = ["optimum", "points(values=2)", "--n", "2", "--epsilon", "1", "--certificate"]
    assert call(*words, "o.json").returncode == 0
    assert call(*words, "p.json", "--alpha", "0.2").returncode == 2
    assert (house / "d.json").exists()
    assert not (house / "p.json").exists()


@pytest.mark.parametrize(
    ("clause", "more", "why"),
    [
        ('[allowed]\nlearners = ["prior"]', "--class thresholds", "not generic"),
        ('[allowed]\nlearners = ["prior"]', "--class thresholds --learner prior", ""),
        ("[measured]\nrequired = true", "--class thresholds --hold-out 0.00001", "hold rows out"),
        ('[allowed]\nlearners = ["margin"]', "--neighbours added", "not auto"),
    ],
)
def test_what_is_chosen_once_rows_are_counted_keeps_the_policy(
    house: Path, clause: str, more: str, why: str
) -> None:
    """What is left open by the question is known before anything is charged or drawn."""
    (house / "policy.toml").write_text(f'format = "tacit-policy-1"\n{clause}\n')
    for kept in (LEARN, LEARN.replace("--ledger l.db --dataset clinic ", "")):
        done = call(*kept.split(), "1", *more.split())
        added = "added" in more and kept is LEARN  # the ledger protects replaced rows
        assert (done.returncode, added or why in done.stderr) == (3 if why else 0, True)
        assert (house / "model.json").exists() is not bool(why)
    spent = [json.loads(line) for line in call("ledger", "export", "l.db").stdout.splitlines()]
    assert sum(each["event"]["kind"] == "reserve" for each in spent) == (not why)
