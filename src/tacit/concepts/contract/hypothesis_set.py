"""Public sets of hypotheses that can be scored: what a private choice is made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    Cells,
    Concept,
    Gains,
    Points,
    integers,
    listable,
    one_by_one,
)
from tacit.core import InvalidArgument, hold


class HypothesisSet(Protocol):
    """A finite family of hypotheses, fixed before the data: equal functions count as often as said.

    A `ConceptClass` is one. Nothing is merged because it behaves alike on a sample: that would let
    the sample decide what there is to choose from.
    """

    @property
    def size(self) -> int:
        """The exact number of hypotheses."""

    def cells(self, points: Points, gains: Gains, /) -> Cells[Any]:
        """Cut the set into cells of equal gain; points are distinct, in any order."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Hypotheses one by one.

    >>> from tacit.concepts.line.points import Point
    >>> Listed([Point(3), Point(5)]).cells(np.array([5]), np.array([2])).gains.tolist()
    [0, 2]
    """

    hypotheses: tuple[Concept, ...]

    def __init__(self, hypotheses: Iterable[Concept]) -> None:
        hold(self, hypotheses=tuple(hypotheses))
        if not self.hypotheses:
            raise InvalidArgument("hypotheses must be at least one")

    @property
    def size(self) -> int:
        """The number of hypotheses."""
        return len(self.hypotheses)

    def cells(self, points: Points, gains: Gains, /) -> Cells[Concept]:
        """Give every hypothesis a cell of its own."""
        scores = [int(gains[h(points)].sum()) for h in self.hypotheses]
        return one_by_one(np.array(scores, np.int64), self.hypotheses.__getitem__)


@dataclass(frozen=True, slots=True)
class Together:
    """Several sets as one, hypotheses of two sets counted twice.

    >>> from tacit.concepts.line.points import Points
    >>> Together((Points(3), Points(64))).size == 8 + 2**64
    True
    """

    parts: tuple[HypothesisSet, ...]

    @property
    def size(self) -> int:
        """The number of hypotheses."""
        return sum(part.size for part in self.parts)

    def cells(self, points: Points, gains: Gains, /) -> Cells[Concept]:
        """Put the cells of the parts one after the other."""
        return joined([part.cells(points, gains) for part in self.parts])


def joined(parts: Sequence[Cells[Any]]) -> Cells[Any]:
    """Return the cells of several parts as those of their sum."""
    starts = list(accumulate((len(part.gains) for part in parts), initial=0))

    def member(cell: int, rank: int) -> Any:
        part = int(np.searchsorted(starts, cell, side="right")) - 1
        return parts[part].member(cell - starts[part], rank)

    many = integers([int(m) for part in parts for m in part.multiplicities])
    return Cells(np.concatenate([part.gains for part in parts]), many, member)


def members(among: HypothesisSet, points: Points, /) -> Iterator[Any]:
    """Yield the hypotheses one by one, of sets small enough to list; the points are any points."""
    listable(among.size, what="hypotheses")
    whole = among.cells(points[:0], np.zeros(0, dtype=np.int64))
    for cell, many in enumerate(whole.multiplicities.tolist()):
        for rank in range(many):
            yield whole.member(cell, rank)


def answers(among: HypothesisSet, points: Points, /) -> NDArray[np.bool_]:
    """Return what the hypotheses say at each point: one line a function, equal ones once.

    >>> from tacit.concepts.line.points import Point
    >>> answers(Listed([Point(1), Point(0), Point(1)]), np.arange(2)).astype(int).tolist()
    [[0, 1], [1, 0]]
    """
    return np.unique(np.array([h(points) for h in members(among, points)]), axis=0)
