"""The private choice from a public set of hypotheses, by agreements with one label."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from tacit.concepts.contract.concept_class import (
    Cells,
    Concept,
    ConceptClass,
    Gains,
    HypothesisClass,
    Points,
)
from tacit.concepts.contract.hypothesis_set import HypothesisSet
from tacit.core import BoundedRangeCost, Law, Random
from tacit.learners.contract.learner import Proper
from tacit.mechanisms import Exponential
from tacit.statistics import LabelCounts, ScoreProfile

C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True)
class Choice:
    """Choose from `among`, hypotheses of the class `outputs`, with the exponential mechanism.

    >>> from tacit.concepts.contract.hypothesis_set import Listed
    >>> from tacit.concepts.line.points import Point, Points
    >>> choice = Choice(Listed([Point(1), Point(2)]), Points(2), Fraction(20))
    >>> sample = LabelCounts.of([(2, (1,)), (9, (0,))], labels=1)
    >>> float(choice.law(sample)[Point(2)])
    0.9999...
    """

    among: HypothesisSet
    outputs: HypothesisClass[Any]
    epsilon: Fraction

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Concept:
        """Choose a hypothesis."""
        chosen: Concept = Exponential(self.epsilon)(self._profile(sample, label), rng=rng)
        return chosen

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the choice, for sets small enough to list."""
        return Exponential(self.epsilon).law(self._profile(sample, label))

    def _profile(self, sample: LabelCounts, label: int) -> ScoreProfile[Any]:
        scored: Any = _Inside(self.among, self.outputs)
        return ScoreProfile.agreements(scored, sample, label=label)


class ByAgreements(Proper[ConceptClass[C]], BoundedRangeCost):
    """Choose a concept by its agreements with the labels, and by how much it weighs."""

    __slots__ = ()

    @property
    def largest_sample(self) -> int | None:
        return self.concepts.largest_sample

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> C:
        return Exponential(self.epsilon)(self._profile(sample, label), rng=rng)

    def all_labels(self, sample: LabelCounts, /, *, labels: int, rng: Random) -> tuple[C, ...]:
        """Learn the first labels as one by one, with the same coins; rules are scored together."""
        choose = Exponential(self.epsilon)
        profiles = ScoreProfile.agreements_of_labels(self.concepts, sample, labels=labels)
        return tuple(choose(self._weighted(profile), rng=rng) for profile in profiles)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        return Exponential(self.epsilon).law(self._profile(sample, label))

    def _profile(self, sample: LabelCounts, label: int) -> ScoreProfile[C]:
        return self._weighted(ScoreProfile.agreements(self.concepts, sample, label=label))

    @abstractmethod
    def _weighted(self, even: ScoreProfile[C]) -> ScoreProfile[C]:
        """Return the profile with each concept in as many copies as it weighs."""


@dataclass(frozen=True, slots=True)
class _Inside:
    """A set whose points are first clipped into the domain."""

    among: HypothesisSet
    outputs: HypothesisClass[Any]

    largest_sample: ClassVar[int | None] = None

    @property
    def features(self) -> int:
        return self.outputs.features

    def clip(self, points: Points, /) -> Points:
        return self.outputs.clip(points)

    def cells(self, points: Points, gains: Gains, /) -> Cells[Any]:
        return self.among.cells(points, gains)
