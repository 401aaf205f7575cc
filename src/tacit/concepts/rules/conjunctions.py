"""Conjunctions of few literals over Boolean variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Bracket, Concept, Points, coordinate
from tacit.concepts.contract.domains import CubeClass
from tacit.concepts.contract.feature import identifier, shown
from tacit.concepts.rules.literal_class import LiteralClass
from tacit.concepts.rules.selections import Selections
from tacit.core import InvalidArgument, check
from tacit.core.numbers.exact import told

WIDTH = 3
"""Literals of a conjunction over a table's columns, where nobody says how many."""


@dataclass(frozen=True, slots=True)
class Conjunction(Concept):
    """Yes where each named column has its value: pairs (column, 0 or 1), by column.

    >>> both = Conjunction(((0, 1), (2, 0)))
    >>> both.rule(["smoker", "old", "female"]), both.sql(["smoker", "old", "female"])
    ('smoker is 1 and female is 0', '("smoker" = 1 AND "female" = 0)')
    """

    literals: tuple[tuple[int, int], ...]

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        holds = np.ones(len(points), dtype=np.bool_)
        for column, value in self.literals:
            holds &= coordinate(points, column) == value
        return holds

    def rule(self, names: Sequence[str], /) -> str:
        parts = [f"{names[c]} is {shown(names[c], value)}" for c, value in self.literals]
        return " and ".join(parts) or "always"

    def sql(self, columns: Sequence[str], /) -> str:
        parts = [f"{identifier(columns[column])} = {value}" for column, value in self.literals]
        return f"({' AND '.join(parts) or '1 = 1'})"


@dataclass(frozen=True, slots=True)
class Conjunctions(CubeClass[Conjunction], LiteralClass[Conjunction]):
    """All conjunctions of at most `width` literals over `dims` Boolean variables.

    Negations are allowed, no variable occurs twice, and the empty conjunction says always: these
    are the subcubes of {0, 1}^dims that fix at most `width` coordinates, all different as
    functions. With width = dims there are 3^dims; the boxes over one bit are these and the
    constant 0, which this class does not have.

    >>> Conjunctions(20, 3).size, Conjunctions(4, 4).size, str(Conjunctions(4, 2))
    (9921, 81, 'conjunctions(dims=4, width=2)')
    """

    width: int

    family: ClassVar[str] = "conjunctions"
    in_words: ClassVar[str] = "all of a few yes/no columns: “smoker and not active”"
    tells_points_apart: ClassVar[bool] = True

    def __post_init__(self) -> None:
        CubeClass.__post_init__(self)
        if check.count(width=self.width, least=1) > self.dims:
            raise InvalidArgument(f"width must be at most dims={self.dims}, got {told(self.width)}")

    @classmethod
    def over(cls, sizes: Sequence[int], _: Sequence[bool], /) -> Self:
        """Return the conjunctions of a few of the columns."""
        return cls(len(sizes), min(WIDTH, len(sizes)))

    @property
    def selections(self) -> Selections:
        """Which literals make a conjunction; literal 2 i + v says that column i is v."""
        return Selections(self.dims, 2, self.width)

    @property
    def vc(self) -> Bracket:
        """Exactly dims for width >= dims - 2, and exactly log2(2 dims), rounded down, for width 1.

        In between by w blocks of points, each shattered by variables of its own; proofs in
        docs/proofs/conjunctions.md.
        """
        upper = min(self.dims, self.littlestone.upper)
        return Bracket(self._shattered, upper, "blocks of points; subcubes shatter at most dims")

    @property
    def littlestone(self) -> Bracket:
        """Exactly dims + 1 for width = dims >= 2; else proofs in docs/proofs/conjunctions.md."""
        through_a_point = Selections(self.dims, 1, self.width).size
        upper = min(through_a_point.bit_length(), self.size.bit_length() - 1)
        if self.width == self.dims >= 2:
            return Bracket(self.dims + 1, upper, "after one yes 2^dims conjunctions are left")
        blocks, spare = self._blocks
        lower = max(self._shattered, blocks + bool(spare))
        return Bracket(lower, upper, "blocks of points; after one yes few conjunctions are left")

    def truths(self, points: Points, /) -> NDArray[np.bool_]:
        """Evaluate each literal on each point: line 2 i + v is where column i is v."""
        columns = np.asarray(points, dtype=np.bool_).reshape(-1, self.dims).T
        return np.stack([~columns, columns], axis=1).reshape(2 * self.dims, -1)

    def conjunction(self, chosen: tuple[int, ...], /) -> Conjunction:
        """Return the conjunction of literals of these numbers."""
        return Conjunction(tuple(divmod(literal, 2) for literal in chosen))

    def dichotomies(self, points: Points, /) -> list[Conjunction]:
        """Return one conjunction for each labelling of the points.

        Labellings with a yes grow from shorter ones, at O(dims) each; never on all points is said
        by `width` columns in which the points miss a combination, and there is one as soon as
        there are fewer than 2^width points; else up to C(dims, width) sets of columns are tried.
        """
        found = self.selections.reach(self.truths(points))
        somewhere = [self.conjunction(chosen) for where, chosen in found.items() if where]
        return somewhere + self._never(points)

    def encode(self, concept: Conjunction, /) -> dict[str, Any]:
        return {"literals": [list(literal) for literal in concept.literals]}

    def decode(self, encoded: dict[str, Any], /) -> Conjunction:
        literals = tuple(
            (check.count(column=column), check.count(value=value))
            for column, value in encoded["literals"]
        )
        columns = [column for column, _ in literals]
        ordered = sorted(set(columns)) == columns and all(c < self.dims for c in columns)
        if not ordered or len(columns) > self.width or any(value > 1 for _, value in literals):
            raise InvalidArgument(f"literals={encoded['literals']} is no concept of {self}")
        return Conjunction(literals)

    @property
    def _blocks(self) -> tuple[int, int]:
        """How many points `width` blocks of variables shatter, and how many variables they spare.

        A block of 2^t - 1 variables shatters t points; they all have t or t + 1.
        """
        t = (self.dims // self.width + 1).bit_length() - 1
        more, spare = divmod(self.dims - self.width * ((1 << t) - 1), 1 << t)
        return self.width * t + more, spare

    @property
    def _shattered(self) -> int:
        if self.width == 1:
            return self.dims.bit_length()
        return max(self._blocks[0], min(self.dims, self.width + 2))

    def _never(self, points: Points) -> list[Conjunction]:
        """Return a conjunction without a yes on the points, if there is one."""
        size, points = min(self.width, len(points).bit_length()), points.reshape(-1, self.dims)
        for columns in combinations(range(self.dims), size):
            seen = set(map(tuple, points[:, list(columns)].tolist()))
            if len(seen) < 1 << size:
                combination = next(c for c in np.ndindex(*(2,) * size) if c not in seen)
                return [Conjunction(tuple(zip(columns, combination, strict=True)))]
        return []
