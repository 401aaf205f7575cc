"""The generic learner when the features are public: fewer candidates, and a weaker promise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts import Concept, ConceptClass
from tacit.core import Accuracy, Exact, Law, Random, hold
from tacit.core.label_privacy import LabelPrivacy
from tacit.mechanisms import Exponential
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.theory.enough.selection import representation
from tacit.theory.solving.representatives import Representatives, shares

C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True)
class LabelPrivateLearner(Generic[C]):
    """Choose among one concept for each labelling of public points, by agreements with the labels.

    Guarantee:
        epsilon-label-DP, since one label moves each score by at most 1: it protects the labels, not
        the points (`privacy` is a `LabelPrivacy`, and there is no `cost`). With `plan(accuracy)` =
        (m, n): from m public i.i.d. points and n more rows labelled by a concept, the error is at
        most alpha with probability >= 1 - beta [CH11]. The rows needed do not grow with the domain.
        Proper.

    Exactness:
        As `Exponential`.

    Cost:
        None that composes: `privacy` is not a `Cost`. Time: one pass over the counts for each
        labelling of the public points.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> learner = LabelPrivateLearner(Thresholds(1024), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05)) < 4000
    True

    Proof: docs/proofs/label_private.md
    """

    concepts: ConceptClass[C]
    epsilon: Fraction

    def __init__(self, concepts: ConceptClass[C], *, epsilon: Exact) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon)

    @property
    def privacy(self) -> LabelPrivacy:
        """What is promised, about labels only."""
        return LabelPrivacy(self.epsilon)

    def plan(self, accuracy: Accuracy, /) -> tuple[int, int]:
        """Return numbers of public points and of labelled rows that are enough, least in sum."""
        half = accuracy.beta / 2
        cover = Representatives(self.concepts.size, self.concepts.vc.upper)
        tries = []
        for gamma in shares(accuracy.alpha):
            m = cover.points(gamma, half)
            bound = representation(
                epsilon=self.epsilon, size=cover.count(m), alpha=accuracy.alpha, approximation=gamma
            )
            tries.append((m, bound.sample_size(half)))
        return min(tries, key=sum)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows are enough, public points and labelled rows together."""
        return sum(self.plan(accuracy))

    def __call__(
        self, points: NDArray[Any], sample: LabelCounts, /, *, label: int = 0, rng: Random
    ) -> C:
        """Learn one label; the points are public, the labels of the sample are not."""
        return Exponential(self.epsilon)(self._profile(points, sample, label), rng=rng)

    def law(self, points: NDArray[Any], sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis."""
        return Exponential(self.epsilon).law(self._profile(points, sample, label))

    def _profile(self, points: NDArray[Any], sample: LabelCounts, label: int) -> ScoreProfile[C]:
        candidates = self.concepts.dichotomies(np.unique(self.concepts.clip(points), axis=0))
        scores = [sample.n - sample.mistakes(h, label=label) for h in candidates]
        return ScoreProfile.among(candidates, scores)
