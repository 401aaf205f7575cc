"""Rows that Spark groups, or looks up, say what they say to our code row by row, cell for cell."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from numpy.typing import NDArray

from tacit.data import Bits, Category, Date, Integer, Real, Schema
from tacit.data.reading.coding import Coding
from tacit.data.reading.source import open_source
from tacit.data.schema.columns import Column
from tacit.data.schema.rule_class import rules_over
from tacit.data.spark import looking_up
from tacit.data.spark import source as source_module
from tacit.data.spark.gathering import gathered
from tacit.data.spark.source import merged
from tacit.data.spark.writing import _mapped
from tacit.statistics.counts.label_gains import LabelGains

CELLS: list[bytes | None] = [
    None, b"", b" ", b"A", b"a", b" A ", b"\t\r\nA\n", b"A\x00", b"\x00", b"A\xff", b"\xff",
    b"\xef\xbf\xbd", b"\xe2 ", b"\xe2A  ", b"A\xe2\x80", b"\xc0\x80", b"\xed\xa0\x80", b"\xc2\xa0A",
    b"\xe3\x80\x80A", b"\x0bA", "É".encode(), "É".encode(), "é".encode(), b"ss", "ß".encode(),
    b"YES", b"yes", "ſ".encode(), b" y", b"1", b"1.0", b"01", b"+1", b"1e0", b"\xc2\xb9", b"-0.0",
    b"nan", b"inf", b"9" * 40, b"2020-02-29", b"2020-02-29T23:59-11:00", b"2020-02-30",
    b"A" * 70_000, b"A  ", b"B", b"b", b"C'C", b"\\",
]  # fmt: skip
"""Gaps, blanks, bytes that are no text, case, forms of one sign, numbers, days, a long text."""
COLUMNS: tuple[Column, ...] = (
    Category(["A", "B", "É", "C'C", "\\", 1, 0], outside="null"),
    Category(["A", "\ufffd", "A\ufffd"], outside="null"),
    Bits(outside="null"),
    Bits(yes=["ß", "A"], no=["ss", 1], outside="null"),
    Integer(-1, 3, outside="null"),
    Real(0, 2, "0.5", outside="null"),
    Date("2020-01-01", "2020-12-31", outside="null"),
)
STORED = {
    "text": "CAST(cell AS STRING)",
    "small": "CAST(cell AS STRING) COLLATE UTF8_LCASE",
    "alike": "CAST(cell AS STRING) COLLATE UNICODE_CI_AI",
    "trimmed": "CAST(cell AS STRING) COLLATE UTF8_BINARY_RTRIM",
    "bytes": "cell",
    "whole": "CAST(row % 7 - 2 AS SMALLINT)",
    "truth": "CASE row % 3 WHEN 0 THEN true WHEN 1 THEN false END",
    "day": "CASE WHEN row % 5 > 0 THEN DATE'2020-02-27' + CAST(row % 5 AS INT) END",
    "gone": "array(row)",
}
"""The columns of a table, each in another of Spark's types; the padded one is put in by hand."""
RAW = tuple(name for name in STORED if name not in ("whole", "truth", "day", "gone"))


def table_of(spark: Any) -> Any:
    """Write a table in which each hostile cell comes several times, in several files."""
    cells = [cell for cell in CELLS for _ in range(3)]
    rows = pa.table({"row": pa.array(range(len(cells)), pa.int64()), "cell": cells})
    frame = spark.session.createDataFrame(rows).repartition(3).selectExpr("row", "cell")
    frame.selectExpr("row", *(f"{sql} AS {name}" for name, sql in STORED.items())).write.parquet(
        str(spark.folder / "hostile")
    )
    return spark.session.read.parquet(str(spark.folder / "hostile"))


def told(opened: Any, coding: Coding) -> list[list[Any]]:
    read = coding.read(opened.counted(coding))
    return [part.tolist() for part in read]


