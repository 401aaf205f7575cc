"""The generic learner for thresholds with a public prior: the scale of the column is unknown."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, ClassVar

import numpy as np

from tacit.concepts import ConceptClass
from tacit.concepts.line.scale_prior import ScalePrior
from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core import Accuracy, Decay, Exact, InvalidArgument, hold
from tacit.learners.contract import entry_of
from tacit.learners.contract.choice import ByAgreements
from tacit.statistics import ScoreProfile
from tacit.theory.enough.choice import ChoiceBound

LARGEST_SUM = 1 << 62
"""Sums of the widths of cells stay below this many points; larger ones need Python integers."""


@dataclass(frozen=True, slots=True)
class PriorLearner(ByAgreements[Threshold]):
    """Choose a threshold by prior weight and agreements with the labels.

    Guarantee:
        epsilon-DP, of bounded range epsilon, on every sample: the weights are public. Accurate, as
        in `Promising` [KLNRS11, Thm. 3.4]. Proper.

    Exactness:
        As `Exponential`: the law is sampled without error whatever the size of the domain.

    Cost:
        `BoundedRange(epsilon)` a label; O(m log m) for m distinct points.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.statistics import LabelCounts
    >>> learner = PriorLearner(Thresholds(32), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    650
    >>> learner.sample_size(Accuracy(0.1, 0.05), target=Threshold(1000))
    344
    >>> rows = [(2**k, (k >= 10,)) for k in range(32) for _ in range(9)]
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(1)).rule(["bytes"])
    'bytes is at least 972'

    Proof: docs/proofs/prior.md
    """

    concepts: Thresholds
    epsilon: Fraction
    agnostic: bool

    theorem: ClassVar[str] = "KLNRS11"

    def __init__(
        self, concepts: ConceptClass[Any], *, epsilon: Exact, agnostic: bool = False
    ) -> None:
        if not isinstance(concepts, Thresholds):
            raise InvalidArgument(f"the prior is for thresholds, not for {concepts}")
        hold(self, concepts=concepts, agnostic=agnostic).positive(epsilon=epsilon)

    @property
    def prior(self) -> ScalePrior:
        """The weight of each place; both directions have the same."""
        return ScalePrior(self.concepts.domain_size)

    def sample_size(self, accuracy: Accuracy, /, *, target: Threshold | None = None) -> int:
        """Return the least n that is proved to keep the promise, whatever the target, or for one.

        A target that the prior holds for likely needs fewer rows; that is proved for its labels,
        not for arbitrary ones.
        """
        if target is not None and self.agnostic:
            raise InvalidArgument("a target is for labels of a concept: use agnostic=False")
        return self._bound(target).sample_size(accuracy)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        return self._bound().accuracy(n, beta)

    def _weighted(self, even: ScoreProfile[Threshold]) -> ScoreProfile[Threshold]:
        """Return the profile with the weights of its cells for multiplicities."""
        prior, widths = self.prior, even.multiplicities.reshape(self._ways, -1)[0]
        if self.concepts.domain_size >= LARGEST_SUM:
            widths = widths.astype(object)  # the widths fit into 64 bits, their sum may not
        edges = np.concatenate(([0], np.cumsum(widths)))
        weights = np.diff(prior.all_below(edges))

        def member(cell: int, rank: int) -> Threshold:
            first = even.member(cell, 0)
            return Threshold(prior.find(prior.below(first.at) + rank), first.up)

        return ScoreProfile(even.scores, np.tile(weights, self._ways), member)

    def _bound(self, target: Threshold | None = None) -> ChoiceBound:
        """Return the bound for so many equal candidates that each has the target's share."""
        each = self.prior.candidates
        if target is not None:
            self.concepts.decode(self.concepts.encode(target))
            each = ceil(1 / self.prior.share(target.at))
        decay = Decay.of(self.epsilon / 2)
        return ChoiceBound(each * self._ways, decay, self.agnostic)

    @property
    def _ways(self) -> int:
        return self.concepts.size // self.concepts.domain_size


ENTRY = entry_of(
    PriorLearner,
    "prior",
    "the exponential mechanism with a prior for columns of unknown scale",
    families=("thresholds",),
)
