"""What `fit` and `predict` are given, as a table with declared columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Schema, read_points
from tacit.data.in_memory import take_rows, with_labels
from tacit.interfaces.estimators.declaring import covers, from_bounds

UNASKED = "no_validation"
SHOWING = ("could not convert string to float", "Complex data not supported")
"""How scikit-learn's refusals begin that go on with a cell, or with the whole table."""


@dataclass(frozen=True, slots=True)
class Table:
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

    def take(self, places: Sequence[int]) -> Table:
        """Return some of the rows."""
        return Table(take_rows(self.rows, places), self.schema, len(places))

    def labelled(self, marks: Mapping[str, NDArray[np.bool_]]) -> tuple[Any, Schema]:
        """Return the rows with yes/no columns beside them, and the schema of both."""
        columns = dict(self.schema.columns) | dict.fromkeys(marks, Bits())
        return with_labels(self.rows, marks), Schema(columns)


def table_to_fit(estimator: Any, X: Any, y: Any = UNASKED, **checks: Any) -> tuple[Table, Any]:
    """Check the form of a table and its labels as scikit-learn does, and declare its columns.

    With bounds, cells must be finite numbers, as scikit-learn's users expect; a cell that is not
    is refused before anything is spent, and whoever sees the refusal learns that it is there. With
    a schema nothing is refused for what a cell of X holds.
    """
    X, asked = named(X), not (isinstance(y, str) and y == UNASKED)
    told = asked and getattr(estimator, "classes", None) is not None
    if estimator.schema is None and (told or not asked):
        held = _validated(estimator, X)
        target = _as_it_is(X, y, **checks) if told else y
    elif estimator.schema is None:
        held, target = _validated(estimator, X, y, **checks)
    else:
        if told:
            target = _as_it_is(X, y, **checks)
        else:
            target = _validated(estimator, y=y, **checks) if asked else y
        held = _as_declared(estimator, X, reset=True)  # last: it keeps the names of the columns
        if asked:
            check_consistent_length(X, target)
    schema = declared(estimator)
    names = names_in(estimator)
    used = Schema({names[place]: schema[names[place]] for place in columns_of(estimator)})
    return _table(held, names, used), target


def table_to_predict(estimator: Any, X: Any, used: Schema) -> Table:
    """Check that a table has the form of the one that was fitted."""
    X = named(X)
    if estimator.schema is None:
        held = _validated(estimator, X, reset=False)
    else:
        held = _as_declared(estimator, X, reset=False)
    return _table(held, names_in(estimator), used)


def seen(estimator: Any, X: Any) -> Schema:
    """Let an estimator see the names and the number of columns; return what it declares."""
    validate_data(estimator, named(X), skip_check_array=True)
    return declared(estimator)


def named(X: Any) -> Any:
    """Return a table whose names every release of scikit-learn sees: not Polars' own, to all."""
    own = hasattr(X, "to_arrow") and not hasattr(X, "__dataframe__")
    return X.to_arrow() if own else X


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


def _validated(estimator: Any, *given: Any, **checks: Any) -> Any:
    """Check a table as scikit-learn does, but show no cell of it in a refusal."""
    try:
        return validate_data(estimator, *given, **checks)
    except ValueError as error:
        for words in SHOWING:
            if words in str(error):
                raise InvalidArgument(
                    f"{words}: a cell is not a finite number; give numbers, or a schema, by which "
                    "cells of any kind are read"
                ) from None
        raise


def _as_it_is(X: Any, y: Any, *, multi_output: bool = False) -> NDArray[Any]:
    """Return labels of declared classes: whatever they hold, none is a reason to stop."""
    if y is None:
        raise InvalidArgument("requires y to be passed, but the target y is None")
    target: NDArray[Any] = np.asarray(y) if multi_output else column_or_1d(y, warn=True)
    check_consistent_length(X, target)
    return target


def _as_declared(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Return a frame as it is, or an array whose columns are the schema's, one for one."""
    declared(estimator)
    if hasattr(X, "columns"):
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        return X
    held = _validated(estimator, X, reset=reset, dtype=None, ensure_all_finite=False)
    if held.shape[1] != len(estimator.schema.names):
        raise InvalidArgument(
            f"X has {held.shape[1]} features, the schema {len(estimator.schema.names)} columns: "
            "without names they are taken in order, one for one"
        )
    return held


def _table(held: Any, names: Sequence[str], used: Schema) -> Table:
    if not isinstance(held, np.ndarray):
        return Table(held, used, len(held))
    if held.dtype.kind == "b":
        held = held.astype(np.uint8)
    if held.dtype.kind == "f" and held.dtype.itemsize > 8:
        held = held.astype(np.float64)
    columns = {name: held[:, names.index(name)] for name in used.names}
    return Table(columns, used, len(held))
