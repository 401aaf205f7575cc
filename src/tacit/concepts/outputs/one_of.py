"""Hypotheses of several classes, with the class that each belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, HypothesisClass, Points
from tacit.core.errors import InvalidArgument

SEPARATOR = "|"
"""Between the classes; no specification of a single class is written with it."""


@dataclass(frozen=True, slots=True)
class Member(Concept):
    """A hypothesis, and the place of its class in a list.

    >>> from tacit.concepts.line.points import Point
    >>> Member(1, Point(7)).rule(["ward"])
    'ward is 7'
    """

    place: int
    hypothesis: Concept

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        return self.hypothesis(points)

    def rule(self, names: Sequence[str], /) -> str:
        return self.hypothesis.rule(names)

    def sql(self, columns: Sequence[str], /) -> str:
        return self.hypothesis.sql(columns)


@dataclass(frozen=True, slots=True)
class OneOf(HypothesisClass[Member]):
    """The hypotheses of several classes over one domain.

    >>> from tacit.concepts.line.points import Points
    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> str(OneOf((Points(8), Thresholds(8))))
    'one_of(points(bits=8) | thresholds(bits=8))'
    """

    of: tuple[HypothesisClass[Any], ...]

    family: ClassVar[str] = "one_of"

    def __post_init__(self) -> None:
        if not self.of or len({one.features for one in self.of}) > 1:
            raise InvalidArgument("one_of takes classes with the same number of columns")
        if any(SEPARATOR in str(one) for one in self.of):
            raise InvalidArgument(f"one_of cannot hold classes that are written with {SEPARATOR!r}")

    def __str__(self) -> str:
        return f"one_of({f' {SEPARATOR} '.join(map(str, self.of))})"

    @property
    def features(self) -> int:
        return self.of[0].features

    def clip(self, points: Points, /) -> Points:
        return self.of[0].clip(points)

    def encode(self, concept: Member, /) -> dict[str, Any]:
        hypothesis = self.of[concept.place].encode(concept.hypothesis)
        return {"place": concept.place, "hypothesis": hypothesis}

    def decode(self, encoded: dict[str, Any], /) -> Member:
        match encoded:
            case {"place": int(place), "hypothesis": dict(hypothesis)} if 0 <= place < len(
                self.of
            ) and not isinstance(place, bool):
                return Member(place, self.of[place].decode(hypothesis))
        raise InvalidArgument(f"{encoded} is no hypothesis of {self}")
