"""A line cut by points that carry gains: how many intervals have each gain, and which they are."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, pairwise
from math import isqrt

from flint import fmpz_poly

CHUNK = 256
"""So many gaps at a time are counted by one long integer, if their levels lie close together."""

DENSE = 8
"""Levels lie close together if they span at most so many times their number."""


class Gaps:
    """The nonempty intervals of {0, ..., size - 1}, counted by gain.

    An interval is a pair of cuts a < b out of {0, ..., size} and holds a, ..., b - 1. The cuts with
    the same points below them form a gap, and the gain of an interval is the difference of the
    levels of its two gaps; the level of a gap is the sum of the gains below it. So `counts` adds up
    products of two widths by difference of levels, left gap before right gap.

    Cost:
        Divide and conquer with exact polynomial products: O(s log^2 s) operations on integers if
        the absolute gains of the points add up to s, and never more than O(m^2) for m points.
        `sides` is O(m).

    >>> Gaps({1: 1, 2: -1}, size=4).counts
    {0: 6, -1: 2, 1: 2}
    """

    __slots__ = ("_edges", "_levels", "_widths", "counts")

    def __init__(self, gains: dict[int, int], *, size: int) -> None:
        points = sorted(x for x, gain in gains.items() if gain)
        self._edges = [0, *(x + 1 for x in points), size + 1]
        self._widths = [end - start for start, end in pairwise(self._edges)]
        self._levels = list(accumulate((gains[x] for x in points), initial=0))
        self.counts = self._count()

    def sides(self, gain: int, rank: int) -> tuple[tuple[int, int]]:
        """Return the ends of one interval; each rank below `counts[gain]` gives another one."""
        behind: dict[int, int] = {}
        for start, level, width in zip(self._edges, self._levels, self._widths, strict=False):
            inside = width * (width - 1) // 2 if gain == 0 else 0
            if rank < inside:
                low, high = pair(rank)
                return ((start + low, start + high - 1),)
            rank -= inside
            before = behind.get(level - gain, 0)
            if rank < width * before:
                right, left = divmod(rank, before)
                return ((self._cut(level - gain, left), start + right - 1),)
            rank -= width * before
            behind[level] = behind.get(level, 0) + width
        raise IndexError("rank is not below the number of intervals of this gain")

    def _count(self) -> dict[int, int]:
        found = {0: sum(width * (width - 1) // 2 for width in self._widths)}
        blocks: list[dict[int, int]] = []
        for start in range(0, len(self._levels), CHUNK):
            levels = self._levels[start : start + CHUNK]
            widths = self._widths[start : start + CHUNK]
            if max(levels) - min(levels) <= DENSE * len(levels):
                _add_pairs(levels, widths, found)
                blocks.append({})
                _merge(blocks[-1], zip(levels, widths, strict=True))
            else:
                blocks.extend({at: width} for at, width in zip(levels, widths, strict=True))
        while len(blocks) > 1:
            for left, right in zip(blocks[::2], blocks[1::2], strict=False):
                _add_differences(left, right, found)
                _merge(left, right.items())
            blocks = blocks[::2]
        return found

    def _cut(self, level: int, rank: int) -> int:
        for start, found, width in zip(self._edges, self._levels, self._widths, strict=False):
            if found == level:
                if rank < width:
                    return start + rank
                rank -= width
        raise IndexError("rank is not below the number of cuts of this level")


def pair(rank: int) -> tuple[int, int]:
    """Return the pair of integers 0 <= left < right of this rank, ordered by right, then left.

    >>> [pair(rank) for rank in range(4)]
    [(0, 1), (0, 2), (1, 2), (0, 3)]
    """
    right = (1 + isqrt(8 * rank + 1)) // 2
    return rank - right * (right - 1) // 2, right


def _add_pairs(levels: list[int], widths: list[int], found: dict[int, int]) -> None:
    """Add v * w to found[b - a] for each level a: v before a level b: w.

    Polynomials are written as their values at 2^(8 * step), where no coefficient can overflow: one
    long integer holds all levels so far, and one product adds all differences at once.
    """
    low, high = min(levels), max(levels)
    step = sum(widths).bit_length() // 4 + 1
    before = pairs = 0
    for level, width in zip(levels, widths, strict=True):
        pairs += before * width << 8 * step * (level - low)
        before += width << 8 * step * (high - level)
    digits = pairs.to_bytes(step * (2 * (high - low) + 1), "little")
    for power in range(2 * (high - low) + 1):
        count = int.from_bytes(digits[power * step : (power + 1) * step], "little")
        if count:
            gain = power + low - high
            found[gain] = found.get(gain, 0) + count


def _add_differences(left: dict[int, int], right: dict[int, int], found: dict[int, int]) -> None:
    """Add v * w to found[b - a] for each a: v on the left and each b: w on the right."""
    if len(left) * len(right) <= 4 * (_span(left) + _span(right)):
        for a, v in left.items():
            for b, w in right.items():
                found[b - a] = found.get(b - a, 0) + v * w
        return
    top, bottom = max(left), min(right)
    mirrored = _polynomial({top - a: v for a, v in left.items()})
    product = mirrored * _polynomial({b - bottom: w for b, w in right.items()})
    _merge(found, enumerate(map(int, product.coeffs()), start=bottom - top))


def _merge(counts: dict[int, int], more: Iterable[tuple[int, int]]) -> None:
    for key, count in more:
        if count:
            counts[key] = counts.get(key, 0) + count


def _span(block: dict[int, int]) -> int:
    return max(block) - min(block)


def _polynomial(terms: dict[int, int]) -> fmpz_poly:
    coefficients = [0] * (max(terms) + 1)
    for power, coefficient in terms.items():
        coefficients[power] = coefficient
    return fmpz_poly(coefficients)
