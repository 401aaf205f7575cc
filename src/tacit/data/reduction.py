"""From rows to counts: one group-by, after which there are only integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument
from tacit.data.bits import Bits
from tacit.data.columns import Column
from tacit.data.counting import by_groups, by_records, by_sorting, mostly_different, points
from tacit.data.engine import MERGED, WEIGHT, Table, merged, reading
from tacit.data.kind import Kind, kind_of
from tacit.data.schema import Schema
from tacit.data.source import Source, check_names, open_source
from tacit.statistics.counts import Counts
from tacit.statistics.joint_counts import JointCounts
from tacit.statistics.label_counts import LabelCounts

_BATCH = 1 << 18


def reduce(
    source: Source, schema: Schema, features: Sequence[str], labels: Sequence[str]
) -> LabelCounts:
    """Count the rows of a source by the codes of its features, and their labels that say yes.

    Guarantee:
        Each row is coded by itself, by maps that are total and the same for every engine; so
        replacing one row of the source replaces one row of the counts. What is refused is
        refused for the structure of the source, never for a value. The points are sorted.

    >>> from tacit.data import Bits, Integer
    >>> schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    >>> people = {"age": [67, 41, 67, 999], "sick": ["yes", "no", "no", "perhaps"]}
    >>> counts = reduce(people, schema, features=["age"], labels=["sick"])
    >>> counts.n, counts.points.tolist(), counts.totals.tolist(), counts.positives[:, 0].tolist()
    (4, [41, 67, 120], [1, 2, 1], [0, 1, 0])
    """
    _check_labels(schema, labels)
    title, coded = _coded(source, schema, features, labels)
    k = len(labels)
    narrow = len(features) == 1 and schema[features[0]].bits + k <= 62
    with reading(title):
        if narrow and mostly_different(coded):
            codes, totals, positives = by_sorting(coded, k)
        else:
            codes, totals, positives = by_groups(coded, len(features), k)
    return LabelCounts(int(totals.sum()), k, codes, totals, positives)


def reduce_jointly(
    source: Source, schema: Schema, features: Sequence[str], labels: Sequence[str]
) -> JointCounts:
    """Count the rows of a source by the codes of its features and by all labels together.

    Guarantee:
        As `reduce`: replacing one row of the source replaces one row of the counts.

    >>> from tacit.data import Bits, Integer
    >>> schema = Schema({"age": Integer(0, 120), "sick": Bits(), "old": Bits()})
    >>> people = {"age": [67, 67, 41], "sick": [1, 1, 0], "old": [1, 1, 0]}
    >>> counts = reduce_jointly(people, schema, features=["age"], labels=["sick", "old"])
    >>> counts.points.tolist(), counts.marks.astype(int).tolist(), counts.totals.tolist()
    ([41, 67], [[0, 0], [1, 1]], [1, 2])
    """
    _check_labels(schema, labels)
    title, coded = _coded(source, schema, features, labels)
    with reading(title):
        codes, marks, totals = by_records(coded, len(features), len(labels))
    return JointCounts(int(totals.sum()), len(labels), codes, marks, totals)


def count_points(source: Source, schema: Schema, columns: Sequence[str]) -> Counts[Any]:
    """Count the rows of a source by the codes of some columns: integers, or tuples of them.

    Guarantee:
        As `reduce`: replacing one row of the source replaces one row of the counts.

    >>> from tacit.data import Bits, Integer
    >>> schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    >>> people = {"age": [67, 41, 67, 999], "sick": ["yes", "no", "yes", "perhaps"]}
    >>> dict(count_points(people, schema, ["age", "sick"]).table)
    {(41, 0): 1, (67, 1): 2, (120, 0): 1}
    """
    title, coded = _coded(source, schema, columns, ordered=False)
    with reading(title):
        codes, totals, _ = by_groups(coded, len(columns), 0)
    names = codes.tolist() if len(columns) == 1 else map(tuple, codes.tolist())
    return Counts(int(totals.sum()), dict(zip(names, totals.tolist(), strict=True)))


def read_points(source: Source, schema: Schema, features: Sequence[str]) -> NDArray[np.int64]:
    """Return the codes of the features row by row, in the order of the source.

    >>> from tacit.data import Integer
    >>> read_points({"age": [67, None, 41]}, Schema({"age": Integer(18, 120)}), ["age"])
    array([49,  0, 23])
    """
    shape = (0,) if len(features) == 1 else (0, len(features))
    empty = np.empty(shape, dtype=np.int64)
    return np.concatenate([empty, *point_batches(source, schema, features)])


def point_batches(
    source: Source, schema: Schema, features: Sequence[str]
) -> Iterator[NDArray[np.int64]]:
    """Yield what `read_points` returns in pieces, so that files need not fit into memory."""
    title, coded = _coded(source, schema, features)
    with reading(title):
        for batch in coded.relation.to_arrow_reader(_BATCH):
            yield points(batch, len(features))


def check_table(source: Source, schema: Schema, names: Sequence[str]) -> None:
    """Refuse a source that lacks one of the columns, or stores it in a type that cannot hold it.

    >>> from tacit.data import Integer
    >>> check_table({"Age": [67]}, Schema({"age": Integer(18, 120)}), ["age"])
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: the table has no column 'age': rename it there or in the
    schema; it has Age; small and large letters differ
    """
    _coded(source, schema, names)


def _coded(
    source: Source,
    schema: Schema,
    features: Sequence[str],
    labels: Sequence[str] = (),
    *,
    ordered: bool | None = None,
) -> tuple[str, Table]:
    """Return a title for messages and a table of codes x0, ..., and of labels y0, ...

    The order of the rows is kept if there are no labels, or as told; labels are 0, 1, or NULL.
    """
    kept_in_order = not labels if ordered is None else ordered
    names = [*_named(features, "features"), *labels]
    columns = [schema[name] for name in names]
    opened = open_source(source)
    check_names(opened, names)
    with reading(opened.title):
        rows = opened.rows(names, ordered=kept_in_order)
    kinds = [
        _kind(name, column, str(stored))
        for name, column, stored in zip(names, columns, rows.relation.types, strict=False)
    ]
    if not kept_in_order and "text" in kinds and not rows.weighted and len(names) <= MERGED:
        rows = merged(rows)
    kept = [WEIGHT] if rows.weighted else []
    read, code = [*kept], [*kept]
    for i, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
        read.append(f"{column.read_sql(f'c{i}', kind)} AS v{i}")
        if i < len(features):
            code.append(f"CAST({column.coded_sql(f'v{i}')} AS BIGINT) AS x{i}")
        else:
            code.append(f"v{i} AS y{i - len(features)}")
    relation = rows.relation.project(", ".join(read)).project(", ".join(code))
    return opened.title, replace(rows, relation=relation)


def _kind(name: str, column: Column, stored: str) -> Kind:
    kind = kind_of(stored)
    if kind is None or not column.holds(kind):
        raise InvalidArgument(
            f"column {name!r} is stored as {stored}, which cannot hold {column.domain}: "
            "convert it, or change its type in the schema"
        )
    return kind


def _check_labels(schema: Schema, labels: Sequence[str]) -> None:
    for name in _named(labels, "labels"):
        column = schema[name]
        if not isinstance(column, Bits):
            raise InvalidArgument(f'label {name!r} must be declared type = "bits"')
        if column.outside == "null":
            raise InvalidArgument(
                f'label {name!r} must be declared outside = "clip": a label is 0 or 1, and what is '
                "neither counts as 0"
            )


def _named(names: Sequence[str], role: str) -> list[str]:
    if isinstance(names, str):
        raise InvalidArgument(f"{role} must be a list of columns; write [{names!r}]")
    if not names:
        raise InvalidArgument(f"{role} must name at least one column")
    if len(set(names)) != len(names):
        raise InvalidArgument(f"{role} must name each column once")
    return list(names)
