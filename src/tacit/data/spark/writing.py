"""What is said of each row, written by Spark's workers in parallel: a folder of Parquet files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset

from tacit.core.errors import InvalidArgument
from tacit.data.reading.opened import Opened, as_text
from tacit.data.spark.looking_up import Says
from tacit.data.spark.mapping import running


def write_said(opened: Opened, saying: Says, kept: Sequence[str], out: Path) -> int:
    """Write the `kept` columns of a table beside what is said of its rows; return how many.

    Each worker writes its own rows, so their order is that
    of the partitions: columns that tell rows apart are to be kept. Nobody but the owner may open
    what is written, and the folder takes its name when all of it is there.
    """
    beside = out.with_name(f".tacit-{os.urandom(8).hex()}")
    try:
        beside.mkdir(mode=0o700)
        with running(opened.title):
            told = opened.looked_up(saying, kept) if opened.looked_up is not None else None
            told = _mapped(opened, saying, kept) if told is None else told
            told.write.parquet(f"file://{beside.absolute()}/parts")
        if not (beside / "parts" / "_SUCCESS").is_file():
            raise InvalidArgument(
                f"the workers wrote {out} where this machine does not see it: name a folder that "
                "all of them share"
            )
        rows: int = pyarrow.dataset.dataset(beside / "parts", format="parquet").count_rows()
        (beside / "parts").chmod(0o700)
        (beside / "parts").rename(out)
        return rows
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _mapped(opened: Opened, saying: Says, kept: Sequence[str]) -> Any:
    """Let our code read the rows, on the workers."""
    assert opened.mapped is not None
    read, said = saying.coding.names, saying.columns
    columns = [*((name, str(opened.types.get(name, "string"))) for name in kept), *said]
    ddl = ", ".join(f"{_quoted(name)} {kind}" for name, kind in columns)
    task = partial(_said, saying, len(read), [_arrow(kind) for _, kind in said])
    return opened.mapped([*read, *kept], task, ddl)


def _said(saying: Says, read: int, kinds: Sequence[Any], batches: Iterator[Any]) -> Iterator[Any]:
    """Yield the kept columns of each batch as they are, and after them what is said of its rows."""
    for batch in batches:
        told = saying(batch.columns[:read])
        fresh = [_column(cells, kind) for cells, kind in zip(told, kinds, strict=True)]
        cells = [as_text(column) for column in batch.columns[read:]]
        names = [f"c{i}" for i in range(len(cells) + len(fresh))]
        yield pa.RecordBatch.from_arrays([*cells, *fresh], names=names)


def _column(cells: Sequence[Any], kind: Any) -> Any:
    """Return what is said as an array; a value of a category may be a number, and is a text."""
    texts = kind == pa.string()
    return pa.array([str(c) if texts and c is not None else c for c in cells], kind)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _arrow(kind: str) -> Any:
    return {"int": pa.int32(), "string": pa.string(), "double": pa.float64()}[kind]
