"""Covers and packings of a class when the distribution of the points is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, ConceptClass, Points, integers
from tacit.core import InvalidArgument, TooLarge, check

ENTRIES = 1 << 26  # values, a byte each: labellings that are compared in memory
FINE = 1 << 62  # common denominators below it leave room for sums of masses in 64 bits


@dataclass(frozen=True, slots=True)
class Marginal:
    """A public distribution over finitely many points.

    >>> known = Marginal((3, 8), (Fraction(1, 4), Fraction(3, 4)))
    >>> known.distance(lambda x: x > 5, lambda x: x > 9)
    Fraction(3, 4)
    """

    points: tuple[int | tuple[int, ...], ...]
    masses: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if len(set(self.points)) != len(self.masses) or len(self.points) != len(self.masses):
            raise InvalidArgument("points must be distinct, with one mass each")
        if sum(self.masses) != 1 or min(self.masses) <= 0:
            raise InvalidArgument("masses must be above 0 and add up to 1")

    @classmethod
    def uniform(cls, points: Points | Sequence[Any]) -> Marginal:
        """Return the uniform distribution over distinct points."""
        listed = [tuple(x) if isinstance(x, list) else x for x in np.asarray(points).tolist()]
        return cls(tuple(listed), (Fraction(1, len(listed)),) * len(listed))

    @property
    def array(self) -> Points:
        """The points, as what hypotheses evaluate."""
        flat = all(isinstance(point, int) for point in self.points)
        return integers(self.points) if flat else np.array(self.points)  # type: ignore[arg-type]

    def distance(self, left: Any, right: Any) -> Fraction:
        """Return the probability that two hypotheses differ."""
        apart = (left(self.array) != right(self.array)).tolist()
        return sum(
            (m for m, differs in zip(self.masses, apart, strict=True) if differs), Fraction()
        )


def cover(
    concepts: ConceptClass[Any], radius: Fraction, marginal: Marginal | None = None
) -> Sequence[Concept]:
    """Return concepts such that each concept of the class is within `radius` of one of them.

    Without a marginal the points are uniform over the whole domain: then a family may know a cover,
    whatever the domain, as thresholds at equal distances; other classes have to be small. With a
    marginal, it is a greedy packing: members are more than `radius` apart, and none can be added.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> len(cover(Thresholds(64), Fraction(1, 100)))
    50
    >>> len(cover(Thresholds(8), Fraction(1, 100), Marginal.uniform(range(0, 256, 2))))
    65
    """
    kept: Any = concepts
    return _cover(kept, check.small_probability(radius=radius), marginal)


@lru_cache(maxsize=256)
def _cover(concepts: Any, radius: Fraction, marginal: Marginal | None) -> Sequence[Concept]:
    if marginal is None:
        known: Sequence[Concept] | None = concepts.uniform_cover(radius)
        if known is not None:
            return known
        if concepts.domain_size * concepts.size > ENTRIES:
            raise TooLarge(f"{concepts} is too large to cover; give a marginal on fewer points")
        marginal = Marginal.uniform(concepts.domain())
    return packing(concepts, radius, marginal)


def packing(
    concepts: ConceptClass[Any], radius: Fraction, marginal: Marginal
) -> tuple[Concept, ...]:
    """Return a greedy packing: concepts more than `radius` apart, to which none can be added.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> len(packing(Thresholds(3), Fraction(1, 4), Marginal.uniform(range(8))))
    3
    """
    listed = concepts.dichotomies(marginal.array)
    if len(listed) * len(marginal.points) > ENTRIES:
        raise TooLarge(f"{concepts} has too many labellings of these points to pack")
    labels = np.array([concept(marginal.array) for concept in listed])
    weights, limit = whole(marginal.masses, radius)
    centres: list[Concept] = []
    left = np.arange(len(listed))
    while len(left):
        first = left[0]
        centres.append(listed[first])
        apart = (labels[left] != labels[first]).astype(weights.dtype) @ weights
        left = left[apart > limit]
    return tuple(centres)


def whole(masses: Sequence[Fraction], radius: Fraction) -> tuple[NDArray[Any], int]:
    """Return masses and radius times a common denominator: distances are compared exactly.

    >>> whole([Fraction(1, 3), Fraction(2, 3)], Fraction(1, 2))
    (array([1, 2]), 1)
    """
    unit = lcm(*(mass.denominator for mass in masses))
    weights = [int(mass * unit) for mass in masses]
    return np.array(weights, dtype=np.int64 if unit < FINE else object), int(radius * unit)
