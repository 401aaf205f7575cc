"""Dates and words: one function of the cell, whatever the type and the engine."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone
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

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Column, Date, Integer, Real, Schema, class_for, read_points
from tacit.data.reading.codes import codes_of
from tacit.data.reading.type_check import check_fit, unread_cells
from tacit.data.schema.cell import day, text
from tacit.data.schema.phrasing import span
from tacit.workflows import learn, predict, query
from tacit.workflows.naming import features_of, rules
from tests.interfaces.cli.test_command import call

ADMITTED = Date("2015-01-01", "2026-12-31")
COLUMNS: list[Column] = [
    ADMITTED,
    Date("2015-01-01", "2026-12-31", outside="null"),
    Date("0001-01-01", "9999-12-31"),
    Category(["2020-02-29", "x"], outside="null"),
    Integer(0, 9),
    Bits(outside="null"),
]
SCHEMA = Schema({f"x{i}": column for i, column in enumerate(COLUMNS)})
DAYS = st.dates() | st.dates(date(2014, 12, 20), date(2015, 1, 10)) | st.just(date(2020, 2, 29))


def read(source: Any) -> list[list[int]]:
    codes: list[list[int]] = read_points(source, SCHEMA, SCHEMA.names).tolist()
    return codes


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(DAYS | st.none(), min_size=1, max_size=12))
def test_dates_are_read_alike_in_every_type(days: list[date | None]) -> None:
    expected = [[column.code(each) for column in COLUMNS] for each in days]
    held = pa.array(days, pa.date32())
    late = [None if d is None else datetime(d.year, d.month, d.day, 23, 59, 59) for d in days]
    arrays = [
        held,
        held.cast(pa.date64()),
        pa.array(late, pa.timestamp("s")),
        pa.array(late, pa.timestamp("us")),
        held.dictionary_encode(),
    ]
    for array in arrays:
        table = pa.table(dict.fromkeys(SCHEMA.names, array))
        assert read(table) == expected
        if not pa.types.is_date64(array.type):
            assert read(pl.from_arrow(table)) == expected
            assert read(pl.from_arrow(table).lazy()) == expected
            assert read(duckdb.from_arrow(table)) == expected
        exported = ", ".join(column.code_sql("x0") for column in COLUMNS[:3])
        told = duckdb.from_arrow(table).project(exported).fetchall()
        assert told == [tuple(row[:3]) for row in expected]
    for cells in (
        days,
        late,
        [text(each) for each in days],
        np.array(late, "datetime64[us]"),
        np.array(days, "datetime64[D]"),
        pd.Series(days, dtype=object),
    ):
        assert read(dict.fromkeys(SCHEMA.names, cells)) == expected
        assert read(pd.DataFrame(dict.fromkeys(SCHEMA.names, cells))) == expected


TEXTS = {
    "2020-02-29": 1,
    " 2020-02-29\t": 1,
    "2020-02-29T10:00": 1,
    "2020-02-29 10:00:00.123456789": 1,
    "2020-02-29T23:59:59Z": 1,
    "2020-02-29 23:59:59 +14:00": 1,
    "2020-02-29 00:00:00+00": 1,
    "2020-02-30": 0,
    "2021-02-29": 0,
    "2020-2-29": 0,
    "29.02.2020": 0,
    "20200229": 0,
    "2020-02": 0,
    "2020-02-29x": 0,
    "2020-02-29T": 0,
    "0000-01-01": 0,
    "12020-02-29": 0,
    "٢٠٢٠-02-29": 0,
    "": 0,
    "2020-13-01": 0,
    "NaT": 0,
    "infinity": 0,
    "2020-02-29T10:00:00+1": 0,
}


def test_iso_dates_are_dates_and_nothing_else(tmp_path: Path) -> None:
    code = ADMITTED.code("2020-02-29")
    for said, is_date in TEXTS.items():
        assert (day(said) is not None) == bool(is_date), said
    expected = [code * is_date for is_date in TEXTS.values()]
    array = pa.array(TEXTS)
    assert codes_of(ADMITTED, array).tolist() == expected
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{said},\n" for said in TEXTS))
    assert read_points(tmp_path / "t.csv", Schema({"x": ADMITTED}), ["x"]).tolist() == expected
    told = duckdb.from_arrow(pa.table({"x": array})).project(ADMITTED.code_sql("x")).fetchall()
    assert [row[0] for row in told] == expected


def test_the_date_of_a_time_is_that_of_its_own_zone(tmp_path: Path) -> None:
    """No conversion: it is read as it is written there."""
    far = timezone(timedelta(hours=14))
    instant = datetime(2020, 2, 28, 12, tzinfo=UTC)
    schema = Schema({"x": ADMITTED})
    for zone, cell, said in (
        ("UTC", instant, "2020-02-28"),
        ("+14:00", instant.astimezone(far), "2020-02-29"),
        ("Pacific/Kiritimati", instant.astimezone(far), "2020-02-29"),
        ("Mars/Olympus", instant, "2020-02-28"),
    ):
        table = pa.table({"x": pa.array([instant, None], pa.timestamp("us", zone))})
        pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
        expected = [ADMITTED.code(said), 0]
        assert [ADMITTED.code(cell), ADMITTED.code(None)] == expected
        for source in (table, tmp_path / "t.parquet", {"x": [cell, None]}):
            assert read_points(source, schema, ["x"]).tolist() == expected, zone
    stamps = pd.DataFrame({"x": pd.to_datetime([instant]).tz_convert("Pacific/Kiritimati")})
    for source in (stamps, pl.from_pandas(stamps), stamps.astype(object)):
        assert read_points(source, schema, ["x"]).tolist() == [ADMITTED.code("2020-02-29")]


def test_no_time_is_too_far_away() -> None:
    """Units whose days overflow, and days that no calendar of ours has, are no dates."""
    for unit in ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "7D"):
        times = np.array([2**62, -(2**62), 2**63 - 1, -(2**63)], np.int64).view(
            f"datetime64[{unit}]"
        )
        fits = unit in ("ns", "ps")
        codes = read_points({"x": times}, Schema({"x": COLUMNS[1]}), ["x"]).tolist()
        assert fits or codes == [COLUMNS[1].code(None)] * 4
        assert codes == [COLUMNS[1].code(time) for time in times]
    for kind in (
        pa.timestamp("s"),
        pa.timestamp("us"),
        pa.timestamp("s", "Europe/Berlin"),
        pa.date64(),
    ):
        cells = pa.array([2**62, -(2**62), 0], pa.int64()).view(kind)
        assert codes_of(COLUMNS[2], cells).tolist()[:2] == [0, 0]
    assert codes_of(
        COLUMNS[2], pa.array([2**31 - 1, -(2**31)], pa.int32()).view(pa.date32())
    ).tolist() == [0, 0]
    hidden = np.ma.masked_array(np.array(["2020-02-29"] * 2, "datetime64[D]"), mask=[True, False])
    assert read_points({"x": hidden}, Schema({"x": ADMITTED}), ["x"])[0] == 0


def test_dates_are_learned_and_spoken_of() -> None:
    days = [date(2015, 1, 1) + timedelta(7 * i) for i in range(600)]
    table = {"admitted": days * 9, "late": [d >= date(2020, 3, 1) for d in days] * 9}
    schema = Schema({"admitted": ADMITTED, "late": Bits()})
    for concepts in ("thresholds", "rules(width=1, admitted=2018-01-01:2020-03-01)"):
        model = learn(
            table,
            schema,
            concepts=concepts,
            features=["admitted"],
            labels=["late"],
            epsilon=5,
            rng=Seeded(1),
        )
        (rule,) = rules(model)
        assert rule.startswith("admitted is at least 2020-0")
        held = pa.table({"admitted": days})
        told = duckdb.from_arrow(held).query("t", query(model, "t")).fetchall()
        assert [bool(row[0]) for row in told] == predict(model, held)[:, 0].tolist()
    cut = class_for("rules(width=1, cuts=12)", schema, ["admitted"])
    said = [literal.rule(features_of(schema, ["admitted"])) for literal in cut.literals]
    assert said[:2] == ["admitted is at least 2016-01-01", "admitted is below 2016-01-01"]
    assert len(said) == 2 * 11
    assert str(class_for("scorecards", schema, ["admitted", "late"])).startswith("scorecards")
    with pytest.raises(InvalidArgument, match="must be a date such as"):
        class_for("rules(admitted=2020)", schema, ["admitted"])


def test_missing_numbers_are_named_in_rules() -> None:
    """Under "null" what is missing has the last code: a rule that it meets says so."""
    for column in (Integer(0, 120, outside="null"), Real(0, 120, 1, outside="null")):
        assert span("age", column, 65, None) == "age is at least 65 (or missing or out of range)"
        schema = Schema({"age": column})
        (age,) = features_of(schema, ["age"])
        said = [
            literal.rule([age]) for literal in class_for("rules(age=65)", schema, ["age"]).literals
        ]
        assert said == [
            "age is at least 65 (or missing or out of range)",
            span("age", column, 0, 64),
            "age is missing or out of range",
            "age is neither missing nor out of range",
        ]
    born = Date("2020-01-01", "2020-12-31", outside="null")
    assert span("born", born, 366, None) == "born is missing or out of range"


WORDS = Bits(yes=["Y", "Positive", 2, "ΝΑΙΣ"], no=["N", 1])


def test_words_are_read_alike_on_every_engine(tmp_path: Path) -> None:
    cells: list[object] = [
        "y",
        " POSITIVE ",
        "2",
        "2.0",
        2,
        2.0,
        np.float32(2),
        "ναισ",
        "ΝΑΙΣ",
        "n",
        1,
        1.0,
        True,
        "yes",
        "1.50",
        None,
        "",
        "İ",
        "i",
    ]
    expected = [1] * 9 + [0] * 3 + [2] * 7
    strict = Bits("null", WORDS.yes, WORDS.no)
    schema = Schema({"x": strict, "y": WORDS})
    assert [strict.code(cell) for cell in cells] == expected
    said = pa.table({"x": pa.array([text(cell) for cell in cells])})
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{text(c) or ''},\n" for c in cells))
    sources: list[Any] = [
        {"x": cells},
        said,
        tmp_path / "t.csv",
        pl.from_arrow(said),
        duckdb.from_arrow(said),
    ]
    sources += [pd.DataFrame({"x": pd.Series(cells, dtype=object)}), pl.from_arrow(said).lazy()]
    for source in sources:
        assert read_points(source, schema, ["x"]).tolist() == expected
    told = duckdb.from_arrow(said).project(strict.code_sql("x")).fetchall()
    assert [row[0] for row in told] == expected
    for kind in (pa.int64(), pa.uint8(), pa.float64(), pa.float32(), pa.decimal128(19, 0)):
        numbers = pa.table({"x": pa.array([0, 1, 2, None]).cast(kind)})
        for source in (numbers, pl.from_arrow(numbers).lazy(), duckdb.from_arrow(numbers)):
            assert read_points(source, schema, ["x"]).tolist() == [2, 0, 1, 2]
    counted = pl.LazyFrame({"x": [2, 1, 2]})
    assert read_points(counted, Schema({"x": WORDS}), ["x"]).tolist() == [1, 0, 1]


def test_the_owner_is_told_what_does_not_read(tmp_path: Path) -> None:
    schema = Schema(
        {"late": Bits(), "age": Integer(0, 120), "born": ADMITTED, "sex": Category(["f", "m"])}
    )
    rows = [
        ("early", "41", "2020-01-01", "f"),
        ("on time", "-3", "1.1.2020", "F"),
        ("", "300", "1999-01-01", "m"),
        ("on time", "forty", "2030-01-01", ""),
        ("yes", "nan", "", "m"),
    ]
    (tmp_path / "s.toml").write_text(schema.dump())
    path = tmp_path / "t.csv"
    path.write_text("\n".join(",".join(row) for row in [schema.names, *rows]))
    expected = {
        "late": {
            "missing": 1,
            "unreadable": 3,
            "below": 0,
            "above": 0,
            "examples": ["on time", "early"],
        },
        "age": {
            "missing": 0,
            "unreadable": 2,
            "below": 1,
            "above": 1,
            "examples": ["forty", "nan"],
        },
        "born": {"missing": 1, "unreadable": 1, "below": 1, "above": 1, "examples": ["1.1.2020"]},
        "sex": {"missing": 1, "unreadable": 1, "below": 0, "above": 0, "examples": ["F"]},
    }
    assert unread_cells(path, schema, schema.names) == {"rows": 5, "columns": expected}
    typed = {
        "late": [True, None],
        "age": [300.0, float("nan")],
        "sex": pd.Categorical(["f", "x"]),
        "born": np.array(["1999-01-01", "NaT"], "datetime64[s]"),
    }
    told = unread_cells(pd.DataFrame(typed), schema, schema.names)["columns"]
    assert [told[name]["missing"] for name in schema.names] == [1, 1, 1, 0]
    assert (told["age"]["above"], told["born"]["below"], told["sex"]["examples"]) == (1, 1, ["x"])
    before = sorted(tmp_path.iterdir())
    said = call("schema", "check", str(tmp_path / "s.toml"), str(path), "--owner")
    first, *lines, last = said.stdout.splitlines()
    assert "never for publication" in first
    assert lines[0] == (
        "late: of 5 cells 1 missing, 3 unreadable (such as 'on time', 'early'); what does not read "
        "counts as no. Name the words: yes = [...] and no = [...]."
    )
    assert lines[2].endswith("counts as 2015-01-01. Write dates as 2026-01-31; a time may follow.")
    assert last == 'In a column to learn from, outside = "null" keeps what does not read apart.'
    as_json = call("schema", "check", str(tmp_path / "s.toml"), str(path), "--owner", "--json")
    answer = json.loads(as_json.stdout)
    assert "never for publication" in answer.pop("owner_only")
    assert answer == {"rows": 5, "columns": expected}
    assert sorted(tmp_path.iterdir()) == before
    alone = call("schema", "check", str(tmp_path / "s.toml"), "--owner")
    assert (alone.returncode, alone.stdout) == (2, "")
    assert "--owner needs a table" in alone.stderr


def test_types_that_hold_dates_fit() -> None:
    for kind in (pa.date32(), pa.timestamp("us"), pa.string(), pa.null()):
        check_fit(pa.table({"x": pa.nulls(1, kind)}), Schema({"x": ADMITTED}), ["x"])
    check_fit(
        pa.table({"x": pa.nulls(1, pa.date32())}), Schema({"x": Category(["2020-01-01"])}), ["x"]
    )
    with pytest.raises(InvalidArgument, match="stored as int64, which cannot hold days from 2015"):
        check_fit(pa.table({"x": [1]}), Schema({"x": ADMITTED}), ["x"])
