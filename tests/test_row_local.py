"""What broke in 0.1.0 between a file and a statistic: each case as it was found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.randomness import Seeded
from tacit.data import Bits, Category, Integer, Real, Schema, learn, quantile, query, read_points
from tacit.data.codes import codes_of
from tacit.data.decimal_kernel import decimals
from tacit.data.native import native_counts
from tacit.data.reduction import count_points
from tacit.data.source import open_source

SCHEMA = Schema({"x": Integer(0, 50), "r": Real(0, 50, 1), "y": Bits()})
WRITERS: dict[str, Callable[[pa.Table, Path], None]] = {
    "pyarrow": pyarrow.parquet.write_table,
    "pyarrow without statistics": lambda table, path: pyarrow.parquet.write_table(
        table, path, write_statistics=False
    ),
    "pyarrow in groups": lambda table, path: pyarrow.parquet.write_table(
        table, path, row_group_size=7, use_dictionary=False
    ),
    "polars": lambda table, path: pl.from_arrow(table).write_parquet(path),  # type: ignore[union-attr]
    "pandas": lambda table, path: table.to_pandas().to_parquet(path),
    "duckdb": lambda table, path: duckdb.from_arrow(table).write_parquet(str(path)),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_nan_in_parquet_is_read_alike_whatever_the_other_rows_are(
    writer: str, tmp_path: Path
) -> None:
    """DuckDB decided x <= 'Infinity' by a file's statistics: all NaN moved from 0 to 50."""
    marks = [0, 1] * 500
    for name, row in (("all", np.nan), ("one", 1.0), ("huge", 1e300), ("end", -np.inf)):
        values = [np.nan] * 999 + [row]
        table = pa.table({"x": values, "r": values, "y": marks})
        path = tmp_path / f"{name}.parquet"
        WRITERS[writer](table, path)
        last = SCHEMA["x"].code(row)
        for source in (path, duckdb.read_parquet(str(path)), pl.scan_parquet(path)):
            for column in ("x", "r"):
                assert read_points(source, SCHEMA, [column]).tolist() == [0] * 999 + [last]
        median = quantile(path, SCHEMA, column="x", epsilon="0.05", rng=Seeded(1))
        assert median.value == 0, "of a thousand rows, all but one at 0, at a rank error below 500"
        model = learn(path, SCHEMA, concepts="thresholds", features=["r"], labels=["y"],
                      epsilon=1, rng=Seeded(1))  # fmt: skip
        told = duckdb.read_parquet(str(path)).query("t", query(model, "t")).fetchall()
        points = read_points(path, SCHEMA, ["r"])
        assert [row[0] for row in told] == model.predict(points)[:, 0].astype(int).tolist()


def test_a_false_statistic_of_a_file_changes_nothing(tmp_path: Path) -> None:
    """A file may say what it likes of its least and greatest value; we do not ask."""
    path = tmp_path / "t.parquet"
    pyarrow.parquet.write_table(pa.table({"x": [1.0, 2.0, 77.0]}), path)
    said = path.read_bytes()
    end = len(said) - 8 - int.from_bytes(said[-8:-4], "little")
    least, most = (np.float64(value).tobytes() for value in (1.5, 77.0))
    assert most in said[end:]
    path.write_bytes(said[:end] + said[end:].replace(most, least))
    assert pyarrow.parquet.read_metadata(path).row_group(0).column(0).statistics.max == 1.5
    assert read_points(path, SCHEMA, ["x"]).tolist() == [1, 2, 50]


def test_engines_count_integers_only() -> None:
    """Floats have NaN, which engines order in different ways: they are read here."""
    for dtype in (pl.Float64, pl.Float32, pl.String):
        frame: Any = pl.LazyFrame({"x": [1], "y": [1]}).cast({"y": dtype})
        assert frame.collect_schema()["y"] == dtype
        counts = count_points(frame, SCHEMA, ["y"])
        assert dict(counts.table) == {1: 1}
    assert native_counts.__doc__ is not None
    assert "integers" in native_counts.__doc__


COLUMNS = [
    Integer(0, 120), Integer(2**53 - 3, 2**53 + 9, outside="null"), Real(10, 60, "0.1"),
    Real("-1/3", 1, "1/3", outside="null"), Category(["f", 0, "7.5", "true"], outside="null"),
    Bits(outside="null"),
]  # fmt: skip
FLOATS = st.floats() | st.integers(-900, 9000).map(lambda i: i / 10) | st.integers(-9, 9).map(
    lambda i: float(2**53 + 2 * i)
)  # fmt: skip


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(FLOATS | st.none(), max_size=30))
def test_arrays_of_floats_are_read_as_their_cells(cells: list[float | None]) -> None:
    for column in COLUMNS:
        wide = codes_of(column, pa.array(cells, pa.float64())).tolist()
        assert wide == [column.code(cell) for cell in cells]
        with np.errstate(over="ignore"):
            short = [None if cell is None else np.float32(cell) for cell in cells]
        assert codes_of(column, pa.array(short, pa.float32())).tolist() == [
            column.code(cell) for cell in short
        ]


def test_short_floats_are_written_as_numpy_writes_them() -> None:
    """The shortest decimal of 32 bits, over all exponents and many fractions."""
    bits = np.random.default_rng(7).integers(0, 2**32, 200_000, dtype=np.uint64).astype(np.uint32)
    floats = bits.view(np.float32)
    floats = floats[np.isfinite(floats)]
    read = pa.array(floats).cast(pa.string()).cast(pa.float64()).to_numpy()
    assert np.array_equal(read, np.array([float(str(number)) for number in floats]))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.from_regex(r"\A[ \t]?[+-]?[0-9.]{0,18}[ \r]?\Z"))
