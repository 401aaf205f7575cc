"""From a table to made-up rows: promises kept, values of the schema, clear refusals."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.chance.randomness import Seeded, System
from tacit.core.composition import price
from tacit.core.cost_json import decode_cost
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.data import Bits, Category, Integer, Real, Schema
from tacit.data.reading.coding import Coding
from tacit.data.reading.reduction import count_points
from tacit.sanitizers.choice import METHODS, Task, choose
from tacit.sanitizers.contract.questions import Questions
from tacit.sanitizers.contract.synthetic import Synthetic
from tacit.workflows import sanitize
from tests.interfaces.cli.test_command import call
from tests.support.processes import started
from tests.support.sanitized import chain

SCHEMA = Schema(
    {
        "age": Integer(18, 100),
        "dose": Real(0, 1, "0.25", outside="null"),
        "ward": Category(("north", "south", "west"), outside="null"),
        "smoker": Bits(),
        "visit": Integer(0, (1 << 40) - 1),
        **{f"b{i}": Bits() for i in range(7)},
    }
)
N = 2500


def people(seed: int, n: int = N) -> dict[str, list[Any]]:
    floats = np.random.default_rng(seed)
    bits = chain(seed, dims=7, n=n)
    return {
        "age": (18 + 82 * floats.beta(2, 5, n)).astype(int).tolist(),
        "dose": floats.choice([0, 0.25, 0.5, 1, 7], n).tolist(),
        "ward": floats.choice(["north", "south", "?"], n, p=[0.7, 0.2, 0.1]).tolist(),
        "smoker": floats.integers(0, 2, n).tolist(),
        "visit": (floats.zipf(1.5, n) % (1 << 40)).tolist(),
        **{f"b{i}": bits[:, i].tolist() for i in range(7)},
    }


def worst(source: dict[str, list[Any]], table: dict[str, list[Any]], questions: str) -> float:
    """Compare all answers by going through the rows: another way than the library's."""
    names = list(table)
    coded = [
        np.array([[SCHEMA[name].code(v) for v in rows[name]] for name in names])
        for rows in (source, table)
    ]
    if questions == "thresholds":
        ends = np.unique(np.concatenate([codes[0] for codes in coded]))
        shares = [np.searchsorted(np.sort(c[0]), ends, side="right") / c.shape[1] for c in coded]
        return float(abs(shares[0] - shares[1]).max())
    width = 1 if questions == "points" else int(questions[-2])
    most = 0.0
    for chosen in (c for w in range(1, width + 1) for c in combinations(range(len(names)), w)):
        counts: list[dict[Any, int]] = [{}, {}]
        for held, codes in zip(counts, coded, strict=True):
            for key in zip(*codes[list(chosen)].tolist(), strict=True):
                held[key] = held.get(key, 0) + 1
        for key in {*counts[0], *counts[1]}:
            shares = [h.get(key, 0) / c.shape[1] for h, c in zip(counts, coded, strict=True)]
            most = max(most, abs(shares[0] - shares[1]))
    return most


CASES: list[tuple[str, list[str], str | None, str, str]] = [
    ("tree", ["age"], "thresholds", "1", "0"),
    ("quantile", ["age"], "thresholds", "4", "0"),
    ("quantile", ["visit"], "thresholds", "4", "1e-6"),
    ("prefix", ["visit"], "thresholds", "4", "1e-6"),
    ("weights", ["ward", "smoker"], None, "4", "1e-6"),
    ("blr", ["ward"], "thresholds", "1", "0"),
    ("blr", ["ward"], "points", "1", "0"),
    ("histogram", ["ward", "smoker", "dose"], None, "1", "0"),
    ("histogram", ["age"], "points", "1", "0"),
    ("point", ["visit"], "points", "1", "1e-6"),
    ("marginal", [f"b{i}" for i in range(5)], None, "1", "1e-6"),
    ("pairs", ["ward", "smoker", "b0", "b1"], None, "1", "1e-6"),
    ("histogram", [f"b{i}" for i in range(5)], "conjunctions(width=2)", "1", "1e-6"),
]


@pytest.mark.parametrize(("method", "columns", "queries", "epsilon", "delta"), CASES)
def test_the_promise_is_kept_twenty_times(
    method: str, columns: list[str], queries: str | None, epsilon: str, delta: str
) -> None:
    """At beta = 0.05 a right promise fails once in 20 on average at most; these are far inside."""
    kept = []
    for seed in range(20):
        source = people(seed)
        made = sanitize(
            source,
            SCHEMA,
            columns=columns,
            queries=queries,
            epsilon=epsilon,
            delta=delta,
            method=method,
            rng=Seeded(seed),
        )
        assert made.method == method
        assert (made.rows, made.n) == (N, N)
        assert made.privacy.epsilon <= Fraction(epsilon)
        assert made.error < Fraction(1, 2)
        kept.append(worst(source, made.table, str(made.questions)) <= made.error)
    assert sum(kept) == 20


