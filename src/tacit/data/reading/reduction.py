"""From rows to counts: one group-by, after which there are only integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.data.reading.coding import Coding, Counted
from tacit.data.reading.opened import Opened
from tacit.data.reading.source import RENAME, Source, check_names, open_source
from tacit.data.schema.schema import Schema
from tacit.statistics.counts.counts import Counts
from tacit.statistics.counts.joint_counts import JointCounts
from tacit.statistics.counts.label_counts import LabelCounts, PartyTables
from tacit.statistics.counts.label_gains import LabelGains
from tacit.statistics.many_rows import summed


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
    coding = Coding.of(schema, features, labels)
    return label_counts(open_table(source, coding), coding)


def open_table(source: Source, coding: Coding, way: str = RENAME) -> Opened:
    """Open a source, and refuse one that lacks a column, or has it twice, with the way out.

    >>> from tacit.data import Integer
    >>> open_table({"Age": [67]}, Coding.of(Schema({"age": Integer(18, 120)}), ["age"]))
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: the table has no column 'age': rename it there or in the
    schema; it has Age; small and large letters differ
    """
    opened = open_source(source)
    check_names(opened, coding.names, way)
    return opened


def sample_of(
    source: Source,
    coding: Coding,
    *,
    by_party: bool = False,
    jointly: bool = False,
    scored: ConceptClass[Any] | None = None,
) -> LabelCounts | JointCounts | LabelGains | PartyTables:
    """Count the rows as a learner takes them: label by label, or jointly, or party by party.

    Of a class that is to be `scored` only its scores, if the rows can be scored where they are.
    """
    if by_party:
        return PartyTables(tuple(label_counts(open_table(one, coding), coding) for one in source))
    opened = open_table(source, coding)
    if jointly:
        return joint_counts(opened, coding)
    if opened.scored is not None and scored_in_place(opened, coding, scored):
        gains: LabelGains | None = opened.scored(scored, coding)
        if gains is not None:
            return gains
    return label_counts(opened, coding)


def scored_in_place(opened: Opened, coding: Coding, scored: ConceptClass[Any] | None) -> bool:
    """Whether a class can be scored where the rows are."""
    return bool(opened.scored and scored is not None and scored.scorable_by_rows(coding.labels))


def label_counts(opened: Opened, coding: Coding) -> LabelCounts:
    """Count as `reduce` does."""
    codes, sums = _counted(opened, coding)
    totals, positives = sums[:, 0].copy(), sums[:, 1:].copy()
    n = summed(totals)
    return LabelCounts(n, coding.labels, points(codes), totals, positives, spread=opened.spread)


def joint_counts(opened: Opened, coding: Coding) -> JointCounts:
    """Count the rows by the codes of the features and by all labels together.

    Guarantee:
        As `reduce`: replacing one row of the source replaces one row of the counts.

    >>> from tacit.data import Bits, Integer
    >>> schema = Schema({"age": Integer(0, 120), "sick": Bits(), "old": Bits()})
    >>> people = {"age": [67, 67, 41], "sick": [1, 1, 0], "old": [1, 1, 0]}
    >>> coding = Coding.of(schema, ["age"], ["sick", "old"])
    >>> counts = joint_counts(open_table(people, coding), coding)
    >>> counts.points.tolist(), counts.marks.astype(int).tolist(), counts.totals.tolist()
    ([41, 67], [[0, 0], [1, 1]], [1, 2])
    """
    codes, sums = _counted(opened, replace(coding, jointly=True))
    totals, d = sums[:, 0].copy(), coding.features
    marks = codes[:, d:] > 0
    n = summed(totals)
    return JointCounts(n, coding.labels, points(codes[:, :d]), marks, totals, spread=opened.spread)


def count_points(source: Source, coding: Coding) -> Counts[Any]:
    """Count the rows of a source by the codes of some columns: integers, or tuples of them.

    Guarantee:
        As `reduce`: replacing one row of the source replaces one row of the counts.

    >>> from tacit.data import Bits, Integer
    >>> schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    >>> people = {"age": [67, 41, 67, 999], "sick": ["yes", "no", "yes", "perhaps"]}
    >>> dict(count_points(people, Coding.of(schema, ["age", "sick"])).table)
    {(41, 0): 1, (67, 1): 2, (120, 0): 1}
    """
    codes, sums = _counted(open_table(source, coding), coding)
    totals = sums[:, 0].tolist()
    held = points(codes).tolist()
    names = held if coding.features == 1 else map(tuple, held)
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
    source: Source, schema: Schema, features: Sequence[str], way: str = RENAME
) -> Iterator[NDArray[np.int64]]:
    """Yield what `read_points` returns in pieces, so that files need not fit into memory."""
    coding = Coding.of(schema, features)
    for cells in open_table(source, coding, way).batches(coding.names):
        yield points(np.stack(coding.codes(cells), axis=1))


def points(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return rows of codes as points: integers if there is one column, else vectors."""
    return codes[:, 0].copy() if codes.shape[1] == 1 else np.ascontiguousarray(codes)


def _counted(opened: Opened, coding: Coding) -> Counted:
    """Count where the rows are if the source's engine can, else here."""
    table = opened.counted(coding)
    return coding.count(opened.batches(coding.names)) if table is None else coding.read(table)
