"""CSV and Parquet files as relations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from tacit.core.errors import InvalidArgument
from tacit.data.arrow import readable
from tacit.data.csv_lines import CsvFile
from tacit.data.engine import Opened, Table, connect, from_batches, reading, renamed
from tacit.data.files import CSV, find_files


def open_files(patterns: Sequence[str | Path]) -> Opened:
    """Open files by path or glob; a message says what is wrong with which of them."""
    paths = find_files(patterns)
    return _open_csv(paths) if paths[0].suffix.lower() in CSV else _open_parquet(paths)


def _open_csv(paths: Sequence[Path]) -> Opened:
    """Every cell of a CSV file is text: to infer types is to read values."""
    with reading(_title(paths)):
        files = [CsvFile(path) for path in paths]

    def rows(names: Sequence[str], *, ordered: bool) -> Table:
        batches = (batch.columns for file in files for batch in file.batches(names))
        return from_batches([pa.string()] * len(names), batches, ordered=ordered)

    return Opened(_title(paths), _common([file.names for file in files]), rows, listed=False)


def _open_parquet(paths: Sequence[Path]) -> Opened:
    engine = connect(ordered=True)
    types: list[dict[str, str]] = []
    stored: list[pa.Schema] = []
    renames = False
    for path in paths:
        _check_frame(path)
        with reading(str(path)):
            file = engine.read_parquet(_literal(path))
            stored.append(pyarrow.parquet.read_schema(path))
            types.append(dict(zip(stored[-1].names, map(str, file.types), strict=True)))
            renames |= stored[-1].names != file.columns

    def rows(names: Sequence[str], *, ordered: bool) -> Table:
        _agree(names, paths, types)
        alike = all(_alike(schema.field(name).type) for schema in stored for name in names)
        if renames or not alike:
            return _streamed(names, paths, ordered=ordered)
        files = connect(ordered=ordered).read_parquet(list(map(_literal, paths)))
        return renamed(files, names, again=True)

    return Opened(_title(paths), _common([schema.names for schema in stored]), rows)


def _alike(stored: pa.DataType) -> bool:
    """Whether DuckDB reads such a column as Arrow does.

    It refuses a file for one text that is not UTF-8, takes durations for integers, and renames a
    column whose name differs from another's in small and large letters only.
    """
    held = pa.types
    return bool(
        held.is_integer(stored)
        or held.is_float32(stored)
        or held.is_float64(stored)
        or held.is_boolean(stored)
        or held.is_decimal128(stored)
    )


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


def _streamed(names: Sequence[str], paths: Sequence[Path], *, ordered: bool) -> Table:
    """Read what DuckDB would read otherwise through Arrow."""
    schema = pyarrow.parquet.read_schema(paths[0])
    types = [readable(name, pa.array([], schema.field(name).type)).type for name in names]

    def batches() -> Iterator[list[Any]]:
        for path in paths:
            file = pyarrow.parquet.ParquetFile(path)
            for batch in file.iter_batches(batch_size=1 << 17, columns=list(dict.fromkeys(names))):
                yield [readable(name, batch.column(name)) for name in names]

    return from_batches(types, batches(), ordered=ordered)


def _agree(names: Sequence[str], paths: Sequence[Path], types: Sequence[dict[str, str]]) -> None:
    for name in names:
        for path, held in zip(paths, types, strict=True):
            if held[name] != types[0][name]:
                raise InvalidArgument(
                    f"column {name!r} is stored as {types[0][name]} in {paths[0]} and as "
                    f"{held[name]} in {path}; write both with one type"
                )


def _common(names: Sequence[Sequence[str]]) -> list[str]:
    return [name for name in names[0] if all(name in others for others in names)]


def _title(paths: Sequence[Path]) -> str:
    return str(paths[0]) if len(paths) == 1 else f"one of {len(paths)} files, {paths[0]} the first,"
