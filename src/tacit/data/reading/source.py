"""Where rows come from: files, frames, arrays and relations, opened without reading a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import numpy as np

from tacit.core.errors import InvalidArgument
from tacit.data.reading.arrow import check_types
from tacit.data.reading.file_source import open_files
from tacit.data.reading.frame_source import open_arrays, open_eager, open_lazy, open_relation
from tacit.data.reading.opened import Opened
from tacit.data.spark.source import open_spark

Source = Any
"""A path, glob or list of them, a frame that narwhals knows, a DuckDB relation, named arrays.

Frames are pandas', Polars', PyArrow's and Spark's; what is opened already is a source too."""


def open_source(source: Source) -> Opened:
    """Find out what a source is and which columns it has.

    >>> open_source({"age": [41, 67], "sick": [0, 1]}).names
    ['age', 'sick']
    """
    if isinstance(source, Opened):
        return source
    if isinstance(source, str | Path):
        return open_files([source])
    if isinstance(source, list | tuple) and all(isinstance(part, str | Path) for part in source):
        return open_files(source)
    if isinstance(source, duckdb.DuckDBPyRelation):
        return open_relation(source)
    if isinstance(source, np.ndarray) and source.dtype.names:
        return open_arrays({name: source[name] for name in source.dtype.names})
    if isinstance(source, Mapping):
        return open_arrays(source)
    try:
        frame = nw.from_native(source)
    except TypeError:
        raise InvalidArgument(
            f"no table can be read from {type(source).__name__}; give a path, a pandas, Polars, "
            "PyArrow or Spark table, a DuckDB relation, or named arrays such as "
            '{"age": ages, "sick": ill}'
        ) from None
    except ValueError:
        raise InvalidArgument("the frame has two columns of one name; rename one") from None
    if isinstance(frame, nw.DataFrame):
        check_types(frame)
        return open_eager(frame)
    native = frame.to_native()
    if frame.implementation.is_pyspark() or frame.implementation.is_pyspark_connect():
        return open_spark(native)
    return (
        open_relation(native) if isinstance(native, duckdb.DuckDBPyRelation) else open_lazy(frame)
    )


RENAME = "rename it there or in the schema"
KEPT = "the model reads it by this name: rename one of the table's columns"
"""The ways out where a table lacks a column: while a schema is written, and with a model."""


def check_names(opened: Opened, names: Sequence[str], way: str = RENAME) -> None:
    """Refuse columns that are missing, or there twice, and say the way out."""
    held = Counter(opened.names)
    for name in names:
        if (times := held[name]) != 1:
            known = f"; it has {', '.join(map(str, opened.names))}" if opened.listed else ""
            if not times and name.casefold() in [str(other).casefold() for other in opened.names]:
                known += "; small and large letters differ"
            raise InvalidArgument(
                f"{opened.title} has {'more than one' if times else 'no'} column {name!r}: "
                f"{way}{known}"
            )
