"""Parts of a table counted by themselves, lines cut anywhere, and engines that are not there."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, MissingExtra
from tacit.data import Bits, Integer, Schema, reduce, spark_session
from tacit.data.reading.coding import Coding
from tacit.data.reading.csv_lines import CsvHeader
from tacit.data.reading.native import native_counts
from tacit.data.reading.reduction import joint_counts, open_table
from tacit.data.spark.files import rows_of_lines
from tacit.data.spark.start import check_java
from tacit.interfaces.cli.options.engines import Engine, reading_with
from tacit.statistics import LabelCounts
from tests.data.reading.test_reduction import SCHEMA, TABLE, same

labelled = st.tuples(st.integers(-3, 3), st.tuples(st.booleans(), st.booleans()))
wide = st.tuples(
    st.tuples(st.integers(-(2**70), 2**70), st.integers(0, 1)),
    st.tuples(st.booleans(), st.booleans()),
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(labelled, max_size=12) | st.lists(wide, max_size=6), st.data())
def test_counts_of_parts_merge_to_the_counts_of_the_whole(
    rows: list[tuple[Any, tuple[bool, bool]]], data: st.DataObject
) -> None:
    """In any grouping and in any order: merging is associative and commutative."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), min_size=2, max_size=2)))
    a, b, c = (
        LabelCounts.of(rows[start:stop], labels=2)
        for start, stop in zip([0, *cuts], [*cuts, len(rows)], strict=True)
    )
    whole = LabelCounts.of(rows, labels=2)
    expected = _table(whole)
    for found in (a.merge(b).merge(c), a.merge(b.merge(c)), c.merge(a).merge(b)):
        assert found.n == len(rows)
        assert _table(found) == expected
        assert found.points.tolist() == sorted(found.points.tolist())


def _table(counts: LabelCounts) -> dict[Any, tuple[int, ...]]:
    columns = counts.points.tolist(), counts.totals.tolist(), counts.positives.tolist()
    return {
        tuple(x) if isinstance(x, list) else x: (total, *ones)
        for x, total, ones in zip(*columns, strict=True)
    }


def test_counts_of_other_labels_do_not_merge() -> None:
    one, two = (LabelCounts.of([(1, (1,) * k)], labels=k) for k in (1, 2))
    with pytest.raises(InvalidArgument, match="the same labels"):
        one.merge(two)


@pytest.mark.parametrize("jointly", [False, True])
def test_partial_counts_add_up(jointly: bool) -> None:
    """What a worker does with its batches, and what an engine does by itself, is one thing."""
    names = ["age", "sex", "smokes", "ill", "dead"]
    coding = Coding(tuple(names), tuple(SCHEMA[name] for name in names), 3, jointly)
    table = TABLE.select(names)
    parts = [
        batch
        for start in range(0, 12, 5)
        for batch in coding.partial(iter(table.slice(start, 5).to_batches(max_chunksize=2)))
    ]
    added = pa.Table.from_batches(parts).group_by(coding.keys).aggregate(
        [(name, "sum") for name in coding.sums]
    )  # fmt: skip
    whole = pa.Table.from_batches(coding.partial(iter(table.to_batches())))
    found = {tuple(row[k] for k in coding.keys): [row[f"{n}_sum"] for n in coding.sums]
             for row in added.to_pylist()}  # fmt: skip
    assert found == {
        tuple(row[key] for key in coding.keys): [row[name] for name in coding.sums]
        for row in whole.to_pylist()
    }
    assert sum(counts[0] for counts in found.values()) == 12
    assert list(coding.partial(iter([]))) == []


@pytest.mark.parametrize("k", [3, 70])
def test_an_engine_of_its_own_counts_records(k: int) -> None:
    rng = Seeded(k)
    names = [f"y{j}" for j in range(k)]
    schema = Schema({"x": Integer(-2, 5, outside="null"), **{name: Bits() for name in names}})
    table = {"x": [rng.below(12) - 4 for _ in range(100)]}
    table |= {name: [rng.below(3) for _ in range(100)] for name in names}
    lazy = pl.LazyFrame(table)
    coding = Coding(("x", *names), tuple(schema.columns.values()), 1, jointly=True)
    renamed = lazy.select([pl.col(name).alias(f"c{i}") for i, name in enumerate(table)])
    assert native_counts(nw.from_native(renamed), coding) is not None
    found, expected = (joint_counts(open_table(source, coding), coding) for source in (lazy, table))
    for part in ("points", "marks", "totals"):
        assert np.array_equal(getattr(found, part), getattr(expected, part))
    same(*(reduce(source, schema, ["x"], names) for source in (lazy, table)))


