"""The binary tree of prefixes of a set of integers."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.statistics.long_integers import Integers, shared_bits, sorting
from tacit.statistics.private import PUBLIC, Private


@dataclass(frozen=True, slots=True, repr=False)
class PrefixTree(Private):
    """All sets of points that share a prefix, as ranges of the sorted points.

    A point of {0, ..., 2^bits - 1} has a prefix of each length from 0 to bits. Of m points there
    are fewer than 2m such sets; `lengths` are those of their longest common prefixes.

    >>> tree = PrefixTree.of(np.array([7, 1, 6]), bits=3)
    >>> tree.heaviest(tree.sums(tree.sort(np.array([1, 5, 1])))).tolist()
    [7, 5, 5, 5]
    """

    bits: int = field(metadata=PUBLIC)
    points: NDArray[Any]
    order: Integers
    shared: Integers
    lengths: Integers
    starts: Integers
    ends: Integers

    @classmethod
    def of(cls, points: NDArray[Any], *, bits: int) -> PrefixTree:
        """Make the tree of points of the domain, in any order; equal ones stay apart.

        Neighbours in the sorted order share the leading bits in which they do not differ, and the
        points that share a prefix are a range in which no two neighbours share less.
        """
        order = sorting(points, bits=bits)
        points = points[order]
        shared = shared_bits(points, bits=bits)
        lengths, starts, ends = _ranges(shared.tolist())
        leaves = np.arange(len(points))
        return cls(
            bits,
            points,
            order,
            shared,
            *(
                np.concatenate((alone, np.array(found, dtype=np.int64)))
                for alone, found in (
                    (np.full(len(points), bits), lengths),
                    (leaves, starts),
                    (leaves + 1, ends),
                )
            ),
        )

    def sort(self, counts: Integers) -> Integers:
        """Put counts that belong to the given points into the sorted order."""
        return counts[self.order]

    def sums(self, counts: Integers) -> Integers:
        """Return for each set the sum of its points' counts."""
        return range_sums(counts, self.starts, self.ends)

    def heaviest(self, weights: Integers) -> Integers:
        """Return for each length, 0 to bits, the largest weight of a prefix of that length.

        Weights are at least 0, and that of a set is at least those of its subsets.
        """
        best = np.zeros(self.bits + 1, dtype=np.int64)
        np.maximum.at(best, self.lengths, weights)
        return np.maximum.accumulate(best[::-1])[::-1]

    def blocks(self, length: int) -> tuple[Integers, Integers]:
        """Return the ranges of points that share a prefix of this length: starts and ends."""
        cuts = np.flatnonzero(self.shared < length) + 1
        if not len(self.points):
            return cuts, cuts
        return np.concatenate(([0], cuts)), np.concatenate((cuts, [len(self.points)]))

    def prefix(self, place: int, length: int) -> int:
        """Return the prefix of this length of one point of the sorted order."""
        return int(self.points[place]) >> (self.bits - length)

    def below(self, cut: int) -> int:
        """Count the points that are less than `cut`."""
        return bisect_left(self.points, cut)


def range_sums(counts: Integers, starts: Integers, ends: Integers) -> Integers:
    """Return the sums of counts over ranges.

    >>> range_sums(np.array([1, 2, 3]), np.array([0, 1]), np.array([1, 3])).tolist()
    [1, 5]
    """
    below = np.concatenate(([0], np.cumsum(counts)))
    found: Integers = below[ends] - below[starts]
    return found


def _ranges(shared: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Return the largest range around each pair of neighbours that share so much, equal ones once.

    One pass with a stack of ranges that have not ended yet, each sharing more than the one below.
    """
    lengths: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    open_lengths, open_starts = [-1], [0]
    for place, length in enumerate([*shared, -1]):
        start = place
        while open_lengths[-1] > length:
            start = open_starts.pop()
            lengths.append(open_lengths.pop())
            starts.append(start)
            ends.append(place + 1)
        if open_lengths[-1] < length:
            open_lengths.append(length)
            open_starts.append(start)
    return lengths, starts, ends
