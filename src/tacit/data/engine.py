"""The embedded engine: DuckDB in memory, which sees every source as a relation."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import duckdb
import pyarrow as pa

from tacit.core.errors import InvalidArgument, TacitError
from tacit.core.spread import Spread, in_turn
from tacit.data.kind import identifier

Relation = duckdb.DuckDBPyRelation
WEIGHT = "w"
MERGED = 8
"""Up to so many columns it pays to merge equal rows before their text is read."""


@dataclass(frozen=True, slots=True)
class Table:
    """A relation of columns c0, c1, ...; if it is weighted, equal rows come once, with a number w.

    `again` says that it can be read twice, at little cost.
    """

    relation: Relation
    weighted: bool = False
    again: bool = False


class Rows(Protocol):
    """How to see some columns of a source as a table; only without an order it may be weighted."""

    def __call__(self, names: Sequence[str], *, ordered: bool) -> Table:
        """Return the table; what is private is not looked at."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A source whose structure is known: a title for messages, its columns, its rows.

    `listed` says whether a message may list the columns: the first line of a CSV file that lacks
    a header is a row. `counted` asks the source's own engine to count by a `Coding`; it gives its
    keys and sums, or None if rows are to be read. `checked` is told a coding before any reading.
    `scored` lets it score rules, and `spread` do other work where the rows are.
    """

    title: str
    names: Sequence[str]
    rows: Rows
    listed: bool = True
    counted: Callable[[Any], Relation | None] = lambda _: None
    checked: Callable[[Any], bool] = lambda _: False
    scored: Callable[[Any, Any], Any] | None = None
    spread: Spread = in_turn


def connect(*, ordered: bool) -> duckdb.DuckDBPyConnection:
    """Connect to this process's engine, of which there is one that keeps the order of rows."""
    return _engine(os.getpid(), ordered).cursor()


@cache
def _engine(process: int, ordered: bool) -> duckdb.DuckDBPyConnection:  # noqa: ARG001, FBT001
    """Start an engine that installs nothing and spills to a temporary folder of its own."""
    return duckdb.connect(
        config={
            "temp_directory": str(Path(tempfile.gettempdir()) / f"tacit-{uuid4().hex}"),
            "preserve_insertion_order": str(ordered).lower(),
            "autoinstall_known_extensions": "false",
        }
    )


_REFUSALS = (duckdb.Error, pa.ArrowException, OSError)


@contextmanager
def reading(title: str, errors: tuple[type[Exception], ...] = _REFUSALS) -> Iterator[None]:
    """Replace an engine's error, which may show values, by one that shows none."""
    try:
        yield
    except (TacitError, MemoryError):
        raise
    except errors:
        raise InvalidArgument(
            f"{title} cannot be read to its end: it is damaged, or its own engine refuses a value; "
            "read it with that engine to see why"
        ) from None


def keys(names: Sequence[object]) -> list[str]:
    """Return what the columns are called inside: names of the data never meet names of ours.

    >>> keys(["age", "n"])
    ['c0', 'c1']
    """
    return [f"c{i}" for i in range(len(names))]


def renamed(relation: Relation, names: Sequence[str], *, again: bool) -> Table:
    """Select columns by name and call them c0, c1, ..."""
    called = zip(names, keys(names), strict=True)
    chosen = ", ".join(f"{identifier(name)} AS {key}" for name, key in called)
    return Table(relation.project(chosen), again=again)


def merged(table: Table) -> Table:
    """Give equal rows once, with their number."""
    called = ", ".join(table.relation.columns)
    counted = table.relation.aggregate(f"{called}, count(*) AS {WEIGHT}", called)
    return Table(counted, weighted=True)


def from_columns(columns: Mapping[str, Any], *, ordered: bool) -> Table:
    """See Arrow arrays of one length as a table."""
    relation = connect(ordered=ordered).from_arrow(pa.table(dict(columns)))
    return Table(relation, weighted=WEIGHT in columns, again=True)


def from_batches(types: Sequence[Any], batches: Iterable[Sequence[Any]], *, ordered: bool) -> Table:
    """See a stream of columns as a table that can be read once."""
    schema = pa.schema(list(zip(keys(types), types, strict=True)))
    stream = (pa.record_batch(list(columns), schema=schema) for columns in batches)
    reader = pa.RecordBatchReader.from_batches(schema, stream)
    return Table(connect(ordered=ordered).from_arrow(reader))
