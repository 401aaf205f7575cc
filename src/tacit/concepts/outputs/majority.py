"""Majority votes of hypotheses: what boosting gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, Points
from tacit.concepts.contract.feature import joined
from tacit.concepts.outputs.made_from import MadeFrom
from tacit.core.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Majority(Concept):
    """Yes where more than half of the members say yes.

    >>> from tacit.concepts.line.points import Point
    >>> vote = Majority((Point(1), Point(1), Point(2)))
    >>> vote(np.array([1, 2])).tolist()
    [True, False]
    >>> vote.rule(["ward"])
    'most of these hold: ward is 1; ward is 1; ward is 2'
    """

    members: tuple[Concept, ...]

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        votes = np.zeros(len(points), dtype=np.int64)
        for member in self.members:
            votes += member(points)
        return 2 * votes > len(self.members)

    def rule(self, names: Sequence[str], /) -> str:
        if len(self.members) == 1:
            return self.members[0].rule(names)
        return f"most of these hold: {'; '.join(m.rule(names) for m in self.members)}"

    def sql(self, columns: Sequence[str], /) -> str:
        votes = [f"CASE WHEN {m.sql(columns)} THEN 1 ELSE 0 END" for m in self.members]
        return f"(2 * ({joined(votes, '+')}) > {len(votes)})" if votes else "(1 = 0)"


@dataclass(frozen=True, slots=True)
class Majorities(MadeFrom[Majority]):
    """Majority votes of any number of hypotheses of a class.

    >>> from tacit.concepts.line.points import Points
    >>> str(Majorities(Points(8)))
    'majorities(points(bits=8))'
    """

    family: ClassVar[str] = "majorities"

    def encode(self, concept: Majority, /) -> dict[str, Any]:
        return {"members": [self.of.encode(member) for member in concept.members]}

    def decode(self, encoded: dict[str, Any], /) -> Majority:
        match encoded:
            case {"members": [*members]}:
                return Majority(tuple(self.of.decode(member) for member in members))
        raise InvalidArgument(f"{encoded} is no hypothesis of {self}")
