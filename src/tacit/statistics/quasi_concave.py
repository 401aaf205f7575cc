"""Scores that rise and then fall along a line, given by their steps."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, check
from tacit.statistics.counts.line_counts import LineCounts
from tacit.statistics.long_integers import Integers
from tacit.statistics.private import PUBLIC, Private


@dataclass(frozen=True, slots=True, repr=False)
class QuasiConcave(Private):
    """An integer score on {0, ..., 2^bits - 1}: `values[i]` from `starts[i]` to the next start.

    Guarantee:
        The maker promises that replacing one record moves each point's score by at most 1, and that
        no score is below both one to its left and one to its right.

    >>> QuasiConcave(3, [0, 2, 5], np.array([1, 4, 0]))
    QuasiConcave(bits=3, starts=<private>, values=<private>)
    """

    bits: int = field(metadata=PUBLIC)
    starts: list[int]
    values: Integers

    def __post_init__(self) -> None:
        check.count(bits=self.bits)
        if len(self.starts) != len(self.values) or not self.starts or self.starts[0] != 0:
            raise InvalidArgument("steps start at 0, with one value each")

    def at(self, point: int) -> int:
        """Return the score of a point."""
        return int(self.values[bisect_right(self.starts, point) - 1])

    def most(self, first: int, end: int) -> int:
        """Return the largest score of the points first, ..., end - 1, of which there is one."""
        low, high = (bisect_right(self.starts, point) for point in (first, end - 1))
        return int(self.values[low - 1 : high].max())

    def tallest(self) -> Integers:
        """Return, for each j from 0 to bits, the largest v that 2^j points in a row reach.

        The points that reach v are a range: it starts with the first step that reaches v and ends
        with the last one.
        """
        levels = np.unique(self.values)[::-1]
        rising = np.maximum.accumulate(self.values)
        falling = np.maximum.accumulate(self.values[::-1])
        first = np.searchsorted(rising, levels, side="left").tolist()
        last = (len(self.values) - np.searchsorted(falling, levels, side="left")).tolist()
        ends = [*self.starts[1:], 1 << self.bits]
        widths = [ends[b - 1] - self.starts[a] for a, b in zip(first, last, strict=True)]
        reach = np.array([width.bit_length() - 1 for width in widths], dtype=np.int64)
        return levels[np.searchsorted(reach, np.arange(self.bits + 1), side="left")]


def depths(records: LineCounts) -> QuasiConcave:
    """Score each point by the number of records on its side that has fewer, itself included.

    At least half of the records, rounded up, for the median; at least 1 for interior points.

    >>> scores = depths(LineCounts.of([2, 5, 5], bits=3))
    >>> [scores.at(y) for y in range(8)]
    [0, 0, 1, 1, 1, 2, 0, 0]
    """
    reached = np.cumsum(records.counts)
    before = np.concatenate(([0], reached))
    scores = np.empty(2 * len(reached) + 1, dtype=np.int64)
    scores[0::2] = np.minimum(before, records.n - before)
    scores[1::2] = np.minimum(reached, records.n - before[:-1])
    points: NDArray[Any] = records.points
    starts = [0, *(edge for x in points.tolist() for edge in (x, x + 1))]
    return _merged(records.bits, starts, scores)


def _merged(bits: int, starts: list[int], values: Integers) -> QuasiConcave:
    """Leave out steps without points."""
    ends = [*starts[1:], 1 << bits]
    held = [i for i, (start, end) in enumerate(zip(starts, ends, strict=True)) if start < end]
    return QuasiConcave(bits, [starts[i] for i in held], values[held])