def test_native_counts_refuse_what_engines_do_differently() -> None:
    lazy = nw.from_native(pl.LazyFrame({"c0": ["1"], "c1": [1]}))
    for names, columns, features in (
        (("age", "ill"), (Integer(0, 9), Bits()), 1),
        (("ill", "age"), (Bits(), Bits()), 1),
    ):
        assert native_counts(lazy, Coding(names, columns, features)) is None
    far = Integer(2**63 - 9, 2**63 - 1, outside="null")
    whole = nw.from_native(pl.LazyFrame({"c0": [2**63 - 1], "c1": [1]}))
    assert native_counts(whole, Coding(("x", "y"), (far, Bits()), 1)) is None
    table = pl.DataFrame(
        {"x": [2**63 + 5, 7, None], "y": [1, 0, 1]}, schema={"x": pl.UInt64, "y": pl.Int8}
    )
    schema = Schema({"x": Integer(0, 9), "y": Bits()})
    same(*(reduce(source, schema, ["x"], ["y"]) for source in (table.lazy(), table)))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.binary(max_size=6).map(lambda b: b.replace(b"\n", b"")), max_size=9),
       st.data())  # fmt: skip
def test_lines_are_rows_wherever_files_and_batches_are_cut(
    lines: list[bytes], data: st.DataObject
) -> None:
    """Two files, cut into parts that several workers read, in batches of any size."""
    header = CsvHeader(["a", "b"], ",")
    cells = header.cells(b"".join(line + b"\n" for line in lines), ["b", "a"])
    expected = pa.table(cells, names=["c0", "c1"]).to_pylist()
    found = []
    for file in ("one", "two"):
        written = [b"a,b", *lines]
        cut = data.draw(st.integers(1, len(written)))
        parts = [(0, written[:cut]), (100, written[cut:])]
        for worker in (parts,) if data.draw(st.booleans()) else ([part] for part in parts):
            batches = _batches(file, worker, data.draw(st.integers(1, 4)))
            for batch in rows_of_lines(header, ["b", "a"], iter(batches)):
                found += batch.to_pylist()
    assert found == expected * 2


def _batches(file: str, parts: Sequence[tuple[int, list[bytes]]], size: int) -> list[Any]:
    columns = {
        "line": pa.array([line for _, lines in parts for line in lines], pa.binary()),
        "file_path": pa.array([file for _, lines in parts for _ in lines], pa.string()),
        "file_block_start": pa.array([s for s, lines in parts for _ in lines], pa.int64()),
    }
    return list(pa.table(columns).to_batches(max_chunksize=size))


def test_spark_without_pyspark_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with (
        pytest.raises(MissingExtra, match=r"pip install 'tacit\[spark\]'"),
        reading_with(Engine.SPARK, "local[2]", ["people.csv"]),
    ):
        pass


@pytest.mark.parametrize(
    ("says", "words"),
    [
        (None, "Java 17 or newer, and none is found"),
        ('openjdk version "11.0.2" 2019-01-15', "and version 11 is found"),
        ('java version "1.8.0_392"', "and version 8 is found"),
    ],
)
def test_spark_without_java_says_what_to_install(
    says: str | None, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if says is not None:
        java = tmp_path / "bin" / "java"
        java.parent.mkdir()
        java.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
        java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(InvalidArgument, match=words):
        check_java()
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InvalidArgument, match="none is found"):
        check_java()


def test_masters_and_engines() -> None:
    with pytest.raises(
        InvalidArgument, match="no Spark Connect server answers at sc://127"
    ) as told:
        spark_session("sc://127.0.0.1:9/;use_ssl=true;token=hush").__enter__()
    assert "hush" not in str(told.value)
    for master in ("tomorrow", "sc://", "local-cluster[2,1,1024]"):
        with pytest.raises(InvalidArgument, match=f"got '{re.escape(master)}'"):
            spark_session(master).__enter__()
    with (
        pytest.raises(InvalidArgument, match="add --engine spark"),
        reading_with(Engine.DUCKDB, "local[2]", ["people.csv"]),
    ):
        pass
