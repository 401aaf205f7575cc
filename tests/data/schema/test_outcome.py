"""Outcomes: marks of every kind of label, by brute force and on every engine; what is foretold."""

from __future__ import annotations

from collections import Counter
from datetime import date
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
from hypothesis.extra.numpy import arrays
from sklearn.isotonic import isotonic_regression

from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Column, Date, Integer, Real, Schema, reduce
from tacit.data.reading.coding import Coding
from tacit.data.reading.reduction import joint_counts, open_table
from tacit.data.schema.outcome import (
    Outcome,
    adding_up,
    combine_category,
    combine_number,
    descending,
)
from tacit.data.schema.plausible import check_plausible

LABELS: dict[str, tuple[Column, list[object], list[list[int]]]] = {
    "sick": (Bits(), [1, 0, None, "yes", "?"], [[1], [0], [0], [1], [0]]),
    "late": (
        Bits(yes=["late"], no=["early", "on time"]),
        ["Late ", "early", None, "on time", "?"],
        [[1], [0], [0], [0], [0]],
    ),
    "sex": (Category(["f", "m"]), ["m", "f", None, "m", "?"], [[1], [0], [0], [1], [0]]),
    "ward": (
        Category(["A", "B", "C"], outside="null"),
        ["A", "B", None, "C", "?"],
        [[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]],
    ),
    "unit": (
        Category(["A", "B", "C"]),
        ["A", "B", None, "C", "?"],
        [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1], [1, 0, 0]],
    ),
    "income": (
        Integer(0, 30, outside="null"),
        ["9", "10", None, "30", "31"],
        [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [0] * 5, [1] * 5, [0] * 5],
    ),
    "dose": (
        Real(0, 1, "0.25"),
        ["0.5", "0.19", None, "7", "-7"],
        [[1, 1, 0, 0], [0] * 4, [0] * 4, [1] * 4, [0] * 4],
    ),
    "born": (
        Date("2020-01-20", "2020-06-01"),
        ["2020-01-31", "2020-02-01T08:00", None, "2021-01-01", "?"],
        [[0] * 5, [1, 0, 0, 0, 0], [0] * 5, [1] * 5, [0] * 5],
    ),
}
SCHEMA = Schema({"age": Integer(0, 120), **{name: held[0] for name, held in LABELS.items()}})
AGES = [41, 41, 67, 67, 41]
CUTS = {"income": [5, 10, 15, 20, 30], "dose": ["0.25", "0.5", "0.75", 1]}
"""Asked for, so that the table above can be read."""


def test_marks_are_what_they_say() -> None:
    told = {name: Outcome.of(name, SCHEMA[name]).marks for name in LABELS}
    assert told["sick"] == ("sick",)
    assert told["sex"] == ("sex is m",)
    assert told["ward"] == ("ward is A", "ward is B", "ward is C")
    assert told["income"] == tuple(f"income is at least {cut}" for cut in (5, 10, 15, 20, 25, 30))
    assert told["born"] == tuple(f"born is at least 2020-0{m}-01" for m in range(2, 7))
    asked = Outcome.of("born", SCHEMA["born"], cuts=["2020-03-01", date(2020, 2, 3)])
    assert asked.marks == ("born is at least 2020-02-03", "born is at least 2020-03-01")
    for name, (column, cells, marks) in LABELS.items():
        outcome = Outcome.of(name, column, cuts=CUTS.get(name))
        codes = np.array([column.code(cell) for cell in cells])
        assert outcome.marked(codes).astype(int).tolist() == marks, name
        assert (outcome.exclusive, outcome.nested) == (
            name in ("ward", "unit"),
            name in (*CUTS, "born"),
        )
        every = outcome.marked(np.arange(column.size)).astype(int)
        if outcome.exclusive:
            assert (every.sum(axis=1) == (np.arange(column.size) < column.inside)).all()
        if outcome.nested:
            assert (np.diff(every, axis=1) <= 0).all()


