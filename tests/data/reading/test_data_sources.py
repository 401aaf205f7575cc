"""Bad tables: one clear error each, for their structure, and never a word about a value."""

from __future__ import annotations

import datetime
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Column, Integer, Real, Schema, read_points, reduce
from tacit.data.reading.type_check import check_fit

SCHEMA = Schema({"age": Integer(0, 120), "sick": Bits()})
SECRET = "4711"


def refused(source: Any, schema: Schema = SCHEMA) -> str:
    with pytest.raises(InvalidArgument) as error:
        reduce(source, schema, ["age"], ["sick"])
    assert SECRET not in str(error.value)
    assert error.value.__suppress_context__ or error.value.__context__ is None
    return str(error.value)


def test_missing_columns_are_named() -> None:
    table = {"Age": [4711], "sick": [1]}
    for source in (
        table,
        pd.DataFrame(table),
        pl.DataFrame(table),
        pl.LazyFrame(table),
        pa.table(table),
    ):
        assert "no column 'age': rename it there or in the schema; it has Age, sick" in refused(
            source
        )
    assert "the relation has no column 'age'" in refused(duckdb.sql("SELECT 1 AS a, 4711 AS sick"))


def test_columns_that_are_there_twice_are_named() -> None:
    twice = duckdb.sql("SELECT 4711 AS x, 1 AS sick").project("x AS age, x AS age, sick")
    assert "more than one column 'age'" in refused(twice) or "no column" in refused(twice)
    frame = pd.DataFrame([[4711, 1, 0]], columns=["age", "age", "sick"])
    assert "two columns of one name" in refused(frame)


def test_names_may_be_anything() -> None:
    names = ["v0", "c1", "w", "n", "x0", 'a "b"', "select", "A", "a", "", "é", "x'"]
    schema = Schema({name: Integer(0, 99) for name in names if name} | {"y": Bits()})
    table = {name: [i] for i, name in enumerate(names)} | {"y": [1]}
    chosen = [name for name in names if name]
    codes = [i for i, name in enumerate(names) if name]
    for source in (
        table,
        pd.DataFrame(table),
        pl.DataFrame(table),
        pl.LazyFrame(table),
        pa.table(table),
    ):
        assert read_points(source, schema, chosen).tolist() == [codes]
        assert reduce(source, schema, chosen, ["y"]).points.tolist() == [codes]


@pytest.mark.parametrize(
    "name", ["nowhere.csv", "nowhere.parquet", "nowhere/*.csv", "[a-b].parquet"]
)
def test_files_that_are_not_there(name: str, tmp_path: Path) -> None:
    assert f"there is no file {tmp_path / name}" in refused(tmp_path / name)


