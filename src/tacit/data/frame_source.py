"""Frames and arrays as relations, without a copy where their memory is Arrow's or NumPy's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from tacit.core.errors import InvalidArgument
from tacit.data.arrow import from_array, from_pandas, readable, texts
from tacit.data.coding import Coding
from tacit.data.engine import (
    MERGED,
    WEIGHT,
    Opened,
    Relation,
    Table,
    connect,
    from_columns,
    keys,
    reading,
    renamed,
)
from tacit.data.native import native_counts


def open_arrays(arrays: Mapping[str, Any]) -> Opened:
    """Open named arrays or lists of one length."""

    def rows(names: Sequence[str], *, ordered: bool) -> Table:
        columns = [from_array(name, arrays[name]) for name in names]
        for name, column in zip(names, columns, strict=True):
            if len(column) != len(columns[0]):
                raise InvalidArgument(f"columns {names[0]!r} and {name!r} differ in length")
        return from_columns(dict(zip(keys(names), columns, strict=True)), ordered=ordered)

    return Opened("the table", list(arrays), rows)


def open_relation(relation: Relation) -> Opened:
    """Open a DuckDB relation, which runs in its own connection."""

    def rows(names: Sequence[str], *, ordered: bool) -> Table:  # noqa: ARG001
        return renamed(relation, names, again=False)

    return Opened("the relation", relation.columns, rows)


def open_eager(frame: nw.DataFrame[Any]) -> Opened:
    """Open a frame in memory."""

    def rows(names: Sequence[str], *, ordered: bool) -> Table:
        columns = {key: _column(frame, name) for key, name in zip(keys(names), names, strict=True)}
        return from_columns(columns, ordered=ordered)

    return Opened("the frame", frame.columns, rows)


def open_lazy(frame: nw.LazyFrame[Any]) -> Opened:
    """Open a lazy frame: its own engine reads, and merges equal rows where that is asked for.

    To merge equal rows takes no arithmetic, so engines cannot differ in it: what one of them tells
    apart and another does not (0.0 and -0.0, NaN and NULL) has one code.
    """
    with reading("the lazy frame", (Exception,)):
        types = frame.collect_schema()

    def rows(names: Sequence[str], *, ordered: bool) -> Table:
        called = keys(names)
        chosen = frame.select(
            *(_cell(name, types[name]).alias(key) for name, key in zip(names, called, strict=True))
        )
        if not ordered and len(names) <= MERGED:
            chosen = chosen.group_by(*called).agg(nw.len().alias(WEIGHT))
        with reading("the lazy frame", (Exception,)):
            table = chosen.collect("pyarrow").to_native()
        columns = {
            key: readable(name, table.column(key)) for name, key in zip(names, called, strict=True)
        }
        if WEIGHT in table.column_names:
            columns[WEIGHT] = table.column(WEIGHT)
        return from_columns(columns, ordered=ordered)

    def counted(coding: Coding) -> Relation | None:
        names = zip(coding.names, keys(coding.names), strict=True)
        chosen = frame.select(*(_cell(name, types[name]).alias(key) for name, key in names))
        with reading("the lazy frame", (Exception,)):
            counts = native_counts(chosen, coding)
            if counts is None:
                return None
            return connect(ordered=False).from_arrow(_collected(counts))

    return Opened("the lazy frame", types.names(), rows, counted=counted)


def _collected(frame: nw.LazyFrame[Any]) -> Any:
    """Collect counts as an Arrow table; Polars does so without holding the rows."""
    if frame.implementation.is_polars():
        return frame.collect("polars", engine="streaming").to_arrow()
    return frame.collect("pyarrow").to_native()


def _cell(name: str, dtype: Any) -> nw.Expr:
    if dtype == nw.Object:
        raise InvalidArgument(f"column {name!r} holds Python objects; collect the frame first")
    return nw.col(name).cast(nw.String) if dtype in (nw.Int128, nw.UInt128) else nw.col(name)


def _column(frame: nw.DataFrame[Any], name: str) -> Any:
    series = frame[name]
    if frame.implementation.is_pandas():
        return from_pandas(name, series.to_native())
    if series.dtype == nw.Object:
        return texts(series.to_list())
    if series.dtype in (nw.Int128, nw.UInt128):
        series = series.cast(nw.String)
    return readable(name, series.to_arrow())
