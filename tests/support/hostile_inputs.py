"""Inputs that are meant to hurt: absurd sizes, endless files, deep nesting, damaged models."""

from __future__ import annotations

import json
import os
import shlex
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core.chance.randomness import Seeded
from tacit.data import Schema
from tacit.data.ledger import Ledger
from tacit.learners.contract.seal import sealed
from tacit.workflows import describe, learn
from tacit.workflows.releasing.pack import new_key

SCHEMA = """
[columns.age]
type = "integer"
low = 0
high = 120
[columns.sex]
type = "category"
values = ["f", "m"]
[columns.sick]
type = "bits"
"""
LONG = "9" * 5000
NAME = "n" * 5000
BRACKETS = "[" * 20_000
MANY = ",".join(f'[0,">=",{i}]' for i in range(6000))
FIT = "--features age --labels sick --epsilon 1"

CLASSES = [
    "points(bits=100000000)",
    "points(bits=4097)",
    "points(values=1e9)",
    f"points(bits={LONG})",
    f"points(values={LONG})",
    f"points(values={'9' * 4200})",
    "thresholds(bits=99999999999999999999)",
    "thresholds(bits=15000)",
    f"thresholds(bits=8, direction={NAME})",
    "intervals(bits=15000)",
    "intervals(bits=1000000)",
    "parities(dims=1000000000)",
    "parities(dims=15000)",
    "parities(dims=4096)",
    "boxes(bits=8, dims=1000000000)",
    "boxes(bits=128, dims=128)",
    "boxes(bits=1000000000, dims=1)",
    "boxes(bits=1, dims=4096)",
    f"boxes(values={'2x' * 5000}2)",
    f"boxes(values={LONG}x2)",
    "conjunctions(dims=1000000000, width=500000000)",
    "conjunctions(dims=15000, width=7500)",
    "conjunctions(dims=4096, width=2048)",
    "conjunctions(dims=4000, width=4000)",
    "halfspaces(bits=100000000, dims=1)",
    "halfspaces(bits=1000000000, dims=2)",
    "halfspaces(bits=1, dims=1000000000)",
    "balls(bits=100000000, dims=1)",
    "balls(bits=9, dims=1000000000)",
    "lines(p=2147483647)",
    f"lines(p={LONG})",
    "lines(p=1000000007)",
    f"scorecards(values={'1099511627776x' * 5000}2)",
    f"scorecards(values={LONG})",
    f"scorecards(values={'c65536x' * 400}2)",
    f"{NAME}(bits=2)",
    "(" * 5000,
    "or_never(" * 5000 + "points(bits=2)" + ")" * 5000,
    f"rules({BRACKETS})",
    f"rules({LONG})",
    f'rules({{"width":1,"columns":[["a",0,{LONG[:4000]}]],"literals":[[0,"=",1]]}})',
    f'rules({{"width":3000,"columns":[["a",0,9]],"literals":[{MANY}]}})',
    "matrix(/dev/zero)",
    "matrix(pipe)",
    "matrix(pipe.npy)",
    "matrix(/dev/zero.npy)",
    "matrix(.)",
    "matrix(sparse)",
    "matrix(sparse.npy)",
    "matrix(claims.npy)",
    "matrix(archive.npy)",
    "matrix(deep.npy)",
    "matrix(objects.npy)",
    "matrix(twice.csv)",
    "matrix(wide.csv)",
    "matrix(noise.bin)",
    f"matrix({NAME})",
    "matrix(loop)",
    "",
    "\x1b[31m(\n)",
]
NUMBERS = [LONG, "1e999999999", "1e-999999999", f"1/{LONG}", "1e9999", "1e-9999", "1e400", "1e-400"]
NUMBERS += ["9" * 900, f"1/{'9' * 900}", "0." + "3" * 900, "-" + LONG, "nan", "1__0", NAME, "\n"]
COUNTS = [LONG, "9" * 4200, "99999999999999999999", "-" + LONG, "1000000000", "9223372036854775808"]
FILES = ["/dev/zero", "pipe", ".", "loop", NAME, f"{NAME}/x", "/proc/self/mem", "sparse"]
FILES += ["noise.bin", "/dev/full", "deep.json", "deep.toml", "dotted.toml", "/dev/null"]
FILES += ["nul.csv", "/dev/stdin"]
NAMES = [NAME, ",".join(f"c{i}" for i in range(5000)), "\n", "age" + ",age" * 5000]
SCHEMAS = [*FILES, "columns.toml", "number.toml", "integer.toml", "keys.toml", "inline.toml"]
SCHEMAS += ["name.toml", "values.toml", "headers.toml", "surrogate.toml", "large.toml"]
TABLES = ["pipe", ".", "loop", NAME, "noise.bin", "nul.csv", "header.csv", "quotes.csv", "line.csv"]
TABLES += ["/dev/null", "damaged.parquet", "/dev/full", "noise.parquet", "columns.csv"]
MODELS = [*FILES, "people.csv"]  # and all models that `write` makes
DATABASES = ["zeros.db", "strange.db", "people.csv"]
RULES = ["rules(width=99999999)", f"rules(width={LONG})", f"rules(cuts={LONG})", "rules(" * 3000]
RULES += [
    "rules(cuts=999999999)",
    f"rules(age={LONG})",
    f"rules({NAME}=1)",
    f"rules(a{' ' * 9999}b)",
]
RULES += [f"rules(age={':'.join(map(str, range(1, 2000)))})"]
VOTES = [
    f"votes(candidates={LONG})",
    "votes(candidates=2^999999999)",
    f"votes(candidates=9^{LONG})",
]
VOTES += ["votes(" * 3000, f"votes({NAME}=1)", f"votes(candidates={' ' * 9999}4)"]
CUTS = [f"age={LONG}", "age=", "=", "age=:", "sex=1", "age=nan", "age=1/0", "age=-1", "age=1e-400"]
CUTS += [f"age={':'.join(map(str, range(1, 2000)))}", f"age={':' * 5000}", "age=1=2", "age=0.5:2"]
OUTPUTS = [NAME, f"{NAME}/x", "loop", "/dev/full/x", "loop/x", "\n/x"]

