"""The maps to codes, value by value: Python, and the same SQL on every engine."""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
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

from tacit.core.errors import TacitError
from tacit.data import Bits, Category, Column, Date, Integer, Real, Schema, read_points
from tacit.data.reading.codes import codes_of
from tacit.data.schema.cell import number, text

COLUMNS: list[Column] = [
    Integer(0, 120),
    Integer(-7, 9, outside="null"),
    Integer(-(2**61), 2**61 - 2),
    Integer(2**62 + 1, 2**63 - 1, outside="null"),
    Real(10, 60, 0.1),
    Real("-1/3", 1, "1/3", outside="null"),
    Real(-2, 2, 0.25),
    Category(["f", "m"]),
    Category([0, 1, 2, "true", "-7"], outside="null"),
    Category([*range(40), *"abcdefghijklmnopqrstuvwxyz", "é"], outside="null"),
    Bits(),
    Bits(outside="null"),
    Bits(yes=["f", 7, "é"], no=["NA", 0]),
    Bits("null", yes=["True", "M"]),
    Date("2015-01-01", "2026-12-31"),
    Date("0001-01-01", "9999-12-31", outside="null"),
]
NASTY: list[object] = [
    *(None, math.nan, math.inf, -math.inf, 0.0, -0.0, 0.1, 0.3, 0.7, 10.7, 13.5, 1 / 3, 2 / 3),
    *(-0.5, 0.5, 9.5, 119.999, 120.5, 59.99999999999999, 60.0, 1e-310, 1e15, 1e16, 1e19, 1e300),
    *(0, 1, 2, -1, -7, 9, 10, 60, 120, 121, 2**53, 2**53 + 1, 2**61, 2**62, 2**63 - 1, -(2**63)),
    *(2**62 - 1, 2**61 - 2, 2**61 - 1, -(2**61), -(2**61) - 1),
    *(
        "",
        " ",
        "f",
        " m\t",
        "F",
        "é",
        "e\u0301",
        "z",
        "7",
        " 7 ",
        "+7",
        "-7",
        "007",
        "7.0",
        "7.",
        ".5",
    ),
    *(
        "1e1",
        "1E+1",
        "1e400",
        "-1e400",
        "1e-400",
        "1_0",
        "0x10",
        "1,5",
        "1 0",
        "12a",
        "--1",
        "e5",
        ".",
    ),
    *(
        "inf",
        "-Infinity",
        "nan",
        "NaN",
        "null",
        "None",
        "NA",
        "10.7",
        "0.3",
        "59.999999999999999999",
    ),
    *(
        "9007199254740993",
        "4611686018427387904",
        "9223372036854775807",
        "9" * 38,
        "9" * 39,
        "-" + "9" * 50,
    ),
    *("4611686018427387903.00", "4611686018427387905.5", "0" * 30 + "7", "1" * 5000, "x" * 5000),
    *(
        "true",
        "True",
        "FALSE",
        "yes",
        "No",
        "t",
        "y",
        "n",
        "1.0",
        "0.0",
        "-0.0",
        "1.00",
        "maybe",
        "2.0",
    ),
    *(
        "'",
        '"',
        'a"b',
        "a,b",
        ";",
        "\\",
        "%",
        "_",
        "--",
        "\x00",
        "\ufeff1",
        "١",
        "½",
        "\u00a07",
        "🦠",
    ),
    *("2020-02-29", "2020-02-30", " 2014-12-31T23:59:59.5+02:00", "9999-12-31", "0001-01-01 00:00"),
    *(date(2020, 2, 29), datetime(2026, 12, 31, 23), np.datetime64("2015-01-01T00:00:00")),
    *(np.datetime64(12345, "Y"), np.datetime64("NaT"), pd.Timestamp("2016-02-03", tz="Asia/Tokyo")),
]


SCHEMA = Schema({f"x{i}": column for i, column in enumerate(COLUMNS)})


