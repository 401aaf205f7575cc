"""A grid cut into strips, one coordinate after the other: how many boxes have each gain."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TypeVar

from tacit.concepts.line.gaps import Gaps, pair

Place = tuple[int, ...]
Sides = tuple[tuple[int, int], ...]
Sizes = tuple[int, ...]
K = TypeVar("K")


class Strips:
    """The nonempty boxes of a grid with these numbers of values, two or more, counted by gain.

    The first side of a box is a pair of cuts, as in `Gaps`. Boxes whose first sides have their cuts
    in the same two gaps draw on the same strip of points; without the first coordinate, the strip
    is the same task in one dimension less, down to `Gaps`. The counts are kept for each gap of the
    left cut; to find a box, the strips that begin in its gap are counted again.

    Cost:
        m points with m different values in each coordinate make C(m + 2d - 3, 2d - 2) lines to
        count, with C(m + 2d - 2, 2d - 1) points in all: about m^3 / 6 in two dimensions.

    >>> Strips({(0, 0): 1, (1, 1): -1}, sizes=(2, 2)).counts
    {0: 3, 1: 3, -1: 3}
    """

    __slots__ = ("_columns", "_edges", "_others", "_parts", "counts")

    def __init__(self, gains: dict[Place, int], *, sizes: Sizes) -> None:
        columns: dict[int, dict[Place, int]] = {}
        for (x, *rest), gain in gains.items():
            if gain:
                columns.setdefault(x, {})[tuple(rest)] = gain
        self._columns = [columns[x] for x in sorted(columns)]
        self._edges = [0, *(x + 1 for x in sorted(columns)), sizes[0] + 1]
        self._others = sizes[1:]
        self._parts = [self._part(left) for left in range(len(self._columns) + 1)]
        self.counts: dict[int, int] = {}
        for part in self._parts:
            _add(part, 1, self.counts)

    def sides(self, gain: int, rank: int) -> Sides:
        """Return the sides of one box; each rank below `counts[gain]` gives another one."""
        for left, part in enumerate(self._parts):
            count = part.get(gain, 0)
            if rank < count:
                return self._sides(left, gain, rank)
            rank -= count
        raise IndexError("rank is not below the number of boxes of this gain")

    def _part(self, left: int) -> dict[int, int]:
        """Count the boxes whose left cut of the first side lies in this gap."""
        found = {0: self._within(left)}
        for right, strip in self._strips(left):
            _add(strip.counts, self._width(left) * self._width(right), found)
        return found

    def _sides(self, left: int, gain: int, rank: int) -> Sides:
        start, within = self._edges[left], self._within(left) if gain == 0 else 0
        if rank < within:
            which, rest = divmod(rank, count_boxes(self._others))
            low, high = pair(which)
            others = nth_box(rest, sizes=self._others)
            return ((start + low, start + high - 1), *others)
        rank -= within
        for right, strip in self._strips(left):
            inner = strip.counts.get(gain, 0)
            pairs = self._width(left) * self._width(right)
            if rank < pairs * inner:
                which, rest = divmod(rank, inner)
                low, high = divmod(which, self._width(right))
                first = (start + low, self._edges[right] + high - 1)
                return (first, *strip.sides(gain, rest))
            rank -= pairs * inner
        raise IndexError("rank is not below the number of boxes of this part")

    def _strips(self, left: int) -> Iterator[tuple[int, Gaps | Strips]]:
        """Yield each gap right of this one, with the strip between them counted."""
        strip: dict[Place, int] = {}
        for right, column in enumerate(self._columns[left:], start=left + 1):
            _add(column, 1, strip)
            yield right, counted(strip, sizes=self._others)

    def _within(self, left: int) -> int:
        """Count the boxes whose first side has both cuts in this gap: they hold no point."""
        width = self._width(left)
        return width * (width - 1) // 2 * count_boxes(self._others)

    def _width(self, gap: int) -> int:
        return self._edges[gap + 1] - self._edges[gap]


def counted(gains: dict[Place, int], *, sizes: Sizes) -> Gaps | Strips:
    """Count the nonempty boxes by gain, in any dimension.

    >>> counted({(0,): 1}, sizes=(2,)).counts
    {0: 1, 1: 2}
    """
    if len(sizes) == 1:
        return Gaps({x: gain for (x,), gain in gains.items()}, size=sizes[0])
    return Strips(gains, sizes=sizes)


def count_boxes(sizes: Sizes) -> int:
    """Return the number of nonempty boxes.

    >>> count_boxes((4, 4))
    100
    """
    return prod(size * (size + 1) // 2 for size in sizes)


def nth_box(rank: int, *, sizes: Sizes) -> Sides:
    """Return the nonempty box of this rank, out of `count_boxes(sizes)`.

    >>> nth_box(0, sizes=(4, 2)), nth_box(29, sizes=(4, 2))
    (((0, 0), (0, 0)), ((3, 3), (1, 1)))
    """
    sides = []
    for size in sizes:
        rank, digit = divmod(rank, count_boxes((size,)))
        low, high = pair(digit)
        sides.append((low, high - 1))
    return tuple(sides)


def _add(counts: dict[K, int], times: int, found: dict[K, int]) -> None:
    for key, count in counts.items():
        found[key] = found.get(key, 0) + times * count
