"""From rows to counts: one group-by, after which there are only integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.rules.bitmaps import TOGETHER
from tacit.concepts.rules.rules import Rules
from tacit.core.errors import InvalidArgument
from tacit.data.reading.coding import Coding, Counted
from tacit.data.reading.opened import Opened
from tacit.data.reading.source import Source, check_names, open_source
from tacit.data.schema.bits import Bits
from tacit.data.schema.schema import Schema
from tacit.statistics.counts.counts import Counts
from tacit.statistics.counts.joint_counts import JointCounts
from tacit.statistics.counts.label_counts import LabelCounts
from tacit.statistics.counts.label_gains import LabelGains


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
    opened, coding = _asked(source, schema, features, _checked(schema, labels))
    codes, sums = _counted(opened, coding)
    totals, positives = sums[:, 0].copy(), sums[:, 1:].copy()
    n = int(totals.sum())
    return LabelCounts(n, len(labels), points(codes), totals, positives, spread=opened.spread)


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
    opened, coding = _asked(source, schema, features, _checked(schema, labels), jointly=True)
    codes, sums = _counted(opened, coding)
    totals, d = sums[:, 0].copy(), len(features)
    marks = codes[:, d:] > 0
    n = int(totals.sum())
    return JointCounts(n, len(labels), points(codes[:, :d]), marks, totals, spread=opened.spread)


def score(
    source: Source,
    schema: Schema,
    features: Sequence[str],
    labels: Sequence[str],
    concepts: object,
) -> LabelGains | None:
    """Let the source's engine score a class of rules where the rows are; None if it cannot."""
    if not isinstance(concepts, Rules) or concepts.size * (len(labels) + 1) > TOGETHER:
        return None
    opened, coding = _asked(source, schema, features, _checked(schema, labels))
    if opened.scored is None:
        return None
    gains: LabelGains = opened.scored(concepts, coding)
    return gains


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
    opened, coding = _asked(source, schema, columns)
    codes, sums = _counted(opened, coding)
    totals = sums[:, 0].tolist()
    held = points(codes).tolist()
    names = held if len(columns) == 1 else map(tuple, held)
    return Counts(sum(totals), dict(zip(names, totals, strict=True)))


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
    opened, coding = _asked(source, schema, features)
    for cells in opened.batches(coding.names):
        yield points(np.stack(coding.codes(cells), axis=1))


def points(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return rows of codes as points: integers if there is one column, else vectors."""
    return codes[:, 0].copy() if codes.shape[1] == 1 else np.ascontiguousarray(codes)


def check_table(source: Source, schema: Schema, names: Sequence[str]) -> None:
    """Refuse a source that lacks one of the columns.

    >>> from tacit.data import Integer
    >>> check_table({"Age": [67]}, Schema({"age": Integer(18, 120)}), ["age"])
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: the table has no column 'age': rename it there or in the
    schema; it has Age; small and large letters differ
    """
    _asked(source, schema, names)


def _asked(
    source: Source,
    schema: Schema,
    features: Sequence[str],
    labels: Sequence[str] = (),
    *,
    jointly: bool = False,
) -> tuple[Opened, Coding]:
    """Open a source and say what is to be read of it."""
    names = (*_named(features, "features"), *labels)
    columns = tuple(schema[name] for name in names)
    opened = open_source(source)
    check_names(opened, names)
    return opened, Coding(names, columns, len(features), jointly)


def _counted(opened: Opened, coding: Coding) -> Counted:
    """Count where the rows are if the source's engine can, else here."""
    table = opened.counted(coding)
    return coding.count(opened.batches(coding.names)) if table is None else coding.read(table)


def _checked(schema: Schema, labels: Sequence[str]) -> Sequence[str]:
    for name in _named(labels, "labels"):
        column = schema[name]
        if not isinstance(column, Bits):
            raise InvalidArgument(f'label {name!r} must be declared type = "bits"')
        if column.outside == "null":
            raise InvalidArgument(
                f'label {name!r} must be declared outside = "clip": a label is 0 or 1, and what is '
                "neither counts as 0"
            )
    return labels


def _named(names: Sequence[str], role: str) -> list[str]:
    if isinstance(names, str):
        raise InvalidArgument(f"{role} must be a list of columns; write [{names!r}]")
    if not names:
        raise InvalidArgument(f"{role} must name at least one column")
    if len(set(names)) != len(names):
        raise InvalidArgument(f"{role} must name each column once")
    return list(names)
