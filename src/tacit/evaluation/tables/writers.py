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
from tacit.data.source import Source
from tacit.evaluation.tables import cells
from tacit.evaluation.tables.cells import Storage

Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Writer:
    """Makes a source of named cells; what it writes, if it is a file, begins with `path`."""

    name: str
    make: Callable[[Columns, Storage, Path], Source]
    storages: tuple[Storage, ...]

    def __call__(self, columns: Columns, storage: Storage, path: Path) -> Source:
        """Write the cells, and return what they can be read from."""
        return self.make(columns, storage, path)


def optional(package: str) -> Any:
    """Import a library that is an extra of the same name, or say how to get it."""
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtra(package=package, extra=package) from None


def lines(columns: Columns, storage: Storage, path: Path) -> Source:  # noqa: ARG001
    """Write raw cells between commas, one line one row."""
    file = path.with_suffix(".csv")
    rows = [b",".join(name.encode() for name in columns)]
    rows += [b",".join(row) for row in zip(*columns.values(), strict=True)]
    file.write_bytes(b"\n".join(rows) + b"\n")
    return file


def arrow(columns: Columns, storage: Storage) -> Any:
    """Return an Arrow table, of the storage's type or of the one that Arrow infers."""
    return pa.table({name: pa.array(held, storage.type) for name, held in columns.items()})


def _pyarrow(columns: Columns, storage: Storage, path: Path, **options: Any) -> Source:
    file = path.with_suffix(".parquet")
    pyarrow.parquet.write_table(arrow(columns, storage), file, **options)
    return file


def _polars(columns: Columns, storage: Storage, path: Path) -> Source:
    file = path.with_suffix(".parquet")
    _polars_frame(columns, storage, path).write_parquet(file)
    return file


def _pandas(columns: Columns, storage: Storage, path: Path) -> Source:
    file = path.with_suffix(".parquet")
    _pandas_frame(columns, storage, path).to_parquet(file)
    return file


def _duckdb(columns: Columns, storage: Storage, path: Path) -> Source:
    file = path.with_suffix(".parquet")
    _relation(columns, storage, path).write_parquet(str(file))
    return file


def _pandas_frame(columns: Columns, storage: Storage, path: Path) -> Any:  # noqa: ARG001
    pandas = optional("pandas")
    if storage.type is not None:
        return arrow(columns, storage).to_pandas()
    dtype = None if storage is cells.INFERRED else object
    return pandas.DataFrame({n: pandas.Series(list(c), dtype=dtype) for n, c in columns.items()})


def _polars_frame(columns: Columns, storage: Storage, path: Path) -> Any:  # noqa: ARG001
    polars = optional("polars")
    if storage.type is not None:
        return polars.from_arrow(arrow(columns, storage))
    return polars.DataFrame(
        {n: polars.Series(n, list(c), dtype=polars.Object) for n, c in columns.items()}
    )


def _polars_lazy(columns: Columns, storage: Storage, path: Path) -> Any:
    return _polars_frame(columns, storage, path).lazy()


def _table(columns: Columns, storage: Storage, path: Path) -> Any:  # noqa: ARG001
    return arrow(columns, storage)


def _arrays(columns: Columns, storage: Storage, path: Path) -> Any:  # noqa: ARG001
    if storage.type is None:
        return {name: _objects(held) for name, held in columns.items()}
    table = arrow(columns, storage)
    return {name: table.column(name).to_numpy() for name in columns}


def _objects(held: Sequence[Any]) -> Any:
    array = np.empty(len(held), dtype=object)
    array[:] = list(held)
    return array


def _lists(columns: Columns, storage: Storage, path: Path) -> Any:  # noqa: ARG001
    return {name: list(held) for name, held in columns.items()}


def _relation(columns: Columns, storage: Storage, path: Path) -> Any:  # noqa: ARG001
    return _database().from_arrow(arrow(columns, storage))


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Start one engine for all tables: it takes longer than to write one."""
    return duckdb.connect()


_USUAL = (cells.FLOAT, cells.WHOLE, cells.TEXT)
_OTHER = (cells.SINGLE, cells.UNSIGNED, cells.TRUTH, cells.DECIMAL, cells.BYTES, cells.DATE)

WRITERS = (
    Writer("csv", lines, (cells.LINES,)),
    Writer(
        "parquet-pyarrow",
        _pyarrow,
        (
            *_USUAL,
            cells.SINGLE,
            cells.UNSIGNED,
            cells.TRUTH,
            cells.DECIMAL,
            cells.BYTES,
            cells.DATE,
        ),
    ),
    Writer("parquet-groups", partial(_pyarrow, row_group_size=1), (cells.FLOAT, cells.TEXT)),
    Writer(
        "parquet-bare",
        partial(_pyarrow, write_statistics=False, use_dictionary=False),
        (cells.FLOAT, cells.TEXT),
    ),
    Writer("parquet-polars", _polars, (cells.FLOAT, cells.SINGLE, cells.TEXT)),
    Writer("parquet-pandas", _pandas, (cells.FLOAT, cells.WHOLE, cells.TEXT)),
    Writer("parquet-duckdb", _duckdb, (cells.FLOAT, cells.DECIMAL, cells.TEXT)),
    Writer("pandas", _pandas_frame, (cells.FLOAT, cells.MIXED, cells.INFERRED)),
    Writer("polars", _polars_frame, (cells.FLOAT, cells.WHOLE, cells.MIXED)),
    Writer("polars-lazy", _polars_lazy, (cells.FLOAT, cells.WHOLE, cells.TEXT)),
    Writer("pyarrow", _table, _USUAL),
    Writer("numpy", _arrays, (cells.FLOAT, cells.SINGLE, cells.MIXED)),
    Writer("lists", _lists, (cells.MIXED,)),
    Writer("duckdb", _relation, _USUAL),
)
"""CSV by hand, Parquet as each library writes it, and tables in memory."""
