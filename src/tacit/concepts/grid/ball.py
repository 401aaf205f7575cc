"""One ball with a rational centre: the simplest among all that hold the same points of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import factorial, floor, isqrt, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, Points
from tacit.concepts.contract.feature import identifier, ranged, spoken
from tacit.concepts.grid.numbering import columns


@dataclass(frozen=True, slots=True)
class Ball(Concept):
    """Yes where |scale * x - centre|^2 <= bound, all in integers; never if bound < 0.

    The ball has centre `centre / scale` and squared radius `bound / scale^2`.

    >>> ball = Ball((7, 6), 2, 41)
    >>> ball.rule(["age", "bmi"])
    'the squared distance of (age, bmi) from (7/2, 3) is at most 41/4'
    >>> Ball((7,), 2, 9).sql(["age"])
    '("age" BETWEEN 2 AND 5)'
    """

    centre: tuple[int, ...]
    scale: int
    bound: int

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        along = columns(points, len(self.centre))
        if len(self.centre) == 1:
            low, high = self.ends
            above = np.asarray(along[0] >= low, dtype=np.bool_)
            return above & np.asarray(along[0] <= high, dtype=np.bool_)
        offsets = [self.scale * x - c for x, c in zip(along, self.centre, strict=True)]
        return np.asarray(sum(x * x for x in offsets) <= self.bound, dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        if self.bound < 0:
            return "never"
        if len(self.centre) == 1:
            return ranged(names[0], *self.ends)
        centre = ", ".join(str(Fraction(c, self.scale)) for c in self.centre)
        square = Fraction(self.bound, self.scale**2)
        point = ", ".join(map(spoken, names))
        return f"the squared distance of ({point}) from ({centre}) is at most {square}"

    def sql(self, names: Sequence[str], /) -> str:
        """Write the function as a SQL expression; 64 bits wide, so that nothing overflows."""
        quoted = [identifier(name) for name in names]
        if self.bound < 0:
            return "(1 = 0)"
        if len(self.centre) == 1:
            low, high = self.ends
            return f"({quoted[0]} BETWEEN {low} AND {high})"
        factor = "" if self.scale == 1 else f" * {self.scale}"
        offsets = [
            f"(CAST({column} AS BIGINT){factor} {'-' if c >= 0 else '+'} {abs(c)})"
            for column, c in zip(quoted, self.centre, strict=True)
        ]
        return f"({' + '.join(f'{offset} * {offset}' for offset in offsets)} <= {self.bound})"

    @property
    def ends(self) -> tuple[int, int]:
        """Return the first and the last integer of a ball on a line."""
        if self.bound < 0:
            return 1, 0
        radius = isqrt(self.bound)
        return -((radius - self.centre[0]) // self.scale), (self.centre[0] + radius) // self.scale


Facets = NDArray[Any]
"""Rows (n, h) for the condition n . c <= h on a centre c; integers."""


def simplest_ball(points: NDArray[np.int64], labels: NDArray[np.bool_]) -> Ball:
    """Return the ball that holds exactly the points labelled yes; there must be one.

    The centres of such balls form an open convex set: nearer to each yes than to each no. Of these,
    within a cube that holds all corners of the set, the first coordinate is the simplest possible;
    then the second one, as a multiple of what the first is a multiple of; and so on. The squared
    radius is the largest squared distance of a yes.

    >>> square = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> simplest_ball(square, np.array([True, True, True, False]))
    Ball(centre=(0, 0), scale=1, bound=1)
    """
    dims = points.shape[1]
    if not labels.any():
        return Ball((0,) * dims, 1, -1)
    centre = _centre(_facets(points[labels], points[~labels]), dims)
    scale = lcm(*(c.denominator for c in centre))
    whole = [int(c * scale) for c in centre]
    offsets = scale * points - np.array(whole, dtype=np.int64)
    squares = (offsets * offsets).sum(axis=1)
    ball = Ball(tuple(whole), scale, int(squares[labels].max()))
    assert np.array_equal(ball(points), labels), "no ball holds exactly these points"
    return ball


def _facets(yes: NDArray[np.int64], no: NDArray[np.int64]) -> Facets:
    """Return the conditions |c - a|^2 <= |c - b|^2 for each yes a and no b."""
    normals = 2 * (no[None, :, :] - yes[:, None, :])
    levels = (no * no).sum(axis=1)[None, :] - (yes * yes).sum(axis=1)[:, None]
    return np.concatenate([normals, levels[:, :, None]], axis=2).reshape(-1, yes.shape[1] + 1)


def _centre(facets: Facets, dims: int) -> list[Fraction]:
    """Return the simplest point of the interior, coordinate by coordinate."""
    if dims == 0 or len(facets) == 0:
        return [Fraction(0)] * dims
    if dims == 1:
        below = [Fraction(int(h), int(n)) for n, h in facets if n < 0]
        above = [Fraction(int(h), int(n)) for n, h in facets if n > 0]
        return [simplest_rational(max(below, default=None), min(above, default=None))]
    corners, facets = _corners(facets)
    firsts = [Fraction(int(corner[0]), int(corner[-1])) for corner in corners]
    first = simplest_rational(min(firsts), max(firsts))
    rest = facets.astype(object)
    levels = rest[:, -1:] * first.denominator - rest[:, :1] * first.numerator
    others = _centre(np.concatenate([rest[:, 1:-1], levels], axis=1), dims - 1)
    return [first, *(c / first.denominator for c in others)]


def _corners(facets: Facets) -> tuple[NDArray[Any], Facets]:
    """Return the corners (x, w), for x / w, of a polyhedron within a cube; and its facets.

    The cube holds all corners of the polyhedron inside. Conditions that cut something off are added
    one by one, the deepest cut first; all others follow from them.
    """
    dims = facets.shape[1] - 1
    steep, level = (max(1, int(np.abs(part).max())) for part in (facets[:, :-1], facets[:, -1]))
    minor = factorial(dims) * steep ** (dims - 1)
    reach = minor * level + 1
    safe = (dims + 1) * max(steep, level) * (minor * reach) ** 2 < 1 << 62
    facets = _inward(facets.astype(np.int64 if safe else object))
    unit = np.eye(dims, dtype=facets.dtype)
    cube = np.concatenate([np.insert(way * unit, dims, reach, axis=1) for way in (1, -1)])
    corners = np.array([(*x, 1) for x in product((-reach, reach), repeat=dims)], facets.dtype)
    cuts = facets[:0]
    while True:
        depths = corners @ facets.T
        deepest = int(depths.min(axis=0).argmin())
        if depths[:, deepest].min() >= 0:
            return corners, _inward(cuts)
        tight = corners @ np.concatenate([cube, cuts]).T == 0
        corners = _clip(corners, depths[:, deepest], tight)
        cuts = np.concatenate([cuts, facets[deepest : deepest + 1]])


def _inward(facets: Facets) -> Facets:
    """Turn rows (n, h) into (-n, h), whose product with (x, w) is at least 0 inside; or back."""
    turned = facets.copy()
    turned[:, :-1] *= -1
    return turned


def _clip(corners: NDArray[Any], depth: NDArray[Any], tight: NDArray[np.bool_]) -> NDArray[Any]:
    """Replace the corners of negative depth by the points where edges cross depth 0."""
    fresh = []
    for inside in np.flatnonzero(depth > 0):
        for outside in np.flatnonzero(depth < 0):
            shared = tight[inside] & tight[outside]
            if tight[:, shared].all(axis=1).sum() == 2:
                crossing = depth[inside] * corners[outside] - depth[outside] * corners[inside]
                fresh.append(crossing // np.gcd.reduce(crossing))
    kept = corners[depth >= 0]
    return np.concatenate([kept, np.array(fresh, dtype=corners.dtype).reshape(-1, kept.shape[1])])


def simplest_rational(low: Fraction | None, high: Fraction | None) -> Fraction:
    """Return the number of least denominator, and then nearest to 0, strictly between two others.

    None is infinitely far away.

    >>> simplest_rational(Fraction(31, 10), Fraction(16, 5)), simplest_rational(Fraction(3), None)
    (Fraction(19, 6), Fraction(4, 1))
    """
    if (low is None or low < 0) and (high is None or high > 0):
        return Fraction(0)
    if low is None or low < 0:
        return -simplest_rational(None if high is None else -high, None if low is None else -low)
    whole = floor(low)
    if high is None or whole + 1 < high:
        return Fraction(whole + 1)
    rest = None if low == whole else 1 / (low - whole)
    return whole + 1 / simplest_rational(1 / (high - whole), rest)
