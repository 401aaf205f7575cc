"""What n rows are enough for, found on a grid of errors by bisection."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least import least


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
