"""How often each point occurs, and with how many positive labels.

Of the papers: BNS16 Def 2.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, Random, check, hold
from tacit.statistics.counts.dealt_rows import dealt_rows
from tacit.statistics.many_rows import check_many, summed
from tacit.statistics.pieces_of_work import Spread, in_turn
from tacit.statistics.private import PUBLIC, Private, key

Point = int | tuple[int, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class LabelCounts(Private):
    """For each distinct point: its number of rows, and of positive ones for each of k labels.

    Points are integers, shape (m,), or vectors of integers, shape (m, d).

    Guarantee:
        Replacing one row moves the totals of at most two points by 1, and for each label the
        positives of at most two points by 1; so the number of mistakes of any fixed hypothesis on
        any one label moves by at most 1.

    >>> sample = LabelCounts.of([(7, (1, 0)), (7, (1, 1)), (9, (0, 1))], labels=2)
    >>> sample
    LabelCounts(n=3, labels=2, points=<private>, totals=<private>, positives=<private>)
    >>> sample.mistakes(lambda points: points == 7, label=1)
    2
    """

    n: int = field(metadata=PUBLIC)
    labels: int = field(metadata=PUBLIC)
    points: NDArray[Any]
    totals: NDArray[np.int64]
    positives: NDArray[np.int64]
    spread: Spread = field(default=in_turn, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_many(self.n)
        check.count(labels=self.labels, least=1)
        shape = (len(self.points), self.labels)
        if self.totals.shape != shape[:1] or self.positives.shape != shape:
            raise InvalidArgument(f"totals and positives must have shapes {shape[:1]} and {shape}")
        for name in ("totals", "positives"):
            counted = getattr(self, name)
            if not np.issubdtype(counted.dtype, np.signedinteger):
                raise InvalidArgument(f"{name} must be signed integers, got {counted.dtype}")
            hold(self, **{name: counted.astype(np.int64)})
        if (self.positives < 0).any() or (self.positives > self.totals[:, None]).any():
            raise InvalidArgument("positives must lie between 0 and totals")
        if summed(self.totals) > self.n:
            raise InvalidArgument("the totals add up to more than n rows")

    @classmethod
    def of(cls, rows: Iterable[tuple[Point, Sequence[int]]], *, labels: int) -> LabelCounts:
        """Count rows (point, k labels); a row's labels are read as 0 or 1."""
        check.count(labels=labels, least=1)
        places: dict[Point, int] = {}
        totals: list[int] = []
        positives: list[list[int]] = [[] for _ in range(labels)]
        for point, marks in rows:
            place = places.setdefault(key(point), len(totals))
            if place == len(totals):
                totals.append(0)
                for ones in positives:
                    ones.append(0)
            totals[place] += 1
            for j in range(labels):
                if marks[j]:
                    positives[j][place] += 1
        counted = np.array(totals, dtype=np.int64)
        marked = np.array(positives, dtype=np.int64).reshape(labels, len(counted)).T
        return cls(int(counted.sum()), labels, as_points(list(places)), counted, marked)

    def marginal(self) -> LabelCounts:
        """Return the counts themselves: each label is already counted by itself."""
        return self

    def mistakes(
        self, hypothesis: Callable[[NDArray[Any]], NDArray[np.bool_]], *, label: int = 0
    ) -> int:
        """Count the rows on which a hypothesis differs from one label."""
        ones = self.positives[:, label]
        if not len(ones):
            return 0
        return int(np.where(hypothesis(self.points), self.totals - ones, ones).sum())

    def rows(self, label: int = 0) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return one point and one mark a row that is not null, points in the order of `points`."""
        ones = self.positives[:, label]
        each = np.column_stack((ones, self.totals - ones)).ravel()
        marks = np.repeat(np.tile(np.array([True, False]), len(self.points)), each)
        return np.repeat(self.points, self.totals, axis=0), marks

    def split(
        self, sizes: Sequence[int], *, label: int = 0, rng: Random
    ) -> tuple[LabelCounts, ...]:
        """Deal the rows out in a uniform order: blocks of these sizes, each with the one label.

        Null rows are dealt out too. What a row holds has no say in where it goes, so what is done
        with different blocks composes in parallel.

        >>> from tacit.core.chance.randomness import Seeded
        >>> sample = LabelCounts.of([(7, (1,)), (7, (1,)), (9, (0,))], labels=1)
        >>> [block.n for block in sample.split([2, 1], rng=Seeded(0))]
        [2, 1]
        """
        ones = self.positives[:, label]
        records = np.column_stack((ones, self.totals - ones)).ravel()
        blocks = dealt_rows(records, self.n, sizes, rng=rng)
        return tuple(self._block(size, *held) for size, held in zip(sizes, blocks, strict=True))

    def each(
        self, vote: Callable[[LabelCounts], T], sizes: Sequence[int], *, label: int = 0, rng: Random
    ) -> list[T]:
        """Return what each block of `split` votes; the votes are found where `spread` does work.

        The rows are dealt here, once; so work that is lost and repeated elsewhere changes nothing.
        """
        blocks = self.split(sizes, label=label, rng=rng)
        return self.spread(vote, [(replace(block, spread=in_turn),) for block in blocks])

    def merge(self, other: LabelCounts) -> LabelCounts:
        """Count the rows of both: parts of a table can be counted one by one, in any order.

        >>> some = LabelCounts.of([(9, (1,)), (7, (0,))], labels=1)
        >>> both = some.merge(LabelCounts.of([(7, (1,))], labels=1))
        >>> both.points.tolist(), both.totals.tolist(), both.positives[:, 0].tolist()
        ([7, 9], [2, 1], [1, 1])
        """
        if self.labels != other.labels:
            raise InvalidArgument("counts can be merged if they have the same labels")
        held = [part for part in (self, other) if len(part.points)] or [self]
        points, places = distinct(np.concatenate([part.points for part in held]))
        totals = np.zeros(len(points), dtype=np.int64)
        positives = np.zeros((len(points), self.labels), dtype=np.int64)
        np.add.at(totals, places, np.concatenate([part.totals for part in held]))
        np.add.at(positives, places, np.concatenate([part.positives for part in held]))
        return LabelCounts(
            self.n + other.n, self.labels, points, totals, positives, spread=self.spread
        )

    def _block(self, size: int, which: NDArray[np.int64], rows: NDArray[np.int64]) -> LabelCounts:
        """Return a block of one label; of each two records the first holds a point's positives."""
        places, point = np.unique(which >> 1, return_inverse=True)
        totals = np.zeros((2, len(places)), dtype=np.int64)
        np.add.at(totals[0], point, rows)
        np.add.at(totals[1], point, np.where(which & 1, 0, rows))
        held = self.points[places], totals[0], totals[1][:, None]
        return LabelCounts(size, 1, *held, spread=self.spread)

    def gains(self, label: int = 0) -> NDArray[np.int64]:
        """Return, for each point, its rows labelled 1 minus its rows labelled 0."""
        return 2 * self.positives[:, label] - self.totals

    def negatives(self, label: int = 0) -> int:
        """Count the rows labelled 0: the agreements of the hypothesis that always says no."""
        return int((self.totals - self.positives[:, label]).sum())


