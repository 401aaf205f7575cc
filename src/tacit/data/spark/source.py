"""Spark frames: counted on the cluster, where only counts leave the workers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import pyarrow as pa

from tacit.concepts.rules.rules import Rules
from tacit.data.reading.coding import Coding
from tacit.data.reading.native import native_counts
from tacit.data.reading.opened import Opened, in_batches, keys
from tacit.data.spark.distant import SparkRows
from tacit.data.spark.gathering import gathered
from tacit.data.spark.looking_up import looked_up
from tacit.data.spark.mapping import Decode, Task, mapped, running
from tacit.data.spark.work import score_rules, spread_by
from tacit.statistics.counts.label_gains import LabelGains

_PLAIN = re.compile(
    r"tinyint|smallint|int|bigint|float|double|decimal\(.*\)|boolean|(string|char|varchar)\b.*|binary|date|timestamp(_ntz)?"
)
"""Types of Spark's whose cells are numbers, texts, truth values or days; others are missing."""


def open_spark(frame: Any) -> Opened:
    """Open a Spark frame.

    Integers and truth values are coded and counted by Spark itself; a column of any other kind is
    coded by each worker as it is here, and the partial counts are added up. Where cells are equal
    whenever their bytes are, Spark groups the raw rows first (`gathered`). So a repeated task, or
    one that ran twice, changes nothing, if the frame is the same each time that it is computed: a
    frame made with `rand()`, `sample` or `limit` is to be written down first.
    """
    held = [str(name) for name in frame.columns]
    called = frame.toDF(*keys(held))
    cells = {
        name: key if _PLAIN.fullmatch(stored) else "CAST(NULL AS INT)"
        for name, (key, stored) in zip(held, called.dtypes, strict=True)
    }

    def chosen(coding: Coding) -> Any:
        return called.selectExpr(*_aliases(cells, coding.names))

    def added(coding: Coding) -> Any:
        rows = chosen(coding)
        native = native_counts(nw.from_native(rows), coding)
        if native is not None:
            return native.to_native()
        groups = gathered(rows, coding)
        if groups is None:
            return merged(rows, coding.partial, coding)
        return merged(groups, coding.partial_of_groups, coding)

    def counted(coding: Coding) -> Any:
        with running("the Spark frame"):
            return added(coding).toArrow()

    def many() -> int:
        with running("the Spark frame"):
            return int(called.count())

    def scored(rules: Rules, coding: Coding) -> LabelGains:
        rows = chosen(coding)
        groups = gathered(rows, coding)
        if groups is None:
            return score_rules(rows, None, rules, coding)
        return score_rules(groups, None, rules, coding, grouped=True)

    def distant(coding: Coding) -> SparkRows:
        joint = replace(coding, jointly=True)
        return SparkRows.of("the Spark frame", joint, added(joint))

    def batches(names: Sequence[str]) -> Iterator[Sequence[Any]]:
        with running("the Spark frame"):
            table = called.selectExpr(*_aliases(cells, names)).toArrow()
        yield from in_batches(table)

    types = dict(zip(held, (stored for _, stored in called.dtypes), strict=True))
    return Opened(
        "the Spark frame",
        held,
        batches,
        counted=counted,
        scored=scored,
        mapped=lambda names, task, columns: mapped(
            called.selectExpr(*_aliases(cells, names)), task, columns
        ),
        spread=partial(spread_by, frame.sparkSession),
        looked_up=partial(looked_up, called, {name: (cells[name], types[name]) for name in held}),
        types=types,
        rows=many,
        distant=distant,
    )


def open_decoded(title: str, held: Sequence[str], frame: Any, decode: Decode) -> Opened:
    """Open a Spark frame whose batches hold text columns that workers have to decode."""

    def counted(coding: Coding) -> Any:
        with running(title):
            return merged(frame, partial(_counted, decode, coding), coding).toArrow()

    def many() -> int:
        with running(title):
            told = mapped(frame, partial(_many, decode, tuple(held[:1])), "n long").toArrow()
        return sum(told.column("n").to_pylist())

    def distant(coding: Coding) -> SparkRows:
        joint = replace(coding, jointly=True)
        return SparkRows.of(title, joint, merged(frame, partial(_counted, decode, joint), joint))

    def batches(names: Sequence[str]) -> Iterator[Sequence[Any]]:
        columns = ", ".join(f"{key} binary" for key in keys(names))
        with running(title):
            table = mapped(frame, partial(_named, decode, tuple(names)), columns).toArrow()
        yield from in_batches(table)

    return Opened(
        title,
        held,
        batches,
        listed=False,
        counted=counted,
        scored=partial(score_rules, frame, decode),
        mapped=lambda names, task, columns: mapped(
            frame, partial(_decoded, decode, tuple(names), task), columns
        ),
        spread=partial(spread_by, frame.sparkSession),
        rows=many,
        distant=distant,
    )


def merged(frame: Any, task: Task, coding: Coding) -> Any:
    """Let each worker count its rows, and Spark add up the partial counts."""
    names = *coding.keys, *coding.sums
    counts = mapped(frame, task, ", ".join(f"{name} long" for name in names))
    return counts.groupBy(*coding.keys).sum(*coding.sums).toDF(*names)


def _many(decode: Decode, names: Sequence[str], batches: Iterator[Any]) -> Iterator[Any]:
    yield pa.record_batch({"n": [sum(len(batch) for batch in decode(names, batches))]})


def _counted(decode: Decode, coding: Coding, batches: Iterator[Any]) -> Iterator[Any]:
    return coding.partial(decode(coding.names, batches))


def _decoded(
    decode: Decode, names: Sequence[str], task: Task, batches: Iterator[Any]
) -> Iterator[Any]:
    return task(decode(names, batches))


def _named(decode: Decode, names: Sequence[str], batches: Iterator[Any]) -> Iterator[Any]:
    for batch in decode(names, batches):
        cells = [column.cast(pa.binary()) for column in batch.columns]
        yield pa.RecordBatch.from_arrays(cells, names=keys(names))


def _aliases(cells: Mapping[str, str], names: Sequence[str]) -> list[str]:
    return [f"{cells[name]} AS c{i}" for i, name in enumerate(names)]
