"""What `fit` and `predict` are given, as a table with declared columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from tacit.core.errors import InvalidArgument
from tacit.core.unit import Neighbours, Unit
from tacit.data import Bits, Category, Column, Integer, Real, Schema, read_points
from tacit.data.reading.in_memory import with_labels
from tacit.interfaces.estimators.given.declaring import covers, from_bounds
from tacit.interfaces.estimators.given.handed import Handed, handed

YES_NO = Bits()
"""What labels are, unless they are of several classes or numbers."""


@dataclass(frozen=True, slots=True)
class GivenTable:
    """Rows, and the declared domains of the columns that are used."""

    rows: Any
    schema: Schema
    n: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each column has."""
        return tuple(column.size for column in self.schema.columns.values())

    def points(self) -> NDArray[np.int64]:
        """Return the codes of the rows, in order."""
        return read_points(self.rows, self.schema, self.schema.names)

    def settled(self) -> GivenTable:
        """Return the rows as arrays of the values that their codes stand for.

        Rows of these can be taken, whatever the table came in: Arrow takes none from some types.
        """
        codes, rows = self.points().reshape(self.n, -1), {}
        for place, (name, column) in enumerate(self.schema.columns.items()):
            found, places = np.unique(codes[:, place], return_inverse=True)
            values = [column.decode(int(code)) for code in found]
            rows[name] = np.array(values, dtype=object)[places]  # one type would be chosen by all
        return GivenTable(rows, self.schema, self.n)

    def take(self, places: Sequence[int]) -> GivenTable:
        """Return some of the rows of a settled table."""
        kept = np.array(places, dtype=np.intp)
        rows = {name: column[kept] for name, column in self.rows.items()}
        return GivenTable(rows, self.schema, len(kept))

    def labelled(
        self, marks: Mapping[str, NDArray[Any]], column: Column = YES_NO
    ) -> tuple[Any, Schema]:
        """Return the rows with columns of labels beside them, and the schema of both."""
        columns = dict(self.schema.columns) | dict.fromkeys(marks, column)
        if not isinstance(column, Bits):
            marks = {name: decoded(column, codes) for name, codes in marks.items()}
        return with_labels(self.rows, marks), Schema(columns)


def decoded(column: Column, codes: NDArray[np.int64]) -> NDArray[Any]:
    """Return what codes stand for, in one type whatever they are: texts, "" for none, or floats.

    >>> decoded(Category(["f", "m"], outside="null"), np.array([1, 2, 0])).tolist()
    ['m', '', 'f']
    """
    found, places = np.unique(codes, return_inverse=True)
    values = [column.decode(int(code)) for code in found]
    if isinstance(column, Category):
        return np.array(["" if value is None else str(value) for value in values])[places]
    return np.array(values, dtype=np.float64)[places]


def table_to_fit(estimator: Any, X: Any) -> GivenTable:
    """Let an estimator see a table's names and number of columns, and declare what it holds.

    Whatever a cell holds, it is none of the reasons to stop: every cell is read by the declared
    column's map, which is total.
    """
    secret = secret_number(estimator)
    if secret and isinstance(X, Sequence):
        raise InvalidArgument(
            "a list says how many columns it has by its rows, and how many rows there are is "
            "secret: give X as a frame or an array"
        )
    held = _of_rows(X, least=0 if secret else 1)
    _see(estimator, held, reset=True)
    schema, names = declared(estimator), names_in(estimator)
    if len(names) != held.width:
        raise InvalidArgument(
            f"X has {held.width} features, the schema {len(names)} columns: without names they are "
            "taken in order, one for one"
        )
    used = Schema({names[place]: schema[names[place]] for place in columns_of(estimator)})
    return table_of(held, names, used)


def secret_number(estimator: Any) -> bool:
    """Whether rows may be added or removed, so that how many there are is secret."""
    return Unit((), getattr(estimator, "neighbours", Neighbours.REPLACED)).added


def table_to_predict(estimator: Any, X: Any, used: Schema) -> GivenTable:
    """Check that a table has the form of the one that was fitted."""
    held = _of_rows(X)
    _see(estimator, held, reset=False)
    return table_of(held, names_in(estimator), used)


def seen(estimator: Any, X: Any) -> Schema:
    """Let an estimator see the names and the number of columns; return what it declares."""
    _see(estimator, _of_rows(X), reset=True)
    return declared(estimator)


