"""Which engine reads a table that is named on the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from tacit import data
from tacit.core.errors import InvalidArgument


class Engine(StrEnum):
    """What reads the rows: this process, which 0.1 called duckdb, or Spark's workers."""

    EMBEDDED = "embedded"
    DUCKDB = "duckdb"
    SPARK = "spark"


@contextmanager
def reading_with(engine: Engine, master: str | None, files: Sequence[str]) -> Iterator[Any]:
    """Give a source for the named files, or for a table of Spark's; see --engine.

    >>> with reading_with(Engine.EMBEDDED, None, ["people.csv"]) as source:
    ...     source
    ['people.csv']
    """
    if engine != Engine.SPARK:
        if master is not None:
            raise InvalidArgument("--master: only Spark has one; add --engine spark")
        yield list(files)
        return
    with data.spark_session(master or "local[*]") as session:
        yield data.open_with_spark(session, files)