def sources(folder: Path) -> dict[str, Any]:
    table = {"age": AGES, **{name: held[1] for name, held in LABELS.items()}}
    arrow = pa.table(
        {
            name: pa.array([None if c is None else str(c) for c in cells])
            for name, cells in table.items()
        }
    )
    pyarrow.parquet.write_table(arrow, folder / "t.parquet")
    pyarrow.csv.write_csv(arrow, folder / "t.csv")
    frame: Any = pl.from_arrow(arrow)
    whole = frame.with_columns(pl.col("age").cast(pl.Int64))
    return {
        "lists": table,
        "pandas": pd.DataFrame(table),
        "polars": frame,
        "lazy": whole.lazy(),
        "arrow": arrow,
        "duckdb": duckdb.from_arrow(arrow),
        "parquet": folder / "t.parquet",
        "csv": folder / "t.csv",
    }


def test_every_engine_counts_the_marks_of_every_kind(tmp_path: Path) -> None:
    held = sources(tmp_path)
    for labels in (["sick"], ["late", "ward"], ["income", "born"], list(LABELS)):
        cuts = {name: CUTS[name] for name in labels if name in CUTS}
        coding = Coding.of(SCHEMA, ["age"], labels, cuts=cuts)
        rows = [[m for name in labels for m in LABELS[name][2][i]] for i in range(len(AGES))]
        assert coding.labels == len(coding.marks) == len(rows[0])
        seen = Counter((age, *row) for age, row in zip(AGES, rows, strict=True))
        for engine, source in held.items():
            counts = joint_counts(open_table(source, coding), coding)
            records = zip(
                counts.points.tolist(),
                counts.marks.astype(int).tolist(),
                counts.totals.tolist(),
                strict=True,
            )
            assert {(p, *m): n for p, m, n in records} == seen, (engine, labels)
            single = reduce(source, SCHEMA, ["age"], labels) if not cuts else None
            if single is not None:
                assert single.totals.tolist() == [3, 2]
                sums = [
                    np.sum([r for r, a in zip(rows, AGES, strict=True) if a == age], axis=0)
                    for age in (41, 67)
                ]
                assert single.positives.tolist() == np.array(sums).tolist(), engine


def test_what_workers_count_adds_up() -> None:
    """Marks of one row stay together, also where they fill more than one word."""
    ward = Category([f"v{i}" for i in range(70)])
    schema = Schema({"x": Bits(), "ward": ward, "age": Integer(0, 9)})
    cells = [pa.array([0, 1, 1]), pa.array(["v3", "v69", "v69"]), pa.array([1, 9, 9])]
    for jointly in (False, True):
        coding = Coding.of(schema, ["x"], ["ward", "age"])
        coding = Coding(coding.names, coding.columns, 1, jointly, coding.outcomes)
        parts = pa.Table.from_batches(coding.partial(iter([pa.record_batch(cells, list("abc"))])))
        assert [part.tolist() for part in coding.read(parts)] == [
            part.tolist() for part in coding.count([cells])
        ]


@pytest.mark.parametrize("name", LABELS)
def test_an_outcome_is_its_column_and_the_codes_of_its_cuts(name: str) -> None:
    """What a model keeps of it, beside the schema."""
    outcome = Outcome.of(name, SCHEMA[name])
    assert Outcome(name, Schema.parse(SCHEMA.dump())[name], outcome.cuts) == outcome
    wrong: list[Any] = [(10**6,), (0,), (2, 1), (1.0,), () if outcome.cuts else (1,)]
    for cuts in wrong:
        with pytest.raises(InvalidArgument):
            Outcome(name, SCHEMA[name], cuts)


def test_what_is_surely_a_mistake_is_refused() -> None:
    good = {"age": Integer(0, 9), "sick": Bits()}
    check_plausible(Schema(good), ["age"], ["sick"])
    check_plausible(Schema(good | {"x": Integer(3, 3, outside="null")}), ["x"], ["age"])
    one: list[Column] = [
        Integer(3, 3),
        Real(1, 1, 1),
        Category(["a"]),
        Date("2020-01-01", "2020-01-01"),
    ]
    for column in one:
        schema = Schema(good | {"x": column})
        with pytest.raises(InvalidArgument, match=r"feature 'x' has one value .* leave it out"):
            check_plausible(schema, ["x"], ["sick"])
        with pytest.raises(InvalidArgument, match=r"label 'x' has one value .* choose another"):
            check_plausible(schema, ["age"], ["x"])
        with pytest.raises(InvalidArgument, match="label 'x' has one value"):
            Coding.of(schema, ["age"], ["x"])
    with pytest.raises(InvalidArgument, match='outside = "clip"'):
        check_plausible(Schema({"x": Bits(outside="null"), "y": Bits()}), ["y"], ["x"])


