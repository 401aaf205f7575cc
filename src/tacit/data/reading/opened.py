"""A source whose structure is known, and whose rows come in batches of raw cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import duckdb
import pyarrow as pa

from tacit.core.errors import InvalidArgument, TacitError
from tacit.statistics.counts.distant_rows import DistantRows
from tacit.statistics.pieces_of_work import Spread, in_turn

BATCH = 1 << 17
"""Rows that are coded at a time: their columns fit into the caches of a core."""

TEXTS = 1 << 12
"""Rows of texts that are held at a time: a small file can hold a long text often."""

Batches = Callable[[Sequence[str]], Iterator[Sequence[Any]]]
"""Yields the named columns, as Arrow arrays of any types, in the order of the rows."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A source whose structure is known: a title for messages, its columns, its rows.

    `listed` says whether a message may list the columns: the first line of a CSV file that lacks
    a header is a row. `counted` asks the source's own engine to count by a `Coding`; it gives an
    Arrow table of its keys and sums, or None if rows are to be read. `scored` lets it score rules,
    `mapped` change named columns batch by batch, and `spread` do other work where the rows are.
    `looked_up` lets it write what a function of few codes says of each row, or gives None.
    `types` are those of columns that have one. `rows` counts the rows where they are, if that is
    elsewhere, and `distant` gives them as they lie there, to be counted jointly.
    """

    title: str
    names: Sequence[str]
    batches: Batches
    listed: bool = True
    counted: Callable[[Any], Any] = lambda _: None
    scored: Callable[[Any, Any], Any] | None = None
    mapped: Callable[[Sequence[str], Any, str], Any] | None = None
    looked_up: Callable[[Any, Sequence[str]], Any] | None = None
    spread: Spread = in_turn
    types: Mapping[str, object] = field(default_factory=dict)
    rows: Callable[[], int] | None = None
    distant: Callable[[Any], DistantRows] | None = None


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


def in_batches(table: Any) -> Iterator[Sequence[Any]]:
    """Yield the columns of an Arrow table in pieces, without a copy."""
    for batch in table.to_batches(max_chunksize=BATCH):
        yield batch.columns


def as_text(column: Any) -> Any:
    """Return cells of a file of texts as texts; bytes that are none are marked, and nothing fails.

    >>> as_text(pa.array([b"north", None, "é".encode("latin-1")])).to_pylist()
    ['north', None, '�']
    """
    if not (pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type)):
        return column
    cells = (
        None if cell is None else cell.decode("utf-8", "replace") for cell in column.to_pylist()
    )
    return pa.array(cells, pa.string())
