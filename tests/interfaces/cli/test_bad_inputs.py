"""Twenty bad inputs of every command: a clear line, status 2, nothing spent, nothing written."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tacit.core.chance.randomness import Seeded
from tacit.data import Schema
from tacit.data.ledger import Ledger
from tacit.interfaces.cli.verbs import VERBS
from tacit.learners.contract.seal import sealed
from tacit.workflows import describe, learn
from tacit.workflows.releasing.pack import new_key
from tacit.workflows.releasing.policy import TEMPLATE
from tacit.workflows.sites.asking import ask
from tests.interfaces.cli.test_command import call

SCHEMA = """
[columns.age]
type = "integer"
low = 0
high = 120
[columns.sick]
type = "bits"
"""
NUMBERS = ["0", "-1", "nan", "inf", "many", "''", "1e400", "1/0"]
SHARES = ["0", "-1", "1", "2", "nan", "many", "''"]
COUNTS = ["0", "-5", "many", "1.5", "''", "1e3"]
FILES = ["nosuch.csv", ".", "empty.csv", "damaged.parquet", "nosuch/*.csv", "''"]
CLASSES = ["nonsense", "thresholds(", "thresholds(bits=-1)", "thresholds(bits=x)", "points(a=1)"]
CLASSES += ["'thresholds(bits=4, bits=5)'", "''", "matrix(nosuch.csv)", "'halfspaces(bits=0)'"]
NAMES = ["nosuch", "''", "age,age", "Age"]
OUTPUTS = ["nosuch/m.json", ".", "people.csv"]

BAD: dict[str, list[tuple[str, list[str]]]] = {
    "plan": [
        ("{} --alpha 0.1 --epsilon 1", CLASSES),
        ("thresholds(bits=8) --alpha {} --epsilon 1", [*SHARES, "0.5", "1e-30"]),
        ("thresholds(bits=8) --alpha 0.1 --epsilon {}", NUMBERS),
        ("thresholds(bits=8) --alpha 0.1 --epsilon 1 --labels {}", COUNTS),
        ("thresholds(bits=8) --alpha 0.1 --epsilon 1 --delta {}", ["-1", "1", "nan", "1e-40"]),
        ("thresholds(bits=8) --n {} --epsilon 1", COUNTS),
        ("thresholds(bits=8) {}", ["--alpha 0.1", "--epsilon 1", "--n 5", ""]),
    ],
    "learn": [
        ("{} --schema s.toml --features age --labels sick --epsilon 1", FILES),
        ("people.csv --schema {} --features age --labels sick --epsilon 1", FILES),
        ("people.csv --schema s.toml --features {} --labels sick --epsilon 1", NAMES),
        ("people.csv --schema s.toml --features age --labels {} --epsilon 1", NAMES),
        ("people.csv --schema s.toml --features age --labels sick --epsilon {}", NUMBERS),
        ("people.csv --schema s.toml --features age --labels sick --epsilon 1 --out {}", OUTPUTS),
        (
            "people.csv --schema s.toml --features age --labels sick --epsilon 1 --class {}",
            CLASSES[:5],
        ),
        ("people.csv --schema s.toml --features age --labels sick --epsilon 1 {}", ["--learner x"]),
    ],
    "learners": [
        ("--{}", ["nosuch", "epsilon", "json 1", "list", "all", "class", "n 5", "quick", "help=1"]),
        ("{}", ["generic", "x", ".", "--json --json2", "-j", "-x", "-q", "1", "a b", "é", "-1"]),
    ],
    "predict": [
        ("{} people.csv --out p.csv", [*FILES, "people.csv", "s.toml", "bad.json"]),
        ("model.json {} --out p.csv", [*FILES, "other.csv"]),
        ("model.json people.csv --out {}", [*OUTPUTS, "model.json"]),
        ("{}", ["", "model.json", "model.json people.csv --out", "--json"]),
    ],
    "measure": [
        ("{} people.csv --epsilon 1", [*FILES, "people.csv", "s.toml", "bad.json"]),
        ("model.json {} --epsilon 1", [*FILES, "other.csv"]),
        ("model.json people.csv --epsilon {}", NUMBERS),
        ("model.json people.csv --epsilon 1 --out {}", [*OUTPUTS, "model.json"]),
        ("model.json people.csv --epsilon 1 --by {}", ["nosuch", "''", "sick"]),
        ("{}", ["", "model.json", "model.json people.csv", "--json"]),
    ],
    "sql": [
        ("{} --table t", [*FILES, "people.csv", "s.toml", "bad.json", "new.json"]),
        ("{}", ["", "--table t", "model.json --table", "model.json x", "model.json --json=1"]),
        ("model.json --{}", ["nosuch", "epsilon 1", "out x", "class y", "schema s.toml", "n"]),
        ("model.json --dialect {}", ["", "mysql", "DuckDB", "postgresql", "1"]),
    ],
    "report": [
        ("{}", [*FILES, "people.csv", "s.toml", "bad.json", "new.json", "", "model.json x"]),
        (
            "model.json --out {}",
            [*OUTPUTS, "model.json", "report.txt", "report", "", "r.md --json=1"],
        ),
    ],
    "dims": [
        ("{}", [*CLASSES, "matrix(people.csv)", "matrix(empty.csv)", "thresholds"]),
        ("thresholds(bits=2) --time-limit {}", ["0", "-1", "nan", "x", ""]),
        ("thresholds(bits=2) --plot {}", ["nosuch/t.svg", "tree.gif", "tree", "."]),
    ],
    "convert": [
        ("{} --from learner --to game", ["nonsense", "matrix(nosuch.csv)", "''"]),
        ("points(values=3) --from {} --to learner", ["''", "x", "learners"]),
        ("points(values=3) --from learner --to {}", ["''", "Game"]),
        ("points(values=3) --from learner --to protocol --epsilon {}", ["0", "nan", "1e400"]),
        ("points(values=3) --from learner --to protocol --{}", ["alpha 1", "beta 0", "failure 2"]),
        ("points(values=3) --from learner --to protocol --{}", ["n 0", "n many", "learner parity"]),
        ("points(values=3) --from game --to protocol --{}", ["error 1", "messages 0"]),
        ("points(values=3) {}", ["--from learner", "--to learner"]),
    ],
    "optimum": [
        (
            "{} --n 2 --epsilon 1",
            [*CLASSES, "thresholds(bits=8)", "votes()", "votes(candidates=0)"],
        ),
        ("points(values=2) --n {} --epsilon 1", [*COUNTS, "99999"]),
        ("points(values=2) --n 2 --epsilon {}", [*NUMBERS, "31"]),
        ("points(values=2) --n 2 --epsilon 1 --delta {}", ["-1", "1", "nan"]),
        ("points(values=2) --n 2 --epsilon 1 --alpha {}", SHARES),
        ("points(values=2) --n 2 --epsilon 1 --time-limit {}", ["0", "x", "nan"]),
        ("votes(candidates=4) --n 3 --epsilon 1 {}", ["--proper", "--agnostic", "--alpha 2"]),
        ("points(values=2) {}", ["--n 2", "--epsilon 1", ""]),
    ],
    "sanitize": [
        ("{} --schema s.toml --columns sick --epsilon 1", FILES),
        ("people.csv --schema {} --columns sick --epsilon 1", FILES),
        ("people.csv --schema s.toml --columns {} --epsilon 1", NAMES),
        ("people.csv --schema s.toml --columns sick --epsilon {}", NUMBERS),
        ("people.csv --schema s.toml --columns sick --epsilon 1 --rows {}", COUNTS),
        ("people.csv --schema s.toml --columns sick --epsilon 1 --out {}", OUTPUTS),
    ],
    "quantile": [
        ("{} --schema s.toml --column age --epsilon 1", FILES),
        ("people.csv --schema {} --column age --epsilon 1", FILES),
        ("people.csv --schema s.toml --column {} --epsilon 1", [*NAMES, "sick"]),
        ("people.csv --schema s.toml --column age --epsilon {}", NUMBERS),
        ("people.csv --schema s.toml --column age --epsilon 1 --level {}", ["-1", "2", "nan", "x"]),
        ("people.csv --schema s.toml --column age --epsilon 1 --beta {}", SHARES),
    ],
    "count": [
        ("{} --schema s.toml --by sick --epsilon 1", FILES),
        ("people.csv --schema {} --by sick --epsilon 1", FILES),
        ("people.csv --schema s.toml --by {} --epsilon 1", [*NAMES, "sick=1", "age=x", "age=999"]),
        ("people.csv --schema s.toml --mean {} --epsilon 1", NAMES),
        (
            "people.csv --schema s.toml --quantiles {} --epsilon 1",
            [*NAMES, "sick=0.5", "age=2", "age=x"],
        ),
        ("people.csv --schema s.toml --by sick --epsilon {}", NUMBERS),
        ("people.csv --schema s.toml --by sick --epsilon 1 --confidence {}", SHARES),
        ("people.csv --schema s.toml --by sick --epsilon 1 --out {}", [*OUTPUTS, "t.parquet"]),
        ("people.csv --schema s.toml --epsilon 1 {}", [""]),
    ],
    "optimise": [
        ("{} --problem centre-point --schema s.toml --columns age --epsilon 1", FILES),
        (
            "people.csv --problem {} --schema s.toml --columns age --epsilon 1",
            ["3-sat", "sat", "''"],
        ),
        ("people.csv --problem centre-point --schema {} --columns age --epsilon 1", FILES),
        (
            "people.csv --problem centre-point --schema s.toml --columns {} --epsilon 1",
            [*NAMES, "sick", "age,sick"],
        ),
        ("people.csv --problem centre-point --schema s.toml --columns age --epsilon {}", NUMBERS),
        (
            "people.csv --problem centre-point --schema s.toml --columns age --epsilon 1 --beta {}",
            SHARES,
        ),
    ],
    "attack": [
        ("--users {}", COUNTS),
        ("--users 3 --epsilon {}", ["0", "-1", "nan", "many", "''"]),
        ("--users 3 --code {}", ["nosuch", "", "tardos2"]),
        ("--users 3 --learner {}", ["nosuch", "", "x y"]),
        ("--users 3 --soundness {}", ["0", "1", "nan", "1e-400"]),
        ("--users 3 --plot {}", ["nosuch/t.svg", "t.gif", "."]),
    ],
    "audit": [
        ("exponential --epsilon {}", ["-1", "nan", "inf", "many", "''", "1e400", "1/0"]),
        ("exponential --epsilon 1 --delta {}", ["-1", "1", "2", "nan", "x", ""]),
        ("{}", ["", "nosuch", "exponential --all", "--all --epsilon 1", "--list x", "--nosuch"]),
        ("exponential {}", ["printed-a-dist", "--delta 0.1", "--list", "--epsilon"]),
    ],
    "ledger": [
        ("{}", ["nosuch", "init", "show", "grant", "export", "verify", "--json"]),
        ("init {}", ["nosuch/l.db", ".", "people.csv", ""]),
        ("show {}", ["nosuch.db", ".", "people.csv", ""]),
        ("grant l.db --dataset d --schema s.toml --epsilon {}", NUMBERS),
        ("grant l.db --dataset d --schema {} --epsilon 1", ["nosuch.toml", "people.csv", "."]),
        ("verify {}", ["nosuch.db", "people.csv", "."]),
    ],
    "key": [
        ("{}", ["nosuch", "new", "show", "--json", "new --bits 5 k", "sign", "new a b"]),
        ("new {}", ["nosuch/k", ".", "people.csv", "''", "s.toml", "l.db", "house.key"]),
        ("show {}", ["nosuch", ".", "people.csv", "''", "s.toml", "l.db", "empty.csv"]),
    ],
    "policy": [
        ("{}", ["nosuch", "check", "--json", "template x", "allow", "check a b c"]),
        ("check {}", ["nosuch", ".", "people.csv", "''", "s.toml", "l.db", "empty.csv"]),
        (
            "check p.toml {}",
            ["nosuch", ".", "people.csv", "bad.json", "new.json", "l.db", "p.toml"],
        ),
    ],
    "pack": [
        ("{} --policy p.toml --sign house.key", ["nosuch", ".", "people.csv", "bad.json", "''"]),
        ("model.json --policy {} --sign house.key", ["nosuch", ".", "s.toml", "l.db", "''"]),
        ("model.json --policy p.toml --sign {}", ["nosuch", ".", "s.toml", "l.db", "''"]),
        ("model.json --policy p.toml --sign house.key --out {}", ["nosuch/p.zip", ".", "p.toml"]),
        ("model.json {}", ["--policy p.toml", "--sign house.key", ""]),
    ],
    "theorem": [
        (
            "{}",
            ["nosuch", "BNS16", "BNS16:99.9", "BNS99:1", ":", "3.13", "FX14:0", "Vad17:8.3", "é"],
        ),
        ("--paper {}", ["nosuch", "", "x y", "BNS99", "16"]),
        ("--{}", ["nosuch", "epsilon 1", "json=1", "key BNS16:3.13", "alpha", "n 5", "help=1"]),
    ],
    "explain": [
        ("{}", ["nosuch", "é", "epsilom", "[b]", "VC VC", "epsilon delta", "1", "-", "%", "ε1"]),
        ("epsilon {}", ["nosuch", "epsilon", "2", "é", "."]),
        ("--{}", ["nosuch", "json=1", "word epsilon", "list", "epsilon 1", "all"]),
    ],
    "bounds": [
        ("--table {}", ["nosuch", "", "99", "x y"]),
        ("--epsilon {}", ["0", "-1", "nan", "inf", "x", ""]),
        ("--alpha {}", [*SHARES, "1e-30"]),
        ("--{}", ["nosuch", "k 0", "labels", "bits -1", "bits 70000", "beta 1e-400", "x 1", "d"]),
    ],
    "ask": [
        ("count --schema s.toml --by sick --sites house.pub --out n.json --epsilon {}", NUMBERS),
        (
            "{} --schema s.toml --sites house.pub --out n.json --epsilon 1",
            ["nosuch", "survival", "scorecard", "steps", "measure", "descent"],
        ),
        ("descent --out n.json --after {}", [*FILES, "model.json", "q.json"]),
        (
            "descent --schema s.toml --labels sick --sites house.pub --out n.json --epsilon 1 {}",
            ["", "--delta 1e-6 --rounds 1", "--delta 1 --rounds x", "--delta 1e-6 --honest 2"],
        ),
        ("count --schema {} --by sick --sites house.pub --out n.json --epsilon 1", FILES),
        (
            "count --schema s.toml --by sick --sites {} --out n.json --epsilon 1",
            ["nosuch.pub", ".", "house.key", "empty.csv", "''"],
        ),
    ],
    "site": [
        ("{} --question q.json --schema s.toml --key house.key --out n.json", FILES),
        ("people.csv --question {} --schema s.toml --key house.key --out n.json", FILES),
        ("people.csv --question q.json --schema s.toml --key {} --out n.json", FILES),
        ("people.csv --question q.json --schema s.toml --key house.key --out {}", OUTPUTS),
    ],
    "join": [
        ("{} --out n.json", [*FILES, "people.csv", "bad.json", "model.json", "q.json"]),
        ("q.json --out n.json --question {}", FILES),
        ("q.json --out {}", OUTPUTS),
        ("{} --out n.json", ["--some", "--nosuch"]),
    ],
    "simulate": [
        ("{} --learner generic --epsilon 1 --alpha 0.1", CLASSES),
        ("thresholds(bits=4) --learner {} --epsilon 1 --alpha 0.1", ["nosuch", "", "x y"]),
        ("thresholds(bits=4) --learner generic --epsilon {} --alpha 0.1", NUMBERS),
        ("thresholds(bits=4) --learner generic --epsilon 1 --alpha {}", [*SHARES, "1e-30"]),
        ("thresholds(bits=4) --learner generic --epsilon 1 --alpha 0.1 --runs {}", COUNTS),
    ],
    "schema": [
        ("{}", ["nosuch", "check", "template", "template a b c --x", "--json"]),
        ("template {}", FILES),
        ("check {}", [*FILES, "people.csv"]),
        ("check s.toml {}", [*FILES, "other.csv"]),
    ],
    "explore": [
        ("--no-browser --port {}", ["-1", "70000", "x", "''", "1.5", "1e3", "0x50", "999999"]),
        ("--no-browser --workspace {}", ["people.csv", "people.csv/x", "s.toml/a/b"]),
        ("--no-browser {}", ["x", "--nosuch", "--host 0.0.0.0", "people.csv", "--port", "-x"]),
        ("--no-browser --{}", ["json 1", "epsilon 1", "token x", "public", "bind x", "help=1"]),
    ],
}


CASES = [
    pytest.param(shlex.split(f"{verb} {line.replace('{}', word)}"), id=f"{verb} {line} <- {word}")
    for verb, entries in BAD.items()
    for line, words in entries
    for word in words
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bad")
    schema = Schema.parse(SCHEMA)
    people = {"age": [20, 70] * 9, "sick": [0, 1] * 9}
    told = {"concepts": "thresholds", "features": ["age"], "labels": ["sick"], "epsilon": 1}
    model = describe(learn(people, schema, rng=Seeded(0), **told))
    (made / "s.toml").write_text(SCHEMA)
    (made / "people.csv").write_text("age,sick\n" + "20,0\n70,1\n" * 9)
    (made / "other.csv").write_text("height\n180\n")
    (made / "empty.csv").write_text("")
    (made / "damaged.parquet").write_bytes(b"PAR1 and then nothing")
    (made / "model.json").write_text(json.dumps(model))
    (made / "bad.json").write_text(json.dumps(model | {"n": 10**9}))
    (made / "new.json").write_text(json.dumps(sealed(model | {"format": "tacit-model-9"})))
    (made / "p.toml").write_text(TEMPLATE)
    private, public = new_key()
    (made / "house.key").write_text(private)
    (made / "house.pub").write_text(public)
    asked = ask("count", schema, by=["sick"], epsilon=1, sites=[public.split()[-1]])
    (made / "q.json").write_text(asked.dumps())
    Ledger.create(made / "l.db")
    return made


@pytest.mark.parametrize("words", CASES)
def test_a_bad_input_is_refused(
    folder: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = call(*words)
    assert done.returncode == 2, done.stdout
    assert done.stderr.strip() or "Usage" in done.stdout
    assert "Traceback" not in done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_every_command_has_twenty() -> None:
    assert BAD.keys() == VERBS.keys()
    for verb, entries in BAD.items():
        assert sum(len(words) for _, words in entries) >= 20, verb