def distinct(points: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the different points, sorted, and for each given point its place among them.

    >>> distinct(np.array([9, 7, 9]))
    (array([7, 9]), array([1, 0, 1]))
    """
    if points.ndim == 1:
        found, places = np.unique(points, return_inverse=True)
        return found, places.astype(np.int64)
    if points.dtype != object:
        found, places = np.unique(points, axis=0, return_inverse=True)
        return found, places.reshape(-1).astype(np.int64)
    vectors = [tuple(point) for point in points.tolist()]
    rank = {point: place for place, point in enumerate(sorted(set(vectors)))}
    ranks = np.array([rank[point] for point in vectors], dtype=np.int64)
    return np.array(list(rank), dtype=object).reshape(-1, points.shape[1]), ranks


def as_points(points: list[Point]) -> NDArray[Any]:
    """Return points as an array: int64 where they fit, Python integers where they do not."""
    small = all(abs(x) < 1 << 62 for p in points for x in ([p] if isinstance(p, int) else p))
    return np.array(points, dtype=np.int64 if small else object)


@dataclass(frozen=True, slots=True, repr=False)
class PartyTables(Private):
    """The rows of several parties, each in a table of its own.

    Guarantee:
        Replacing one row of one party's table replaces one row of one of these.
    """

    tables: tuple[LabelCounts, ...]

    @property
    def n(self) -> int:
        """All rows together."""
        return sum(table.n for table in self.tables)