@pytest.mark.parametrize(
    ("label", "cuts", "says"),
    [
        ("ward", [1], "'ward' is no number"),
        ("income", [0], "cut above 0 and up to 30; got 0"),
        ("income", ["x"], "the cut of 'income' must be a number"),
        ("income", [date(2020, 1, 1)], "the cut of 'income' must be a number"),
        ("income", [], "a number has cut points"),
        ("dose", ["0.3"], "in steps of 0.25; got 0.3"),
        ("born", ["1.2.2020"], "must be a date such as 2020-03-01"),
        ("born", ["2020-01-20"], "cut above 2020-01-20 and up to 2020-06-01"),
        ("age", [3], "cuts names 'age', which is no label"),
    ],
)
def test_cuts_that_are_none_are_refused(label: str, cuts: list[Any], says: str) -> None:
    labels = ["sick"] if label == "age" else [label]
    with pytest.raises(InvalidArgument, match=says):
        Coding.of(SCHEMA, ["age"], labels, cuts={label: cuts})


RISKS = arrays(
    np.float64, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.floats(0, 1)
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(RISKS)
def test_risks_are_made_descending_by_least_squares(risks: np.ndarray) -> None:
    expected = [isotonic_regression(row, increasing=False) for row in risks]
    assert np.allclose(descending(risks), expected)


def test_a_row_of_no_risks_is_told_without_a_warning() -> None:
    """Warnings are errors here: one about a row would tell that the row is there."""
    told = adding_up(np.array([[0.0, 0.0], [0.25, 0.75], [1.0, 1.0]]))
    assert told.tolist() == [[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    RISKS, st.sampled_from([Integer(-5, 95), Real(0, 1, "0.01"), Date("2020-01-01", "2020-12-31")])
)
def test_an_interval_holds_its_median_and_lies_in_the_range(risks: np.ndarray, column: Any) -> None:
    outcome = Outcome("y", column, tuple(range(10, 10 + 12 * risks.shape[1], 12)))
    told = combine_number(outcome, risks)
    wide = combine_number(outcome, risks, share=0.98)
    ends = [
        np.datetime64(end) if isinstance(end, date) else float(end) + sign * 1e-9
        for end, sign in ((column.low, -1), (column.high, 1))
    ]
    for low, high in (
        (ends[0], wide.low),
        (wide.low, told.low),
        (told.low, told.median),
        (told.median, told.high),
        (told.high, wide.high),
        (wide.high, ends[1]),
    ):
        assert (low <= high).all()


def test_the_true_risks_give_the_true_quantiles() -> None:
    """Of a number that is even on its range, and of one in a single bin."""
    column = Real(0, 100, 1)
    outcome = Outcome.of("y", column, cuts=[20, 40, 60, 80])
    told = combine_number(outcome, np.array([[0.8, 0.6, 0.4, 0.2], [1, 1, 0, 0]]))
    assert np.allclose(np.stack(told), [[50, 50], [10, 42], [90, 58]])
    day = Outcome.of("d", Date("2020-01-01", "2020-12-31"), cuts=["2020-03-01"])
    assert str(combine_number(day, np.array([[0.5]])).median[0]) == "2020-03-01"
    with pytest.raises(InvalidArgument, match="one column for each cut"):
        combine_number(outcome, np.ones((2, 3)))
    with pytest.raises(InvalidArgument, match="share"):
        combine_number(outcome, np.ones((2, 4)), share=1.0)
    assert combine_category(np.array([[0.1, 0.3, 0.3], [0.0, 0.0, 0.0]])).tolist() == [1, 0]