def each_engine(cells: list[object], folder: Path) -> dict[str, Any]:
    """The same mixed cells in every column, as text and as objects."""
    said = [text(cell) for cell in cells]
    table = pa.table({name: pa.array(said, pa.string()) for name in SCHEMA.names})
    pyarrow.parquet.write_table(table, folder / "t.parquet")
    quoted = ['"' + (s or "").replace('"', '""') + '"' for s in said]
    lines = [",".join(SCHEMA.names), *(",".join([s] * len(COLUMNS)) for s in quoted)]
    (folder / "t.csv").write_bytes("\n".join(lines).encode())
    arrays = {
        "list": cells,
        "numpy": np.array([*cells, None], dtype=object)[:-1],
        "numpy text": np.array([s or "" for s in said]),
    }
    pandas = {
        "pandas objects": pd.Series(cells, dtype=object),
        "pandas str": pd.Series(said, dtype="str"),
        "pandas strings": pd.Series(said, dtype="string"),
        "pandas categories": pd.Series(pd.Categorical(said)),
        "pandas arrow": pd.Series(pa.array(said).to_pandas(), dtype=pd.ArrowDtype(pa.string())),
    }
    polars = {
        "polars": pl.Series(said, dtype=pl.String),
        "polars objects": pl.Series(cells, dtype=pl.Object),
        "polars categories": pl.Series(said, dtype=pl.Categorical),
    }
    return {
        **{k: dict.fromkeys(SCHEMA.names, v) for k, v in arrays.items()},
        **{k: pd.DataFrame(dict.fromkeys(SCHEMA.names, v)) for k, v in pandas.items()},
        **{k: pl.DataFrame(dict.fromkeys(SCHEMA.names, v)) for k, v in polars.items()},
        "polars lazy": pl.from_arrow(table).lazy(),  # type: ignore[union-attr]
        "pyarrow": table,
        "pyarrow dictionary": pa.table({n: table[n].dictionary_encode() for n in SCHEMA.names}),
        "relation": duckdb.connect().from_arrow(table),
        "parquet": folder / "t.parquet",
        "csv": folder / "t.csv",
    }


def test_every_engine_maps_every_cell_as_the_reference(tmp_path: Path) -> None:
    expected = [[column.code(cell) for column in COLUMNS] for cell in NASTY]
    for codes in expected:
        assert all(0 <= code < c.size for code, c in zip(codes, COLUMNS, strict=True))
    for engine, source in each_engine(NASTY, tmp_path).items():
        got = read_points(source, SCHEMA, SCHEMA.names).tolist()
        assert len(got) == len(NASTY)
        for cell, codes, read in zip(NASTY, expected, got, strict=True):
            assert read == codes, (engine, cell)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    st.lists(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.decimals()
        | st.text()
        | st.binary(max_size=4)
        | st.lists(st.integers(), max_size=1)
        | st.from_regex(r"[ +-]?[0-9.e]{1,9}")
        | st.sampled_from(NASTY),
        min_size=1,
        max_size=30,
    )
)
def test_mixed_cells_of_every_kind(cells: list[object]) -> None:
    said = [(text(cell) or "").replace("\n", " ") for cell in cells]
    quoted = ['"' + s.replace('"', '""') + '"' for s in said]
    lines = [",".join(SCHEMA.names), *(",".join([s] * len(COLUMNS)) for s in quoted)]
    objects = pd.Series(cells, dtype=object)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        path.write_bytes("\n".join(lines).encode())
        written = [[column.code(s.replace("\r", " ")) for column in COLUMNS] for s in said]
        assert read_points(path, SCHEMA, SCHEMA.names).tolist() == written
    expected = [[column.code(cell) for column in COLUMNS] for cell in cells]
    frame = pd.DataFrame(dict.fromkeys(SCHEMA.names, objects))
    assert read_points(frame, SCHEMA, SCHEMA.names).tolist() == expected


