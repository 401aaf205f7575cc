"""Files and tables that Spark reads: Parquet by its own types, CSV line by line, as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pyarrow as pa

from tacit.core.errors import InvalidArgument
from tacit.data.reading.csv_lines import CsvFile, CsvHeader
from tacit.data.reading.file_source import open_files
from tacit.data.reading.files import CSV, PARQUET, TABLE, find_files
from tacit.data.reading.opened import Opened, keys
from tacit.data.spark.mapping import running
from tacit.data.spark.source import open_decoded, open_spark

_GLOB = re.compile(r"([\[\]{}*?\\])")
_PART = r"(?:\w+|`(?:[^`]|``)+`)"
_NAME = re.compile(rf"{_PART}(?:\.{_PART}){{0,2}}")
_LINE = ("CAST(value AS BINARY) AS line", "_metadata.file_path", "_metadata.file_block_start")


def open_with_spark(session: Any, names: Sequence[str]) -> Opened:
    """Open files, or one table of the catalogue, to be read by Spark's workers.

    A table is written table:visits, table:clinic.visits or table:lake.clinic.visits, as the
    session's catalogue knows it: whatever Spark reads by name, such as a table of Hive's, Iceberg's
    or Delta's, is read so.
    Paths and globs are looked up here, and the workers must find the files in the same place;
    addresses such as hdfs://... or s3a://... are left to Spark.
    """
    if any(name.startswith(TABLE) for name in names):
        return _table(session, names)
    ends = {_suffix(name) for name in names}
    if len(names) == 1 and not ends & {*CSV, *PARQUET}:
        return _view(session, names[0])
    if any("://" in name for name in names):
        return _distant(session, names)
    files = find_files(names)
    structure, paths = open_files(files), [_address(path) for path in files]
    if files[0].suffix.lower() in CSV:
        headers = [CsvFile(path).header for path in files]
        return _open_csv(_lines(session, paths), headers, structure.title)
    with running(structure.title):
        opened = open_spark(session.read.parquet(*paths))
    held = [name for name in opened.names if name in structure.names]
    return replace(opened, title=structure.title, names=held)


def rows_of_lines(
    header: CsvHeader, names: Sequence[str], batches: Iterator[Any]
) -> Iterator[pa.RecordBatch]:
    """Decode batches of lines: the first line of each file is its header, the others are rows.

    A line comes with its file and with where the file's part begins that it was read from; a worker
    reads the parts that it is given one after the other.
    """
    before: tuple[Any, Any] | None = None
    for batch in batches:
        lines, files, starts = batch.columns
        part = files.dictionary_encode().indices.to_numpy()
        start = starts.to_numpy()
        new = np.ones(len(start), dtype=np.bool_)
        new[1:] = (part[1:] != part[:-1]) | (start[1:] != start[:-1])
        if len(new):
            new[0] = (files[0].as_py(), start[0]) != before
            before = files[len(files) - 1].as_py(), start[-1]
        kept = lines.filter(pa.array(~(new & (start == 0)))).to_pylist()
        if kept:
            cells = header.cells(b"\n".join(kept) + b"\n", names)
            yield pa.RecordBatch.from_arrays(cells, names=keys(names))


def _distant(session: Any, names: Sequence[str]) -> Opened:
    """Open addresses that only Spark can read."""
    with running(names[0]):
        held = [file for name in names for file in _lines(session, [name]).inputFiles()]
        if len(set(held)) < len(held):
            raise InvalidArgument("a file is named twice; name each once, or its rows count twice")
        if _suffix(names[0]) in PARQUET:
            return replace(open_spark(session.read.parquet(*names)), title=names[0])
        lines = _lines(session, names)
        headers = [_first(session, file) for file in sorted(lines.inputFiles())]
    return _open_csv(lines, headers, names[0])


def _open_csv(lines: Any, headers: Sequence[CsvHeader], title: str) -> Opened:
    """Read lines and not cells: what a line holds is decided by us, the same on every engine."""
    if not headers:
        raise InvalidArgument(f"{title} has no header; its first line must name the columns")
    if any(header != headers[0] for header in headers):
        raise InvalidArgument("to be read by Spark, CSV files must have one and the same header")
    return open_decoded(title, headers[0].names, lines, partial(rows_of_lines, headers[0]))


def _lines(session: Any, paths: Sequence[str]) -> Any:
    return session.read.option("lineSep", "\n").text(list(paths)).selectExpr(*_LINE)


def _first(session: Any, file: str) -> CsvHeader:
    """Read the first line of a file: of all its parts, the first one begins at 0."""
    lines = _lines(session, [_GLOB.sub(r"\\\1", unquote(file))])
    first = lines.where("file_block_start = 0").limit(1).toArrow().column("line").to_pylist()
    return CsvHeader.read(first[0] if first else b"", title=file)


def _table(session: Any, names: Sequence[str]) -> Opened:
    """Open a table of the session's catalogue."""
    name = names[0].removeprefix(TABLE)
    if len(names) > 1:
        raise InvalidArgument("a table is named alone, such as table:clinic.visits: name one")
    if not _NAME.fullmatch(name):
        raise InvalidArgument(
            "a table is written table:visits, table:clinic.visits or table:lake.clinic.visits, with"
            " backticks around parts that hold other signs than letters, digits and _"
        )
    with running(f"the catalogue's table {name}"):
        if not session.catalog.tableExists(name):
            raise InvalidArgument(
                f"Spark's catalogue has no table {name}: its session must know the catalogue, by "
                "spark.sql.catalog... in spark-defaults.conf, or by Hive's"
            )
        return replace(open_spark(session.table(name)), title=f"the table {name}")


def _view(session: Any, name: str) -> Opened:
    """Open what has a plain name: a table or a view of the session, or else a file."""
    if _NAME.fullmatch(name) and session.catalog.tableExists(name):
        return _table(session, [TABLE + name])
    find_files([name])
    raise InvalidArgument(f"{name} is neither a table nor a CSV or Parquet file")


def _address(path: Path) -> str:
    """Write a path so that Spark takes it as it is."""
    return "file://" + _GLOB.sub(r"\\\1", str(path.absolute()))


def _suffix(name: str | Path) -> str:
    return Path(name).suffix.lower()
