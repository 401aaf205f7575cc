"""A line of points 0, ..., size - 1, and how private counts over it are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.core import check
from tacit.statistics import Counts, LineCounts


@dataclass(frozen=True, slots=True)
class LineDomain:
    """The domain of points and thresholds; its size may be any integer.

    >>> LineDomain(1 << 100).size.bit_length()
    101
    """

    size: int

    def __post_init__(self) -> None:
        check.count(size=self.size, least=1)

    def read(self, counts: Counts[Any]) -> dict[int, int]:
        """Return the rows of each point that occurs, by point, n rows in total.

        Points outside are clipped, and a row that is no integer, or null, is read as 0: each row by
        itself, so that neighbours stay neighbours.

        >>> LineDomain(4).read(Counts(5, {9: 1, -2: 1, "?": 1, 2: 1}))
        {0: 3, 2: 1, 3: 1}
        """
        held: dict[int, int] = {0: counts.n - sum(counts.table.values())}
        for name, count in counts.table.items():
            point = min(max(name, 0), self.size - 1) if isinstance(name, int) else 0
            held[point] = held.get(point, 0) + count
        return {point: count for point, count in sorted(held.items()) if count}

    def counts(self, counts: Counts[Any], *, bits: int) -> LineCounts:
        """Return the rows that `read` reads as integers of so many bits, which hold the line.

        >>> LineDomain(4).counts(Counts(3, {1: 2, 9: 1}), bits=2).at_most(1)
        2
        """
        held = self.read(counts)
        points = np.array(list(held), dtype=np.int64 if bits < 63 else object)
        return LineCounts(counts.n, bits, points, np.array(list(held.values()), dtype=np.int64))
