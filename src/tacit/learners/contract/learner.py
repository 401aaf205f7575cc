"""What every learner, of one label or of many, is: a frozen value that knows cost and sample size.

Of the papers: FX14 Def 13, FX14 Def 14, BNS19 Def 3, BNS19 Def 4, BNS19 Def 5, BNS16 Def 2.3, BNS16
Def 2.4.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from tacit.concepts import Concept
from tacit.concepts.contract.concept_class import HypothesisClass
from tacit.core import Accuracy, Cost, Exact, InvalidArgument, Random, check, least
from tacit.statistics import JointCounts, LabelCounts

C = TypeVar("C", bound=Concept, covariant=True)
K = TypeVar("K")


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


class Learner(Promising, Protocol[C]):
    """From counts to a hypothesis; public things are fields, the sample is an argument."""

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> C:
        """Learn one label."""

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Any:
        """Return the exact law of the hypothesis, for classes small enough to list."""


class MultiLearner(Promising, Protocol[C]):
    """From counts of records with k labels to k hypotheses, all from one budget."""

    @property
    def labels(self) -> int:
        """How many labels are learned."""

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[C, ...]:
        """Learn all labels."""

    def law(self, sample: JointCounts, /) -> Any:
        """Return the exact law of the hypotheses, for classes small enough to list."""


class Proper(Generic[K]):
    """A learner whose every output, on every sample, is a concept of the class it learns."""

    __slots__ = ()
    concepts: K

    proper: ClassVar[bool] = True

    @property
    def hypotheses(self) -> K:
        """The class itself."""
        return self.concepts


class FromLearner:
    """A learner made from `learner`, of which it has all that it does not say of itself."""

    __slots__ = ()
    learner: Any

    @property
    def hypotheses(self) -> Any:
        return self.learner.hypotheses

    @property
    def proper(self) -> bool:
        """Whether the learner is."""
        return bool(self.learner.proper)

    @property
    def theorem(self) -> str:
        """The key of the learner's theorem."""
        return str(self.learner.theorem)


class Unpromising:
    """A learner that is private whatever the data, and promises nothing about the error."""

    __slots__ = ()

    name: ClassVar[str]
    """What it is called where learners are chosen."""
    agnostic: ClassVar[bool] = True
    """Whatever the labels: there is no promise that they could break."""

    def sample_size(self, accuracy: Accuracy, /) -> int:  # noqa: ARG002
        """Refuse: no number of rows is promised to be enough."""
        raise InvalidArgument(
            f"learner {self.name!r} promises nothing about the error; leave out alpha, or choose "
            "another learner"
        )

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return None: nothing is promised."""
        check.count(n=n)
        check.probability(beta=beta)
        return None


def least_accuracy(
    enough: Callable[[Accuracy], bool], beta: Fraction, *, steps: int, start: int = 1
) -> Accuracy | None:
    """Return the least alpha, a multiple of 1 / steps below 1, that is enough; None if none is.

    >>> least_accuracy(lambda goal: goal.alpha >= Fraction(1, 3), Fraction(1, 20), steps=10)
    Accuracy(alpha=Fraction(2, 5), beta=Fraction(1, 20))
    """
    place = least(lambda i: i >= steps or enough(Accuracy(Fraction(i, steps), beta)), low=start)
    return Accuracy(Fraction(place, steps), beta) if place < steps else None


class AccuracyGrid:
    """A learner that can decide whether n rows are enough for an accuracy; more rows always are."""

    __slots__ = ()

    grid: ClassVar[int]
    """Into how many steps the errors from 0 to 1 are divided: more take longer to search."""

    @abstractmethod
    def suffices(self, n: int, accuracy: Accuracy, /) -> bool:
        """Whether n rows certainly keep the promise."""

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return the least alpha, in steps of 1 / grid, that is proved for n rows, or None."""
        beta, n = check.probability(beta=beta), check.count(n=n)
        return least_accuracy(lambda goal: self.suffices(n, goal), beta, steps=self.grid)