def groups_are_read_as_rows_are(spark: Any) -> None:
    """Alone, jointly, with labels of every kind; also rows scored, and rows that are kept."""
    frame = table_of(spark)
    names = list(STORED)
    schemas = [Schema(dict.fromkeys(names, column)) for column in COLUMNS]
    codings = [Coding.of(schema, names) for schema in schemas]
    codings += [Coding.of(schemas[0], [name]) for name in RAW]
    labels = {"text": Category(["A", "B", "É"]), "small": Bits(), "whole": Integer(-1, 3)}
    features = {"alike": Category(["A"]), "day": COLUMNS[-1], "truth": Bits()}
    codings += [Coding.of(Schema(labels | features), list(features), list(labels))]
    rules = rules_over(Schema(features), list(features), "width=2, cuts=4")
    opened = open_source(frame)
    assert opened.scored is not None
    assert opened.distant is not None
    found = [told(opened, coding) for coding in codings]
    scores = opened.scored(rules, codings[-1]), opened.distant(codings[-1]).gains(rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source_module, "gathered", lambda *_: None)
        opened = open_source(frame)
        assert opened.scored is not None
        for coding, here in zip(codings, found, strict=True):
            assert here == told(opened, coding), coding
            assert sum(sums[0] for sums in here[1]) == 3 * len(CELLS)
        by_row: Any = opened.scored(rules, codings[-1])
    for score in scores:
        assert isinstance(score, LabelGains)
        assert (score.n, score.labels) == (by_row.n, by_row.labels)
        assert np.array_equal(score.gains, by_row.gains)


def padded_texts_are_read_as_rows_are(spark: Any) -> None:
    """CHAR(n) comes padded, however it was written."""
    spark.session.sql("CREATE TABLE padded (c CHAR(4), v VARCHAR(4), row INT) USING parquet")
    try:
        spark.session.sql("INSERT INTO padded VALUES ('A', 'A', 0), ('A ', 'A ', 1), (NULL, '', 2)")
        opened = open_source(spark.session.table("padded"))
        for name in ("c", "v"):
            coding = Coding.of(Schema({name: Category(["A"], outside="null")}), [name])
            assert told(opened, coding) == [[[0], [1]], [[2], [1]]]
    finally:
        spark.session.sql("DROP TABLE padded")


def groups_by_another_equality_are_found_out(spark: Any) -> None:
    """The mistakes: texts that a collation holds equal, numbers whose text differs."""
    frame = table_of(spark)
    coding = Coding.of(Schema({"c0": Category(["A", "B", "É"], outside="null")}), ["c0"])
    right = told(open_source(frame.selectExpr("text AS c0")), coding)
    for wrong in ("small", "alike", "trimmed", "CAST(text AS STRING COLLATE UNICODE_CI)"):
        groups = frame.selectExpr(f"{wrong} AS c0").groupBy("c0").count()
        read = coding.read(merged(groups, coding.partial_of_groups, coding).toArrow())
        other = "trimmed" in wrong  # blanks at the end are nothing to our reader either
        assert ([part.tolist() for part in read] == right) == other, wrong
    for engines_differ in ("CAST(1 AS DOUBLE)", "CAST(1 AS FLOAT)", "1.0", "current_timestamp()"):
        assert gathered(frame.selectExpr("text AS c0", f"{engines_differ} AS c1"), coding) is None


def groups_beyond_32_bits_are_added_up_exactly(spark: Any) -> None:
    schema = Schema({"c0": Category(["A", "B"]), "c1": Bits()})
    groups = spark.session.sql(
        "SELECT * FROM VALUES ('A', 'y', 9007199254740993L), (' A', 'n', 4294967297L), "
        "('B', 'y', 4294967296L), ('?', '?', 1L) AS t(c0, c1, count)"
    )
    coding = Coding.of(schema, ["c0"], ["c1"])
    lines, joint = [[2**53 + 2**32 + 3, 2**53 + 1], [2**32, 2**32]], replace(coding, jointly=True)
    read = coding.read(merged(groups, coding.partial_of_groups, coding).toArrow())
    assert [part.tolist() for part in read] == [[[0], [1]], lines]
    read = joint.read(merged(groups, joint.partial_of_groups, joint).toArrow())
    assert read.codes.tolist() == [[0, 0], [0, 1], [1, 1]]
    assert read.sums.tolist() == [[2**32 + 2], [2**53 + 1], [2**32]]


