"""All halfplanes on a square of integer points, counted through lattice lines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Cells, Gains, Points
from tacit.concepts.grid.halfspace import Halfspace
from tacit.core.chance.randomness import Random

Integers = NDArray[np.int64]

NEVER, ALWAYS = Halfspace((0, 0), 1), Halfspace((0, 0), 0)

BLOCK = 1 << 16
"""How many (direction, gap) pairs are held at once."""


class Halfplanes:
    """The cuts of {0, ..., side - 1}^2 by lines, one for each ordered pair of visible points.

    Points p and q see each other if no grid point lies strictly between them. The pair (p, q)
    stands for the cut that says yes to the left of the line from p to q and, on the line, up to p.
    Each cut but the two constants comes from exactly one pair; see docs/proofs/halfspaces.md. For a
    direction v = q - p, these are the thresholds at p of the integer order `_order(v) . x`.

    >>> Halfplanes(4).size
    174
    """

    __slots__ = ("_corners", "_directions", "_ends", "_orders", "_sides", "side", "size")

    def __init__(self, side: int) -> None:
        self.side = side
        self._directions = _primitive(side)
        self._sides = side - np.abs(self._directions)
        self._corners = np.maximum(0, -self._directions)
        self._orders = _order(self._directions, side)
        self._ends = np.cumsum(self._sides.prod(axis=1))
        self.size = int(self._ends[-1]) + 2

    @property
    def directions(self) -> int:
        """How many primitive directions there are."""
        return len(self._directions)

    def concept(self, index: int) -> Halfspace:
        """Return the concept of this index: never, always, then by direction and first point."""
        if index < 2:
            return (NEVER, ALWAYS)[index]
        which = int(np.searchsorted(self._ends, index - 2, side="right"))
        rest = index - 2 - int(self._ends[which] - self._sides[which].prod())
        return self._pair(which, self._starts(which)[rest])

    def concepts(self) -> Iterator[Halfspace]:
        """Yield all concepts by their index."""
        yield NEVER
        yield ALWAYS
        for which in range(self.directions):
            yield from self._thresholds(self._orders[which], self._starts(which))

    def cells(self, points: Points, gains: Gains, /) -> Cells[Halfspace]:
        """Cut the class by direction, then by the points that occur: a lattice count for each.

        O(D m log side) for m points and D primitive directions, in blocks of bounded memory; cells
        of equal gain in one block are one cell.
        """
        points = points.reshape(len(points), 2).astype(np.int64)[gains != 0]
        gains = gains[gains != 0]
        step = max(1, BLOCK // (len(points) + 1))
        owners: list[slice] = []
        found = [np.array([0, gains.sum()], dtype=np.int64)]
        counts = [np.ones(2, dtype=np.int64)]
        for start in range(0, self.directions, step):
            block = slice(start, start + step)
            scores, widths, _ = self._gaps(block, points, gains)
            levels, which = np.unique(scores[widths > 0], return_inverse=True)
            found.append(levels)
            # Sums stay below the size of the class, far below 2^53: exact in floating point.
            counts.append(np.bincount(which, widths[widths > 0]).astype(np.int64))
            owners.extend([block] * len(levels))
        everything = np.concatenate(found)

        def member(cell: int, rank: int) -> Halfspace:
            if cell < 2:
                return (NEVER, ALWAYS)[cell]
            return self._member(owners[cell - 2], points, gains, int(everything[cell]), rank)

        return Cells(everything, np.concatenate(counts), member)

    def dichotomies(self, points: Points, /) -> list[Halfspace]:
        """Return the cuts by the lines through two of the points that see each other."""
        points = points.reshape(len(points), 2).astype(np.int64)
        if len(points) == 0:
            return [NEVER]
        made = [NEVER, ALWAYS]
        for start in points:
            steps = np.delete(points, (points == start).all(axis=1), axis=0) - start
            seen = np.unique(steps // np.gcd(steps[:, 0], steps[:, 1])[:, None], axis=0)
            made.extend(self._thresholds(_order(seen, self.side), start[None, :]))
        return made

    def draw(self, *, rng: Random) -> Halfspace:
        """Draw a concept uniformly."""
        return self.concept(rng.below(self.size))

    def same(self, concept: Halfspace) -> Halfspace:
        """Return the concept of this class that is the same function on the grid."""
        weights = np.array([concept.weights], dtype=np.int64)
        reach = (self.side - 1) * weights
        if concept.threshold <= int(np.minimum(reach, 0).sum()):
            return ALWAYS
        if concept.threshold > int(np.maximum(reach, 0).sum()):
            return NEVER
        (found,) = _simplified(weights, np.array([concept.threshold]), self.side)
        return found

    def _pair(self, which: int, start: Integers) -> Halfspace:
        (concept,) = self._thresholds(self._orders[which], start[None, :])
        return concept

    def _thresholds(self, orders: Integers, starts: Integers) -> list[Halfspace]:
        orders, starts = np.broadcast_arrays(orders, starts)
        return _simplified(orders, (orders * starts).sum(axis=1), self.side)

    def _starts(self, which: int) -> Integers:
        """Return all p for which p and p + v lie in the grid, in lexicographic order."""
        width, height = self._sides[which].tolist()
        places = np.indices((width, height), dtype=np.int64).reshape(2, -1).T
        return np.asarray(places + self._corners[which], dtype=np.int64)

    def _gaps(
        self, block: slice, points: Integers, gains: Gains
    ) -> tuple[Integers, Integers, Integers]:
        """For each direction: the gain and number of thresholds in each gap, and the keys sorted.

        Gap g holds the thresholds that say yes to the points from place g on in this order.
        """
        keys = self._orders[block] @ points.T
        order = np.argsort(keys, axis=1)
        above = np.cumsum(gains[order][:, ::-1], axis=1)[:, ::-1]
        scores = np.concatenate([above, np.zeros((len(keys), 1), dtype=np.int64)], axis=1)
        reached = np.take_along_axis(self._reached(block, points), order, axis=1)
        totals = self._sides[block].prod(axis=1, keepdims=True)
        edges = np.concatenate([np.zeros_like(totals), reached, totals], axis=1)
        return scores, np.diff(edges, axis=1), np.take_along_axis(keys, order, axis=1)

    def _reached(self, block: slice, points: Integers) -> Integers:
        """Count, for each direction and point s, the starts p with order . p <= order . s.

        They lie strictly to the right of the line through s, or on it from s onwards.
        """
        v, sides, corners = self._directions[block], self._sides[block], self._corners[block]
        across = np.stack([-v[:, 1], v[:, 0]], axis=1)
        lowest = np.where(across >= 0, corners, corners + sides - 1)
        bound = across @ points.T - (across * lowest).sum(axis=1, keepdims=True) - 1
        slopes = np.abs(across)
        right = lattice_count((sides[:, :1], sides[:, 1:]), (slopes[:, :1], slopes[:, 1:]), bound)
        return right + self._steps(v, points)

    def _steps(self, v: Integers, points: Integers) -> Integers:
        """Count how often each v can be added to each point inside the grid."""
        room = np.where(v[:, None, :] > 0, self.side - 1 - points, points)
        size = np.abs(v)[:, None, :]
        times = np.where(size > 0, room // np.maximum(size, 1), self.side)
        return np.asarray(times.min(axis=2), dtype=np.int64)

    def _member(
        self, block: slice, points: Integers, gains: Gains, gain: int, rank: int
    ) -> Halfspace:
        scores, widths, keys = self._gaps(block, points, gains)
        ends = np.cumsum(np.where(scores == gain, widths, 0).ravel())
        place = int(np.searchsorted(ends, rank, side="right"))
        rank -= int(ends[place - 1]) if place else 0
        row, gap = divmod(place, len(points) + 1)
        starts = self._starts(block.start + row)
        at = starts @ self._orders[block.start + row]
        inside = np.ones(len(starts), dtype=np.bool_)
        if gap > 0:
            inside &= at > keys[row, gap - 1]
        if gap < len(points):
            inside &= at <= keys[row, gap]
        return self._pair(block.start + row, starts[np.flatnonzero(inside)[rank]])


def _primitive(side: int) -> Integers:
    """Return all steps between grid points whose coordinates have no common divisor."""
    steps = np.indices((2 * side - 1,) * 2, dtype=np.int64).reshape(2, -1).T - (side - 1)
    return np.asarray(steps[np.gcd(steps[:, 0], steps[:, 1]) == 1], dtype=np.int64)


def _order(v: Integers, side: int) -> Integers:
    """Return weights that order the grid from right to left of v, then against v along a line."""
    across = np.stack([-v[:, 1], v[:, 0]], axis=1)
    return (2 * side * side + 1) * across - v


def _simplified(weights: Integers, thresholds: Integers, side: int) -> list[Halfspace]:
    least, bounds = simplest(weights, thresholds, side)
    return [Halfspace((int(w[0]), int(w[1])), int(t)) for w, t in zip(least, bounds, strict=True)]


def floor_sum(count: Integers, slope: Integers, start: Integers, over: Integers) -> Integers:
    """Return the sums of floor((slope*i + start) / over) over 0 <= i < count, elementwise.

    All arguments are at least 0, `over` at least 1. Each round takes out whole slopes and starts,
    then counts the same lattice points along the other axis, as Euclid does: O(log over) rounds.

    >>> floor_sum(np.array([4]), np.array([2]), np.array([1]), np.array([3])).tolist()
    [4]
    """
    total = np.zeros(np.broadcast_shapes(count.shape, slope.shape, start.shape), dtype=np.int64)
    while count.any():
        total += count * (count - 1) // 2 * (slope // over) + count * (start // over)
        slope, start = slope % over, start % over
        top = np.where(count > 0, slope * count + start, 0)
        count, start = top // over, top % over
        slope, over = over, np.maximum(slope, 1)
    return total


def lattice_count(
    sides: tuple[Integers, Integers], slopes: tuple[Integers, Integers], bound: Integers
) -> Integers:
    """Return how many 0 <= i < sides[0], 0 <= j < sides[1] have slopes . (i, j) <= bound.

    Slopes are at least 0 and not both 0. Without the upper limit on j this is a sum of floors; what
    lies above the limit is the same count with a smaller bound.

    >>> five, one, two = np.array([5]), np.array([1]), np.array([2])
    >>> lattice_count((five, five), (one, two), np.array([4])).tolist()
    [9]
    """
    swap = slopes[1] == 0
    a, b = np.where(swap, slopes[1], slopes[0]), np.where(swap, slopes[0], slopes[1])
    width, height = np.where(swap, sides[1], sides[0]), np.where(swap, sides[0], sides[1])
    return _open_count(width, a, b, bound) - _open_count(width, a, b, bound - b * height)


def _open_count(width: Integers, a: Integers, b: Integers, bound: Integers) -> Integers:
    """Count 0 <= i < width, 0 <= j with a*i + b*j <= bound; b is at least 1."""
    reach = np.where(a == 0, width, np.minimum(width, bound // np.maximum(a, 1) + 1))
    columns = np.where(bound >= 0, reach, 0)
    last = np.where(columns > 0, bound - a * (columns - 1), 0)
    return columns + floor_sum(columns, a, last, b)


def simplest(weights: Integers, thresholds: Integers, side: int) -> tuple[Integers, Integers]:
    """Return, row by row, the least weights that make the same cut of {0, ..., side - 1}^2.

    No cut may be constant. The directions that make a given cut form an open cone of at most a
    right angle. If it holds an axis, that axis is the answer; else the answer is the first vector
    of the Stern-Brocot tree inside the cone, which is least in both coordinates at once. The
    threshold is the least value of the weighted sum where the answer is yes.

    >>> w, theta = simplest(np.array([[200, -99]]), np.array([101]), 4)
    >>> w.tolist(), theta.tolist()
    ([[2, -1]], [1])
    """
    ways = np.where(weights < 0, -1, 1)
    offsets = (side - 1) * np.where(weights < 0, weights, 0).sum(axis=1)
    given = np.abs(weights)
    cuts = _cuts(given, thresholds - offsets, side)
    found = np.zeros_like(given)
    bounds = np.zeros_like(thresholds)
    left = np.broadcast_to(np.array([1, 0]), given.shape)
    right = np.broadcast_to(np.array([0, 1]), given.shape)
    open_ = np.arange(len(given))
    for trial in (left, right):
        open_ = _settle(open_, trial, cuts, found, bounds)
    left, right = left.copy(), right.copy()
    while len(open_):
        middle = left + right
        open_ = _settle(open_, middle, cuts, found, bounds)
        turn = middle[open_, 0] * given[open_, 1] - middle[open_, 1] * given[open_, 0]
        left[open_[turn > 0]] = middle[open_[turn > 0]]
        right[open_[turn < 0]] = middle[open_[turn < 0]]
    answer = found * ways
    return answer, bounds + (side - 1) * np.where(answer < 0, answer, 0).sum(axis=1)


def _cuts(weights: Integers, thresholds: Integers, side: int) -> Integers:
    """Return, for each row and column i, the least j with weights . (i, j) >= threshold."""
    rest = thresholds[:, None] - weights[:, :1] * np.arange(side, dtype=np.int64)
    steep = weights[:, 1:]
    first = -(-rest // np.maximum(steep, 1))
    return np.clip(np.where(steep > 0, first, np.where(rest <= 0, 0, side)), 0, side)


def _settle(
    open_: Integers, trial: Integers, cuts: Integers, found: Integers, bounds: Integers
) -> Integers:
    """Write down the trials that separate yes from no, and return the rows still open."""
    side = cuts.shape[1]
    cut = cuts[open_]
    base = trial[open_, :1] * np.arange(side, dtype=np.int64)
    far = np.int64(1) << 62
    yes = np.where(cut < side, base + trial[open_, 1:] * cut, far).min(axis=1)
    no = np.where(cut > 0, base + trial[open_, 1:] * (cut - 1), -far).max(axis=1)
    apart = no < yes
    found[open_[apart]] = trial[open_[apart]]
    bounds[open_[apart]] = yes[apart]
    return np.asarray(open_[~apart], dtype=np.int64)
