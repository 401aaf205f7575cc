"""Each row by itself: what a cell holds decides its own code, and nothing else of `fit`."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, clone

import tacit.estimators as est
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Column, Integer, Real, Schema
from tacit.interfaces.estimators.given.handed import by_cells, handed
from tacit.interfaces.estimators.given.labelled import labelled_table, share_right
from tacit.interfaces.estimators.given.labels import classes_of_labels, marks, spellings
from tacit.interfaces.estimators.given.tables import table_to_fit
from tacit.interfaces.estimators.predictor import PrivatePredictor

Rows = Sequence[Sequence[Any]]

SURROGATE = "\ud800"
PLAIN: tuple[Any, ...] = (
    None, float("nan"), float("inf"), -float("inf"), pd.NA, pd.NaT, "", "7", " 3.5 ", "yes", "1",
    "north", "é", SURROGATE, b"7", b"\xff", True, False, np.bool_(True), 0, 1, 7, -5, 2**70,
    10**400, 2.5, -0.0, 1e300, np.float32(0.1), np.int8(3), np.longdouble(2), Fraction(1, 2),
    1 + 2j, Decimal("2.5"), Decimal("NaN"), Decimal("sNaN"), Decimal("1E+999999"),
    date(2020, 1, 1), datetime(2020, 1, 1, 12), np.datetime64("NaT"), np.timedelta64(1, "s"),
    object(),
)  # fmt: skip
NESTED: tuple[Any, ...] = (
    [], [1], [1, 2], (3,), {"foo": "bar"}, {1}, np.array([1, 2]), np.array(5), np.array([[1]]),
    pd.Series([1, 2]), [[np.nan]],
)  # fmt: skip
CELLS = PLAIN + NESTED


def _objects(rows: Rows) -> Any:
    table = np.empty((len(rows), 2), dtype=object)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            table[i, j] = cell
    return table


def _framed(make: Callable[[dict[str, Any]], Any]) -> Callable[[Rows], Any]:
    return lambda rows: make({"a": [row[0] for row in rows], "b": [row[1] for row in rows]})


def _inferred(columns: dict[str, Any]) -> Any:
    """Make a frame of the types that pandas chooses; before 3 it fails on some integers."""
    try:
        return pd.DataFrame(columns)
    except OverflowError:
        return pd.DataFrame(columns, dtype=object)


LOOSE: dict[str, Callable[[Rows], Any]] = {
    "lists": lambda rows: [list(row) for row in rows],
    "tuples": lambda rows: tuple(tuple(row) for row in rows),
    "rows as arrays": lambda rows: list(_objects(rows)),
    "objects": _objects,
    "masked objects": lambda rows: np.ma.masked_array(_objects(rows)),
    "pandas objects": lambda rows: pd.DataFrame(_objects(rows), columns=["a", "b"], dtype=object),
    "pandas by place": lambda rows: pd.DataFrame(
        _objects(rows), index=range(len(rows), 0, -1), dtype=object
    ),
    "pandas": _framed(_inferred),
    "polars objects": _framed(lambda c: pl.DataFrame(c, schema={"a": pl.Object, "b": pl.Object})),
}
"""Containers that hold cells of any kind; pandas alone chooses a type by what they hold."""

NUMBERS = (None, float("nan"), float("inf"), 0.0, 1.0, 2.5, 7.0, -3.0, 1e30)
WHOLES = (None, 0, 1, 7, -3, 100)
TEXTS = (None, "", "7", " 3.5 ", "north", "yes", "1", "true")
YES_NO = (None, True, False)
DAYS = (None, date(2020, 1, 1))


def _typed(make: Callable[[list[Any]], Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda columns: {name: make(cells) for name, cells in columns.items()}


def _numpy(dtype: str, cells: tuple[Any, ...]) -> tuple[tuple[Any, ...], Callable[[Rows], Any]]:
    return cells[1:], lambda rows: np.array(rows, dtype=dtype)


def _pandas(dtype: Any, cells: tuple[Any, ...]) -> tuple[tuple[Any, ...], Callable[[Rows], Any]]:
    made = _typed(lambda column: pd.array(column, dtype=dtype))
    return cells, _framed(lambda columns: pd.DataFrame(made(columns)))


def _polars(dtype: Any, cells: tuple[Any, ...]) -> tuple[tuple[Any, ...], Callable[[Rows], Any]]:
    return cells, _framed(lambda columns: pl.DataFrame(columns, schema={"a": dtype, "b": dtype}))


def _arrow(dtype: Any, cells: tuple[Any, ...]) -> tuple[tuple[Any, ...], Callable[[Rows], Any]]:
    return cells, _framed(lambda c: pa.table(_typed(lambda column: pa.array(column, dtype))(c)))


TYPED: dict[str, tuple[tuple[Any, ...], Callable[[Rows], Any]]] = {
    "float64": _numpy("f8", NUMBERS),
    "float32": _numpy("f4", NUMBERS),
    "float16": _numpy("f2", NUMBERS[:-1]),
    "longdouble": _numpy("g", NUMBERS),
    "big-endian": _numpy(">f8", NUMBERS),
    "int8": _numpy("i1", WHOLES),
    "uint64": _numpy("u8", (None, 0, 1, 7, 2**63)),
    "bool": _numpy("?", YES_NO),
    "texts": _numpy("U8", TEXTS),
    "bytes": _numpy("S8", (None, b"", b"7", b"north", b"\xff")),
    "datetime64": _numpy("M8[D]", DAYS),
    "pandas Int64": _pandas("Int64", WHOLES),
    "pandas Float64": _pandas("Float64", NUMBERS),
    "pandas boolean": _pandas("boolean", YES_NO),
    "pandas string": _pandas("string", TEXTS),
    "pandas str": _pandas("str", TEXTS),
    "pandas category": _pandas("category", TEXTS),
    "pandas category of numbers": _pandas("category", WHOLES),
    "pandas datetime": _pandas("datetime64[ns]", DAYS),
    "pandas period": _pandas("period[D]", DAYS),
    "pandas sparse": _pandas(pd.SparseDtype("float64"), NUMBERS[1:]),
    "pandas Arrow": _pandas(pd.ArrowDtype(pa.int64()), WHOLES),
    "pandas Arrow bool": _pandas(pd.ArrowDtype(pa.bool_()), YES_NO),
    "polars Int64": _polars(pl.Int64, WHOLES),
    "polars Int128": _polars(pl.Int128, (*WHOLES, 2**100)),
    "polars Float32": _polars(pl.Float32, NUMBERS),
    "polars String": _polars(pl.String, TEXTS),
    "polars Categorical": _polars(pl.Categorical, TEXTS),
    "polars Boolean": _polars(pl.Boolean, YES_NO),
    "polars Date": _polars(pl.Date, DAYS),
    "polars List": _polars(pl.List(pl.Int64), (None, [], [1], [1, 2])),
    "polars Null": _polars(pl.Null, (None,)),
    "arrow int64": _arrow(pa.int64(), WHOLES),
    "arrow float16": _arrow(pa.float16(), NUMBERS[:-1]),
    "arrow text": _arrow(pa.large_string(), TEXTS),
    "arrow view": _arrow(pa.string_view(), TEXTS),
    "arrow dictionary": _arrow(pa.dictionary(pa.int32(), pa.string()), TEXTS),
    "arrow bool": _arrow(pa.bool_(), YES_NO),
    "arrow binary": _arrow(pa.binary(), (None, b"7", b"\xff")),
    "arrow decimal": _arrow(pa.decimal256(60, 2), (None, Decimal("2.50"), Decimal("7.00"))),
    "arrow date": _arrow(pa.date32(), DAYS),
    "arrow timestamp": _arrow(pa.timestamp("ns"), (None, 0, -(2**63) + 1, 2**63 - 1)),
    "arrow list": _arrow(pa.list_(pa.int64()), (None, [], [1])),
    "arrow struct": _arrow(pa.struct({"x": pa.int64()}), (None, {"x": 1})),
    "arrow null": _arrow(pa.null(), (None,)),
}
"""Containers that hold cells of one kind, and such cells."""

MOMENTS = {"arrow timestamp"}
"""Cells that are handed over as numbers and come to be moments."""

DECLARED: dict[str, dict[str, Any]] = {
    "bounds": {"bounds": [(0, 9), (0, 4)], "step": [1, 0.5]},
    "null": {"schema": Schema({"a": Integer(0, 9, "null"), "b": Real(0, 4, "1/2", "null")})},
    "names": {"schema": Schema({"a": Category(["north", 7, "true"], "null"), "b": Bits("null")})},
}
CONTAINERS = [*LOOSE, *TYPED]


def _container(name: str) -> tuple[tuple[Any, ...], Callable[[Rows], Any]]:
    if name == "pandas":  # which refuses to make a column of such texts itself
        return tuple(
            cell for cell in CELLS if not isinstance(cell, str) or cell != "\ud800"
        ), LOOSE[name]
    return (CELLS, LOOSE[name]) if name in LOOSE else TYPED[name]


def _code(column: Column, cell: Any) -> int:
    number = isinstance(column, Integer | Real) and isinstance(cell, bool | np.bool_)
    return column.code(int(cell) if number else cell)


def _expected(columns: Sequence[Column], rows: Rows, name: str) -> list[list[int]]:
    cells = [[None if name in MOMENTS else cell for cell in row] for row in rows]
    return [[_code(c, cell) for c, cell in zip(columns, row, strict=True)] for row in cells]


@pytest.mark.parametrize("name", CONTAINERS)
@pytest.mark.parametrize("declared", DECLARED)
def test_every_cell_is_read_by_itself(name: str, declared: str) -> None:
    cells, make = _container(name)
    others = [[cells[i % len(cells)], cells[-1 - i % len(cells)]] for i in range(4)]
    for cell in cells:
        rows = [*others[:2], [cell, cell], *others[2:]]
        shell = est.PrivateRuleClassifier(**DECLARED[declared])
        table = table_to_fit(shell, make(rows))
        columns = list(table.schema.columns.values())
        assert table.points().tolist() == _expected(columns, rows, name), cell
        constant = table_to_fit(clone(shell), make([[cell, cell]] * 3))
        assert constant.points().tolist() == _expected(columns, [[cell, cell]] * 3, name), cell


ODD_ROWS: tuple[Any, ...] = (None, [], [7], [7, 2, 3], "77", 7, {}, np.array(7), np.zeros((2, 2)))


@pytest.mark.parametrize("odd", ODD_ROWS, ids=repr)
def test_a_row_of_another_form_is_a_row_with_missing_cells(odd: Any) -> None:
    rows: list[Any] = [[1, 2], [3, 4], [5, 6], [7, 8]]
    schema = Schema({"a": Integer(0, 9, "null"), "b": Integer(0, 9, "null")})
    for place in range(4):
        replaced = [*rows[:place], odd, *rows[place + 1 :]]
        codes = table_to_fit(est.PrivateRuleClassifier(schema=schema), replaced).points()
        assert np.delete(codes, place, 0).tolist() == rows[:place] + rows[place + 1 :]
    columns = np.array([[1, 0]] * 3, dtype=object).tolist()
    said = marks(handed([*columns, odd], "y"), [1, 1])
    assert said[:3].tolist() == [[True, False]] * 3


CLASSES = ((0, 1), (1, 0), ("no", "yes"), (False, True), (0.5, 2.5), ("1", "7"), (b"7", "north"))


def _is(cell: Any, value: Any) -> bool:
    """Whether a label is a class: the same text, or the same number."""
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, str):
        return Category([value], "null").code(cell) == 0
    truth = {0: (*"0", "false", "False"), 1: ("1", "true", "True")}.get(value, (str(value),))
    return Category(truth, "null").code(cell) < len(truth)


@pytest.mark.parametrize("name", CONTAINERS)
def test_every_label_is_read_by_itself(name: str) -> None:
    cells, make = _container(name)
    plain = [cell for cell in cells if not _is_row(cell)]
    rows = [[cell, plain[-1 - i]] for i, cell in enumerate(plain)]
    read = [[None if name in MOMENTS else cell for cell in row] for row in rows]
    for classes in CLASSES:
        shell = est.PrivateThresholdClassifier(bounds=(0, 9), classes=classes)
        given = labelled_table(shell, [[1]] * len(rows), make(rows), many=True)
        for place, said in enumerate(given.marks.values()):
            assert said.tolist() == [_is(row[place], classes[1]) for row in read], classes


def _is_row(cell: Any) -> bool:
    """Where all labels are lists, each is a row of labels."""
    return isinstance(cell, list | tuple | np.ndarray | pd.Series)


def _columns(y: Any) -> Iterator[Any]:
    """One column of labels, in what it can come in."""
    if isinstance(y, pd.DataFrame):
        first = y.columns[0]
        yield from (y[first], y[[first]], y[first].array, y.set_index(first).index)
    elif isinstance(y, pl.DataFrame):
        yield from (y["a"], y[["a"]])
    elif isinstance(y, pa.Table):
        yield from (y["a"], y.select(["a"]), y["a"].combine_chunks())
    elif isinstance(y, np.ndarray):
        yield from (y[:, 0], y[:, :1], list(y[:, 0]))
    else:
        yield from ([row[0] for row in y], [row[:1] for row in y])


@pytest.mark.parametrize("name", CONTAINERS)
@pytest.mark.filterwarnings("ignore:A column-vector y")
def test_one_label_comes_in_everything(name: str) -> None:
    cells, make = _container(name)
    plain = [cell for cell in cells if not _is_row(cell)]
    shell = est.PrivateThresholdClassifier(bounds=(0, 9), classes=(0, 1), random_state=1)
    for y in _columns(make([[cell, cell] for cell in plain])):
        given = labelled_table(clone(shell), [[1]] * len(plain), y)
        expected = [name not in MOMENTS and _is(cell, 1) for cell in plain]
        assert next(iter(given.marks.values())).tolist() == expected
        fitted = shell.fit([[1]] * len(plain), y)
        no = [name not in MOMENTS and _is(cell, 0) for cell in plain]
        assert fitted.score([[1]] * len(plain), y) in (sum(expected) / len(no), sum(no) / len(no))


SMALL: dict[str, Any] = {"bounds": (0, 3), "step": 1, "random_state": 1}
LABELLED: dict[str, Any] = {**SMALL, "classes": (0, 1)}
SHELLS: tuple[BaseEstimator, ...] = (
    est.PrivateThresholdClassifier(**LABELLED, feature=1),
    est.PrivateIntervalClassifier(**LABELLED),
    est.PrivatePointClassifier(**LABELLED),
    est.PrivateBoxClassifier(**LABELLED),
    est.PrivateRuleClassifier(**LABELLED),
    est.PrivateHalfspaceClassifier(**LABELLED),
    est.PrivateParityClassifier(**LABELLED | {"bounds": (0, 1)}),
    est.MultiLabelPrivateClassifier(est.PrivateIntervalClassifier(**LABELLED), random_state=1),
    est.PrivateSearchCV(
        est.PrivateRuleClassifier(**SMALL), {"width": [1, 2]}, classes=(0, 1), random_state=1
    ),
    est.PrivateSynthesizer(**SMALL),
    est.PrivateClassifier(**SMALL, classes=(0, "north", 7)),
    est.PrivateRegressor(**SMALL, y_bounds=(0, 8), y_step=1, cuts=[1, 4]),
)


def _done(shell: BaseEstimator, X: Any, y: Any) -> tuple[Any, ...]:
    """All that is seen of a fit but what was learned."""
    out, err, fresh = io.StringIO(), io.StringIO(), clone(shell)
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(record=True) as warned,
    ):
        warnings.simplefilter("always")
        fresh.fit(X, y)
        if hasattr(fresh, "predict"):
            fresh.predict(X)
            fresh.score(X, y)
    said = [str(each.message) for each in warned]
    return out.getvalue(), err.getvalue(), said, sorted(vars(fresh)), str(fresh.cost_)


def _codes(shell: BaseEstimator, X: Any, y: Any) -> Any:
    if isinstance(shell, est.PrivateSynthesizer):
        return table_to_fit(clone(shell), X).points()
    if isinstance(shell, PrivatePredictor):
        given = clone(shell).given(X, y)
    else:
        given = labelled_table(clone(shell.estimator).set_params(classes=(0, 1)), X, y)
    return np.column_stack([given.table.points(), *given.marks.values()])


@st.composite
def _neighbours(draw: st.DrawFn) -> tuple[Any, ...]:
    """Two tables in one container, with labels in one, that differ in one row; and its place."""
    names = [draw(st.sampled_from(CONTAINERS)) for _ in "Xy"]
    cells, labels = (_container(name)[0] for name in names)
    cell, label = map(st.sampled_from, (cells, [label for label in labels if not _is_row(label)]))
    n, row = draw(st.integers(4, 7)), (cell, cell, label)
    rows = [[draw(cell) for cell in row] for _ in range(n)]
    place = draw(st.integers(0, n - 1))
    other = [*rows[:place], [draw(cell) for cell in row], *rows[place + 1 :]]
    table, column = (_container(name)[1] for name in names)

    def made(rows: Rows) -> tuple[Any, Any]:
        y = _columns(column([[label] * 2 for _, _, label in rows]))
        return table([[one, two] for one, two, _ in rows]), next(y)

    return *made(rows), *made(other), place


@settings(max_examples=30)
@given(_neighbours())
@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: type(shell).__name__)
def test_a_replaced_row_changes_its_own_codes_only(
    shell: BaseEstimator, pair: tuple[Any, ...]
) -> None:
    X, y, other_X, other_y, place = pair
    assert _done(shell, X, y) == _done(shell, other_X, other_y)
    one, two = _codes(shell, X, y), _codes(shell, other_X, other_y)
    assert np.delete(one, place, 0).tolist() == np.delete(two, place, 0).tolist()


def test_cells_are_taken_by_the_form_that_most_rows_have() -> None:
    assert by_cells([[1], [2, 3]]).tolist() == [[1, None], [2, 3]], "the wider one of two"
    assert by_cells([[], []]).shape == (2, 0)
    hidden = np.ma.masked_array(["a", "b"], mask=[False, True], dtype=object)
    assert handed(hidden, "X").called({0: "x"})["x"].tolist() == ["a", None]
    marked = np.ma.masked_array([1, 1], mask=[False, True], dtype=object, fill_value=1)
    assert marks(handed(marked, "y"), [1])[:, 0].tolist() == [True, False]


def test_decimals_of_a_negative_scale_are_refused() -> None:
    cells = pa.array([Decimal(4100)], pa.decimal128(10, 2)).cast(pa.decimal128(10, -2))
    for given_ in (pa.table({"age": cells}), cells):
        with pytest.raises(InvalidArgument, match="stored as decimals of a negative scale"):
            handed(given_, "X")


def test_labels_keep_their_type_and_their_weight() -> None:
    indicator = np.array([[0, 1], [1, 0]], dtype=np.int8)
    assert [two.dtype for two in classes_of_labels(indicator)] == [np.int8] * 2
    two = np.array([0, 1])
    assert share_right(np.array([1, 0]), [1, 1], [two], sample_weight=[3, 1]) == 0.75
    assert share_right(np.array([0, 0]), [0, "neither"], [two]) == 0.5
    assert spellings("a\x07b") == (), "what cannot be printed is no class"
