"""Euclidean balls on a grid of integer points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from tacit.concepts.contract.concept_class import LISTED_A_SECOND, Bracket
from tacit.concepts.grid.arrangement import CELLS_A_SECOND, dichotomies
from tacit.concepts.grid.ball import Ball, simplest_ball
from tacit.concepts.grid.grid_class import Functions, GridClass, told
from tacit.concepts.grid.halfspaces import Halfspaces
from tacit.concepts.grid.listed_functions import Codes, ListedFunctions, labels
from tacit.concepts.grid.numbering import grid
from tacit.concepts.grid.small_halfspaces import OnALine, small_halfspaces
from tacit.concepts.line.intervals import Interval, Intervals
from tacit.core import InvalidArgument, check

SIZES = {
    (1, 2): 14,
    (2, 2): 524,
    (3, 2): 33742,
    (1, 3): 104,
    (2, 3): 342849,
    (1, 4): 1882,
    (1, 5): 94572,
}
"""The number of functions by (bits, dims), from two dimensions on: what the listing finds."""

SEARCHED = {(2, 2): 8, (3, 2): 14, (1, 3): 6, (1, 4): 9}
"""Littlestone dimensions found by search over all mistake trees, by (bits, dims)."""

FARTHEST = 1 << 24
"""No centre and no scale of a concept is larger in absolute value, from two dimensions on."""


@dataclass(frozen=True, slots=True)
class Balls(GridClass[Ball]):
    """All functions 1[|x - c|^2 <= r] on {0, ..., 2^bits - 1}^dims, the empty set included.

    Centres and radii are real; each function is one concept, written with a simplest rational
    centre and the least radius for it; see docs/proofs/halfspaces.md. Every halfspace on the grid
    is among them, and with one bit there are no others.

    On a line, any number of bits. From two dimensions on, small grids only: listed once, exactly,
    in a few seconds at most. Of finer grids the dimensions are known, and what follows from them.

    >>> Balls(bits=2, dims=2).size, Balls(bits=64, dims=1).littlestone.lower
    (524, 126)
    """

    family: ClassVar[str] = "balls"
    finest: ClassVar[str] = f"bits={told(SIZES)}"
    """Which grids are."""
    tells_points_apart: ClassVar[bool] = True

    @property
    def listed(self) -> bool:
        """On a line, and on small grids."""
        return self.dims == 1 or (self.bits, self.dims) in SIZES

    @property
    def lifted(self) -> int:
        """A ball is a hyperplane that cuts a paraboloid of one dimension more."""
        return self.dims + 1

    @property
    def size(self) -> int:
        self.check_listed()
        return Intervals(self.bits).size if self.dims == 1 else SIZES[self.bits, self.dims]

    @property
    def least(self) -> int:
        """At least so many: all halfspaces, where those can be counted."""
        halfspaces = Halfspaces(self.bits, self.dims)
        return halfspaces.size if halfspaces.listed else 1 << self.tree

    @property
    def vc(self) -> Bracket:
        """The corner 0 and its neighbours are shattered, and no dims + 2 points are."""
        why = "two disjoint parts cut out by balls are separated by a hyperplane; Radon's theorem"
        return Bracket(self.dims + 1, self.dims + 1, why)

    @property
    def littlestone(self) -> Bracket:
        """That of intervals on a line; else a tree of halfspaces below, log2 of the size above."""
        if self.dims == 1:
            return Intervals(self.bits).littlestone
        if (self.bits, self.dims) in SEARCHED:
            value = SEARCHED[self.bits, self.dims]
            return Bracket(value, value, "search over all mistake trees")
        return Bracket(self.tree, self.log_size, f"a tree of halfspaces; log2 of {self.counted_by}")

    @property
    def largest_sample(self) -> int | None:
        if self.dims == 1:
            return Intervals(self.bits).largest_sample
        return None if self.listed else 0

    @property
    def listed_a_second(self) -> int:
        """How many concepts are listed in a second; from two dimensions on all at once."""
        return CELLS_A_SECOND if self.dims > 1 else LISTED_A_SECOND

    @property
    def functions(self) -> Functions[Ball]:
        """Intervals on a line, else a list: then cells take O(m size) for m points."""
        self.check_listed()
        return _functions(self.bits, self.dims)

    def encode(self, concept: Ball, /) -> dict[str, Any]:
        return {"centre": list(concept.centre), "scale": concept.scale, "bound": concept.bound}

    def decode(self, encoded: dict[str, Any], /) -> Ball:
        centre = encoded.get("centre")
        if not isinstance(centre, list) or len(centre) != self.dims:
            raise InvalidArgument(f"centre must be a list of {self.dims} integers, got {centre!r}")
        limit = max(FARTHEST, 2 * self.domain_size)
        read = tuple(check.count(centre=c, least=-limit) for c in centre)
        scale = check.count(scale=encoded["scale"], least=1)
        concept = Ball(read, scale, check.count(bound=encoded["bound"], least=-1))
        if max(*read, scale) > limit or self.functions.same(concept) != concept:
            raise InvalidArgument(f"{concept} is no concept of {self}")
        return concept


@lru_cache(maxsize=16)
def _functions(bits: int, dims: int) -> Functions[Ball]:
    if dims == 1:
        return OnALine(Intervals(bits), _written, lambda ball: _same(ball, 1 << bits))
    listed = _codes(bits, dims)
    return ListedFunctions(bits, dims, listed, lambda index: _ball(bits, dims, int(listed[index])))


def _codes(bits: int, dims: int) -> Codes:
    """List the balls: x is inside iff (2c, r - |c|^2, -1) . (x, 1, |x|^2) >= 0, by a lift."""
    if bits == 1 and dims > 2:
        return small_halfspaces(bits, dims).codes
    points = grid(bits, dims)
    squares = (points * points).sum(axis=1)
    lifted = np.concatenate([points, np.ones_like(points[:, :1]), squares[:, None]], axis=1)
    apex = np.array([0] * (dims + 1) + [1])
    return dichotomies(apex, lifted)


@lru_cache(maxsize=1 << 16)
def _ball(bits: int, dims: int, code: int) -> Ball:
    return simplest_ball(grid(bits, dims), labels(code, 1 << bits * dims))


def _written(interval: Interval) -> Ball:
    """Write an interval as a ball around its middle."""
    if interval.empty:
        return Ball((0,), 1, -1)
    middle, width = interval.low + interval.high, interval.high - interval.low
    if width % 2:
        return Ball((middle,), 2, width**2)
    return Ball((middle // 2,), 1, (width // 2) ** 2)


def _same(ball: Ball, side: int) -> Ball:
    """Return the ball of the class on a line that is the same function."""
    low, high = ball.ends
    return _written(Interval(max(low, 0), min(high, side - 1)))
