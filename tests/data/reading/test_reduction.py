"""The reduction: the same counts from every engine, and one row moves one row's worth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.data import (
    Bits,
    Category,
    Integer,
    Real,
    Schema,
    point_batches,
    read_points,
    reduce,
)
from tacit.data.reading import counting
from tacit.data.reading.coding import Coding
from tacit.data.reading.reduction import joint_counts, open_table
from tacit.kernels.reading import narrow_tally, tally
from tacit.kernels.reading.tally import Tally, Words
from tacit.statistics import LabelCounts

SCHEMA = Schema(
    {
        "age": Integer(0, 120),
        "id": Integer(-(2**52), 2**52, outside="null"),
        "bmi": Real(10, 60, 0.1, outside="null"),
        "sex": Category(["f", "m"], outside="null"),
        "ward": Category([1, 2, 3]),
        "smokes": Bits(outside="null"),
        "sick": Bits(),
        "ill": Bits(),
        "dead": Bits(),
    }
)
CELLS: dict[str, tuple[pa.DataType, list[Any]]] = {
    "age": (pa.int64(), [41, None, -3, 120, 121, 2**53, -(2**53), 0, 67, 67, 41, 41]),
    "id": (pa.int64(), [7, 7, None, -(2**52), 2**52, 2**52 + 2, 0, 1, 2, 2, 7, 7]),
    "bmi": (
        pa.float64(),
        [10.7, math.nan, math.inf, -math.inf, -0.0, None, 60.0, 60.01, 13.5, 13.49, 10.7, 10.7],
    ),
    "sex": (pa.string(), ["f", " m", "M", None, "", "x,y", '"f"', "f\t", "é", "m", "f", "f"]),
    "ward": (pa.float64(), [1.0, 2.0, math.nan, None, 2.5, -0.0, 3.0, 1e300, 9.0, 3.0, 1.0, 1.0]),
    "smokes": (
        pa.string(),
        ["yes", "No", "TRUE", "0", "1.0", "maybe", None, "2", " y ", "false", "yes", "yes"],
    ),
    "sick": (
        pa.bool_(),
        [True, False, None, True, True, None, False, False, True, True, True, False],
    ),
    "ill": (pa.int8(), [1, 0, 2, -1, None, 1, 1, 0, 1, 0, 0, 0]),
    "dead": (pa.string(), ["1", "0", "perhaps", "", None, "nan", "yes", "y", "t", "1.0", "1", "0"]),
}
TABLE = pa.table({name: pa.array(cells, kind) for name, (kind, cells) in CELLS.items()})


def numpy_arrays(table: pa.Table) -> dict[str, Any]:
    return {name: table[name].to_numpy(zero_copy_only=False) for name in table.column_names}


def structured(table: pa.Table) -> Any:
    arrays = {name: np.asarray(array) for name, array in numpy_arrays(table).items()}
    kinds = [(name, array.dtype) for name, array in arrays.items()]
    filled = np.empty(table.num_rows, dtype=kinds)
    for name, array in arrays.items():
        filled[name] = array
    return filled


def csv_of(write: Callable[[pa.Table, Path], object]) -> Callable[[pa.Table, Path], Any]:
    def made(table: pa.Table, folder: Path) -> Path:
        write(table, folder / "t.csv")
        return folder / "t.csv"

    return made


def parquet_of(table: pa.Table, folder: Path) -> Path:
    for i in range(3):
        part = table.slice(4 * i, 4)
        pyarrow.parquet.write_table(part, folder / f"{i}.parquet", row_group_size=3)
    return folder / "*.parquet"


ENGINES: dict[str, Callable[[pa.Table, Path], Any]] = {
    "lists": lambda table, _: table.to_pydict(),
    "numpy": lambda table, _: numpy_arrays(table),
    "numpy structured": lambda table, _: structured(table),
    "pandas": lambda table, _: table.to_pandas(),
    "pandas arrow": lambda table, _: table.to_pandas(types_mapper=pd.ArrowDtype),
    "pandas nullable": lambda table, _: table.to_pandas().convert_dtypes(),
    "polars": lambda table, _: pl.from_arrow(table),
    "polars lazy": lambda table, _: pl.from_arrow(table).lazy(),  # type: ignore[union-attr]
    "pyarrow": lambda table, _: table,
    "relation": lambda table, _: duckdb.connect().from_arrow(table),
    "parquet": parquet_of,
    "csv by pandas": csv_of(lambda table, path: table.to_pandas().to_csv(path, index=False)),
    "csv by pyarrow": csv_of(pyarrow.csv.write_csv),
    "csv by polars": csv_of(lambda table, path: pl.from_arrow(table).write_csv(path)),  # type: ignore[union-attr]
}


def reference(table: pa.Table, features: list[str], labels: list[str]) -> LabelCounts:
    rows = []
    for row in table.to_pylist():
        point = tuple(SCHEMA[name].code(row[name]) for name in features)
        marks = [SCHEMA[name].code(row[name]) for name in labels]
        rows.append((point[0] if len(point) == 1 else point, marks))
    counts = LabelCounts.of(rows, labels=len(labels))
    order = np.lexsort(np.atleast_2d(counts.points.T)[::-1])
    return LabelCounts(
        counts.n, counts.labels, counts.points[order], counts.totals[order], counts.positives[order]
    )


def same(found: LabelCounts, expected: LabelCounts) -> None:
    assert (found.n, found.labels) == (expected.n, expected.labels)
    for part in ("points", "totals", "positives"):
        array = getattr(found, part)
        assert array.dtype == np.int64
        assert array.shape == getattr(expected, part).shape
        assert array.tolist() == getattr(expected, part).tolist(), part


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("features", "labels"),
    [
        (["age"], ["sick"]),
        (["bmi"], ["ill", "dead"]),
        (["sex", "smokes"], ["dead"]),
        (["id", "age", "ward", "bmi"], ["sick", "ill", "dead"]),
        (["age", "id", "bmi", "sex", "ward", "smokes"], ["dead", "ill", "sick"]),
    ],
)
def test_every_engine_counts_the_same(
    engine: str, features: list[str], labels: list[str], tmp_path: Path
) -> None:
    source = ENGINES[engine](TABLE, tmp_path)
    expected = reference(TABLE, features, labels)
    same(reduce(source, SCHEMA, features, labels), expected)
    again = ENGINES[engine](TABLE, tmp_path)
    points = read_points(again, SCHEMA, features)
    rows = TABLE.to_pylist()
    codes = [[SCHEMA[name].code(row[name]) for name in features] for row in rows]
    assert points.reshape(len(rows), -1).tolist() == codes


@pytest.mark.parametrize("engine", ENGINES)
def test_no_rows_are_no_points(engine: str, tmp_path: Path) -> None:
    empty = TABLE.slice(0, 0)
    counts = reduce(ENGINES[engine](empty, tmp_path), SCHEMA, ["age", "sex"], ["sick", "ill"])
    assert (counts.n, counts.points.shape, counts.positives.shape) == (0, (0, 2), (0, 2))
    assert read_points(ENGINES[engine](empty, tmp_path), SCHEMA, ["age"]).shape == (0,)


row = st.tuples(
    *(
        st.none() | st.sampled_from(cells) | extra
        for (_, cells), extra in zip(
            (CELLS["age"], CELLS["bmi"], CELLS["sick"], CELLS["dead"]),
            (
                st.integers(-(2**63), 2**63 - 1),
                st.floats(),
                st.booleans(),
                st.text(st.characters(codec="utf-8"), max_size=3),
            ),
            strict=True,
        )
    )
)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    st.lists(row, min_size=1, max_size=12),
    row,
    st.integers(0, 11),
    st.sampled_from(["pyarrow", "polars lazy", "lists"]),
)
def test_one_replaced_row_moves_one_rows_worth(
    rows: list[tuple[Any, ...]], other: tuple[Any, ...], place: int, engine: str
) -> None:
    names = ["age", "bmi", "sick", "dead"]
    changed = [*rows]
    changed[place % len(rows)] = other
    counts = []
    for table in (rows, changed):
        columns = zip(names, zip(*table, strict=True), strict=True)
        native = pa.table({name: pa.array(cells, CELLS[name][0]) for name, cells in columns})
        found = reduce(ENGINES[engine](native, Path()), SCHEMA, names[:2], names[2:])
        same(found, reference(native, names[:2], names[2:]))
        counts.append(found)
    tables = [
        {
            tuple(p): (t, *q)
            for p, t, q in zip(
                c.points.tolist(), c.totals.tolist(), c.positives.tolist(), strict=True
            )
        }
        for c in counts
    ]
    nothing = (0, 0, 0)
    moves = [
        [a - b for a, b in zip(tables[0].get(p, nothing), tables[1].get(p, nothing), strict=True)]
        for p in tables[0] | tables[1]
    ]
    for part in range(3):
        assert sum(move[part] > 0 for move in moves) <= 1
        assert sum(move[part] < 0 for move in moves) <= 1
        assert all(abs(move[part]) <= 1 for move in moves)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    sizes=st.lists(st.sampled_from([1, 2, 7, 2**31, 2**61, 2**62]), min_size=1, max_size=6),
    parts=st.lists(st.integers(0, 40), min_size=1, max_size=4),
    seed=st.integers(0, 10**6),
)
def test_the_tally_counts_as_a_dictionary_does(
    sizes: list[int], parts: list[int], seed: int
) -> None:
    """Rows of any width, in parts of any size, the places running out again and again."""
    rng, packing, expected = Seeded(seed), Words(tuple(sizes)), Counter[tuple[int, ...]]()
    ones: Counter[tuple[int, ...]] = Counter()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "_FIRST", 4)
        counted = Tally(len(packing.groups), 2)
    for part in parts:
        rows = [tuple((0, size - 1, rng.below(size))[rng.below(3)] for size in sizes)
                for _ in range(part)]  # fmt: skip
        marks = np.array([[rng.below(2), 1] for _ in rows], dtype=np.uint8).reshape(part, 2)
        codes = np.array(rows, dtype=np.int64).reshape(part, len(sizes))
        counted.add(packing.pack(list(codes.T)), marks)
        expected.update(rows)
        for row, (mark, _) in zip(rows, marks.tolist(), strict=True):
            ones[row] += mark
    words, sums = counted.sorted()
    found = list(map(tuple, packing.unpack(words).tolist()))
    assert found == sorted(expected)
    assert sums.tolist() == [[expected[row], ones[row], expected[row]] for row in found]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    rows=st.lists(st.tuples(st.integers(0, 9) | st.just(2**61 - 1), st.integers(0, 1))),
    part=st.integers(1, 7),
    bits=st.integers(1, 4),
    most=st.integers(0, 9),
)
def test_what_finds_no_place_is_sorted(
    rows: list[tuple[int, int]], part: int, bits: int, most: int
) -> None:
    """A table of a few places, rows laid aside and sorted again and again: always the same."""
    words = np.array([[x] for x, _ in rows], dtype=np.int64).reshape(-1, 1)
    marks = np.array([[y] for _, y in rows], dtype=np.uint8).reshape(-1, 1)
    parts = [(words[i : i + part], marks[i : i + part]) for i in range(0, len(rows), part)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(narrow_tally, "_BITS", bits)
        patch.setattr(narrow_tally, "_ASIDE", most)
        narrow = counting.count(parts, 1, 1, 2**61)
    wide = counting.count(parts, 1, 1, 2**62)
    expected = sorted({x for x, _ in rows})
    for points, sums in (narrow, wide):
        assert points[:, 0].tolist() == expected
        ones = [[sum(p == x for p, _ in rows), sum(y for p, y in rows if p == x)] for x in expected]
        assert sums.tolist() == ones


def test_many_different_points_are_counted() -> None:
    schema = Schema({"x": Integer(0, 2**32 - 1), "y": Bits()})
    for x in (np.arange(50_000) * 40_503 % 2**32, np.arange(50_000) % 100):
        source = {"x": x, "y": np.arange(50_000) % 2}
        counts = reduce(source, schema, ["x"], ["y"])
        values, totals = np.unique(x, return_counts=True)
        assert counts.points.tolist() == values.tolist()
        assert counts.totals.tolist() == totals.tolist()
        assert counts.positives.sum() == 25_000


def test_points_come_in_the_order_of_the_rows(tmp_path: Path) -> None:
    """Batches of very different size and cost, read by several threads."""
    sizes = [3000, 1, 2000, 1, 5, 6000, 2]
    ages = np.arange(sum(sizes)) % 121
    sexes = [("f", "m")[i % 2] for i in range(len(ages))]
    text = [str(age) + " " * (2000 if i % 7 == 0 else 0) for i, age in enumerate(ages)]
    table = pa.table({"age": text, "sex": sexes, "smokes": sexes, "sick": sexes})
    cuts = np.cumsum([0, *sizes])
    batches = [table.slice(a, n).combine_chunks() for a, n in zip(cuts, sizes, strict=False)]
    for i, batch in enumerate(batches):
        pyarrow.parquet.write_table(batch, tmp_path / f"{i}.parquet")
        pyarrow.csv.write_csv(batch, tmp_path / f"{i}.csv")
    whole = pa.concat_tables(batches)
    features = ["age", "sex", "smokes", "sick"]
    expected = [[int(age), i % 2, 2 * (i % 2), 0] for i, age in enumerate(ages)]
    for source in (
        whole,
        duckdb.connect().from_arrow(whole),
        tmp_path / "*.parquet",
        tmp_path / "*.csv",
    ):
        for _ in range(4):
            assert read_points(source, SCHEMA, features).tolist() == expected
    pieces = list(point_batches(whole, SCHEMA, features))
    assert np.concatenate(pieces).tolist() == expected


def test_many_labels_are_summed_in_one_go() -> None:
    schema = Schema({"x": Integer(0, 9), **{f"y{j}": Bits() for j in range(70)}})
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 10, 500), rng.integers(0, 2, (500, 70))
    frame = pl.DataFrame({"x": x, **{f"y{j}": y[:, j] for j in range(70)}})
    for source in (frame, frame.lazy()):
        counts = reduce(source, schema, ["x"], [f"y{j}" for j in range(70)])
        expected = np.stack([y[x == code].sum(axis=0) for code in range(10)])
        assert counts.positives.tolist() == expected.tolist()


def test_large_integers_are_exact() -> None:
    schema = Schema({"x": Integer(2**62, 2**63 - 2), "y": Bits()})
    x = [2**62, 2**62 + 1, 2**63 - 2, 2**63 - 1, 2**63 - 3, 0]
    codes = [schema["x"].code(value) for value in x]
    assert codes == [0, 1, 2**62 - 2, 2**62 - 2, 2**62 - 3, 0]
    for source in (
        {"x": np.array(x)},
        {"x": np.array(x, dtype=np.uint64)},
        {"x": np.array(x, dtype=">i8")},
        {"x": [str(value) for value in x]},
        pd.DataFrame({"x": pd.array([*x], dtype="Int64")}),
        pl.DataFrame({"x": pl.Series(x, dtype=pl.Int128)}),
        pl.LazyFrame({"x": pl.Series(x, dtype=pl.Int128)}),
        duckdb.sql(f"SELECT unnest({x})::HUGEINT AS x"),
        duckdb.sql(f"SELECT unnest({x})::UHUGEINT AS x"),
        duckdb.sql(f"SELECT unnest({x})::DECIMAL(38, 4) AS x"),
    ):
        assert read_points(source, schema, ["x"]).tolist() == codes


def test_large_integers_with_many_labels_are_exact() -> None:
    """What does not fit into a word beside its labels is counted without joining them."""
    ids = [2**62 - 2 - 3 * i for i in range(40)]
    names = [f"y{j}" for j in range(5)]
    schema = Schema({"x": Integer(0, 2**62 - 2)} | {name: Bits() for name in names})
    table = {"x": ids} | {name: [i >> j & 1 for i in range(40)] for j, name in enumerate(names)}
    counts = reduce(table, schema, ["x"], names)
    assert counts.points.tolist() == ids[::-1]
    assert counts.positives.tolist() == [[i >> j & 1 for j in range(5)] for i in range(39, -1, -1)]


def test_masked_arrays_hide_what_is_masked() -> None:
    masked = np.ma.masked_array([41, 67], mask=[False, True])
    assert read_points({"age": masked}, SCHEMA, ["age"]).tolist() == [41, 0]


@pytest.mark.parametrize(
    ("features", "labels", "says"),
    [
        ([], ["sick"], "features must name at least one"),
        (["age"], [], "labels must name at least one"),
        (["age", "age"], ["sick"], "features must name each column once"),
        (["age"], ["sick", "sick"], "labels must name each column once"),
        ("age", ["sick"], "features must be a list of columns; write \\['age'\\]"),
        (["age"], "sick", "labels must be a list"),
        (["weight"], ["sick"], "the schema has no column 'weight'"),
        (["age"], ["smokes"], "label 'smokes' must be declared outside = \"clip\""),
    ],
)
def test_bad_questions_are_refused(features: Any, labels: Any, says: str) -> None:
    with pytest.raises(InvalidArgument, match=says):
        reduce(TABLE, SCHEMA, features, labels)


@pytest.mark.parametrize("k", [1, 3, 70])
def test_joint_counts_agree_with_the_counts_of_each_label(k: int) -> None:
    rng = Seeded(k)
    names = [f"y{j}" for j in range(k)]
    schema = Schema({"age": Integer(0, 9), **{name: Bits() for name in names}})
    table = {"age": [rng.below(12) for _ in range(200)]}
    table |= {name: [rng.below(2) for _ in range(200)] for name in names}
    coding = Coding.of(schema, ["age"], names)
    joint = joint_counts(open_table(table, coding), coding)
    each = reduce(table, schema, ["age"], names)
    for field in ("points", "totals", "positives"):
        assert getattr(joint.marginal(), field).tolist() == getattr(each, field).tolist()
    assert len(set(map(tuple, np.column_stack((joint.points, joint.marks)).tolist()))) == len(
        joint.totals
    )
