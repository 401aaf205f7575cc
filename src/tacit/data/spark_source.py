"""Spark frames: counted on the cluster, where only counts leave the workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import narwhals.stable.v2 as nw
import pyarrow as pa

from tacit.core.errors import InvalidArgument
from tacit.data.arrow import readable
from tacit.data.coding import Coding
from tacit.data.engine import Opened, Relation, Table, connect, from_columns, keys
from tacit.data.native import native_counts
from tacit.data.spark_mapping import Decode, Task, mapped, running
from tacit.data.spark_work import score_rules, spread_by


def open_spark(frame: Any) -> Opened:
    """Open a Spark frame.

    Integers and truth values are coded and counted by Spark itself; a column of any other kind is
    coded by each worker as it is here, and the partial counts are added up. So a repeated task, or
    one that ran twice, changes nothing, if the frame is the same each time that it is computed: a
    frame made with `rand()`, `sample` or `limit` is to be written down first.
    """
    held = [str(name) for name in frame.columns]
    called = frame.toDF(*keys(held))

    def chosen(coding: Coding) -> Any:
        return called.selectExpr(*_aliases(held, coding.names))

    def checked(coding: Coding) -> bool:
        coding.kinds(_types(coding.names, chosen(coding).schema))
        return True

    def counted(coding: Coding) -> Relation | None:
        checked(coding)
        rows = chosen(coding)
        with running("the Spark frame"):
            native = native_counts(nw.from_native(rows), coding)
            counts = merged(rows, coding.partial, coding) if native is None else native.to_native()
            return connect(ordered=False).from_arrow(counts.toArrow())

    def rows(names: Sequence[str], *, ordered: bool) -> Table:
        with running("the Spark frame"):
            table = called.selectExpr(*_aliases(held, names)).toArrow()
        return as_table(names, table, ordered=ordered)

    return Opened(
        "the Spark frame",
        held,
        rows,
        counted=counted,
        checked=checked,
        scored=lambda rules, coding: score_rules(chosen(coding), None, rules, coding),
        spread=partial(spread_by, frame.sparkSession),
    )


def open_decoded(title: str, held: Sequence[str], frame: Any, decode: Decode) -> Opened:
    """Open a Spark frame whose batches hold text columns that workers have to decode."""

    def counted(coding: Coding) -> Relation | None:
        with running(title):
            counts = merged(frame, partial(_counted, decode, coding), coding)
            return connect(ordered=False).from_arrow(counts.toArrow())

    def checked(coding: Coding) -> bool:
        coding.kinds(["VARCHAR"] * len(coding.names))
        return True

    def rows(names: Sequence[str], *, ordered: bool) -> Table:
        columns = ", ".join(f"{key} string" for key in keys(names))
        with running(title):
            table = mapped(frame, partial(_named, decode, tuple(names)), columns).toArrow()
        return as_table(names, table, ordered=ordered)

    return Opened(
        title,
        held,
        rows,
        listed=False,
        counted=counted,
        checked=checked,
        scored=partial(score_rules, frame, decode),
        spread=partial(spread_by, frame.sparkSession),
    )


def merged(frame: Any, task: Task, coding: Coding) -> Any:
    """Let each worker count its rows, and Spark add up the partial counts."""
    columns = [*coding.keys, *coding.sums]
    counts = mapped(frame, task, ", ".join(f"{name} long" for name in columns))
    return counts.groupBy(*coding.keys).sum(*coding.sums).toDF(*columns)


def as_table(names: Sequence[str], table: Any, *, ordered: bool) -> Table:
    """See a collected Arrow table, its columns in the order of the names, as a table of ours."""
    columns = zip(keys(names), names, table.columns, strict=True)
    read = {key: readable(name, column) for key, name, column in columns}
    return from_columns(read, ordered=ordered)


def _counted(decode: Decode, coding: Coding, batches: Iterator[Any]) -> Iterator[Any]:
    return coding.partial(decode(coding.names, batches))


def _named(decode: Decode, names: Sequence[str], batches: Iterator[Any]) -> Iterator[Any]:
    for batch in decode(names, batches):
        yield pa.RecordBatch.from_arrays(batch.columns, names=keys(names))


def _aliases(held: Sequence[str], names: Sequence[str]) -> list[str]:
    return [f"c{held.index(name)} AS c{i}" for i, name in enumerate(names)]


def _types(names: Sequence[str], schema: Any) -> list[Any]:
    """Return the types in which the embedded engine will see the columns."""
    arrow_type = import_module("pyspark.sql.pandas.types").to_arrow_type
    empty = {}
    for key, name, field in zip(keys(names), names, schema, strict=True):
        try:
            empty[key] = readable(name, pa.array([], arrow_type(field.dataType, timezone="UTC")))
        except InvalidArgument:
            raise
        except Exception:
            stored = field.dataType.simpleString()
            raise InvalidArgument(
                f"column {name!r} is stored as {stored}, which is no number, text or yes and no; "
                "convert it"
            ) from None
    return list(from_columns(empty, ordered=True).relation.types)