@dataclass(frozen=True)
class Told:
    """Says of some columns what their codes are, in every type."""

    coding: Coding

    @property
    def used(self) -> list[int]:
        return list(range(self.coding.features))

    @property
    def columns(self) -> list[tuple[str, str]]:
        return [("code", "int"), ("said ' `it`", "string"), ("risk", "double")]

    def said(self, codes: NDArray[np.int64]) -> list[list[Any]]:
        wide = codes.reshape(len(codes), -1)
        sums = (wide @ np.arange(1, wide.shape[1] + 1)).tolist()
        texts = [None if each % 5 == 0 else f"é'\\{each}" for each in sums]
        return [sums, texts, [each / 7 for each in sums]]

    def __call__(self, cells: Any) -> list[list[Any]]:
        return self.said(np.stack(self.coding.codes(cells), axis=1))


def what_is_looked_up_is_what_is_read(spark: Any) -> None:
    """Names by bytes, whatever the collation; whole numbers and truth values; the rest is read."""
    pickling: Any = import_module("pyspark.cloudpickle")
    pickling.register_pickle_by_value(sys.modules[__name__])  # workers do not have the tests
    frame = table_of(spark)
    opened = open_source(frame)
    assert opened.looked_up is not None
    asked: list[tuple[list[str], Column]] = [([name], COLUMNS[0]) for name in (*RAW, "whole")]
    asked += [([name], column) for column in COLUMNS[2:5:2] for name in ("whole", "truth")]
    asked += [([name], Bits()) for name in ("whole", "truth")]
    asked += [(["text", "small"], Category(["A", "B"])), (["whole"], Integer(-1, 3))]
    asked += [(["text", "bytes", "small"], Category(["A", "B"], outside="null"))]
    kept = ["row", "text", "day", "truth"]
    natively = 0
    for names, column in asked:
        saying = Told(Coding.of(Schema(dict.fromkeys(names, column)), names))
        found = opened.looked_up(saying, kept)
        readable = not (isinstance(column, Category) and names == ["whole"])
        readable &= not (isinstance(column, Integer) and names == ["truth"])
        assert (found is not None) == readable, (names, column)
        if found is not None:
            natively += 1
            assert by_row(found) == by_row(_mapped(opened, saying, kept)), (names, column)
    assert natively == len(asked) - 2
    for names, column in ((["text"], COLUMNS[1]), (["text"], Bits()), (["gone"], COLUMNS[4])):
        saying = Told(Coding.of(Schema(dict.fromkeys(names, column)), names))
        assert opened.looked_up(saying, kept) is None
    saying = Told(Coding.of(Schema({"whole": Integer(0, 5000)}), ["whole"]))
    assert opened.looked_up(saying, []) is None
    saying = Told(Coding.of(Schema({"small": COLUMNS[0]}), ["small"]))
    right = by_row(opened.looked_up(saying, ["row"]))
    with pytest.MonkeyPatch.context() as patch:  # the mistake: a collation's own equality
        wrong = "CASE {} WHEN 'A' THEN 0 WHEN 'B' THEN 1 ELSE 7 END"
        patch.setattr(looking_up, "code_sql", lambda _, cell, __: wrong.format(cell))
        assert by_row(opened.looked_up(saying, ["row"])) != right


def by_row(frame: Any) -> list[Any]:
    table = frame.toArrow()
    columns = [
        column.cast(pa.binary()) if pa.types.is_string(column.type) else column
        for column in table.columns
    ]
    return sorted(zip(*(column.to_pylist() for column in columns), strict=True))
