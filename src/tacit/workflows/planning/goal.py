"""What is asked of a learner: the one question that plan, report, page and tables all ask."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core.accuracy import Accuracy
from tacit.core.privacy import Privacy
from tacit.core.unit import Neighbours
from tacit.learners.contract.entry import Request

Axis = Literal["alpha", "epsilon"]
"""What goals differ in along a curve, or a search."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Error at most alpha above the best, for all of k labels, but for beta; within a budget.

    `n` are the rows at hand, for learners that are made for so many; `best_error` is what the best
    rule for a label is said to err at most, where labels are arbitrary; `labels_only` that
    features are public, so that whoever protects labels will do; `public` how many rows without
    labels are public, and drawn as the others are; `neighbours` how two tables differ
    that must not be told apart.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> goal = Goal(Thresholds(8), Fraction(1, 10), Fraction(1, 20), Fraction(1), labels=5)
    >>> goal.request.beta, goal.request.labels
    (Fraction(1, 20), 5)
    """

    concepts: ConceptClass[Any]
    alpha: Fraction
    beta: Fraction
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    labels: int = 1
    agnostic: bool = False
    proper: bool = False
    n: int = 1
    best_error: Fraction | None = None
    labels_only: bool = False
    public: int = 0
    neighbours: Neighbours = Neighbours.REPLACED

    def at(self, axis: Axis, value: Fraction) -> Goal:
        """Return the same with another alpha or epsilon."""
        return replace(self, alpha=value) if axis == "alpha" else replace(self, epsilon=value)

    @property
    def accuracy(self) -> Accuracy:
        """The accuracy for all labels at once."""
        return Accuracy(self.alpha, self.beta)

    @property
    def request(self) -> Request:
        """What a learner of the catalogue is told of it."""
        return Request(
            self.concepts,
            Privacy(self.epsilon, self.delta),
            self.n,
            self.alpha,
            self.beta,
            self.agnostic,
            self.labels,
            best_error=self.best_error,
            labels_only=self.labels_only,
            public=self.public,
        )