def test_plain_decimals_are_read_as_python_reads_them(text: str) -> None:
    numbers, left = decimals(pa.array([b"7", text.encode(), b""], pa.large_binary()))
    assert numbers[0] == 7
    assert left.tolist()[::2] == [False, True]
    if not left[1]:
        assert numbers[1] == float(text)
    elif sum(map(str.isdigit, text)) <= 15:
        with pytest.raises(ValueError, match="could not convert"):
            float(text)


def test_every_type_of_pandas_gives_the_same_codes() -> None:
    """One gap, one text or one truth value makes another type of the same column."""
    cells: list[Any] = [41, 67, 7]
    expected = [41, 67, 7]
    for more in ([], [None], [np.nan], [1.5], ["x"], [True], [2**80], [pd.NA], [pd.Timestamp(0)],
                 [b"9"], [np.timedelta64(5, "D")], [[1]], [1j], [np.float32(3)], [pd.NaT],
                 [object()]):  # fmt: skip
        frame = pd.DataFrame({"x": pd.Series([*cells, *more])})
        codes = read_points(frame, Schema({"x": Integer(0, 120)}), ["x"]).tolist()
        assert codes[:3] == expected
        assert codes[3:] == [Integer(0, 120).code(cell) for cell in more]


def test_a_small_file_that_holds_a_long_text_often_is_read_in_little_memory(tmp_path: Path) -> None:
    """588 bytes that would be 6 GB of text: each text is read once, from its dictionary."""
    path, n = tmp_path / "t.parquet", 30_000
    texts = pa.DictionaryArray.from_arrays(np.zeros(n, np.int32), pa.array(["9" * 200_000]))
    table = pa.table({"x": texts, "y": np.zeros(n, np.int8)})
    pyarrow.parquet.write_table(table, path, compression="zstd", store_schema=False)
    assert path.stat().st_size < 1000
    before = pa.total_allocated_bytes()
    batches = list(open_source(path).batches(["x", "y"]))
    assert pa.total_allocated_bytes() - before < 10**7
    assert sum(len(batch[0]) for batch in batches) == n
    assert set(read_points(path, SCHEMA, ["x"]).tolist()) == {50}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.sampled_from(["7", "x", "", " 41", "1e1", None]), min_size=1, max_size=9),
    st.lists(st.none() | st.integers(0, 8), max_size=12),
)
def test_dictionaries_are_read_as_their_cells(
    held: list[str | None], places: list[int | None]
) -> None:
    """Longer than the array or shorter, with gaps in either."""
    kept = [place if place is None or place < len(held) else None for place in places]
    cells = pa.DictionaryArray.from_arrays(pa.array(kept, pa.int32()), pa.array(held, pa.string()))
    for column in COLUMNS:
        expected = [column.code(None if place is None else held[place]) for place in kept]
        assert codes_of(column, cells).tolist() == expected
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["7", None]))
    assert codes_of(Integer(0, 9), runs).tolist() == [7, 7, 0]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.large_binary()])
def test_what_lies_under_a_gap_is_not_read(kind: pa.DataType) -> None:
    """A missing cell may keep the bytes that it had, as after a filter in place."""
    _, places, held = pa.array(["9", "8", "7"], kind).buffers()
    cells = pa.Array.from_buffers(kind, 3, [pa.py_buffer(bytes([0b101])), places, held])
    for column in (Integer(0, 9), Real(0, 9, 1), Category(["7", "8", "9"]), Bits(outside="null")):
        assert codes_of(column, cells).tolist() == [column.code(cell) for cell in ("9", None, "7")]
        assert codes_of(column, cells[1:]).tolist() == [column.code(cell) for cell in (None, "7")]


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(),
     pa.binary_view(), pa.binary(2)],
)  # fmt: skip
def test_every_type_of_text_is_read(kind: pa.DataType) -> None:
    cells = pa.array(["41", None, "67"], pa.string()).cast(pa.binary()).cast(kind)
    for column in (*COLUMNS, Category(["41", "67"], outside="null")):
        assert codes_of(column, cells).tolist() == [column.code(c) for c in ("41", None, "67")]


def test_integers_of_more_than_64_bits_are_read() -> None:
    for kind in ("HUGEINT", "UHUGEINT", "BIGNUM"):
        wide = duckdb.sql(f"SELECT CAST(x AS {kind}) AS x FROM (VALUES (7), (41), (NULL)) t(x)")
        assert read_points(wide, SCHEMA, ["x"]).tolist() == [7, 41, 0]


def test_columns_that_are_not_plain_are_not_decoded(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    dates = pa.array([1, 2, 3], pa.date32())
    pyarrow.parquet.write_table(pa.table({"x": dates, "r": [[1], [2], None], "y": [1, 0, 1]}), path)
    assert read_points(path, SCHEMA, ["x"]).tolist() == [0, 0, 0]
    assert read_points(path, SCHEMA, ["x", "r"]).tolist() == [[0, 0]] * 3
    assert read_points(path, SCHEMA, ["x", "y", "r"]).tolist() == [[0, 1, 0], [0, 0, 0], [0, 1, 0]]