def declared(estimator: Any) -> Schema:
    """Return the domains that an estimator declares for the columns that it has seen.

    Also of those that it does not use: so it is one schema, whatever `feature` is.
    """
    if estimator.schema is None:
        names, used, said = names_in(estimator), columns_of(estimator), estimator
        places = [
            place
            for place, name in enumerate(names)
            if place in used or (covers(said.bounds, name) and covers(said.step, name))
        ]
        return from_bounds(said.bounds, said.step, names, places, parts=said.resolution(len(used)))
    if not isinstance(estimator.schema, Schema):
        raise InvalidArgument(
            f"schema must be a tacit.data.Schema, got {type(estimator.schema).__name__}"
        )
    if estimator.bounds is not None or estimator.step is not None:
        raise InvalidArgument("a schema says bounds and steps; leave bounds and step out")
    return estimator.schema


def names_in(estimator: Any) -> list[str]:
    """Return the names of the columns that were seen; without names, the schema's or x0, ..."""
    named = getattr(estimator, "feature_names_in_", None)
    if named is not None:
        return list(map(str, named))
    if estimator.schema is not None:
        return list(estimator.schema.names)
    return [f"x{place}" for place in range(estimator.n_features_in_)]


def columns_of(estimator: Any) -> Sequence[int]:
    """Return the places of the columns that are used: all, or the one that `feature` names."""
    names = names_in(estimator)
    feature = getattr(estimator, "feature", None)
    if feature is None:
        return range(len(names))
    if isinstance(feature, str):
        if feature not in names:
            raise InvalidArgument(f"feature={feature!r} is no column; there are {names[:20]}")
        return [names.index(feature)]
    if isinstance(feature, bool) or not isinstance(feature, int | np.integer):
        raise InvalidArgument(f"feature must be a column's name or place, got {feature!r}")
    if not 0 <= feature < len(names):
        raise InvalidArgument(
            f"feature={feature} must be a place from 0 on, and X has {len(names)} feature(s)"
        )
    return [int(feature)]


def _of_rows(X: Any, least: int = 1) -> Handed:
    """Take a table apart; what is refused is refused for its shape."""
    held = handed(X, "X")
    if held.flat:
        raise InvalidArgument(
            "Expected 2D array, got 1D array instead. Reshape your data: X.reshape(-1, 1) if it is "
            "one feature, X.reshape(1, -1) if it is one row"
        )
    rows = held.n if least else "n"  # where none are needed, how many there are is secret
    for many, what in ((held.n + 1 - least, "sample"), (held.width, "feature")):
        if not many:
            raise InvalidArgument(
                f"Found array with 0 {what}(s) (shape=({rows}, {held.width})) while a minimum of "
                "1 is required."
            )
    return held


def _see(estimator: Any, held: Handed, *, reset: bool) -> None:
    """Let scikit-learn keep or compare the names and the number of columns, and nothing else."""
    validate_data(estimator, held.form, reset=reset, skip_check_array=True)


def table_of(held: Handed, names: Sequence[str], used: Schema) -> GivenTable:
    """Return columns that were handed over, under these names, to be read as declared."""
    rows = held.called({names.index(name): name for name in used.columns})
    return GivenTable(_yes_is_one(rows, used), used, held.n)


def _yes_is_one(rows: Any, schema: Schema) -> Any:
    """Return rows in which yes and no are 1 and 0 wherever numbers are declared.

    NumPy makes them so as soon as there is one number beside them; and made so always, no cell
    decides how another is read.
    """
    declared = schema.columns.items()
    numeric = [name for name, column in declared if isinstance(column, Integer | Real)]
    if isinstance(rows, Mapping):
        return {**rows, **{name: _array(rows[name]) for name in numeric}}
    frame: nw.DataFrame[Any] = nw.from_native(rows, eager_only=True)
    return frame.with_columns(*(_series(frame[name]) for name in numeric)).to_native()


def _array(column: NDArray[Any]) -> NDArray[Any]:
    if column.dtype.kind == "b":
        return column.astype(np.uint8)
    return np.asarray(_ones(column)) if column.dtype.kind == "O" else column


def _series(column: nw.Series[Any]) -> nw.Series[Any]:
    if column.dtype == nw.Boolean:
        return column.cast(nw.Int8)
    if "object" not in (str(column.dtype).lower(), str(getattr(column.to_native(), "dtype", ""))):
        return column  # narwhals calls a column of pandas texts by what its first objects are
    cells = [_one(cell) for cell in column.to_list()]
    return nw.new_series(column.name, cells, nw.Object(), backend=column.implementation)


def _one(cell: object) -> object:
    return int(cell) if isinstance(cell, bool | np.bool_) else cell


_ones = np.frompyfunc(_one, 1, 1)
