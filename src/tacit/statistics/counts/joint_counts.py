"""How often each point occurs together with each choice of all labels.

Of the papers: BNS16 Def 2.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, Random, check
from tacit.core.chance.permutation import permutation
from tacit.statistics.counts.label_counts import LabelCounts, Point, as_points, distinct
from tacit.statistics.pieces_of_work import Spread, in_turn
from tacit.statistics.private import PUBLIC, Private, key

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class JointCounts(Private):
    """For each distinct record, a point with k labels, its number of rows.

    Where `LabelCounts` adds up the labels one by one, here they stay together: what learns all
    labels at once needs to know which occur in the same row.

    Guarantee:
        Replacing one row lowers the total of one record by 1 and raises that of another by 1.

    >>> rows = [(7, (1, 0)), (7, (1, 0)), (9, (0, 1))]
    >>> sample = JointCounts.of(rows, labels=2)
    >>> sample
    JointCounts(n=3, labels=2, points=<private>, marks=<private>, totals=<private>)
    >>> sample.marginal().positives.tolist()
    [[2, 0], [0, 1]]
    """

    n: int = field(metadata=PUBLIC)
    labels: int = field(metadata=PUBLIC)
    points: NDArray[Any]
    marks: NDArray[np.bool_]
    totals: NDArray[np.int64]
    spread: Spread = field(default=in_turn, repr=False, compare=False)

    def __post_init__(self) -> None:
        check.count(n=self.n)
        check.count(labels=self.labels, least=1)
        shape = (len(self.points), self.labels)
        if self.totals.shape != shape[:1] or self.marks.shape != shape:
            raise InvalidArgument(f"totals and marks must have shapes {shape[:1]} and {shape}")
        if not np.issubdtype(self.totals.dtype, np.signedinteger) or self.marks.dtype != np.bool_:
            raise InvalidArgument("totals must be signed integers and marks truth values")
        if (self.totals < 0).any() or int(self.totals.sum()) > self.n:
            raise InvalidArgument("totals must be at least 0 and add up to at most n rows")

    @classmethod
    def of(cls, rows: Iterable[tuple[Point, Sequence[int]]], *, labels: int) -> JointCounts:
        """Count rows (point, k labels); a row's labels are read as 0 or 1."""
        table: dict[tuple[Point, tuple[bool, ...]], int] = {}
        for point, row in rows:
            record = key(point), tuple(bool(row[j]) for j in range(labels))
            table[record] = table.get(record, 0) + 1
        marks = np.array([row for _, row in table], dtype=np.bool_).reshape(-1, labels)
        totals = np.array(list(table.values()), dtype=np.int64)
        return cls(int(totals.sum()), labels, as_points([x for x, _ in table]), marks, totals)

    def marginal(self) -> LabelCounts:
        """Return the counts of each label by itself, points sorted."""
        points, places = distinct(self.points)
        totals = np.zeros(len(points), dtype=np.int64)
        positives = np.zeros((len(points), self.labels), dtype=np.int64)
        np.add.at(totals, places, self.totals)
        np.add.at(positives, places, self.marks * self.totals[:, None])
        return LabelCounts(self.n, self.labels, points, totals, positives, spread=self.spread)

    def split(self, sizes: Sequence[int], *, rng: Random) -> tuple[JointCounts, ...]:
        """Deal the rows out in a uniform order: blocks of these sizes; null rows are dealt too."""
        if sum(sizes) > self.n or any(size < 0 for size in sizes):
            raise InvalidArgument(f"blocks of {list(sizes)} rows cannot be dealt from {self.n}")
        rows = np.repeat(np.arange(len(self.totals)), self.totals)
        order = permutation(self.n, rng=rng)
        ends = np.cumsum([0, *sizes]).tolist()
        return tuple(
            self._block(rows, order[start : start + size])
            for start, size in zip(ends, sizes, strict=False)
        )

    def each(
        self, vote: Callable[[JointCounts], T], sizes: Sequence[int], *, rng: Random
    ) -> list[T]:
        """Return what each block of `split` votes; the votes are found where `spread` does work."""
        return self.spread(vote, [(block,) for block in self.split(sizes, rng=rng)])

    def _block(self, rows: NDArray[np.int64], order: NDArray[np.int64]) -> JointCounts:
        held, totals = np.unique(rows[order[order < len(rows)]], return_counts=True)
        return JointCounts(
            len(order), self.labels, self.points[held], self.marks[held], totals.astype(np.int64)
        )
