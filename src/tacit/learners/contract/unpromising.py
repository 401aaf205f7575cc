"""Learners that are private whatever the data, and promise nothing about the error."""

from __future__ import annotations

from typing import ClassVar

from tacit.core import Accuracy, Exact, InvalidArgument, check


class Unpromising:
    """No number of rows is known to be enough for any error."""

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
