"""What makes a class hard: concepts that differ and agree, shattered sets, mistake trees, packings.

Each witness says what the class has, and verifies it by evaluating all concepts on all points, of
classes small enough for that; of large families the fact is proved with the family.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import ConceptClass, Packed, Packing, integers, listable
from tacit.core.errors import TooLarge
from tacit.theory.dimensions.littlestone import littlestone
from tacit.theory.dimensions.threshold_dimension import threshold_dimension
from tacit.theory.dimensions.vc import vc
from tacit.theory.solving.class_table import counted, listed
from tacit.theory.solving.incidence import Incidence

MANY = 10**9
"""Concepts: more are told by a power of two."""
SEARCHED = 60.0
"""Seconds after which the search for a line of thresholds ends with what it has found."""
LINE = 64
"""Points of a line that are looked at, where the class may name a function twice."""


@dataclass(frozen=True, slots=True)
class TwoConcepts:
    """Two concepts that differ somewhere; if `agree`, they also agree somewhere."""

    agree: bool
    why: str

    def __str__(self) -> str:
        return f"two concepts that differ{' and agree' * self.agree} somewhere ({self.why})"

    def verify(self, concepts: ConceptClass[Any], /) -> bool:
        """Whether the class has two such concepts."""
        table = _table(concepts)
        rows = table.values(np.arange(table.n)[:, None], np.arange(table.m))
        return len(rows) > 1 and (not self.agree or _agree(rows))


@dataclass(frozen=True, slots=True)
class Dimension:
    """A shattered set of so many points, or a mistake tree of such a depth."""

    what: Literal["VC", "Littlestone"]
    value: int
    why: str

    def __str__(self) -> str:
        return f"{self.what} dimension at least {self.value} ({self.why})"

    def verify(self, concepts: ConceptClass[Any], /) -> bool:
        """Whether the dimension is so great."""
        found = (vc if self.what == "VC" else littlestone)(_table(concepts))
        return found.lower >= self.value


@dataclass(frozen=True, slots=True)
class PackedConcepts:
    """A packing that a family has, for each of k labels."""

    packing: Packing[Any]
    labels: int = 1

    def __str__(self) -> str:
        many, kind = _many(self.packing.concepts), "proper " * self.packing.proper
        told = f", for each of {self.labels} labels" * (self.labels > 1)
        return f"{many} concepts of which no two have a common good {kind}hypothesis{told}"

    def verify(self, concepts: ConceptClass[Any], /) -> bool:
        """Whether it is one: no hypothesis is good for two of its concepts."""
        domain, packing = concepts.domain(), self.packing
        members = [packing.member(i) for i in range(listable(packing.concepts, what="concepts"))]
        heavy = members[0].heavy
        if len({(m.heavy.tobytes(), bool(m.concept(heavy)[0])) for m in members}) > 1:
            return False
        if not packing.proper:
            far = -(-2 * len(members[0].light) // packing.share)  # what no function halves
            said = np.array([m.concept(m.light) for m in members])
            same = all(np.array_equal(m.light, members[0].light) for m in members)
            apart = (said[:, None] != said).sum(axis=2) + 2 * len(domain) * np.eye(len(said))
            return packing.common and same and bool((apart >= far).all())
        return all(
            sum(_good(h, m, packing.share) for m in members) <= 1 for h in concepts.concepts()
        )


@dataclass(frozen=True, slots=True)
class Thresholding:
    """So many concepts and points that look like thresholds: the i-th says yes from point i on."""

    length: int

    def __str__(self) -> str:
        return f"{_many(self.length)} concepts that are thresholds on as many points"

    def verify(self, concepts: ConceptClass[Any], /) -> bool:
        """Whether the class has such a line."""
        return threshold_dimension(_table(concepts), time_limit=SEARCHED).lower >= self.length


def _many(count: int) -> str:
    return f"{count}" if count < MANY else f"over 2^{count.bit_length() - 1}"


def _good(hypothesis: Any, member: Packed[Any], share: int) -> bool:
    """Whether a hypothesis errs at most alpha, where light points have just above their mass."""
    wrong = int((hypothesis(member.light) != member.concept(member.light)).sum())
    agrees = bool((hypothesis(member.heavy) == member.concept(member.heavy)).all())
    return agrees and wrong * share < len(member.light)


@lru_cache(maxsize=1 << 10)
def differing(concepts: ConceptClass[Any]) -> TwoConcepts | None:
    """Return that the class has two different concepts, if it is known to have.

    >>> from tacit.concepts.contract.specification import parse
    >>> print(differing(parse("points(bits=1)")))
    two concepts that differ somewhere (a point that is shattered)
    """
    if concepts.vc.lower:
        return TwoConcepts(agree=False, why="a point that is shattered")
    return None


@lru_cache(maxsize=1 << 10)
def agreeing(concepts: ConceptClass[Any]) -> TwoConcepts | None:
    """Return that two concepts differ somewhere and agree somewhere, if they are known to.

    Of three different functions two always do: only one can be the opposite of the first.

    >>> from tacit.concepts.contract.specification import parse
    >>> agreeing(parse("points(bits=1)")) is None, agreeing(parse("points(bits=2)")).why
    (True, 'of three different concepts only two are opposites')
    """
    if concepts.vc.lower >= 2:
        return TwoConcepts(agree=True, why="two points that are shattered")
    size = counted(concepts)
    if size is not None and size >= 3:
        return TwoConcepts(agree=True, why="of three different concepts only two are opposites")
    if not concepts.vc.lower:
        return None
    try:
        functions = _functions(concepts)
    except TooLarge:
        return None
    return TwoConcepts(agree=True, why="by evaluating concepts") if _agree(functions) else None


def line(concepts: ConceptClass[Any]) -> Thresholding | None:
    """Return the thresholds of one column that a family has; those down leave one point to agree.

    >>> from tacit.concepts.contract.specification import parse
    >>> print(line(parse("boxes(values=9x4)")))
    9 concepts that are thresholds on as many points
    """
    length = concepts.threshold_line
    return None if length is None else Thresholding(length)


def _functions(concepts: ConceptClass[Any]) -> NDArray[np.bool_]:
    """Return different functions of a class on its domain, or on some points of it."""
    if concepts.domain_size <= LINE:
        points = concepts.domain()
    else:
        corner = np.zeros((LINE, concepts.features), dtype=np.int64)
        corner[:, 0] = np.arange(LINE)
        points = np.unique(concepts.clip(corner), axis=0)
        points = integers([int(x) for x in points[:, 0]]) if concepts.features == 1 else points
    known = concepts.dichotomies(points)
    return np.unique(np.array([concept(points) for concept in known]), axis=0)


def _agree(functions: NDArray[np.bool_]) -> bool:
    """Whether two of some different functions agree at a point."""
    alone = len(functions) < 2
    return not alone and (len(functions) > 2 or bool((functions[0] == functions[1]).any()))


def _table(concepts: ConceptClass[Any]) -> Incidence:
    found = listed(concepts)
    if found is None:
        raise TooLarge(f"{concepts} is too large to verify what makes it hard; try a smaller one")
    return found.table
