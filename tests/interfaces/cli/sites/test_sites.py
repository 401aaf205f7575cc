"""ask, site and join as they are typed: files, ledger, policy, and what is refused."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tacit.core.errors import InvalidArgument, Refused
from tacit.interfaces.cli.application import app
from tacit.learners.contract.model import Model
from tests.support.messages import SCHEMA, rows


def _run(*words: Any) -> str:
    done = CliRunner().invoke(app, ["--quiet", *map(str, words)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two houses with keys, tables and a schema."""
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(SCHEMA.dump())
    for place, name in enumerate(("north", "south")):
        _run("key", "new", f"{name}.key")
        table = rows(300, place)
        with Path(f"{name}.csv").open("w", newline="") as file:
            lines = csv.writer(file)
            lines.writerow(table)
            lines.writerows(zip(*table.values(), strict=True))
    return tmp_path


def _ask(kind: str, *more: str) -> None:
    named = ["--sites", "*.pub", "--epsilon", "2", "--out", "q.json", "--json"]
    _run("ask", kind, "--schema", "s.toml", *named, *more)


def _site(name: str, *more: str) -> dict[str, Any]:
    named = ["--question", "q.json", "--schema", "s.toml", "--key", f"{name}.key"]
    told: dict[str, Any] = json.loads(
        _run("site", f"{name}.csv", *named, "--out", f"{name}.json", *more, "--json")
    )
    return told


def test_two_houses_make_a_model_and_measure_it(folder: Path) -> None:
    _ask("scorecard", "--labels", "ill", "--features", "age")
    assert [_site(name)["n"] for name in ("north", "south")] == [300, 300]
    if os.name == "posix":
        assert (folder / "north.json").stat().st_mode & 0o777 == 0o600
    said = json.loads(_run("join", "north.json", "south.json", "--out", "m.json", "--json"))
    assert said["n"] == 600
    assert len(said["joined"]["sites"]) == 2
    assert Model.loads(Path("m.json").read_text()).secure
    known = ["--model", "m.json", "--sites", "*.pub", "--epsilon", "1", "--out", "q.json"]
    assert "houses" in _run("ask", "measure", *known)
    for name in ("north", "south"):
        _site(name)
    assert "errs" in _run("join", "north.json", "south.json", "--out", "m2.json")
    assert Model.loads(Path("m2.json").read_text()).measured[0].draws == 2