def test_the_cases_cover_all_methods() -> None:
    assert {case[0] for case in CASES} == {name for able in METHODS.values() for name in able}


@pytest.mark.parametrize("rows", [1, 7, N - 1, 3 * N])
@pytest.mark.parametrize(("columns", "queries"), [(["age"], None), (["ward", "smoker"], None)])
def test_the_promise_counts_the_rounding_to_other_numbers_of_rows(
    rows: int, columns: list[str], queries: str | None
) -> None:
    source = people(3)
    made = sanitize(
        source, SCHEMA, columns=columns, queries=queries, epsilon=2, rows=rows, rng=Seeded(3)
    )
    assert made.rows == rows == len(made.table[columns[0]])
    assert worst(source, made.table, str(made.questions)) <= made.error
    whole = sanitize(source, SCHEMA, columns=columns, epsilon=2, rng=Seeded(3))
    assert made.error >= whole.error


def test_the_method_depends_on_public_numbers_only() -> None:
    """Tables of the same size, however different, get the same method and the same cost."""
    one, other = people(1), {name: column[:1] * N for name, column in people(2).items()}
    for columns in (["age"], ["visit"], ["ward", "smoker"], [f"b{i}" for i in range(7)]):
        made = [
            sanitize(s, SCHEMA, columns=columns, epsilon=1, delta="1e-6", rng=Seeded(5))
            for s in (one, other)
        ]
        assert made[0].method == made[1].method
        assert made[0].cost == made[1].cost


@pytest.mark.parametrize(
    ("family", "shape", "epsilon", "delta", "n", "method"),
    [
        ("thresholds", (121,), 1, 0, 10**4, "tree"),
        ("thresholds", (1 << 40,), 1, 0, 10**4, "quantile"),
        ("thresholds", (121,), 1, "1e-6", 10**4, "tree"),
        ("thresholds", (1 << 16,), 1, "1e-6", 10**4, "prefix"),
        ("thresholds", (1 << 4096,), 1, "1e-6", 10**4, "prefix"),
        ("points", (121,), 1, "1e-6", 10**4, "histogram"),
        ("points", (1 << 40,), 1, "1e-6", 10**4, "point"),
        ("conjunctions", (2,) * 10, 1, 0, 10**4, "histogram"),
        ("conjunctions", (2,) * 10, 1, "1e-6", 10**4, "histogram"),
        ("conjunctions", (2,) * 16, 1, "1e-6", 10**4, "marginal"),
        ("conjunctions", (2,) * 16, 1, 0, 10**6, "histogram"),
    ],
)
def test_what_is_chosen(
    family: str, shape: tuple[int, ...], epsilon: int, delta: Any, n: int, method: str
) -> None:
    asked = Questions.read(family, shape)
    task = Task(asked, shape, Privacy(epsilon, delta), n, Fraction(1, 20))
    chosen = choose(task)
    assert chosen.method == method
    assert price(chosen.sanitizer.cost, delta).privacy.epsilon <= epsilon


def test_every_value_is_one_of_the_schema_and_reads_back() -> None:
    columns = ["dose", "ward", "smoker"]
    made = sanitize(people(1), SCHEMA, columns=columns, epsilon=1, rng=Seeded(1))
    table = made.table
    assert None in table["dose"]
    for name in columns:
        column = SCHEMA[name]
        assert {column.code(v) for v in table[name]} <= set(range(column.size))
        assert {type(v) for v in table[name]} <= {int, float, str, type(None)}
    again = count_points(table, Coding.of(SCHEMA, columns))
    assert again.n == made.rows
    shape = tuple(SCHEMA[name].size for name in columns)
    held = {int(np.ravel_multi_index(key, shape)): count for key, count in again.table.items()}
    assert held == dict(made.synthetic.table)


