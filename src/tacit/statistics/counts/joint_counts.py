"""How often each point occurs together with each choice of all labels.

Of the papers: BNS16 Def 2.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, Random, check
from tacit.core.chance.coins import coins
from tacit.statistics.counts.dealt_rows import NEAR, dealt_rows
from tacit.statistics.counts.label_counts import LabelCounts, Point, as_points, distinct
from tacit.statistics.many_rows import check_many, summed
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
        check_many(self.n)
        check.count(labels=self.labels, least=1)
        shape = (len(self.points), self.labels)
        if self.totals.shape != shape[:1] or self.marks.shape != shape:
            raise InvalidArgument(f"totals and marks must have shapes {shape[:1]} and {shape}")
        if not np.issubdtype(self.totals.dtype, np.signedinteger) or self.marks.dtype != np.bool_:
            raise InvalidArgument("totals must be signed integers and marks truth values")
        if (self.totals < 0).any() or summed(self.totals) > self.n:
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

    def of_features(self, many: int) -> JointCounts:
        """Return the same rows by the first so many coordinates of their points alone."""
        records, places = distinct(np.column_stack([self.points[:, :many], self.marks]))
        totals = np.zeros(len(records), dtype=np.int64)
        np.add.at(totals, places, self.totals)
        points = records[:, 0] if many == 1 else records[:, :many]
        marks = records[:, many:].astype(np.bool_)
        return JointCounts(self.n, self.labels, points, marks, totals, spread=self.spread)

    def merge(self, other: JointCounts) -> JointCounts:
        """Count the rows of both.

        >>> some = JointCounts.of([(9, (1,)), (7, (0,))], labels=1)
        >>> some.merge(JointCounts.of([(7, (0,))], labels=1)).totals.tolist()
        [2, 1]
        """
        held = [part for part in (self, other) if len(part.points)] or [self]
        tables = [np.column_stack([part.points, part.marks]) for part in held]
        records, places = distinct(np.concatenate(tables))
        totals = np.zeros(len(records), dtype=np.int64)
        np.add.at(totals, places, np.concatenate([part.totals for part in held]))
        points = records[:, : -self.labels]
        points = points[:, 0] if held[0].points.ndim == 1 else points
        marks = records[:, -self.labels :].astype(np.bool_)
        return JointCounts(self.n + other.n, self.labels, points, marks, totals, spread=self.spread)

    def split(self, sizes: Sequence[int], *, rng: Random) -> tuple[JointCounts, ...]:
        """Deal the rows out in a uniform order: blocks of these sizes; null rows are dealt too."""
        blocks = dealt_rows(self.totals, self.n, sizes, rng=rng)
        return tuple(
            JointCounts(size, self.labels, self.points[which], self.marks[which], rows)
            for size, (which, rows) in zip(sizes, blocks, strict=True)
        )

    def tossed(self, share: Fraction, *, rng: Random) -> tuple[JointCounts, JointCounts]:
        """Deal each row by a coin of its own: the second block has about this share of them.

        How many there are has no say in where a row goes, so what is done with both composes in
        parallel where a row is added too.

        >>> from tacit.core.chance.randomness import Seeded
        >>> sample = JointCounts.of([(7, (1,))] * 100, labels=1)
        >>> [block.n for block in sample.tossed(Fraction(1, 5), rng=Seeded(1))]
        [83, 17]
        """
        ends, held = np.cumsum(self.totals), np.zeros_like(self.totals)
        rows = int(self.totals.sum())
        for start in range(0, rows, NEAR):
            heads = start + np.flatnonzero(coins(min(NEAR, rows - start), share, rng=rng))
            np.add.at(held, np.searchsorted(ends, heads, side="right"), 1)
        return self._tossed(self.totals - held), self._tossed(held)

    def tosses(self, share: Fraction) -> Iterator[tuple[Fraction, tuple[JointCounts, JointCounts]]]:
        """Yield what `tossed` may return, with probabilities; for few rows."""
        totals = self.totals.tolist()
        for held in product(*(range(total + 1) for total in totals)):
            pairs = list(zip(totals, held, strict=True))
            ways = prod(comb(n, k) * share**k * (1 - share) ** (n - k) for n, k in pairs)
            taken = np.array(held, dtype=np.int64)
            yield Fraction(ways), (self._tossed(self.totals - taken), self._tossed(taken))

    def _tossed(self, totals: NDArray[np.int64]) -> JointCounts:
        there = totals > 0
        held, n = (self.points[there], self.marks[there], totals[there]), int(totals.sum())
        return JointCounts(n, self.labels, *held, spread=self.spread)

    def each(
        self, vote: Callable[[JointCounts], T], sizes: Sequence[int], *, rng: Random
    ) -> list[T]:
        """Return what each block of `split` votes; the votes are found where `spread` does work."""
        return self.spread(vote, [(block,) for block in self.split(sizes, rng=rng)])
