"""What every learner is: a frozen value that knows its cost and how many rows it needs."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from tacit.concepts.concept_class import Concept, HypothesisClass
from tacit.core.accuracy import Accuracy
from tacit.core.cost import Cost
from tacit.core.exact import Exact
from tacit.core.randomness import Random
from tacit.statistics import LabelCounts

C = TypeVar("C", bound=Concept, covariant=True)


class Learner(Protocol[C]):
    """From counts to a hypothesis; public things are fields, the sample is an argument."""

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        """The class that every output, on every sample, belongs to."""

    @property
    def cost(self) -> Cost:
        """What learning one label costs."""

    @property
    def proper(self) -> bool:
        """Whether every output, on every sample, is a concept of the class."""

    @property
    def agnostic(self) -> bool:
        """Whether the promise holds for arbitrary labels, against the best concept."""

    @property
    def theorem(self) -> str:
        """The key of the theorem behind `sample_size`."""

    @property
    def largest_sample(self) -> int | None:
        """The number of rows up to which it is practical; None if there is no limit."""

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows are enough for this accuracy."""

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return what n rows are enough for, or None where nothing can be promised."""

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> C:
        """Learn one label."""

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Any:
        """Return the exact law of the hypothesis, for classes small enough to list."""
