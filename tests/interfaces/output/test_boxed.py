"""Names come from schemas, models, questions and requests of others: a terminal obeys none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.data import Bits, Integer, Schema
from tests.interfaces.cli.test_command import call

NAME, LABEL = "age\x1b[2J\x07\u202e", "sick\x1b[1A\x9b2K"
LEARN = f"learn t.csv --schema s.toml --labels {LABEL} --epsilon 9 --delta 1e-6"
REQUEST = f"{LEARN} --ledger l.db --dataset d --policy p.toml --by {NAME}"


@pytest.fixture(autouse=True)
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(Schema({NAME: Integer(0, 9), LABEL: Bits()}).dump())
    rows = "".join(f"{i % 10},{int(i % 10 > 4)}\n" for i in range(500))
    Path("t.csv").write_text(f"{NAME},{LABEL}\n{rows}")
    assert call("key", "new", "k").returncode == 0


def shown(*words: str) -> str:
    done = call(*words)
    told = done.stdout + done.stderr
    assert told.replace("\n", "").isprintable(), told
    return told


def test_names_are_shown_with_boxes() -> None:
    assert "sick□[1A□2K: yes if age□[2J□□ is at least" in shown(*LEARN.split(), "--report", "r.md")
    assert "sick□" in Path("r.md").read_text()
    assert "sick□" in shown("measure", "model.json", "t.csv", "--epsilon", "1")
    assert "age□" in shown(*f"count t.csv --schema s.toml --by {NAME} --epsilon 1".split())
    assert "age□" in shown("schema", "check", "s.toml", "t.csv")
    assert "age□" in shown("schema", "check", "s.toml", "t.csv", "--owner")
    assert "no file t□.csv" in shown("predict", "model.json", "t\x1b.csv")
    ask = f"ask scorecard --schema s.toml --labels {LABEL} --epsilon 9 --sites k.pub --out q.json"
    assert "age□" in shown(*ask.split())
    site = "site t.csv --schema s.toml --question q.json --key k --out message.json"
    assert "answers question" in shown(*site.split())
    assert "age□" in shown("join", "message.json", "--out", "joined.json")


def test_who_approves_sees_what_is_asked_on_one_line() -> None:
    key = Path("k.pub").read_text().split()[-1]
    approval = f'[approval]\nneeded = 1\nby = {{ ada = "{key}" }}\n'
    Path("p.toml").write_text(f'format = "tacit-policy-1"\n{approval}')
    assert call("ledger", "init", "l.db").returncode == 0
    grant = "ledger grant l.db --dataset d --schema s.toml --epsilon 9 --delta 1e-3 --policy p.toml"
    assert call(*grant.split()).returncode == 0
    assert call(*REQUEST.split()).returncode == 3
    (line,) = shown("ledger", "requests", "l.db").splitlines()
    assert "by age□[2J□□" in line
    approve = shown("ledger", "approve", "l.db", line.partition(":")[0], "--sign", "k")
    assert len(approve.splitlines()) == 1