CELL = st.none() | st.text(max_size=4) | st.floats() | st.integers() | st.booleans()


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=12),
    st.sampled_from(sorted(METHODS)),
    st.data(),
)
def test_no_cell_stops_it(rows: list[tuple[Any, ...]], family: str, data: st.DataObject) -> None:
    """Whatever a table holds, what comes out has n rows, a cost and a promise."""
    method = data.draw(st.sampled_from([None, *METHODS[family]]))
    names = ["ward", "smoker", "dose"] if family == "conjunctions" else ["ward"]
    texts = [[None if cell is None else str(cell) for cell in row] for row in rows]
    source = {name: [row[i] for row in texts] for i, name in enumerate(names)}
    made = sanitize(
        source,
        SCHEMA,
        columns=names,
        queries=family,
        epsilon=1,
        delta="1e-3",
        method=method if not (method == "blr" and len(names) > 1) else "histogram",
        rng=Seeded(1),
    )
    assert made.rows == len(rows)
    assert 0 <= made.error <= 1
    assert decode_cost(made.describe()["cost"]) == made.cost


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"columns": []}, "at least one column"),
        ({"columns": "age"}, "list of columns"),
        ({"columns": ["age", "age"]}, "twice"),
        ({"columns": ["height"]}, "no column 'height'"),
        ({"queries": "parities"}, "there are no questions"),
        ({"queries": "conjunctions(width=2)"}, "width must be at most 1"),
        ({"queries": "conjunctions(width=0)"}, "width must be at least 1"),
        ({"columns": ["age", "ward"], "queries": "thresholds"}, "name one"),
        ({"method": "marginal"}, "choose one of tree"),
        ({"columns": ["visit"], "method": "tree"}, "at most 4194304"),
        ({"columns": ["visit"], "queries": "points"}, "at most 4194304"),
        ({"columns": ["visit"], "queries": "points", "method": "point"}, "needs a delta"),
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": "1e-12"}, "epsilon must lie between"),
        ({"delta": 1}, "delta"),
        ({"beta": 0}, "beta"),
        ({"rows": 0}, "rows must be at least 1"),
        ({"source": {"age": []}}, "no rows"),
        ({"source": {"dose": [1.0]}}, "no column 'age'"),
    ],
)
def test_refusals_are_clear_and_spend_nothing(change: dict[str, Any], said: str) -> None:
    asked: dict[str, Any] = {"columns": ["age"], "epsilon": 1, "rng": _NoCoins(), **change}
    with pytest.raises(InvalidArgument, match=said):
        sanitize(asked.pop("source", people(1, 50)), SCHEMA, **asked)


class _NoCoins(Seeded):
    """Coins that must not be thrown."""

    def __init__(self) -> None:
        super().__init__(0)

    def bits(self, count: int) -> int:
        raise AssertionError(f"{count} coins were thrown")


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_the_distance_of_two_tables_is_what_the_rows_say(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from([(5,), (2, 3), (2, 2, 2)]))
    family = "conjunctions" if len(shape) > 1 else data.draw(st.sampled_from(sorted(METHODS)))
    asked = Questions.read(family, shape)
    size = math.prod(shape)
    counts = st.lists(st.integers(0, 4), min_size=size, max_size=size).filter(any)
    one, other = (Synthetic.of(shape, np.array(data.draw(counts))) for _ in range(2))
    rows = [list(map(tuple, t.rows().tolist())) for t in (one, other)]
    tests: list[Any] = [lambda row, i=i: row[0] <= i for i in range(size)]
    if family != "thresholds":
        tests = [
            lambda row, c=c, v=v: all(row[i] == x for i, x in zip(c, v, strict=True))
            for w in range(1, asked.width + 1)
            for c in combinations(range(len(shape)), w)
            for v in product(*(range(shape[i]) for i in c))
        ]
    shares = [[Fraction(sum(map(ask, r)), len(r)) for ask in tests] for r in rows]
    assert asked.distance(one, other) == max(abs(a - b) for a, b in zip(*shares, strict=True))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pa.parquet.write_table(pa.table(people(1)), tmp_path / "people.parquet")
    (tmp_path / "schema.toml").write_text(SCHEMA.dump())
    return tmp_path


