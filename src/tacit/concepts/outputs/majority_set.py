"""Majority votes of hypotheses, what boosting gives; all of them counted without listing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Cells, Concept, Gains, Points, integers
from tacit.concepts.contract.feature import joined
from tacit.concepts.contract.hypothesis_set import HypothesisSet, members
from tacit.concepts.outputs.made_from import MadeFrom
from tacit.core import InvalidArgument, TooLarge, check

STATES = 1 << 20  # tuples, or vectors of votes, that are counted: some hundred megabytes
MOST = 1 << 16  # hypotheses of a part, each evaluated on its own

Votes = bytes
"""How many members say yes at each point, one byte a point."""


@dataclass(frozen=True, slots=True)
class MajoritySet:
    """The majorities of tuples (h_1, ..., h_T), h_t from the t-th set; T is odd.

    What can be refused is refused here, for public reasons: either the tuples are few, or the
    domain has so few points (`domain_size`) that few vectors of votes are possible.

    >>> from tacit.concepts.line.points import Points as PointClass
    >>> MajoritySet((PointClass(2),) * 3).size
    64
    """

    parts: tuple[HypothesisSet, ...]
    domain_size: int | None = None

    def __post_init__(self) -> None:
        votes = len(self.parts)
        if votes % 2 == 0 or votes > 255:
            raise InvalidArgument(f"parts must be an odd number up to 255, got {votes}")
        sizes = [part.size for part in self.parts]
        few = self.domain_size is not None and (votes + 1) ** self.domain_size <= STATES
        if max(sizes) > MOST or not (few or prod(sizes) <= STATES):
            raise TooLarge(f"there are {prod(sizes)} majorities: too many to choose from")
        if self.domain_size is not None:
            check.count(domain_size=self.domain_size, least=1)

    @property
    def size(self) -> int:
        """The number of tuples."""
        return prod(part.size for part in self.parts)

    def cells(self, points: Points, gains: Gains, /) -> Cells[Majority]:
        """Give every vector of votes a cell, with the number of tuples that cast it.

        Hypotheses of one set with equal labels on the points are merged, with their number.
        """
        tables = [_patterns(part, points) for part in self.parts]
        reached: list[dict[Votes, int]] = [{bytes(len(points)): 1}]
        for table in tables:
            after: dict[Votes, int] = {}
            for votes, ways in reached[-1].items():
                for pattern, alike in table.items():
                    cast = _add(votes, pattern)
                    after[cast] = after.get(cast, 0) + ways * len(alike)
            reached.append(after)
        states = list(reached[-1])
        yes = 2 * _array(states, len(points)) > len(self.parts)
        many = integers([reached[-1][state] for state in states])

        def member(cell: int, rank: int) -> Majority:
            state, chosen = states[cell], []
            for table, before in zip(reversed(tables), reversed(reached[:-1]), strict=True):
                for pattern, alike in table.items():
                    left = _subtract(state, pattern)
                    ways = before.get(left, 0) if left is not None else 0
                    if rank < ways * len(alike):
                        rank, place = divmod(rank, len(alike))
                        chosen.append(alike[place])
                        break
                    rank -= ways * len(alike)
                assert left is not None
                state = left
            return Majority(tuple(reversed(chosen)))

        return Cells(yes.astype(np.int64) @ gains, many, member)


def _patterns(part: HypothesisSet, points: Points) -> dict[Votes, list[Concept]]:
    """Group the hypotheses of a set by their labels on the points."""
    found: dict[Votes, list[Concept]] = {}
    for hypothesis in members(part, points):
        labels = hypothesis(points).astype(np.uint8).tobytes() if len(points) else b""
        found.setdefault(labels, []).append(hypothesis)
    return found


def _add(votes: Votes, pattern: Votes) -> Votes:
    return (np.frombuffer(votes, np.uint8) + np.frombuffer(pattern, np.uint8)).tobytes()


def _subtract(votes: Votes, pattern: Votes) -> Votes | None:
    have, cast = np.frombuffer(votes, np.uint8), np.frombuffer(pattern, np.uint8)
    return None if (have < cast).any() else (have - cast).tobytes()


def _array(votes: list[Votes], points: int) -> NDArray[Any]:
    joined = np.frombuffer(b"".join(votes), np.uint8)
    return joined.reshape(len(votes), points).astype(np.int64)


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
