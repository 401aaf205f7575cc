"""How often each integer of a public range occurs, in order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, check
from tacit.statistics.long_integers import Integers, sorting
from tacit.statistics.many_rows import check_many, summed
from tacit.statistics.private import PUBLIC, Private, integer


@dataclass(frozen=True, slots=True, repr=False)
class LineCounts(Private):
    """n records of {0, ..., 2^bits - 1}: the distinct ones in order, with their counts.

    Records outside of the range are read as its nearest end.

    Guarantee:
        Replacing one record lowers one count by 1 and raises another by 1. The records from one
        rank to another are again such a sample: at most one of them is replaced.

    >>> LineCounts.of([5, 1, 5], bits=3)
    LineCounts(n=3, bits=3, points=<private>, counts=<private>)
    """

    n: int = field(metadata=PUBLIC)
    bits: int = field(metadata=PUBLIC)
    points: NDArray[Any]
    counts: Integers

    def __post_init__(self) -> None:
        check_many(self.n)
        check.count(bits=self.bits, least=1)
        if len(self.points) != len(self.counts) or summed(self.counts) != self.n:
            raise InvalidArgument("there must be one count a point, n in sum")

    @classmethod
    def of(cls, records: Iterable[int] | NDArray[Any], *, bits: int) -> LineCounts:
        """Count records, in any order."""
        last = (1 << check.count(bits=bits, least=1)) - 1
        if isinstance(records, np.ndarray) and np.issubdtype(records.dtype, np.signedinteger):
            clipped: NDArray[Any] = np.clip(records.astype(np.int64), 0, min(last, (1 << 63) - 1))
        else:
            read = (integer(record, name="records") for record in records)
            values = [min(max(value, 0), last) for value in read]
            clipped = np.array(values, dtype=np.int64 if bits < 63 else object)
        ordered = clipped[sorting(clipped, bits=bits)]
        starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        starts = starts[: len(ordered)]
        counts = np.diff(np.append(starts, len(ordered))).astype(np.int64)
        return cls(len(ordered), bits, ordered[starts], counts)

    def rank(self, level: Fraction) -> int:
        """Return the rank, 1 to n, of the quantile of a level between 0 and 1."""
        return max(1, min(-(-level * self.n // 1), self.n))

    def window(self, first: int, size: int) -> LineCounts:
        """Return the records of ranks first, ..., first + size - 1; ranks start at 1.

        Where there are no such ranks the range's ends stand in: 0 before, the last after.

        >>> window = LineCounts.of([4, 6, 6, 7], bits=3).window(0, 3)
        >>> window.points.tolist(), window.counts.tolist()
        ([0, 4, 6], [1, 1, 1])
        """
        before = min(max(1 - first, 0), size)
        after = min(max(first + size - 1 - self.n, 0), size)
        ends = np.cumsum(self.counts)
        clipped = np.clip(ends, first - 1, first + size - 1)
        kept = np.diff(np.concatenate(([min(max(first - 1, 0), first + size - 1)], clipped)))
        dtype = np.int64 if self.bits < 63 else object
        edges = np.array([0, (1 << self.bits) - 1], dtype=dtype)
        points = np.concatenate((edges[:1], self.points.astype(dtype), edges[1:]))
        counts = np.concatenate(([before], np.maximum(kept, 0), [after]))
        held = counts > 0
        places, counts = points[held], counts[held].astype(np.int64)
        new = np.concatenate(([True], places[1:] != places[:-1])) if len(places) else held[:0]
        starts = np.flatnonzero(new)
        merged = np.add.reduceat(counts, starts) if len(starts) else counts
        return LineCounts(size, self.bits, places[starts], merged)

    def at_most(self, value: int) -> int:
        """Count the records that are not greater than `value`."""
        return int(self.counts[: bisect_right(self.points, value)].sum())

    def at_least(self, value: int) -> int:
        """Count the records that are not less than `value`."""
        return int(self.counts[bisect_left(self.points, value) :].sum())