ASK = "--sites house.key.pub --epsilon 1 --out q.json"
ATTACKS: dict[str, list[tuple[str, list[str]]]] = {
    "plan": [
        ("{} --alpha 0.1 --epsilon 1 --delta 1e-6", CLASSES),
        ("{} --n 5000 --epsilon 1 --json", CLASSES[:36]),
        ("'thresholds(bits=8)' --alpha {} --epsilon 1", NUMBERS),
        ("'thresholds(bits=8)' --alpha 0.1 --epsilon {}", NUMBERS),
        ("'points(bits=1024)' --alpha 0.1 --epsilon 1 --beta {}", NUMBERS),
        ("'points(bits=1024)' --alpha 0.1 --epsilon 1 --delta {}", NUMBERS),
        ("'boxes(bits=8, dims=2)' --n {} --epsilon 1", COUNTS),
        ("'thresholds(bits=8)' --alpha 0.1 --epsilon 1 --labels {}", COUNTS),
        ("'thresholds(bits=8)' --alpha 0.1 --epsilon 1 --n {}", COUNTS),
        ("'thresholds(bits=8)' --alpha 0.1 --epsilon 1 --plot {}", OUTPUTS),
    ],
    "ask": [
        (f"count --schema {{}} --by sex {ASK}", SCHEMAS),
        (f"count --schema s.toml --by {{}} {ASK}", NAMES),
        (f"count --schema s.toml --mean age --delta {{}} {ASK}", NUMBERS),
        ("count --schema s.toml --by sex --sites house.key --epsilon {} --out q.json", NUMBERS),
        (f"measure --model {{}} {ASK}", MODELS),
        ("descent --after {} --out q.json", MODELS),
        (f"descent --schema s.toml --labels sick --delta {{}} {ASK}", NUMBERS),
    ],
    "site": [("people.csv --question {} --schema s.toml --key house.key --out m.json", MODELS)],
    "join": [("{} --out n.json", MODELS), ("model.json --question {} --out n.json", MODELS)],
    "learn": [
        (f"people.csv --schema {{}} {FIT}", SCHEMAS),
        (f"{{}} --schema s.toml {FIT}", TABLES),
        (f"people.csv --schema s.toml {FIT} --class {{}}", [*CLASSES, *RULES]),
        ("people.csv --schema s.toml --features {} --labels sick --epsilon 1", NAMES),
        ("people.csv --schema s.toml --features age --labels {} --epsilon 1", NAMES),
        ("people.csv --schema s.toml --features age --labels sick --epsilon {} --seed 1", NUMBERS),
        (f"people.csv --schema s.toml {FIT} --out {{}}", OUTPUTS),
        (f"people.csv --schema s.toml {FIT} --report {{}}", OUTPUTS),
        (f"people.csv --schema s.toml {FIT} --seed {{}}", COUNTS),
        (f"people.csv --schema s.toml {FIT} --dataset d --ledger {{}}", [*FILES, *DATABASES]),
        ("people.csv --schema many.toml --features ward --labels sick --epsilon 1 {}", [""]),
    ],
    "predict": [
        ("{} people.csv --out p.csv", MODELS),
        ("model.json {} --out p.csv", TABLES),
        ("model.json people.csv --out {}", OUTPUTS),
    ],
    "measure": [
        ("{} people.csv --epsilon 1 --seed 1", MODELS),
        ("model.json {} --epsilon 1 --seed 1", TABLES),
        ("model.json people.csv --seed 1 --epsilon {}", NUMBERS),
        ("model.json people.csv --seed 1 --epsilon 1 --out {}", OUTPUTS),
        ("model.json people.csv --seed 1 --epsilon 1 --by {}", NAMES),
    ],
    "sql": [("{} --table t", MODELS), ("model.json --table {}", [NAME, "\n", "\x1b"])],
    "report": [("{} --out r.md", MODELS), ("model.json --out {}", OUTPUTS)],
    "sanitize": [
        ("people.csv --schema {} --columns sick --epsilon 1", SCHEMAS),
        ("{} --schema s.toml --columns sick --epsilon 1", TABLES),
        ("people.csv --schema s.toml --columns {} --epsilon 1", NAMES),
        ("people.csv --schema s.toml --columns sick --epsilon {} --seed 1", NUMBERS),
        ("people.csv --schema s.toml --columns sick --epsilon 1 --rows {}", COUNTS),
        ("people.csv --schema s.toml --columns age --epsilon 1 --queries {}", [NAME, "(" * 5000]),
        ("people.csv --schema s.toml --columns sick --epsilon 1 --out {}", OUTPUTS),
    ],
    "quantile": [
        ("people.csv --schema {} --column age --epsilon 1", SCHEMAS),
        ("{} --schema s.toml --column age --epsilon 1", TABLES),
        ("people.csv --schema s.toml --column {} --epsilon 1", NAMES),
        ("people.csv --schema s.toml --column age --epsilon {} --seed 1", NUMBERS),
        ("people.csv --schema s.toml --column age --epsilon 1 --level {} --seed 1", NUMBERS),
        ("people.csv --schema s.toml --column age --epsilon 1 --beta {} --seed 1", NUMBERS),
    ],
    "count": [
        ("people.csv --schema {} --by sick --epsilon 1", SCHEMAS),
        ("{} --schema s.toml --by sick --epsilon 1", TABLES),
        ("people.csv --schema s.toml --by {} --epsilon 1", [*NAMES, *CUTS]),
        ("people.csv --schema s.toml --mean {} --epsilon 1", NAMES),
        ("people.csv --schema s.toml --quantiles {} --epsilon 1 --seed 1", [*NAMES, *CUTS]),
        ("people.csv --schema s.toml --by sick --mean age --epsilon {} --seed 1", NUMBERS),
        ("people.csv --schema s.toml --by sick --epsilon 1 --delta {} --seed 1", NUMBERS),
        ("people.csv --schema s.toml --by sick --epsilon 1 --confidence {} --seed 1", NUMBERS),
        ("people.csv --schema s.toml --by sick --epsilon 1 --out {}", OUTPUTS),
    ],
    "optimise": [
        ("people.csv --problem centre-point --schema {} --columns age --epsilon 1", SCHEMAS),
        ("{} --problem centre-point --schema s.toml --columns age --epsilon 1", TABLES),
        ("people.csv --problem centre-point --schema s.toml --columns {} --epsilon 1", NAMES),
        ("people.csv --problem {} --schema s.toml --columns age --epsilon 1", NAMES),
        (
            "people.csv --problem centre-point --schema s.toml --columns age --epsilon {} --seed 1",
            NUMBERS,
        ),
    ],
    "dims": [
        ("{} --time-limit 1", CLASSES),
        ("'thresholds(bits=2)' --time-limit {}", NUMBERS),
        ("'thresholds(bits=2)' --plot {}", OUTPUTS),
    ],
    "optimum": [
        ("{} --n 2 --epsilon 1 --proper --time-limit 1", CLASSES),
        ("'points(values=2)' --n {} --epsilon 1", COUNTS),
        ("'points(values=2)' --n 2 --epsilon {} --proper --time-limit 1", NUMBERS),
        ("'points(values=2)' --n 2 --epsilon 1 --delta {} --proper --time-limit 1", NUMBERS),
        ("'points(values=2)' --n 2 --epsilon 1 --alpha {} --proper --time-limit 1", NUMBERS),
        ("{} --n 4 --epsilon 1", VOTES),
    ],
    "convert": [
        ("{} --from learner --to protocol", CLASSES),
        ("'points(values=3)' --from learner --to representation --epsilon {}", NUMBERS),
        ("'points(values=3)' --from learner --to learner --alpha {}", NUMBERS),
        ("'points(values=3)' --from game --to protocol --messages {}", COUNTS),
    ],
    "bounds": [
        ("--epsilon {}", NUMBERS),
        ("--alpha {}", NUMBERS),
        ("--labels {}", COUNTS),
        ("--bits {}", COUNTS),
        ("--table {}", [NAME, LONG, "\n"]),
    ],
    "simulate": [
        ("{} --learner generic --epsilon 1 --alpha 0.1 --runs 2", CLASSES),
        ("'thresholds(bits=4)' --learner {} --epsilon 1 --alpha 0.1", [NAME, "\n"]),
        ("'thresholds(bits=4)' --learner generic --epsilon {} --alpha 0.1 --runs 2", NUMBERS),
        ("'thresholds(bits=4)' --learner generic --epsilon 1 --alpha {} --runs 2", NUMBERS),
        ("'thresholds(bits=4)' --learner generic --epsilon 1 --alpha 0.1 --runs {}", COUNTS),
        ("'thresholds(bits=4)' --learner generic --epsilon 1 --alpha 0.1 --tries {}", COUNTS),
        ("'thresholds(bits=4)' --learner generic --epsilon 1 --alpha 0.1 --jobs {}", COUNTS),
    ],
    "attack": [
        ("--users {}", COUNTS),
        ("--users 3 --epsilon {}", NUMBERS),
        ("--users 3 --soundness {}", NUMBERS),
        ("--users 3 --rows {}", COUNTS),
        ("--users 3 --runs {}", COUNTS),
        ("--users 3 --labels {}", COUNTS),
        ("--sweep {}", [LONG, "1,2,3,99999999999", NAME, "3," * 5000 + "3"]),
        ("--users 3 --plot {}", OUTPUTS),
    ],
    "audit": [
        ("{}", [NAME, "\n", "exponential " * 3000]),
        ("exponential --epsilon {}", NUMBERS),
        ("exponential --epsilon 1 --delta {}", NUMBERS),
        ("--one-run --canaries {}", COUNTS),
        ("{} --one-run", CLASSES[:3]),
    ],
    "ledger": [
        ("init {}", [*OUTPUTS, "/dev/zero", "pipe", "/dev/full"]),
        ("show {}", [*FILES, *DATABASES]),
        ("export {}", [*FILES, *DATABASES]),
        ("export l.db --out {}", OUTPUTS),
        ("verify {}", [*FILES, *DATABASES, "deep.jsonl"]),
        ("verify l.db --since {}", [*FILES, "people.csv", "deep.jsonl"]),
        ("grant {} --dataset d --schema s.toml --epsilon 1", [*FILES, *DATABASES]),
        ("grant l.db --dataset d --schema {} --epsilon 1", SCHEMAS),
        ("grant l.db --dataset d --schema s.toml --epsilon {}", NUMBERS),
        ("grant l.db --dataset d --schema s.toml --epsilon 1 --delta {}", NUMBERS),
        ("grant l.db --dataset {} --schema s.toml --epsilon 1", [NAME, "\n", "''"]),
        ("grant l.db --dataset d --schema s.toml --epsilon 1 --analyst {}", [NAME, "\n", "''"]),
    ],
    "schema": [
        ("check {}", SCHEMAS),
        ("check s.toml {}", TABLES),
        ("check many.toml {}", [""]),
        ("template {}", TABLES),
        ("template columns.csv {}", [""]),
    ],
    "explore": [
        ("--no-browser --port {}", COUNTS),
        ("--no-browser --workspace {}", ["/dev/null", "/dev/zero", "pipe", "loop", NAME, "s.toml"]),
    ],
    "key": [
        ("new {}", [*OUTPUTS, "/dev/zero", "pipe", "/dev/full"]),
        ("show {}", [*FILES, "noise.bin", "deep.json"]),
    ],
    "policy": [
        ("check {}", [*SCHEMAS, "noise.bin"]),
        ("check policy.toml {}", MODELS),
    ],
    "pack": [
        ("{} --policy policy.toml --sign house.key", MODELS),
        ("model.json --policy {} --sign house.key", SCHEMAS),
        ("model.json --policy policy.toml --sign {}", FILES),
        ("model.json --policy policy.toml --sign house.key --ledger {}", [*FILES, *DATABASES]),
        ("model.json --policy policy.toml --sign house.key --out {}", OUTPUTS),
        ("model.json --policy policy.toml --sign house.key --approved-by {}", [NAME, "\n", "''"]),
    ],
    "learners": [("{}", [NAME, "\n", LONG, *["x"] * 2])],
    "explain": [("{}", [NAME, "\n", LONG])],
    "theorem": [("{}", [NAME, "\n", LONG, "BNS16:" + "9" * 400]), ("--paper {}", [NAME, LONG])],
}
"""What a verb's line is given, for each of its places."""


