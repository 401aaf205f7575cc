"""How often each point occurs, and with how many positive labels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.statistics.private import PUBLIC, Private

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True, repr=False)
class LabelCounts(Private, Generic[K]):
    """For each point that occurs: its number of rows, and of positive ones for each of k labels.

    Guarantee:
        Replacing one row moves the totals of at most two points by 1, and for each label the
        positives of at most two points by 1; so the number of mistakes of any fixed hypothesis on
        any one label moves by at most 1.

    >>> sample = LabelCounts.of([("x", (1, 0)), ("x", (1, 1)), ("y", (0, 1))], labels=2)
    >>> sample
    LabelCounts(n=3, labels=2, points=<private>, totals=<private>, positives=<private>)
    >>> sample.mistakes(lambda point: point == "x", label=1)
    2
    """

    n: int = field(metadata=PUBLIC)
    labels: int = field(metadata=PUBLIC)
    points: tuple[K, ...]
    totals: NDArray[np.int64]
    positives: NDArray[np.int64]

    def __post_init__(self) -> None:
        check.count(n=self.n)
        check.count(labels=self.labels, least=1)
        shape = (len(self.points), self.labels)
        if self.totals.shape != shape[:1] or self.positives.shape != shape:
            raise InvalidArgument(f"totals and positives must have shapes {shape[:1]} and {shape}")
        if not all(np.issubdtype(a.dtype, np.integer) for a in (self.totals, self.positives)):
            raise InvalidArgument("totals and positives must be integers")
        if (self.positives < 0).any() or (self.positives > self.totals[:, None]).any():
            raise InvalidArgument("positives must lie between 0 and totals")
        if int(self.totals.sum()) > self.n:
            raise InvalidArgument("the totals add up to more than n rows")

    @classmethod
    def of(cls, rows: Iterable[tuple[K, Sequence[int]]], *, labels: int) -> LabelCounts[K]:
        """Count rows (point, k labels); a row's labels are read as 0 or 1."""
        place: dict[K, int] = {}
        totals: list[int] = []
        positives: list[list[int]] = []
        for point, marks in rows:
            at = place.setdefault(point, len(place))
            if at == len(totals):
                totals.append(0)
                positives.append([0] * labels)
            totals[at] += 1
            for j in range(labels):
                positives[at][j] += bool(marks[j])
        shape = (len(totals), labels)
        table = np.array(positives, dtype=np.int64).reshape(shape)
        return cls(sum(totals), labels, tuple(place), np.array(totals, dtype=np.int64), table)

    def mistakes(self, hypothesis: Callable[[K], bool], *, label: int = 0) -> int:
        """Count the rows on which a hypothesis differs from one label."""
        said = np.array([bool(hypothesis(point)) for point in self.points], dtype=bool)
        ones = self.positives[:, label]
        return int(np.where(said, self.totals - ones, ones).sum())
