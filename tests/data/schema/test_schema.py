"""Schemas: read, written, refused; and the template that tells nothing."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Column, Date, Integer, Real, Schema
from tacit.data.reading.template import template

TEXT = """
[columns.age]
type = "integer"
low = 0
high = 120

[columns.bmi]
type = "real"
low = 10
high = 60
step = 0.1
outside = "null"

[columns."blood group"]
type = "category"
values = ["A", "B", "AB", "0"]

[columns.sick]
type = "bits"
"""
COLUMNS: dict[str, Column] = {
    "age": Integer(0, 120),
    "bmi": Real(10, 60, Fraction(1, 10), outside="null"),
    "blood group": Category(["A", "B", "AB", "0"]),
    "sick": Bits(),
}


def test_toml_and_python_say_the_same(tmp_path: Path) -> None:
    schema = Schema.parse(TEXT)
    assert schema == Schema(COLUMNS)
    assert dict(schema.columns) == COLUMNS
    assert schema.names == tuple(COLUMNS)
    assert "age" in schema
    assert "Age" not in schema
    path = tmp_path / "schema.toml"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    assert Schema.read(path) == Schema.read(str(path)) == schema


def test_the_digest_is_of_the_meaning() -> None:
    schema = Schema.parse(TEXT)
    golden = "7a192efa1229798e3a6ffea94faa9bc377a4264bfd1cb1fc19e2ca744f9e2033"
    assert schema.digest == golden, "models on disk carry this digest: it must not change"
    assert Schema(dict(reversed(COLUMNS.items()))).digest == schema.digest
    assert hash(Schema(dict(reversed(COLUMNS.items())))) == hash(schema)
    assert Schema.parse(TEXT.replace("0.1", '"1/10"')).digest == schema.digest
    for old, new in (("low = 0", "low = 1"), ("high = 120", 'high = 120\noutside = "null"')):
        assert Schema.parse(TEXT.replace(old, new, 1)).digest != schema.digest


names = st.text(min_size=1).filter(
    lambda name: name.isprintable() or "\n" in name or "\x7f" in name
)
columns = (
    st.builds(
        Integer, st.integers(-(2**61), 0), st.integers(0, 2**61), st.sampled_from(["clip", "null"])
    )
    | st.builds(
        lambda low, steps, step, outside: Real(low, low + steps * step, step, outside),
        st.fractions(-100, 100, max_denominator=60),
        st.integers(0, 1000),
        st.fractions(Fraction(1, 60), 10, max_denominator=60),
        st.sampled_from(["clip", "null"]),
    )
    | st.builds(
        Category,
        st.lists(
            st.integers(-5, 5)
            | st.text(min_size=1).filter(lambda s: s.isprintable() and s.strip() == s),
            min_size=1,
            unique_by=str,
        ),
    )
    | st.builds(Bits, st.sampled_from(["clip", "null"]))
    | st.builds(
        Bits,
        st.sampled_from(["clip", "null"]),
        st.lists(st.sampled_from(["Y", "positiv", 2, "é"]), min_size=1, unique=True),
        st.none() | st.lists(st.sampled_from(["N", 'a "b"', 3]), min_size=1, unique=True),
    )
    | st.builds(
        lambda ends, outside: Date(min(ends), max(ends), outside),
        st.tuples(st.dates(), st.dates()),
        st.sampled_from(["clip", "null"]),
    )
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.dictionaries(names, columns, min_size=1, max_size=4))
def test_what_is_dumped_reads_back(declared: dict[str, Column]) -> None:
    schema = Schema(declared)
    again = Schema.parse(schema.dump())
    assert dict(again.columns) == declared
    assert again == schema
    assert again.dump() == schema.dump()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[columns.age]\ntype = "int"', "'age': type must be \"integer\".*got 'int'"),
        ("[columns.age]\nlow = 0", "'age': type .* it is missing"),
        ('[columns.age]\ntype = ""', "'age': type .* it is blank"),
        ("[columns.age]\ntype = 3", "'age': type .* got 3"),
        ('[columns.age]\ntype = "integer"\nlow = 0', "'age': high of type integer .* low = 0 and"),
        ('[columns.age]\ntype = "integer"\nlow = 9\nhigh = 3', "'age': high must be at least low"),
        ('[columns.age]\ntype = "integer"\nlow = 0\nhigh = 9.5', "'age': high must be an integer"),
        ('[columns.age]\ntype = "integer"\nlow = 0\nhigh = 1e3', "'age': high must be an integer"),
        ('[columns.age]\ntype = "integer"\nlow = 0\nhigh = 4611686018427387904', "'age': .* 2.62"),
        ('[columns.age]\ntype = "integer"\nlow = 0\nhigh = true', "'age': high must be an integer"),
        ('[columns.x]\ntype = "real"\nlow = 0\nhigh = 1', "'x': step of type real must be given"),
        ('[columns.x]\ntype = "real"\nlow = 0\nhigh = 1\nstep = 0.0', "'x': step must be greater"),
        ('[columns.x]\ntype = "real"\nlow = 0\nhigh = inf\nstep = 1', "'x': high must be finite"),
        ('[columns.x]\ntype = "real"\nlow = nan\nhigh = 1\nstep = 1', "'x': low must be finite"),
        ('[columns.x]\ntype = "real"\nlow = 0\nhigh = 1e99999\nstep = 1', "no public range"),
        ('[columns.x]\ntype = "real"\nlow = 0\nhigh = 1e300\nstep = 1', "'x': .*2.48"),
        (
            '[columns.x]\ntype = "real"\nlow = 0\nhigh = 1\nstep = "one"',
            "'x': step must be a number",
        ),
        ('[columns.s]\ntype = "category"\nvalues = ["f", "m", "f"]', "'s': values names 'f' twice"),
        ('[columns.s]\ntype = "category"\nvalues = []', "'s': values must name at least one"),
        ('[columns.s]\ntype = "category"\nvalues = "fm"', "'s': values must be a list"),
        ('[columns.s]\ntype = "category"', "'s': values of type category must be given"),
        (
            '[columns.y]\ntype = "bits"\nlow = 0',
            "'y': type bits has no low; it takes yes, no, outside",
        ),
        ('[columns.y]\ntype = "bits"\noutside = "drop"', "'y': outside must be"),
        ("[columns]\nage = 3", "'age' must be a table"),
        ('[column.age]\ntype = "bits"', "unknown entries column"),
        ("columns = 3", "columns must be tables"),
        ("", "at least one column"),
        ("[columns.age\n", "not valid TOML"),
        ("[columns.age]\nlow = \n", "not valid TOML: .*line 2"),
    ],
)
def test_bad_schemas_are_refused(text: str, says: str) -> None:
    with pytest.raises(InvalidArgument, match=says):
        Schema.parse(text)


def test_bad_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InvalidArgument, match="'age' must be Integer, Real, Date, Category or Bits, got int"
    ):
        Schema({"age": 3})  # type: ignore[dict-item]
    with pytest.raises(InvalidArgument, match="must be a text"):
        Schema({3: Bits()})  # type: ignore[dict-item]
    with pytest.raises(InvalidArgument, match=r"no column 'x'; declare \[columns.x\]"):
        Schema(COLUMNS)["x"]
    with pytest.raises(InvalidArgument, match="cannot be read; write one with: tacit schema"):
        Schema.read(tmp_path / "nowhere.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xe9\n")
    with pytest.raises(InvalidArgument, match="not a UTF-8"):
        Schema.read(tmp_path / "latin.toml")


def test_a_template_has_names_and_nothing_else(tmp_path: Path) -> None:
    table = pa.table({"age": [4711], "blood group": ["zebra"], "sick": [True]})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_text('age,blood group,sick\n4711,zebra,"yes"\n')
    typed: list[Any] = [tmp_path / "t.parquet", table, table.to_pandas(), duckdb.from_arrow(table)]
    typed += [pl.from_arrow(table), pl.from_arrow(table).lazy()]  # type: ignore[union-attr]
    written = [{template(each) for each in sources}
               for sources in (typed, [tmp_path / "t.csv", table.to_pydict()])]  # fmt: skip
    (known,), (text,) = written
    for each in (known, text):
        assert "4711" not in each
        assert "zebra" not in each
        assert "blank on purpose" in each
    assert known.endswith(
        'age]\ntype = "integer"\nlow = ""\nhigh = ""\n\n[columns."blood group"]\ntype = ""\n\n'
        '[columns.sick]\ntype = "bits"\n'
    )
    with pytest.raises(InvalidArgument, match="'age': low must be an integer"):
        Schema.parse(known)
    with pytest.raises(InvalidArgument, match=r"'age': type .* it is blank"):
        Schema.parse(text)
    filled = text.replace('type = ""', 'type = "bits"')
    assert Schema.parse(filled).names == ("age", "blood group", "sick")


def test_a_schema_costs_no_engine() -> None:
    code = (
        "import sys, tacit, tacit.data; print({'duckdb', 'pyarrow', 'narwhals'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
