"""What broke in 0.1.0 between a file and a statistic: each case as it was found."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.chance.randomness import Seeded, System
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Integer, Real, Schema, read_points
from tacit.data.reading.codes import codes_of
from tacit.data.reading.coding import Coding
from tacit.data.reading.native import native_counts
from tacit.data.reading.reduction import count_points
from tacit.data.reading.source import open_source
from tacit.kernels.reading.decimals import decimals
from tacit.workflows import learn, quantile, query

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
        counts = count_points(frame, Coding.of(SCHEMA, ["y"]))
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
    """588 bytes that would be 6 GB of text: few rows of them are held at a time."""
    path, n = tmp_path / "t.parquet", 30_000
    texts = pa.DictionaryArray.from_arrays(np.zeros(n, np.int32), pa.array(["9" * 200_000]))
    table = pa.table({"x": texts, "y": np.zeros(n, np.int8)})
    pyarrow.parquet.write_table(table, path, compression="zstd", store_schema=False)
    assert path.stat().st_size < 1000
    before, most, rows = pa.total_allocated_bytes(), 0, 0
    for batch in open_source(path).batches(["x", "y"]):
        most, rows = max(most, pa.total_allocated_bytes() - before), rows + len(batch[0])
    assert rows == n
    assert most < 2 * 10**9


@pytest.mark.parametrize("different", [4, 5])
def test_the_encoding_of_a_text_column_is_no_matter(different: int, tmp_path: Path) -> None:
    """DuckDB chooses it by how many different values there are."""
    path = tmp_path / "t.parquet"
    cells = f"'v' || (CASE WHEN i = 0 THEN {different - 1} ELSE i % 4 END) AS c"
    duckdb.execute(f"COPY (SELECT {cells} FROM range(20) t(i)) TO '{path}' (PARQUET_VERSION v2)")
    schema = Schema({"c": Category(["v0", "v1"], outside="null")})
    codes = read_points(path, schema, ["c"]).tolist()
    assert codes == [2] + [min(i % 4, 2) for i in range(1, 20)]


@pytest.mark.parametrize("encoding", ["DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "PLAIN"])
def test_every_encoding_of_text_is_read(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    table = pa.table({"x": [str(i) for i in range(60)]})
    pyarrow.parquet.write_table(table, path, use_dictionary=False, column_encoding={"x": encoding})
    assert read_points(path, SCHEMA, ["x"]).tolist() == [min(i, 50) for i in range(60)]


@pytest.mark.parametrize("cell", [-2147482648, -2147483643, 2147483647])
def test_what_arrow_cannot_decode_is_decoded(cell: int, tmp_path: Path) -> None:
    """Two neighbours that are far apart: Arrow refuses the page that DuckDB writes for them."""
    path = tmp_path / "t.parquet"
    cells = f"(CASE WHEN i = 250000 THEN {cell} ELSE i % 70 END)::INT AS x"
    duckdb.execute(
        f"COPY (SELECT {cells} FROM range(300000) t(i)) TO '{path}' (PARQUET_VERSION v2)"
    )
    expected = np.minimum(np.arange(300_000) % 70, 50)
    expected[250_000] = SCHEMA["x"].code(cell)
    assert np.array_equal(read_points(path, SCHEMA, ["x"]), expected)


def test_more_text_than_an_array_holds(tmp_path: Path) -> None:
    """The lengths of all texts together are no reason to stop: 2 GiB is what an array holds."""
    long = "repeat('9', 1048576)"
    for short in (200, 0):
        cells = f"CASE WHEN i < {short} THEN '7' ELSE {long} END AS x"
        relation = duckdb.sql(f"SELECT {cells} FROM range(2100) t(i)")
        codes = read_points(relation, SCHEMA, ["x"])
        assert codes.tolist() == [7] * short + [50] * (2100 - short)
    text = pa.array(["9" * (1 << 20)])
    path = tmp_path / "t.parquet"
    with pyarrow.parquet.ParquetWriter(path, pa.schema({"x": pa.string()}), use_dictionary=False,
                                       compression="zstd") as file:  # fmt: skip
        for _ in range(21):
            part = text.take(pa.array([0] * 100))
            file.write_table(pa.table({"x": part}))
    assert read_points(path, SCHEMA, ["x"]).tolist() == [50] * 2100


def test_chunks_of_a_table_are_not_put_together() -> None:
    """The union of two small dictionaries can be too large for their indices."""
    kind = pa.dictionary(pa.int8(), pa.string())
    for different in (127, 128):
        parts = [range(100), range(different - 100, different)]
        chunks = [pa.array([str(i) for i in part]).dictionary_encode().cast(kind) for part in parts]
        table = pa.table({"x": pa.chunked_array(chunks)})
        expected = [min(i, 50) for part in parts for i in part]
        assert read_points(table, SCHEMA, ["x"]).tolist() == expected


def test_numbers_that_signal_are_not_heard() -> None:
    loud = np.array([0x7FF0000000000001, 0], dtype=np.uint64).view(np.float64)
    wide = np.array([np.finfo(np.longdouble).max, 1], dtype=np.longdouble)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for column in COLUMNS:
            schema = Schema({"x": column})
            assert read_points({"x": loud}, schema, ["x"])[1] == column.code(0.0)
            assert read_points({"x": wide}, schema, ["x"])[1] == column.code(1.0)


class Hostile(int):
    """A number that will not be read."""

    def __int__(self) -> int:
        raise RuntimeError("4711")


def test_objects_that_will_not_be_read_are_missing() -> None:
    cells = [Hostile(7), Mock(spec=int), Mock(spec=str), Mock(spec=float), Decimal("sNaN")]
    for cell, column in product(cells, COLUMNS):
        assert read_points({"x": [cell, 7]}, Schema({"x": column}), ["x"]).tolist() == [
            column.code(None),
            column.code(7),
        ]


def test_a_zero_with_an_exponent_is_zero() -> None:
    assert Integer(-5, 120).code(Decimal("0E+50")) == Integer(-5, 120).code(0)
    assert Integer(-5, 120).code(Decimal("-3E+50")) == 0


def test_a_mapping_may_hold_columns_of_any_library() -> None:
    short = np.array([0.7, 0.3], dtype=np.float32)
    schema = Schema({"x": Real(0, 1, "0.1")})
    held: list[Any] = [
        short, pd.Series(short), pl.Series(short), pa.array(short), list(short),
        pa.chunked_array([pa.array(short)]), pd.Series(short).astype("category"),
        np.array(["0.7", "0.3"], dtype=np.dtypes.StringDType()),
        np.ma.masked_array(np.array([0.7, 0.3], dtype=complex)),
    ]  # fmt: skip
    for column in held:
        assert read_points({"x": column}, schema, ["x"]).tolist() == [7, 3]
    hidden = np.ma.masked_array(np.array([0.7, 0.3], dtype=complex), mask=[True, False])
    assert read_points({"x": hidden}, schema, ["x"]).tolist() == [0, 3]


def test_types_of_types() -> None:
    values = pa.array(["7", "41"]).dictionary_encode()
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 5], pa.int32()), values)
    assert codes_of(SCHEMA["x"], runs.slice(1, 3)).tolist() == [7, 41, 41]
    tiny = pa.array([Decimal("3E-40")], pa.decimal128(5, 40))
    assert codes_of(SCHEMA["x"], tiny).tolist() == [0]


@pytest.mark.parametrize("rng", [7, object(), System, np.random.default_rng(1)])
def test_what_is_no_source_of_coins_is_refused_before_it_is_charged(rng: Any) -> None:
    charged: list[Any] = []
    with pytest.raises(InvalidArgument, match="rng must be a source"):
        quantile({"x": [1] * 9}, SCHEMA, column="x", epsilon=1, rng=rng,
                 charge=lambda *cost: charged.append(cost))  # fmt: skip
    assert not charged


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
