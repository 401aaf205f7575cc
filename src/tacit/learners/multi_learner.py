"""What every learner of k labels is: a frozen value that knows its cost and its sample size."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from tacit.concepts.concept_class import Concept, HypothesisClass
from tacit.core.accuracy import Accuracy
from tacit.core.cost import Cost
from tacit.core.exact import Exact
from tacit.core.randomness import Random
from tacit.statistics import JointCounts

C = TypeVar("C", bound=Concept, covariant=True)


class MultiLearner(Protocol[C]):
    """From counts of records with k labels to k hypotheses, all from one budget."""

    @property
    def labels(self) -> int:
        """How many labels are learned."""

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        """The class that every output, on every sample, belongs to."""

    @property
    def cost(self) -> Cost:
        """What learning all labels costs."""

    @property
    def proper(self) -> bool:
        """Whether every output, on every sample, is a concept of the class."""

    @property
    def agnostic(self) -> bool:
        """Whether the promise holds for arbitrary labels, against the best concepts."""

    @property
    def theorem(self) -> str:
        """The key of the theorem behind `sample_size`."""

    @property
    def largest_sample(self) -> int | None:
        """The number of rows up to which it is practical; None if there is no limit."""

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows are enough for all labels to be this accurate at once."""

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return what n rows are enough for, or None where nothing can be promised."""

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[C, ...]:
        """Learn all labels."""

    def law(self, sample: JointCounts, /) -> Any:
        """Return the exact law of the hypotheses, for classes small enough to list."""