def test_files_of_no_known_kind(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(b"4711")
    assert "neither CSV" in refused(tmp_path / "t.xlsx")
    (tmp_path / "t.csv.gz").write_bytes(b"4711")
    assert "unpack it if it is packed" in refused(tmp_path / "t.csv.gz")
    assert "is a folder" in refused(tmp_path)
    assert "name at least one" in refused([])
    (tmp_path / "t.csv").write_text("age,sick\n1,1\n")
    pyarrow.parquet.write_table(pa.table({"age": [1], "sick": [1]}), tmp_path / "t.parquet")
    assert "not of one format" in refused([tmp_path / "t.csv", tmp_path / "t.parquet"])


def test_a_file_that_is_named_twice_is_refused_through_links_too(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,sick\n1,1\n")
    (tmp_path / "hard.csv").hardlink_to(path)
    (tmp_path / "soft.csv").symlink_to(path)
    for other in ("t.csv", "hard.csv", "soft.csv", "../" + tmp_path.name + "/t.csv"):
        assert "are the same file" in refused([path, tmp_path / other])


def test_columns_of_different_lengths_are_refused() -> None:
    for ages in ([41], [41, 67, 42]):
        assert "differ in length" in refused({"age": ages, "sick": [1, 0]})


def test_damaged_parquet(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = pa.table({"age": rng.integers(0, 2**60, 20_000), "sick": np.ones(20_000, np.int8)})
    good = tmp_path / "good.parquet"
    pyarrow.parquet.write_table(table, good)
    data = good.read_bytes()
    for name, damaged, words in (
        ("empty", b"", "is not a Parquet file"),
        ("short", data[:100], "is a Parquet file that is cut off"),
        ("cut", data[: len(data) // 2], "is a Parquet file that is cut off"),
        ("text", b"age,sick\n4711,1\n" * 9, "is not a Parquet file; if it is text, name it .csv"),
        (
            "pages",
            data[:4] + b"\xff" * 300 + data[304:],
            "cannot be read to its end: it is damaged",
        ),
    ):
        path = tmp_path / f"{name}.parquet"
        path.write_bytes(damaged)
        assert f"{name}.parquet {words}" in refused(path)
    assert reduce(good, SCHEMA, ["age"], ["sick"]).n == 20_000


def test_damaged_parquet_with_text(tmp_path: Path) -> None:
    table = pa.table({"age": [f"4711 {i}" for i in range(9000)], "sick": [1] * 9000})
    path = tmp_path / "t.parquet"
    pyarrow.parquet.write_table(table, path)
    data = path.read_bytes()
    path.write_bytes(data[:40] + b"\xff" * 9000 + data[9040:])
    assert "is damaged" in refused(path)


def test_parquet_files_need_not_agree_on_types(tmp_path: Path) -> None:
    """One gap makes a file's integers floats, nothing but gaps a type of its own."""
    cells = [
        pa.array([67]),
        pa.array([41.0, None]),
        pa.array(["7 "]),
        pa.nulls(1),
        pa.array([b"9"]),
    ]
    for i, ages in enumerate(cells):
        table = pa.table({"age": ages, "sick": [1] * len(ages)})
        pyarrow.parquet.write_table(table, tmp_path / f"{i}.parquet")
    assert read_points(tmp_path / "*.parquet", SCHEMA, ["age"]).tolist() == [67, 41, 0, 7, 0, 9]


def test_parquet_columns_of_one_name(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    twice = pa.Table.from_arrays([pa.array([4711])] * 3, ["age", "sick", "age"])
    pyarrow.parquet.write_table(twice, path)
    assert "more than one column 'age'" in refused(path)
    pyarrow.parquet.write_table(pa.table({"AGE": [1], "sick": [1], "age": [2]}), path)
    schema = Schema({"AGE": Integer(0, 9), "age": Integer(0, 9)})
    for names, codes in ((["age"], [2]), (["AGE"], [1]), (["age", "AGE"], [[2, 1]])):
        assert read_points(path, schema, names).tolist() == codes


def test_a_parquet_column_is_read_alike_whatever_is_read_beside_it(tmp_path: Path) -> None:
    """Also durations, which Parquet stores as integers, and decimals longer than any float."""
    path = tmp_path / "t.parquet"
    long = pa.array([Decimal(2**60 + 1)], pa.decimal256(50, 0))
    days = pa.array([4711], pa.duration("s"))
    pyarrow.parquet.write_table(
        pa.table({"id": long, "sex": ["f"], "age": days, "sick": [1]}), path
    )
    assert read_points(path, SCHEMA, ["age"]).tolist() == [0]
    schema = Schema({"id": Integer(0, 2**61), "sex": Category(["f", "m"])})
    assert read_points(path, schema, ["id"]).tolist() == [2**60 + 1]
    assert read_points(path, schema, ["id", "sex"]).tolist() == [[2**60 + 1, 0]]


@pytest.mark.parametrize("cell", [Decimal(4100), None])
def test_decimals_of_a_negative_scale_are_refused_by_their_type(cell: Decimal | None) -> None:
    """narwhals has no such type; named arrays are read without it."""
    cells = pa.array([cell], pa.decimal128(10, 2)).cast(pa.decimal128(10, -2))
    frame = pd.DataFrame({"age": pd.array(cells, dtype=pd.ArrowDtype(cells.type)), "sick": [1]})
    for table in (pa.table({"age": cells, "sick": pa.array([1])}), frame):
        assert "column 'age' is stored as decimals of a negative scale" in refused(table)
    schema = Schema({"age": Integer(0, 9000), "sick": Bits()})
    read = read_points({"age": cells, "sick": [1]}, schema, ["age"])
    assert read.tolist() == [int(cell or 0)]


def test_text_that_is_not_utf8_is_a_value(tmp_path: Path) -> None:
    raw = pa.array([b"f", b"\xff\xfe", b"m"])
    text = pa.Array.from_buffers(pa.string(), 3, raw.buffers())
    table = pa.table({"age": text, "sick": [1, 1, 1]})
    schema = Schema({"age": Category(["f", "m"], outside="null"), "sick": Bits()})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    for source in (table, tmp_path / "t.parquet"):
        assert read_points(source, schema, ["age"]).tolist() == [0, 2, 1]
        assert reduce(source, schema, ["age"], ["sick"]).totals.tolist() == [1, 1, 1]
    surrogate = pd.DataFrame({"age": pd.Series(["f", "\ud800"], dtype=object), "sick": [1, 1]})
    assert read_points(surrogate, schema, ["age"]).tolist() == [0, 2]


NUMBERS = (Integer(0, 120), Real(0, 1, "0.1"))
ANY: tuple[Column, ...] = (*NUMBERS, Category(["f", "m"]), Bits())
MISFITS: list[tuple[pa.DataType, Any, tuple[Column, ...]]] = [
    (pa.timestamp("us"), datetime.datetime(2020, 1, 1), ANY),
    (pa.date32(), datetime.date(2020, 1, 1), ANY),
    (pa.duration("us"), datetime.timedelta(1), ANY),
    (pa.list_(pa.int64()), [4711], ANY),
    (pa.struct([("a", pa.int64())]), {"a": 4711}, ANY),
    (pa.binary(), b"4711", ANY),
    (pa.bool_(), True, (*NUMBERS, Category(["f", "m"]))),
    (pa.int64(), 4711, (Category(["f", "m"]),)),
    (pa.float64(), 4711.5, (Category(["f", "m"]),)),
]


@pytest.mark.parametrize(("kind", "value", "columns"), MISFITS, ids=[str(k) for k, _, _ in MISFITS])
def test_types_that_cannot_hold_the_domain_are_read_cell_by_cell(
    kind: pa.DataType, value: Any, columns: tuple[Column, ...], tmp_path: Path
) -> None:
    """A type is a fact about the values where a library chose it: it stops no release."""
    table = pa.table({"age": pa.array([value, None], kind), "sick": [1, 0]})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    sources: list[Any] = [table, duckdb.connect().from_arrow(table), tmp_path / "t.parquet"]
    sources += [pl.from_arrow(table), pl.from_arrow(table).lazy()]  # type: ignore[union-attr]
    sources += [table.to_pandas(), {"age": [value, None], "sick": [1, 0]}]
    for column in columns:
        schema = Schema({"age": column, "sick": Bits()})
        for source in sources:
            codes = read_points(source, schema, ["age"]).tolist()
            assert codes == [column.code(value), column.code(None)]
            assert reduce(source, schema, ["age"], ["sick"]).n == 2
        if kind != pa.binary():
            with pytest.raises(InvalidArgument, match="convert it") as error:
                check_fit(table, schema, ["age"])
            assert f"column 'age' is stored as {kind}, which cannot hold {column.domain}" in str(
                error.value
            )
            assert "4711" not in str(error.value)


def test_types_that_can_hold_the_domain_fit() -> None:
    for kind in (pa.int8(), pa.float16(), pa.decimal128(9, 2), pa.string(), pa.null()):
        ages = pa.table({"age": pa.nulls(1, kind), "sick": [1]})
        check_fit(ages, SCHEMA, ["age", "sick"])
    words = pa.table({"sex": pa.array(["f"]).dictionary_encode(), "ward": [2.0]})
    check_fit(words, Schema({"sex": Category(["f"]), "ward": Category([1, 2])}), ["sex", "ward"])
    with pytest.raises(InvalidArgument, match="no column 'sick'"):
        check_fit({"age": [1]}, SCHEMA, ["age", "sick"])


def test_pandas_and_numpy_types_that_hold_no_number() -> None:
    for values, code in (
        (np.array([1j]), 0),
        (np.array(["2020-01-01"], dtype="datetime64[s]"), 0),
        (pd.Series(pd.period_range("2020", periods=1, freq="D")), 0),
        (pd.Series(pd.arrays.SparseArray([67])), 67),
        (pd.Series(pd.interval_range(0, 1)), 0),
        (pd.Series([pd.Timedelta(67)]), 0),
        (pd.Series([67], dtype="complex"), 67),
    ):
        frame = pd.DataFrame({"age": values, "sick": [1]})
        assert read_points(frame, SCHEMA, ["age"]).tolist() == [code]
    assert "one dimension, got 2" in refused({"age": np.ones((2, 2)), "sick": [1, 1]})
    assert "'age' and 'sick' differ in length" in refused({"age": [4711], "sick": []})


def test_objects_in_a_lazy_frame() -> None:
    frame = pl.DataFrame({"age": pl.Series([object()], dtype=pl.Object), "sick": [1]})
    assert read_points(frame, SCHEMA, ["age"]).tolist() == [0]
    assert "holds Python objects; collect the frame first" in refused(frame.lazy())


@pytest.mark.parametrize(
    "source", [None, 3, object(), [[4711]], np.ones((2, 2)), pd.Series([4711])]
)
def test_what_is_no_table(source: Any) -> None:
    assert "no table can be read from" in refused(source)


def test_an_engine_that_refuses_a_value_does_not_show_it() -> None:
    lazy = pl.LazyFrame({"age": ["4711x"], "sick": [1]}).with_columns(pl.col("age").cast(pl.Int64))
    assert "the lazy frame cannot be read to its end" in refused(lazy)
    broken = duckdb.sql("SELECT CAST(x AS INTEGER) AS age, 1 AS sick FROM (SELECT '4711x' AS x)")
    assert "the relation cannot be read to its end" in refused(broken)


def test_importing_the_library_loads_no_dataframe() -> None:
    code = (
        "import sys, tacit.data.reading.reduction; "
        "print(sorted({'pandas', 'polars', 'pyspark', 'dask'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
