"""What every learner is: a frozen value that knows its cost and how many rows it needs.

Of the papers: BNS19 Def 5.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from tacit.concepts import Concept
from tacit.core import Random
from tacit.learners.contract.promising import Promising
from tacit.statistics import LabelCounts

C = TypeVar("C", bound=Concept, covariant=True)


class Learner(Promising, Protocol[C]):
    """From counts to a hypothesis; public things are fields, the sample is an argument."""

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> C:
        """Learn one label."""

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Any:
        """Return the exact law of the hypothesis, for classes small enough to list."""
