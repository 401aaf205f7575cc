"""Frames, arrays and relations, whose raw columns are handed over as Arrow arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import pyarrow as pa

from tacit.core.dialect import DUCKDB
from tacit.core.errors import InvalidArgument
from tacit.data.reading.arrow import from_array, from_pandas, texts
from tacit.data.reading.coding import Coding
from tacit.data.reading.native import native_counts
from tacit.data.reading.opened import BATCH, TEXTS, Opened, in_batches, keys, reading

_WIDE = re.compile(r"U?HUGEINT|BIGNUM|UUID")
_HANDED = re.compile(
    r"U?(TINYINT|SMALLINT|INTEGER|BIGINT)|FLOAT|DOUBLE|DECIMAL\(.*\)|BOOLEAN|ENUM\(.*\)"
    r"|DATE|TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?",
    re.DOTALL,
)
_LONGEST = 1 << 17
"""Letters or bytes of a text that a relation hands over: DuckDB's batches hold 2 GiB at most."""


def open_arrays(arrays: Mapping[str, Any]) -> Opened:
    """Open named arrays or lists of one length."""

    def batches(names: Sequence[str]) -> Iterator[Sequence[Any]]:
        columns = [_held(name, arrays[name]) for name in names]
        for name, column in zip(names, columns, strict=True):
            if len(column) != len(columns[0]):
                raise InvalidArgument(f"columns {names[0]!r} and {name!r} differ in length")
        yield from in_batches(pa.table(columns, names=keys(names)))

    return Opened("the table", list(arrays), batches)


def open_relation(relation: duckdb.DuckDBPyRelation, title: str = "the relation") -> Opened:
    """Open a DuckDB relation, which runs in its own connection and hands over cells as they are.

    Nothing is compared or cast there but integers of more than 64 bits and UUIDs, which are written
    as text: DuckDB decides comparisons by a least and a greatest value that leave NaN out.
    """
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))

    def batches(names: Sequence[str]) -> Iterator[Sequence[Any]]:
        cells = zip(keys(names), (_raw(name, types[name]) for name in names), strict=True)
        chosen = relation.project(", ".join(f"{cell} AS {key}" for key, cell in cells))
        with reading(title):
            for batch in chosen.to_arrow_reader(TEXTS):
                yield batch.columns

    return Opened(title, relation.columns, batches, types=types)


def open_eager(frame: nw.DataFrame[Any]) -> Opened:
    """Open a frame in memory."""

    def batches(names: Sequence[str]) -> Iterator[Sequence[Any]]:
        columns = [_column(frame, name) for name in names]
        yield from in_batches(pa.table(columns, names=keys(names)))

    return Opened("the frame", frame.columns, batches, types=frame.schema)


def open_lazy(frame: nw.LazyFrame[Any]) -> Opened:
    """Open a lazy frame: its own engine reads the rows, and counts where all are integers."""
    with reading("the lazy frame", (Exception,)):
        types = frame.collect_schema()

    def chosen(names: Sequence[str]) -> nw.LazyFrame[Any]:
        called = zip(names, keys(names), strict=True)
        return frame.select(*(_cell(name, types[name]).alias(key) for name, key in called))

    def batches(names: Sequence[str]) -> Iterator[Sequence[Any]]:
        rows = chosen(names)
        with reading("the lazy frame", (Exception,)):
            for table in _tables(rows):
                yield from in_batches(table)

    def counted(coding: Coding) -> Any:
        with reading("the lazy frame", (Exception,)):
            counts = native_counts(chosen(coding.names), coding)
            return None if counts is None else _collected(counts)

    return Opened("the lazy frame", types.names(), batches, counted=counted, types=types)


def _tables(rows: nw.LazyFrame[Any]) -> Iterator[Any]:
    """Yield the rows in order, as Arrow tables; Polars gives them part by part."""
    native = rows.to_native()
    if hasattr(native, "collect_batches"):
        for part in native.collect_batches(chunk_size=BATCH, maintain_order=True):
            yield part.to_arrow()
    else:
        yield _collected(rows)


def _collected(frame: nw.LazyFrame[Any]) -> Any:
    """Collect a lazy frame as an Arrow table; Polars does so without holding what it read."""
    if frame.implementation.is_polars():
        return frame.collect("polars", engine="streaming").to_arrow()
    return frame.collect("pyarrow").to_native()


def _raw(name: str, stored: str) -> str:
    """Write a relation's column as one that Arrow takes as it is; what is no plain cell is NULL."""
    cell = DUCKDB.identifier(name)
    if _WIDE.fullmatch(stored):
        return f"CAST({cell} AS VARCHAR)"
    if stored in ("VARCHAR", "BLOB"):
        return f"array_slice({cell}, 1, {_LONGEST})"
    return cell if _HANDED.fullmatch(stored) else "NULL"


def _cell(name: str, dtype: Any) -> nw.Expr:
    if dtype == nw.Object:
        raise InvalidArgument(f"column {name!r} holds Python objects; collect the frame first")
    if (
        dtype.is_nested()
    ):  # no plain cells: all are missing, and Polars 1 hands structs over wrongly
        return nw.when(nw.col(name).is_null()).then(nw.lit(None, nw.Int64))
    return nw.col(name).cast(nw.String) if dtype in (nw.Int128, nw.UInt128) else nw.col(name)


def _held(name: str, values: Any) -> Any:
    """Turn what a mapping holds into Arrow: an array or a list, a series of a library, or Arrow."""
    if isinstance(values, pa.Array | pa.ChunkedArray):
        return values
    if nw.dependencies.is_into_series(values):
        return _column(nw.from_native(values, series_only=True).alias(name).to_frame(), name)
    return from_array(name, values)


def _column(frame: nw.DataFrame[Any], name: str) -> Any:
    series = frame[name]
    if frame.implementation.is_pandas():
        return from_pandas(name, series.to_native())
    if series.dtype == nw.Object:
        return texts(series.to_list())
    if frame.implementation.is_pyarrow():
        return (
            series.to_native()
        )  # chunk by chunk: to put them together can fail for what they hold
    if series.dtype in (nw.Int128, nw.UInt128):
        series = series.cast(nw.String)
    return series.to_arrow()