@pytest.mark.parametrize(
    ("kind", "asked", "said"),
    [
        ("survival", ["--time", "days", "--event", "ill"], "after 364"),
        ("count", ["--by", "ill", "--mean", "age"], "yes"),
        ("steps", ["--features", "age"], "next round"),
        ("synthetic", ["--columns", "age,ill"], "600 synthetic rows"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_other_kinds_are_joined_and_said(kind: str, asked: list[str], said: str) -> None:
    _ask(kind, *asked)
    for name in ("north", "south"):
        _site(name)
    assert said in _run("join", "north.json", "south.json", "--out", "made.txt")
    assert Path("made.txt").stat().st_size > 50


@pytest.mark.usefixtures("folder")
def test_three_houses_split_noise_and_use_each_mask_once() -> None:
    _run("key", "new", "west.key")
    Path("west.csv").write_text(Path("north.csv").read_text())
    names = ("north", "south", "west")
    _ask("count", "--by", "ill", "--honest", "2")
    for name in names:
        _run("key", "mask", name, "--question", "q.json", "--key", f"{name}.key")
    if os.name == "posix":
        assert Path("north").stat().st_mode & 0o777 == 0o600
    with pytest.raises(InvalidArgument, match="not written over"):
        _run("key", "mask", "north", "--question", "q.json", "--key", "north.key")
    masks = ["--masks", "north.pub", "--masks", "south.pub", "--masks", "west.pub"]
    with pytest.raises(InvalidArgument, match="--mask"):
        _site("north")
    if os.name == "posix":  # a link is no second mask, by whatever name
        os.link("north", "again")
        with pytest.raises(InvalidArgument, match="several names"):
            _site("north", "--mask", "again", *masks)
        Path("again").unlink()
        Path("west").rename("kept")
        Path("west").symlink_to("kept")
    told = [_site(name, "--mask", name, *masks) for name in names]
    assert not Path("kept").exists()
    assert min(cell for each in told for table in each["tables"] for cell in table) > 1 << 64
    assert not any(Path(name).exists() for name in names)
    with pytest.raises(InvalidArgument, match="cannot be read"):
        _site("north", "--mask", "north", *masks)
    joined = json.loads(_run("join", *(f"{name}.json" for name in names), "--json"))
    counts = [answer["value"] for answer in joined["answers"]]
    assert abs(counts[0] - 540) < 60
    assert sum(counts) == 900


@pytest.mark.usefixtures("folder")
def test_the_ledger_is_charged_and_the_policy_kept() -> None:
    _ask("scorecard", "--labels", "ill", "--features", "age")
    _run("ledger", "init", "l.db")
    _run("ledger", "grant", "l.db", "--dataset", "d", "--schema", "s.toml", "--epsilon", "3")
    account = ["--ledger", "l.db", "--dataset", "d"]
    for clause in ("[release]\nepsilon = 1", '[allowed]\nclasses = ["rules"]'):
        Path("p.toml").write_text(f'format = "tacit-policy-1"\n{clause}\n')
        with pytest.raises(Refused, match="the policy forbids"):
            _site("north", *account, "--policy", "p.toml")
    _site("north", *account)
    Path("north.json").unlink()
    with pytest.raises(Refused):
        _site("north", *account)
    assert not Path("north.json").exists()


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_asked_or_joined_is_said() -> None:
    with pytest.raises(InvalidArgument, match="ask survival"):
        _ask("survival", "--labels", "ill")
    with pytest.raises(InvalidArgument, match="--schema is needed"):
        _run("ask", "count", "--sites", "*.pub", "--epsilon", "1", "--out", "q.json")
    with pytest.raises(InvalidArgument, match="--until"):
        _ask("count", "--by", "ill", "--until", "soon")
    with pytest.raises(InvalidArgument, match="over already"):
        _ask("count", "--by", "ill", "--until", "2020-01-01")
    with pytest.raises(InvalidArgument, match="not a public key"):
        _run("ask", "count", "--schema", "s.toml", "--sites", "north.key", "--by", "ill",
             "--epsilon", "1", "--out", "q.json")  # fmt: skip
    Path("m.json").write_text("{}\n")
    with pytest.raises(InvalidArgument, match="not a message"):
        _run("join", "m.json")
    _ask("scorecard", "--labels", "ill", "--features", "age", "--delta", "1e-6")
    _site("north")
    with pytest.raises(InvalidArgument, match="--out is needed"):
        _run("join", "north.json", "--some")


@pytest.mark.usefixtures("folder")
def test_rounds_of_gradients_make_a_model_within_one_budget() -> None:
    """Three questions are answered, and the ledger holds what they were said to cost together."""
    _run("ledger", "init", "l.db")
    _run("ledger", "grant", "l.db", "--dataset", "d", "--schema", "s.toml", "--epsilon", "2",
         "--delta", "2e-6", "--accounting", "concentrated")  # fmt: skip
    account = ["--ledger", "l.db", "--dataset", "d"]
    asked = ["--labels", "ill", "--features", "age", "--delta", "1e-6", "--rounds", "3"]
    _ask("descent", *asked)
    for number in (1, 2, 3):
        assert _site("north", *account)["n"] == 300
        _site("south")
        if number < 3:
            said = _run("join", "north.json", "south.json", "--out", "state.json")
            assert f"Round {number} of 3" in said
            told = _run("ask", "descent", "--after", "state.json", "--out", "q.json")
            assert "All 3 rounds together cost ε = 2, δ = 1e-06, by" in told
    said = json.loads(_run("join", "north.json", "south.json", "--out", "m.json", "--json"))
    assert (said["n"], said["learner"]) == (600, "margin")
    assert Model.loads(Path("m.json").read_text()).privacy.epsilon <= 2
    with pytest.raises(Refused):
        _site("north", *account)
    with pytest.raises(InvalidArgument, match="leave out the rest"):
        _run("ask", "descent", "--after", "state.json", "--epsilon", "1", "--out", "q.json")
    with pytest.raises(InvalidArgument, match="--sites and --epsilon"):
        _run("ask", "descent", "--schema", "s.toml", "--labels", "ill", "--out", "q.json")
    Path("state.json").write_text(Path("state.json").read_text().replace('"n": 600', '"n": 601'))
    with pytest.raises(InvalidArgument, match="changed after it was written"):
        _run("ask", "descent", "--after", "state.json", "--out", "q.json")
