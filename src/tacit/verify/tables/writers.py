"""What writes a tiny table: libraries and file formats, each with what it can store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet

from tacit.core.errors import MissingExtra
from tacit.data.reading.source import Source
from tacit.verify.tables import cells
from tacit.verify.tables.cells import Storage

Columns = Mapping[str, tuple[Storage, Sequence[Any]]]
"""The cells of each column, and how they are stored."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Makes a source of named cells; what it writes, if it is a file, begins with `path`."""

    name: str
    make: Callable[[Columns, Path], Source]
    storages: tuple[Storage, ...]

    def __call__(self, columns: Columns, path: Path) -> Source:
        """Write the cells, and return what they can be read from."""
        return self.make(columns, path)


def optional(package: str) -> Any:
    """Import a library that is an extra of the same name, or say how to get it."""
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtra(package=package, extra=package) from None


def _lines(columns: Columns, path: Path) -> Source:
    """Write raw cells between commas, one line one row."""
    file = path.with_suffix(".csv")
    rows = [b",".join(name.encode() for name in columns)]
    rows += [b",".join(row) for row in zip(*(held for _, held in columns.values()), strict=True)]
    file.write_bytes(b"\n".join(rows) + b"\n")
    return file


def _arrow(columns: Columns) -> Any:
    return pa.table({name: pa.array(held, stored.type) for name, (stored, held) in columns.items()})


def _pandas(columns: Columns) -> Any:
    pandas = optional("pandas")

    def series(storage: Storage, held: Sequence[Any]) -> Any:
        if storage.type is not None:
            return pa.array(held, storage.type).to_pandas()
        return pandas.Series(list(held), dtype=None if storage is cells.INFERRED else object)

    return pandas.DataFrame({name: series(*column) for name, column in columns.items()})


def _polars(columns: Columns) -> Any:
    polars = optional("polars")

    def series(storage: Storage, held: Sequence[Any]) -> Any:
        if storage.type is not None:
            return polars.from_arrow(pa.array(held, storage.type))
        return polars.Series(list(held), dtype=polars.Object)

    return polars.DataFrame({name: series(*column) for name, column in columns.items()})


def _arrays(columns: Columns) -> Any:
    def array(storage: Storage, held: Sequence[Any]) -> Any:
        if storage.type is not None:
            return pa.array(held, storage.type).to_numpy(zero_copy_only=False)
        objects = np.empty(len(held), dtype=object)
        objects[:] = list(held)
        return objects

    return {name: array(*column) for name, column in columns.items()}


def _relation(columns: Columns) -> Any:
    return _database().from_arrow(_arrow(columns))


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Start one engine for all tables: it takes longer than to write one."""
    return duckdb.connect()


def _second_version(table: Any, file: Path) -> None:
    """Write pages of deltas and lengths, some of which Arrow refuses and DuckDB then decodes."""
    table.to_table("written")
    _database().execute(f"COPY written TO '{file}' (FORMAT parquet, PARQUET_VERSION v2)")
    _database().execute("DROP TABLE written")


def _in_memory(frame: Callable[[Columns], Any]) -> Callable[[Columns, Path], Source]:
    return lambda columns, _: frame(columns)


def _parquet(
    write: Callable[[Any, Path], object], frame: Callable[[Columns], Any]
) -> Callable[[Columns, Path], Source]:
    def make(columns: Columns, path: Path) -> Source:
        file = path.with_suffix(".parquet")
        write(frame(columns), file)
        return file

    return make


_USUAL = (cells.FLOAT, cells.WHOLE, cells.TEXT)
_OTHER = (cells.SINGLE, cells.UNSIGNED, cells.TRUTH, cells.DECIMAL, cells.BYTES)
_DATED = (*_USUAL, cells.DATE)

_by_arrow = pyarrow.parquet.write_table
_FLOAT_OR_TEXT = (cells.FLOAT, cells.TEXT)

WRITERS = (
    Writer("csv", _lines, (cells.LINES,)),
    Writer("parquet-pyarrow", _parquet(_by_arrow, _arrow), (*_DATED, *_OTHER, cells.TIME)),
    Writer(
        "parquet-groups", _parquet(partial(_by_arrow, row_group_size=1), _arrow), _FLOAT_OR_TEXT
    ),
    Writer(
        "parquet-bare",
        _parquet(partial(_by_arrow, write_statistics=False, use_dictionary=False), _arrow),
        _FLOAT_OR_TEXT,
    ),
    Writer(
        "parquet-polars",
        _parquet(lambda frame, file: frame.write_parquet(file), _polars),
        (*_FLOAT_OR_TEXT, cells.SINGLE),
    ),
    Writer("parquet-pandas", _parquet(lambda frame, file: frame.to_parquet(file), _pandas), _USUAL),
    Writer(
        "parquet-duckdb",
        _parquet(lambda table, file: table.write_parquet(str(file)), _relation),
        (*_FLOAT_OR_TEXT, cells.DECIMAL),
    ),
    Writer("parquet-duckdb-v2", _parquet(_second_version, _relation), _USUAL),
    Writer("pandas", _in_memory(_pandas), (cells.FLOAT, cells.MIXED, cells.INFERRED, cells.DATE)),
    Writer("polars", _in_memory(_polars), (cells.FLOAT, cells.WHOLE, cells.MIXED, cells.DATE)),
    Writer("polars-lazy", _in_memory(lambda columns: _polars(columns).lazy()), _DATED),
    Writer("pyarrow", _in_memory(_arrow), (*_USUAL, cells.TIME)),
    Writer("numpy", _in_memory(_arrays), (cells.FLOAT, cells.SINGLE, cells.MIXED)),
    Writer(
        "lists",
        _in_memory(lambda columns: {name: list(held) for name, (_, held) in columns.items()}),
        (cells.MIXED,),
    ),
    Writer("duckdb", _in_memory(_relation), _DATED),
)
"""CSV by hand, Parquet as each library writes it, and tables in memory."""
