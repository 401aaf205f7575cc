"""What every learner of k labels is: a frozen value that knows its cost and its sample size.

Of the papers: BNS16 Def 2.3, BNS16 Def 2.4.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from tacit.concepts import Concept
from tacit.core import Random
from tacit.learners.contract.promising import Promising
from tacit.statistics import JointCounts

C = TypeVar("C", bound=Concept, covariant=True)


class MultiLearner(Promising, Protocol[C]):
    """From counts of records with k labels to k hypotheses, all from one budget."""

    @property
    def labels(self) -> int:
        """How many labels are learned."""

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[C, ...]:
        """Learn all labels."""

    def law(self, sample: JointCounts, /) -> Any:
        """Return the exact law of the hypotheses, for classes small enough to list."""