TYPED: list[tuple[str, pa.DataType, st.SearchStrategy[Any]]] = [
    ("int8", pa.int8(), st.integers(-128, 127)),
    ("uint8", pa.uint8(), st.integers(0, 255)),
    ("int64", pa.int64(), st.integers(-(2**63), 2**63 - 1) | st.integers(-9, 130)),
    ("uint64", pa.uint64(), st.integers(0, 2**64 - 1) | st.integers(0, 130)),
    ("float64", pa.float64(), st.floats() | st.integers(-20, 700).map(lambda i: i / 10)),
    ("float32", pa.float32(), st.floats(width=32) | st.integers(-20, 700).map(lambda i: i / 10)),
    (
        "float16",
        pa.float16(),
        st.integers(0, 65535).map(lambda bits: np.uint16(bits).view(np.float16)),
    ),
    ("decimal", pa.decimal128(38, 3), st.decimals(-(10**34), 10**34, places=3)),
    ("short decimal", pa.decimal32(4, 1), st.decimals(-99, 99, places=1)),
    ("cents", pa.decimal128(4, 2), st.decimals(-99, 99, places=2)),
    ("long decimal", pa.decimal256(50, 2), st.decimals(-100, 100, places=2)),
    ("boolean", pa.bool_(), st.booleans()),
    ("nothing", pa.null(), st.none()),
]
ROUNDED = {pa.float32(): np.float32, pa.float16(): np.float16}


@pytest.mark.parametrize(("name", "kind", "cells"), TYPED, ids=[name for name, _, _ in TYPED])
@settings(max_examples=4, deadline=None, derandomize=True)
@given(data=st.data())
def test_typed_columns_map_as_the_reference(
    name: str, kind: pa.DataType, cells: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    values = data.draw(st.lists(st.none() | cells, min_size=20, max_size=60))
    if kind in ROUNDED:
        values = [None if value is None else ROUNDED[kind](value) for value in values]
    held = dict(SCHEMA.columns)
    expected = [[column.code(cell) for column in held.values()] for cell in values]
    array = pa.array(values, kind)
    table = pa.table(dict.fromkeys(held, array))
    sources: dict[str, Any] = {"pyarrow": table, "pandas": table.to_pandas()}
    if name != "nothing":
        sources["pandas arrow"] = table.to_pandas(types_mapper=pd.ArrowDtype)
    if name not in ("long decimal", "float16"):
        sources["relation"] = duckdb.connect().from_arrow(table)
    if name != "long decimal":
        sources["polars"] = pl.from_arrow(table)
        sources["polars lazy"] = pl.from_arrow(table).lazy()  # type: ignore[union-attr]
    if None not in values and name != "nothing":
        sources["numpy"] = dict.fromkeys(held, array.to_numpy(zero_copy_only=False))
    if "int" in name and None in values:
        expected_pandas = [
            [c.code(v if v is None else float(v)) for c in held.values()] for v in values
        ]
    else:
        expected_pandas = expected
    for engine, source in sources.items():
        got = read_points(source, Schema(held), list(held)).reshape(len(values), -1).tolist()
        assert got == (expected_pandas if engine == "pandas" else expected), engine


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    st.lists(st.floats(), min_size=1, max_size=30),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=30),
)
def test_exported_sql_maps_numbers_as_the_reference(reals: list[float], wholes: list[int]) -> None:
    for kind, values in ((pa.float64(), reals), (pa.int64(), wholes)):
        columns = COLUMNS
        exported = ", ".join(column.code_sql("x") for column in columns)
        got = (
            duckdb.from_arrow(pa.table({"x": pa.array(values, kind)})).project(exported).fetchall()
        )
        assert got == [tuple(column.code(value) for column in columns) for value in values]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.floats(allow_nan=False) | st.integers(-300, 6100).map(lambda i: i / 100))
def test_a_real_reaches_a_grid_point_by_its_shortest_decimal(value: float) -> None:
    column = Real(10, 60, "0.1", outside="null")
    exact = Fraction(repr(value)) if math.isfinite(value) else None
    inside = exact is not None and 10 <= exact <= 60
    assert column.code(value) == (math.floor((exact - 10) * 10) if inside and exact else 501)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.sampled_from(COLUMNS), st.data())
