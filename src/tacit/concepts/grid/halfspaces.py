"""Halfspaces on a grid of integer points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from tacit.concepts.contract.concept_class import LISTED_A_SECOND, Bracket
from tacit.concepts.grid.arrangement import CELLS_A_SECOND
from tacit.concepts.grid.grid_class import Functions, GridClass, told
from tacit.concepts.grid.halfplanes import Halfplanes
from tacit.concepts.grid.halfspace import Halfspace
from tacit.concepts.grid.small_halfspaces import SIZES, OnALine, small_halfspaces
from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core import InvalidArgument, check

PLANE = 8
"""The most bits in two dimensions: 158560 directions of lines through two points."""

WORK = 60_000_000
"""How many (direction, point) pairs `cells` gets through in about a minute."""

SEARCHED = {(2, 2): 7, (3, 2): 11, (1, 3): 6, (2, 3): 14, (1, 4): 9}
"""Littlestone dimensions found by search over all mistake trees, by (bits, dims)."""

HEAVIEST = 1 << 24
"""No weight of a concept is larger in absolute value."""


@dataclass(frozen=True, slots=True)
class Halfspaces(GridClass[Halfspace]):
    """All functions 1[w . x >= theta] on {0, ..., 2^bits - 1}^dims, the two constants included.

    Each function is one concept, written with the integer weights of least absolute sum; its
    threshold is the least value of w . x where it says yes. See docs/proofs/halfspaces.md.

    On a line, any number of bits. In the plane, up to 8 bits: counted through lattice lines, never
    listed. From three dimensions on, small grids only: listed once, in a few seconds at most. Of
    finer grids the dimensions are known, and what follows from them.

    >>> Halfspaces(bits=3, dims=2).size, Halfspaces(bits=8, dims=2).size
    (2566, 2611069550)
    >>> Halfspaces(bits=8, dims=3).littlestone
    Bracket(lower=33, upper=73, why="an explicit tree; log2 of Cover's count of cuts")
    """

    family: ClassVar[str] = "halfspaces"
    in_words: ClassVar[str] = "a weighted sum of columns: “2·age + bmi ≥ 160”"
    tells_points_apart: ClassVar[bool] = True
    finest: ClassVar[str] = f"bits up to {PLANE} with dims=2, or {told(SIZES)}"
    """Which grids are."""

    @property
    def listed(self) -> bool:
        """On a line, in the plane up to 8 bits, and on small grids of more dimensions."""
        known = (self.bits, self.dims) in SIZES
        return self.dims == 1 or known or (self.dims == 2 and self.bits <= PLANE)

    @property
    def lifted(self) -> int:
        """A halfspace is a hyperplane in as many dimensions as there are columns."""
        return self.dims

    @property
    def size(self) -> int:
        """The number of concepts; in the plane, two and one for each pair of visible points."""
        known = SIZES.get((self.bits, self.dims))
        return known if known is not None else self.functions.size

    @property
    def vc(self) -> Bracket:
        """The corner 0 and its neighbours are shattered; Radon splits any dims + 2 points."""
        return Bracket(self.dims + 1, self.dims + 1, "Radon's theorem; a corner of the grid")

    @property
    def littlestone(self) -> Bracket:
        """An explicit tree below, log2 of the size above; both meet on a line."""
        if (self.bits, self.dims) in SEARCHED:
            value = SEARCHED[self.bits, self.dims]
            return Bracket(value, value, "search over all mistake trees")
        return Bracket(self.tree, self.log_size, f"an explicit tree; log2 of {self.counted_by}")

    @property
    def largest_sample(self) -> int | None:
        if not self.listed:
            return 0
        if not isinstance(self.functions, Halfplanes):
            return None
        directions = self.functions.directions
        return None if directions * self.domain_size <= WORK else WORK // directions

    @property
    def listed_a_second(self) -> int:
        """How many concepts are listed in a second; from three dimensions on all at once."""
        return CELLS_A_SECOND if self.dims > 2 else LISTED_A_SECOND

    @property
    def functions(self) -> Functions[Halfspace]:
        """Thresholds on a line, cuts by lattice lines in the plane, else a list.

        For m points, cells take O(m log m) on a line, O(m D bits) in the plane with D < 2.5 *
        4^bits directions, O(m size) from three dimensions on; dichotomies O(m^2) in the plane.
        """
        self.check_listed()
        return _functions(self.bits, self.dims)

    def encode(self, concept: Halfspace, /) -> dict[str, Any]:
        return {"weights": list(concept.weights), "threshold": concept.threshold}

    def decode(self, encoded: dict[str, Any], /) -> Halfspace:
        weights = encoded.get("weights")
        if not isinstance(weights, list) or len(weights) != self.dims:
            raise InvalidArgument(
                f"weights must be a list of {self.dims} integers, got {weights!r}"
            )
        read = tuple(check.count(weight=weight, least=-HEAVIEST) for weight in weights)
        lowest = -HEAVIEST * self.domain_size
        concept = Halfspace(read, check.count(threshold=encoded["threshold"], least=lowest))
        if max(read) > HEAVIEST or self.functions.same(concept) != concept:
            raise InvalidArgument(f"{concept} is no concept of {self}")
        return concept


@lru_cache(maxsize=16)
def _functions(bits: int, dims: int) -> Functions[Halfspace]:
    if dims == 1:
        line = Thresholds(bits, "both")
        return OnALine(line, _written, lambda concept: _same(concept, line.domain_size))
    return Halfplanes(1 << bits) if dims == 2 else small_halfspaces(bits, dims)


def _written(threshold: Threshold) -> Halfspace:
    """Write a threshold as a halfspace; at 0 it is constant."""
    if threshold.at == 0:
        return Halfspace((0,), 0 if threshold.up else 1)
    return Halfspace((1,), threshold.at) if threshold.up else Halfspace((-1,), 1 - threshold.at)


def _same(concept: Halfspace, side: int) -> Halfspace:
    """Return the halfspace of the class on a line that is the same function."""
    (weight,) = concept.weights
    least, most = sorted((0, weight * (side - 1)))
    if not least < concept.threshold <= most:
        return Halfspace((0,), 0 if concept.threshold <= least else 1)
    way = 1 if weight > 0 else -1
    return Halfspace((way,), -(-concept.threshold // (way * weight)))
