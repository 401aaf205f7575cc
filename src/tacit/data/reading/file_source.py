"""CSV and Parquet files, whose raw columns are handed over as Arrow arrays.

No engine stands between the bytes of a file and the reading of a cell: CSV is cut by a loop of our
own, Parquet is decoded by Arrow, which looks at a file's statistics only when asked to filter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet

from tacit.core.errors import InvalidArgument
from tacit.data.reading.codes import plain, textual
from tacit.data.reading.csv_lines import CsvFile
from tacit.data.reading.files import CSV, find_files
from tacit.data.reading.frame_source import open_relation
from tacit.data.reading.opened import BATCH, TEXTS, Opened, reading


def open_files(patterns: Sequence[str | Path]) -> Opened:
    """Open files by path or glob; a message says what is wrong with which of them."""
    paths = find_files(patterns)
    return _open_csv(paths) if paths[0].suffix.lower() in CSV else _open_parquet(paths)


def _open_csv(paths: Sequence[Path]) -> Opened:
    """Every cell of a CSV file is text: to infer types is to read values."""
    title = _title(paths)
    with reading(title):
        files = [CsvFile(path) for path in paths]

    def batches(names: Sequence[str]) -> Iterator[Sequence[Any]]:
        with reading(title):
            for file in files:
                yield from file.batches(names)

    return Opened(title, _common([file.names for file in files]), batches, listed=False)


def _open_parquet(paths: Sequence[Path]) -> Opened:
    """Each file is read by its own types: one cell may have made them differ."""
    stored: list[list[str]] = []
    types: dict[str, object] = {}
    for path in paths:
        _check_frame(path)
        with reading(str(path)):
            schema = pyarrow.parquet.read_schema(path)
            stored.append(schema.names)
            types = dict(zip(schema.names, schema.types, strict=True)) | types

    def batches(names: Sequence[str]) -> Iterator[Sequence[Any]]:
        for path in paths:
            with reading(str(path)):
                yield from _parquet_batches(path, names)

    return Opened(_title(paths), _common(stored), batches, types=types)


def _parquet_batches(path: Path, names: Sequence[str]) -> Iterator[Sequence[Any]]:
    """Yield columns in order; those that are not of plain cells are missing.

    Arrow's decoder refuses some pages that other writers make for some values, such as two integers
    that are far apart: from there on DuckDB decodes, which hands over the same cells.
    """
    schema = pyarrow.parquet.read_schema(path)
    held = [name for name in dict.fromkeys(names) if plain(schema.field(name).type)]
    rows = 0
    with pyarrow.parquet.ParquetFile(path, binary_type=pa.large_binary()) as file:
        if not held:
            for start in range(0, file.metadata.num_rows, BATCH):
                yield [pa.nulls(min(BATCH, file.metadata.num_rows - start))] * len(names)
            return
        texts = any(textual(schema.field(name).type) for name in held)
        try:
            for batch in file.iter_batches(TEXTS if texts else BATCH, columns=held):
                rows += len(batch)
                yield [batch.column(n) if n in held else pa.nulls(len(batch)) for n in names]
        except (pa.ArrowException, OSError):
            engine = duckdb.connect()  # our own, which shows no bar and spills nothing
            engine.execute("SET enable_progress_bar = false; SET temp_directory = ''")
            relation = engine.read_parquet(_literal(path)).limit(file.metadata.num_rows, rows)
            if relation.columns != schema.names:  # it renames what differs in small letters only
                raise
            yield from open_relation(relation, str(path)).batches(names)


def _literal(path: Path) -> str:
    """Write a path so that DuckDB does not take signs in it for a glob."""
    return re.sub(r"([\[*?])", r"[\1]", str(path))


def _check_frame(path: Path) -> None:
    """Refuse what is no Parquet file from beginning to end, by the marks on both ends."""
    with reading(str(path)), path.open("rb") as file:
        start = file.read(4)
        file.seek(max(0, path.stat().st_size - 4))
        end = file.read(4)
    if start != b"PAR1":
        raise InvalidArgument(f"{path} is not a Parquet file; if it is text, name it .csv")
    if end != b"PAR1":
        raise InvalidArgument(f"{path} is a Parquet file that is cut off; write it again")


def _common(names: Sequence[Sequence[str]]) -> list[str]:
    held = [set(others) for others in names]
    return [name for name in names[0] if all(name in others for others in held)]


def _title(paths: Sequence[Path]) -> str:
    return str(paths[0]) if len(paths) == 1 else f"one of {len(paths)} files, {paths[0]} the first,"
