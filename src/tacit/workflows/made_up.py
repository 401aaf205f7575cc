"""Rows that are made up, in place of those of a table: what is tried out on them tells nothing.

Half of them stand at the first code of every column and say no, half at the last one and say yes:
so every step of a release has something to do, whatever the class, and little of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from tacit.statistics import Counts, JointCounts, LabelCounts, LineCounts
from tacit.statistics.counts.distant_rows import DistantRows
from tacit.statistics.counts.label_counts import PartyTables
from tacit.statistics.counts.label_gains import LabelGains
from tacit.statistics.counts.person_counts import PersonCounts
from tacit.statistics.pieces_of_work import in_turn

S = TypeVar("S")


def made_up(sample: S, sizes: Sequence[int], rows: int | None = None) -> S:
    """Return as many made-up rows, or `rows`, over columns of these sizes, with as many labels.

    >>> from tacit.statistics import LabelCounts
    >>> rows = made_up(LabelCounts.of([(7, (1,)), (9, (0,)), (9, (1,))], labels=1), [128])
    >>> rows.points.tolist(), rows.totals.tolist(), rows.positives.tolist()
    ([0, 127], [1, 2], [[0], [2]])
    """
    made: Any = sample
    n = made.n if rows is None else rows
    match sample:
        case PartyTables(tables):
            made = PartyTables(tuple(made_up(table, sizes, rows) for table in tables))
        case LabelGains(_, labels):
            zeros = np.full(labels, n, dtype=np.int64)
            made = replace(sample, n=n, gains=np.zeros_like(sample.gains), zeros=zeros)
        case LabelCounts(_, labels):
            points, totals, says = _two(n, sizes)
            positives = np.outer(totals * says, np.ones(labels, dtype=np.int64))
            made = LabelCounts(n, labels, points, totals, positives, spread=in_turn)
        case JointCounts(_, labels) | DistantRows(_, labels):
            points, totals, says = _two(n, sizes)
            marks = np.outer(says, np.ones(labels)).astype(np.bool_)
            made = JointCounts(n, labels, points, marks, totals, spread=in_turn)
        case PersonCounts(_, features, codes):
            points, totals, says = _two(n, sizes)
            wide = points if points.ndim == 2 else points[:, None]
            marks = np.outer(says, np.ones(codes.shape[1] - features, dtype=np.int64))
            cells, ones = np.repeat(np.arange(len(wide)), totals), np.ones(n, dtype=np.int64)
            made = PersonCounts(
                n, features, np.hstack([wide, marks]), np.arange(n + 1), cells, ones, spread=in_turn
            )
        case Counts():
            points, totals, _ = _two(n, sizes)
            names = points.tolist() if len(sizes) == 1 else map(tuple, points.tolist())
            made = Counts(n, dict(zip(names, totals.tolist(), strict=True)))
        case LineCounts(_, bits):
            points, totals, _ = _two(n, sizes)
            made = LineCounts(n, bits, points, totals)
        case _:
            raise AssertionError("rows of every kind that verbs count can be made up")
    return made  # type: ignore[no-any-return]


def _two(n: int, sizes: Sequence[int]) -> tuple[Any, Any, Any]:
    """Return two points, their numbers of rows, and what they say; one if there is no other."""
    last = [size - 1 for size in sizes]
    rows = [([0] * len(last), n // 2, 0), (last, n - n // 2, 1)]
    kept = [(last, n, 1)] if n == 1 or not any(last) else rows
    points = np.array([point for point, _, _ in kept], dtype=np.int64)
    totals = np.array([total for _, total, _ in kept], dtype=np.int64)
    says = np.array([say for _, _, say in kept], dtype=np.int64)
    return points[:, 0] if len(last) == 1 else points, totals, says