def test_decoding_a_code_and_coding_it_again_changes_nothing(
    column: Column, data: st.DataObject
) -> None:
    code = data.draw(st.integers(0, column.size - 1))
    assert column.code(column.decode(code)) == (0 if column.decode(code) is None else code) or (
        column.decode(code) is None and code == column.size - 1
    )
    assert column.size - 1 < 2**column.bits
    assert column.describe(code)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.decimals()
    | st.text()
    | st.binary()
    | st.lists(st.integers())
    | st.datetimes()
)
def test_the_text_of_a_cell_reads_as_the_cell(cell: object) -> None:
    said = text(cell)
    assert number(said) == number(cell) or abs(number(cell) or 0) > 10**39
    for column in COLUMNS:
        assert 0 <= column.code(cell) < column.size
        assert column.code(said) == column.code(cell)


def test_a_zero_with_a_sign_is_zero() -> None:
    for column in (Bits(outside="null"), Category([0, 1], outside="null")):
        assert [column.code(zero) for zero in (-0.0, "-0.0", b"-0.0", "0.0")] == [0] * 4


@pytest.mark.parametrize("huge", [10**5000, Decimal("1e5000"), Decimal("1.5e999999")], ids=type)
def test_no_number_is_too_long_to_be_written(huge: Any) -> None:
    """Python refuses to write more than 4,300 digits: a cell is no reason to stop."""
    for column in COLUMNS:
        assert column.code(huge) == column.code(text(huge)) == column.code(10**40)
        assert column.code(-huge) == column.code(text(-huge)) == column.code(-(10**40))
    assert read_points({"x": [huge, -huge, 7]}, Schema({"x": COLUMNS[0]}), ["x"]).tolist() == [
        120,
        0,
        7,
    ]


def test_digits_of_other_scripts_are_no_digits() -> None:
    for said in ("١", "٣.٥", "７", "²"):
        assert number(said) is None
        assert [column.code(said) for column in COLUMNS] == [column.code("?") for column in COLUMNS]


def test_categories_are_matched_by_their_own_text_first() -> None:
    both = Category(["2", "2.0", "007"], outside="null")
    assert [both.code(cell) for cell in ("2", 2, "2.0", 2.0, "007")] == [0, 0, 1, 1, 2]
    assert [both.code(cell) for cell in ("007.0", "7", 7.0)] == [3, 3, 3], "no whole number"
    with pytest.raises(TacitError, match="names '1' twice"):
        Category([1, "1"])


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64(), pa.float64()])
def test_the_ends_of_64_bits_are_read_as_the_reference(kind: pa.DataType) -> None:
    ends = [0, 1, 2**53, 2**62, 2**62 + 1, 2**63 - 1, 2**63, 2**63 + 2048, 2**64 - 1]
    held = [end for end in ends if kind != pa.int64() or end < 2**63]
    cells = [float(end) for end in held] if kind == pa.float64() else held
    for column in (*COLUMNS, Integer(2**63 - 9, 2**63 - 1)):
        assert codes_of(column, pa.array(cells, kind)).tolist() == [column.code(c) for c in cells]


@pytest.mark.parametrize("column", [Integer(-(2**61), 0), Integer(0, 2**61)])
def test_exported_sql_reads_large_integers_exactly_on_either_side(column: Integer) -> None:
    for value in (2**53 + 1, 2**60 + 1, -(2**53) - 1, -(2**60) - 1):
        read = duckdb.sql(f"SELECT {column.code_sql('x')} FROM (SELECT '{value}' AS x)").fetchall()
        assert read == [(column.code(value),)]


def test_a_grid_is_no_finer_than_float64_tells_apart() -> None:
    for step in (Fraction(1, 2**49), Fraction(2**49)):
        with pytest.raises(TacitError, match="float64 tells no finer grid apart"):
            Real(0, step, step)


