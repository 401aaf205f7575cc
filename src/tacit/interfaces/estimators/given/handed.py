"""Tables and labels as they are handed over, taken apart by their form and never by a cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.sparse import issparse

from tacit.core.errors import InvalidArgument
from tacit.data.reading.arrow import check_types


@dataclass(frozen=True, slots=True)
class Handed:
    """Columns of equal length in the type they came in; all but `rows` is public.

    `names` are what a frame or a series says; `flat` is what has one dimension, such as labels.
    """

    rows: Any
    n: int
    width: int
    names: tuple[Any, ...] | None = None
    flat: bool = False

    @property
    def form(self) -> Any:
        """A table of no rows, for scikit-learn to see names and a number of columns."""
        if self.names is None:
            return np.empty((0, self.width))
        if all(isinstance(name, str) for name in self.names):
            return pa.table([pa.nulls(0)] * self.width, names=list(self.names))
        return self.rows.head(0).to_native().set_axis(list(self.names), axis=1)

    @property
    def yes_or_no(self) -> bool:
        """Whether all columns are, by their type, of yes and no."""
        if isinstance(self.rows, Mapping):
            return all(column.dtype.kind == "b" for column in self.rows.values())
        return all(dtype == nw.Boolean for dtype in self.rows.schema.values())

    def called(self, names: Mapping[int, str]) -> Any:
        """Return the columns at some places, under other names: named arrays, or a frame."""
        if isinstance(self.rows, Mapping):
            return {name: self.rows[str(place)] for place, name in names.items()}
        own = self.rows.columns
        return self.rows.select(
            *(nw.col(own[place]).alias(name) for place, name in names.items())
        ).to_native()


def handed(given: Any, role: str) -> Handed:
    """Take apart what `fit` or `predict` was given.

    A list is taken cell by cell. NumPy would find one type for all of it, by its cells: one text
    makes all of them texts, and one list among numbers is an error.

    >>> handed([[1, "a"], [2.5, None], [3]], "X").called({0: "age", 1: "ward"})["ward"].tolist()
    ['a', None, None]
    """
    if isinstance(given, pa.Array):
        given = pa.chunked_array([given])
    if nw.dependencies.is_into_series(given):
        series = nw.from_native(given, series_only=True)
        check_types(series.to_frame())
        return Handed(series.alias("0").to_frame(), len(series), 1, (series.name,), flat=True)
    if nw.dependencies.is_into_dataframe(given):
        return _frame(given, role)
    if issparse(given):
        raise InvalidArgument(f"{role} must not be sparse: give a dense array, or a frame")
    if isinstance(given, Sequence) and not isinstance(given, str | bytes | bytearray):
        array = by_cells(given)
    else:
        array = given if isinstance(given, np.ma.MaskedArray) else np.asarray(given)
    if isinstance(array, np.ma.MaskedArray) and array.dtype.kind == "O":
        held = array.data.copy()
        held[np.ma.getmaskarray(array)] = None  # `filled(None)` would fill in what NumPy chooses
        array = held
    if array.dtype.kind == "c":
        raise InvalidArgument(f"Complex data not supported: {role} is an array of complex numbers")
    if array.ndim not in (1, 2):
        raise InvalidArgument(f"{role} must have rows and columns; it has {array.ndim} dimensions")
    columns = [array] if array.ndim == 1 else [array[:, i] for i in range(array.shape[1])]
    rows = {str(place): column for place, column in enumerate(columns)}
    return Handed(rows, len(array), len(columns), flat=array.ndim == 1)


def by_cells(rows: Sequence[Any]) -> NDArray[np.object_]:
    """Return a list of rows as an array of as many columns as most rows have.

    A row that is longer is cut, and the cells that a row lacks are missing: one row is no reason to
    stop. If most are no rows but cells, they are one column.

    >>> by_cells([[1, [2, 3]], [4, 5], [6, 7, 8], None]).tolist()
    [[1, [2, 3]], [4, 5], [6, 7], [None, None]]
    >>> by_cells([1, [2], "three"]).tolist()
    [1, [2], 'three']
    """
    split = [_cells(row) for row in rows]
    widths = Counter(-1 if cells is None else len(cells) for cells in split)
    width = max(widths, key=lambda width: (widths[width], width), default=-1)
    if width < 0:
        return _column(rows)
    found = np.empty((len(split), width), dtype=object)
    for place in range(width):
        found[:, place] = _column(
            [cells[place] if cells and place < len(cells) else None for cells in split]
        )
    return found


def _cells(row: Any) -> Sequence[Any] | None:
    """Return the cells of a row, or None for what is a single cell."""
    if isinstance(row, list | tuple):
        return row
    if isinstance(row, np.ndarray) and row.ndim:
        return list(row)
    if nw.dependencies.is_into_series(row):
        found: list[Any] = nw.from_native(row, series_only=True).to_list()
        return found
    return None


def _column(cells: Sequence[Any]) -> NDArray[np.object_]:
    """Return cells as they are, also those that are lists or arrays."""
    found = np.empty(len(cells), dtype=object)
    for place, cell in enumerate(cells):
        found[place] = cell
    return found


def _frame(given: Any, role: str) -> Handed:
    try:
        frame: nw.DataFrame[Any] = nw.from_native(given, eager_only=True)
        names = tuple(frame.columns)
    except ValueError:
        raise InvalidArgument(f"{role} has two columns of one name; rename one") from None
    check_types(frame)
    if not all(isinstance(name, str) for name in names):
        places = [str(place) for place in range(len(names))]
        frame = nw.from_native(given.set_axis(places, axis=1), eager_only=True)
    return Handed(frame, len(frame), len(names), names)
