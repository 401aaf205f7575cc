"""What can be said of a learner, of one label or of many, before it sees a row.

Of the papers: FX14 Def 13, FX14 Def 14, BNS19 Def 3, BNS19 Def 4, BNS19 Def 5, BNS16 Def 2.4.
"""

from __future__ import annotations

from typing import Any, Protocol

from tacit.concepts.contract.concept_class import HypothesisClass
from tacit.core import Accuracy, Exact
from tacit.core.cost import Cost


class Promising(Protocol):
    """The public side of a learner: what comes out, what it costs, and what it promises.

    It is *accurate* if on n >= `sample_size(Accuracy(alpha, beta))` i.i.d. rows labelled by a
    concept of its class, for k labels by k of them, the error of every label's hypothesis is at
    most alpha with probability at least 1 - beta; if `agnostic`, with arbitrary labels, at most
    alpha above the best concept's. Its privacy holds on every sample, whatever the rows are.
    """

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        """The class that every output, on every sample, belongs to."""

    @property
    def cost(self) -> Cost:
        """What learning all its labels costs."""

    @property
    def proper(self) -> bool:
        """Whether every output, on every sample, is a concept of the class."""

    @property
    def agnostic(self) -> bool:
        """Whether the promise holds for arbitrary labels, against the best concept for each."""

    @property
    def theorem(self) -> str:
        """The key of the theorem behind `sample_size`."""

    @property
    def largest_sample(self) -> int | None:
        """The number of rows up to which it is practical; None if there is no limit."""

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows are enough for all its labels to be this accurate at once."""

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return what n rows are enough for, or None where nothing can be promised."""