KERNELS = [
    "dims 'thresholds(bits=2)' --time-limit 1",
    "plan 'conjunctions(dims=4, width=2)' --alpha 0.1 --epsilon 1",
    f"learn people.csv --schema s.toml {FIT} --class rules --seed 1 --out kernels.json",
    "sanitize people.csv --schema s.toml --columns sick --epsilon 1 --seed 1",
    "simulate 'thresholds(bits=4)' --learner generic --epsilon 1 --alpha 0.1 --runs 2",
]
"""Lines that compile what is compiled once a machine: that is no part of what an input takes."""


def lines(models: list[str]) -> list[list[str]]:
    """Return the words of all command lines; `models` are for those that read a model."""
    found = []
    for verb, entries in ATTACKS.items():
        for line, words in entries:
            for word in [*words, *models] if words is MODELS else words:
                before, after = map(shlex.split, line.split("{}"))
                found.append([verb, *before, *([word] if word else []), *after])
    return found


def write(folder: Path) -> list[str]:
    """Write the files that the lines name; return the names of the models among them."""
    schema = Schema.parse(SCHEMA)
    people = {"age": [20, 70] * 9, "sex": ["f", "m"] * 9, "sick": [0, 1] * 9}
    asked: dict[str, Any] = {"features": ["age"], "labels": ["sick"], "epsilon": 1}
    model = describe(learn(people, schema, concepts="thresholds", rng=Seeded(0), **asked))
    texts = _schemas() | _tables()
    texts |= {"s.toml": SCHEMA, "deep.json": BRACKETS, "deep.jsonl": "{}\n" + BRACKETS + "\n"}
    texts["model.json"] = json.dumps(model)
    texts |= dict(zip(("house.key", "house.key.pub"), new_key(), strict=True))
    texts["policy.toml"] = 'format = "tacit-policy-1"\n'
    texts["twice.csv"] = "\n".join(f"{i:020b}" for i in range(100_000)) + "\n" + "0" * 20 + "\n"
    texts["wide.csv"] = ",".join("01" * 300_000) + "\n"
    damaged = _models(model)
    for name, text in (texts | damaged).items():
        (folder / name).write_text(text, encoding="utf-8", errors="surrogatepass")
    (folder / "noise.bin").write_bytes(bytes(range(256)) * 999)
    (folder / "noise.parquet").write_bytes(b"PAR1" + bytes(range(256)) * 99 + b"\xff\xff\0\0PAR1")
    (folder / "damaged.parquet").write_bytes(b"PAR1 and then nothing")
    (folder / "nul.csv").write_bytes(b"age,sick\n\0\0,\0\n" * 99)
    (folder / "zeros.db").write_bytes(b"SQLite format 3\0" + bytes(5000))
    (folder / "strange.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    for name in ("sparse", "sparse.npy"):
        with (folder / name).open("wb") as file:
            file.truncate(1 << 36)
    _arrays(folder)
    for name in ("pipe", "pipe.npy"):
        os.mkfifo(folder / name)
    (folder / "loop").symlink_to("loop")
    Ledger.create(folder / "l.db")
    return sorted(damaged)


def _schemas() -> dict[str, str]:
    one = "[columns.{0}]\ntype = 'bits'\n"
    dotted = "a" + ".a" * 200_000
    return {
        "deep.toml": f"x = {BRACKETS}",
        "dotted.toml": f"{dotted} = 1\n",
        "headers.toml": f"[{dotted}]\n" * 2,
        "inline.toml": "x = " + "{a=" * 20_000,
        "keys.toml": "".join(f"k{i} = 1\n" for i in range(100_000)),
        "number.toml": f"[columns.age]\ntype = 'integer'\nlow = 0\nhigh = {LONG}\n",
        "integer.toml": f"[columns.age]\ntype='real'\nlow=0\nhigh=1e{'9' * 18}\nstep=1\n",
        "name.toml": one.format(NAME),
        "values.toml": f"[columns.a]\ntype = 'category'\nvalues = [{LONG[:4200]}, '{NAME}']\n",
        "surrogate.toml": "[columns.\ud800]\ntype = 'bits'\n",
        "large.toml": "# " + "x" * (1 << 26),
        "columns.toml": "".join(one.format(f"c{i}") for i in range(5000)),
        "many.toml": one.format("sick")
        + f"[columns.ward]\ntype = 'category'\nvalues = {[f'w{i}' for i in range(40_000)]}\n",
    }


def _tables() -> dict[str, str]:
    return {
        "people.csv": "age,sex,sick\n" + "20,f,0\n70,m,1\n" * 9,
        "header.csv": "age,sex,sick\n",
        "quotes.csv": 'age,sex,sick\n"20,f,0\n' * 99,
        "line.csv": "age,sex,sick\n20," + "f" * (1 << 22) + ",0\n",
        "columns.csv": ",".join(f"c{i}" for i in range(5000)) + "\n" + ",".join("0" * 5000) + "\n",
    }


def _models(right: dict[str, Any]) -> dict[str, str]:
    """Return models that were changed and sealed anew."""
    classes = [c for c in CLASSES if c and "\x1b" not in c]
    deep: Any = {"pure": {"epsilon": "1"}}
    for _ in range(900):
        deep = {"repeat": deep, "times": 9, "adaptive": True}
    changed: list[dict[str, Any]] = [{"class": c, "outputs": c} for c in classes]
    changed += [{"outputs": f"{w}({c})"} for w in ("or_never", "tables") for c in classes[:3]]
    changed += [
        {"outputs": "majorities(" * 300 + "points(bits=2)" + ")" * 300},
        {"outputs": "one_of(" + "points(bits=2)|" * 100_000 + "points(bits=2))"},
        {"outputs": "hashes(buckets=99999999999999999999999)"},
        {"outputs": "hashes(bits=1000000000000, buckets=9)"},
        {"outputs": "reed_solomon(bits=1000000000, prime=4611686018427387847, places=999999999)"},
        {"outputs": "line_hashes(p=2147483647, buckets=2)"},
        {"hypotheses": [{"at": int("9" * 4200), "up": True}]},
        {"hypotheses": [{"at": 1e308, "up": True}]},
        {"hypotheses": [{}] * 100_000},
        {"hypotheses": None},
        {"cost": deep},
        {"cost": {"repeat": {"pure": {"epsilon": "1"}}, "times": int("9" * 4000), "adaptive": 1}},
        {"privacy": {"epsilon": "1e9999", "delta": "0"}},
        {"privacy": {"epsilon": "9" * 900, "delta": "0"}},
        {"privacy": {"epsilon": [], "delta": {}}},
        {"accuracy": {"alpha": "1e-9999", "beta": "0.1"}},
        {"n": int("9" * 4200)},
        {"secure": "yes"},
        {"schema": f"x = {BRACKETS}"},
        {"schema": f"a{'.a' * 100_000} = 1"},
        {"schema": ""},
        {"schema": 5},
        {"features": [NAME]},
        {"features": ["age"] * 100_000},
        {"features": "age"},
        {"labels": [["sick"]]},
        {"labels": ["\ud800"]},
        {"learner": NAME},
        {"version": [BRACKETS]},
    ]
    models = {f"model{i:03}.json": json.dumps(sealed(right | c)) for i, c in enumerate(changed)}
    inside = '{"format": "tacit-model-1", "x": %s}'
    models["deep_inside.json"] = inside % ("[" * 950 + "]" * 950)
    models["deeper_inside.json"] = inside % ("[" * 50_000 + "]" * 50_000)
    models["number.json"] = inside % LONG
    models["lists.json"] = inside % f"[{'[],' * 5_000_000}[]]"
    return models


def _arrays(folder: Path) -> None:
    """Write arrays that claim to be larger than they are, or are no table."""
    with (folder / "claims.npy").open("wb") as file:
        header = {"descr": "|b1", "fortran_order": False, "shape": (1 << 20, 1 << 20)}
        np.lib.format.write_array_header_1_0(file, header)
        file.write(b"\0\1")
    whole = BytesIO()
    np.savez_compressed(whole, a=np.zeros((9, 9)))
    (folder / "archive.npy").write_bytes(whole.getvalue())
    text = b"(" * 5000
    (folder / "deep.npy").write_bytes(b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text)
    with suppress(ValueError):
        np.save(folder / "objects.npy", np.array([{}, []], dtype=object), allow_pickle=True)