def test_codes_are_monotone() -> None:
    values = sorted(v for v in NASTY if isinstance(v, int | float) and v == v)
    for column in COLUMNS:
        if isinstance(column, Integer | Real) and column.outside == "clip":
            codes = [column.code(value) for value in values]
            assert codes == sorted(codes)


def test_exported_sql_agrees_on_a_typed_table() -> None:
    table = duckdb.sql(
        "SELECT * FROM (VALUES (7::BIGINT, 13.5::DOUBLE, ' m ', true), (NULL, 'nan', 'x', NULL), "
        "(-3, 'inf', NULL, false), (500, 10.7, 'f', true)) t(a, b, c, d)"
    )
    columns = {"a": Integer(0, 120), "b": Real(10, 60, 0.1), "c": Category(["f", "m"]), "d": Bits()}
    exported = ", ".join(column.code_sql(name) for name, column in columns.items())
    assert table.project(exported).fetchall() == [
        (7, 35, 1, 1),
        (0, 0, 0, 0),
        (0, 500, 0, 0),
        (120, 7, 0, 1),
    ]
    floats = duckdb.sql("SELECT * FROM (VALUES (7.9::DOUBLE), ('nan'), ('inf'), (NULL)) t(a)")
    assert floats.project(columns["a"].code_sql("a")).fetchall() == [(7,), (0,), (120,), (0,)]


def test_names_and_values_are_quoted_in_sql() -> None:
    name = 'a "b" --'
    column = Category(["it's", "--"], outside="null")
    table = duckdb.sql("SELECT unnest(['it''s', '--', 'x']) AS x").project('x AS "a ""b"" --"')
    assert table.project(column.code_sql(name)).fetchall() == [(0,), (1,), (2,)]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Integer(5, 4), "high must be at least low"),
        (lambda: Integer(0, 2**62), "2\\^62"),
        (lambda: Integer(2**63 - 5, 2**63), "64-bit"),
        (lambda: Integer(0.0, 4), "integer"),  # type: ignore[arg-type]
        (lambda: Integer(0, 4, outside="drop"), "outside"),  # type: ignore[arg-type]
        (lambda: Real(0, 1, 0), "step must be greater than 0"),
        (lambda: Real(0, 1, -1), "step must be greater than 0"),
        (lambda: Real(1, 0, 1), "high must be at least low"),
        (lambda: Real(0, 1, 0.3), "multiple of step"),
        (lambda: Real(0, 1, "1e-15"), "2\\^48"),
        (lambda: Real(0, float("inf"), 1), "finite"),
        (lambda: Category([]), "at least one"),
        (lambda: Category(["a", "b", "a"]), "'a' twice"),
        (lambda: Category([1, "1"]), "'1' twice"),
        (lambda: Category("fm"), "must be a list"),
        (lambda: Category([" f"]), "trimmed"),
        (lambda: Category([""]), "not empty"),
        (lambda: Category([True, False]), "bits"),
        (lambda: Category([Decimal("1.5")]), "texts or integers"),  # type: ignore[list-item]
        (lambda: Integer(0, 4).decode(5), "0, ..., 4"),
        (lambda: Bits().describe(2), "0, ..., 1"),
    ],
)
def test_bad_columns_are_refused(make: Any, says: str) -> None:
    with pytest.raises(TacitError, match=says):
        make()


def test_sizes_and_words() -> None:
    assert [column.size for column in COLUMNS] == [
        121,
        18,
        2**62 - 1,
        2**62,
        501,
        6,
        17,
        2,
        6,
        68,
        2,
        3,
        2,
        3,
        4383,
        date.max.toordinal() + 1,
    ]
    assert Real(10, 60, 0.1).describe(35) == "13.5"
    assert Real("-1/3", 1, "1/3").describe(0) == "-1/3"
    assert Integer(0, 4, outside="null").describe(5) == "missing"
    assert [Integer(3, 3).bits, Integer(0, 255).bits, Integer(0, 256).bits, Bits().bits] == [
        1,
        8,
        9,
        1,
    ]
