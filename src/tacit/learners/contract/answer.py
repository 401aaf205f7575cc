"""What a learner says when it is asked how many rows it needs."""

from __future__ import annotations

from typing import Any, NamedTuple

from tacit.core import Accuracy, InvalidArgument, TooLarge
from tacit.learners.contract.entry import Entry, Request
from tacit.learners.contract.learner import MultiLearner


class Answer(NamedTuple):
    """A learner and the rows it needs; no learner if it is not for the request, or cannot tell.

    `reason` says what is too large to tell.
    """

    entry: Entry
    learner: MultiLearner[Any] | None = None
    n: int = 0
    reason: str = ""

    @property
    def largest(self) -> int | None:
        """The most rows that the learner takes."""
        return None if self.learner is None else self.learner.largest_sample

    @property
    def too_large(self) -> str:
        """What is too large, if something is."""
        if self.largest is None or self.n <= self.largest:
            return self.reason
        return f"it takes up to {self.largest} rows, and would need {self.n}"


def answer(entry: Entry, request: Request, accuracy: Accuracy) -> Answer:
    """Ask a learner that is made for a request how many rows are enough for an accuracy.

    >>> from fractions import Fraction
    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.privacy import Privacy
    >>> from tacit.learners.every_class.generic import ENTRY
    >>> asked = Request(Thresholds(32), Privacy(1), 1, None, Fraction(1, 20), agnostic=False)
    >>> answer(ENTRY, asked, Accuracy(0.05, 0.05)).n
    1179
    """
    try:
        learner = entry(request)
        return Answer(entry, learner, learner.sample_size(accuracy))
    except TooLarge as refusal:
        return Answer(entry, reason=str(refusal))
    except InvalidArgument:
        return Answer(entry)
