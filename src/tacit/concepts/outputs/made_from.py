"""What improper learners make of a class: hypotheses to store, not classes to learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from tacit.concepts.contract.concept_class import Concept, HypothesisClass, Points

C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True)
class MadeFrom(HypothesisClass[C]):
    """Hypotheses over the domain of a class, written as the family's name around the class."""

    of: HypothesisClass[Any]

    def __str__(self) -> str:
        return f"{self.family}({self.of})"

    @property
    def features(self) -> int:
        return self.of.features

    def clip(self, points: Points, /) -> Points:
        return self.of.clip(points)