def _call(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    table, schema = str(folder / "people.parquet"), str(folder / "schema.toml")
    return call("sanitize", table, "--schema", schema, "--epsilon", "1", *more)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_command_writes_the_table_and_says_its_cost(folder: Path, ending: str) -> None:
    out = folder / f"made.{ending}"
    done = _call(
        folder, "--columns", "ward,smoker,dose", "--out", str(out), "--json", "--seed", "4"
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert {"rows", "cost", "error_promised"} <= said.keys()
    assert said["rows"] == N
    coding = Coding.of(SCHEMA, ["ward", "smoker", "dose"])
    made = count_points(str(out), coding)
    same = sanitize(people(1), SCHEMA, columns=["ward", "smoker", "dose"], epsilon=1, rng=Seeded(4))
    assert made.table == count_points(same.table, coding).table
    assert said["error_promised"] == float(same.error)
    assert "secure" in said
    assert not said["secure"]


def test_one_column_with_missing_values_reads_back(folder: Path) -> None:
    out = folder / "wards.csv"
    done = _call(folder, "--columns", "ward", "--out", str(out), "--rows", "50")
    assert done.returncode == 0
    assert "Private: ε = 1, δ = 0 for replacing any one of the 2500 rows." in done.stdout
    assert "Promised: no answer to conjunctions(width=1) is off by more than 0." in done.stdout
    assert count_points(str(out), Coding.of(SCHEMA, ["ward"])).n == 50


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        (("--columns", "height"), 2, "no column 'height'"),
        (("--columns", "age", "--out", "made.txt"), 2, "must end in .csv or .parquet"),
        (("--columns", "age", "--out", "nowhere/made.csv"), 2, "does not exist"),
        (("--columns", "age", "--method", "guess"), 2, "choose one of tree"),
        (("--columns", "age", "--rows", "0"), 2, "rows must be at least 1"),
    ],
)
def test_a_refused_command_writes_nothing(
    folder: Path, more: tuple[str, ...], status: int, said: str
) -> None:
    before = sorted(folder.iterdir())
    told = [str(folder / word) if "made" in word else word for word in more]
    if "--out" not in told:
        told += ["--out", str(folder / "made.csv")]
    done = _call(folder, *told)
    assert (done.returncode, done.stdout) == (status, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert sorted(folder.iterdir()) == before


def test_an_interrupt_leaves_nothing(folder: Path) -> None:
    """Thirty rows for each of ours are enough to be interrupted while they are written."""
    before = sorted(folder.iterdir())
    arguments = ("people.parquet", "--schema", "schema.toml", "--columns", "age", "--epsilon", "1")
    words = ["-m", "tacit", "sanitize", *arguments, "--out", "m.csv", "--rows", "99999999"]
    with started([sys.executable, *words], cwd=folder, stderr=subprocess.PIPE) as command:
        while not list(folder.glob(".tacit-*")):
            assert command.poll() is None
            time.sleep(0.005)
        command.send_signal(signal.SIGINT)
        _, said = command.communicate(timeout=100)
    assert said.splitlines()[-1] == "tacit: interrupted; nothing was written"
    assert command.returncode == 128 + signal.SIGINT
    assert sorted(folder.iterdir()) == before


def test_secret_coins_are_said_to_be(folder: Path) -> None:
    made = sanitize(
        str(folder / "people.parquet"), SCHEMA, columns=["smoker"], epsilon=1, rng=System()
    )
    assert made.secure
    assert made.describe()["secure"] is True


WIDE = Schema({name: Integer(0, 999) for name in "abcdefgh"} | {"sex": Category(["f", "m"])})


def test_a_wide_table_is_made_from_pairs_in_bins() -> None:
    floats = np.random.default_rng(1)
    first = floats.integers(0, 1000, 4000)
    rows = {name: np.clip(first + floats.integers(-50, 50, 4000), 0, 999) for name in "abcdefgh"}
    source = {**rows, "sex": np.where(first > 500, "f", "m").tolist()}
    asked: Any = {"columns": ["a=500", *"bcdefgh", "sex"], "epsilon": 2, "rng": Seeded(1)}
    with pytest.raises(InvalidArgument, match="give a delta above 0"):
        sanitize(source, WIDE, **asked)
    made = sanitize(source, WIDE, **asked, delta="1e-6")
    assert (made.method, made.rows, made.columns) == ("pairs", 4000, (*"abcdefgh", "sex"))
    assert made.describe()["bins"]["a"] == ["0 to 499", "500 to 999"]
    assert made.error < Fraction(1, 20)
    told = {name: np.array(values) for name, values in made.table.items()}
    assert np.corrcoef(told["b"], told["g"])[0, 1] > 0.8
    assert np.mean((told["c"] > 500) == (told["sex"] == "f")) > 0.9
    assert len(np.unique(told["b"])) > 500, "values are spread within bins"
    with pytest.raises(InvalidArgument, match="names 'z': name one of the columns a, b"):
        sanitize(source, WIDE, **asked, delta="1e-6", outcome="z")
    made = sanitize(source, WIDE, **asked, delta="1e-6", outcome="sex")
    told = {name: np.array(values) for name, values in made.table.items()}
    assert np.mean((told["c"] > 500) == (told["sex"] == "f")) > 0.9
    fewer = sanitize(source, WIDE, **asked, delta="1e-6", rows=100)
    assert (fewer.rows, fewer.error > made.error) == (100, True)
