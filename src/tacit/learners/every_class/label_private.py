"""The generic learner when the features are public: fewer candidates, and a weaker promise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

import numpy as np

from tacit.concepts import Concept, ConceptClass
from tacit.core import Accuracy, Decay, Exact, Law, Random, TooLarge, hold, least
from tacit.core.chance.law import product
from tacit.core.label_privacy import LabelPrivacy
from tacit.core.numbers.enclosures import log_lower
from tacit.learners.contract import entry_of, made_by
from tacit.learners.contract.learner import AccuracyGrid, Proper
from tacit.mechanisms import Exponential
from tacit.statistics import JointCounts, LabelCounts, ScoreProfile
from tacit.theory.enough.selection import PublicPointsBound
from tacit.theory.solving.class_table import sauer

C = TypeVar("C", bound=Concept)
WORK = 1 << 32
"""Candidates times points: about half a minute's work."""


@dataclass(frozen=True, slots=True)
class LabelPrivateLearner(Proper[ConceptClass[C]], AccuracyGrid):
    """Choose among one concept for each labelling of the rows' points, by agreements with a label.

    Guarantee:
        epsilon-label-DP for all labels of a row together, since one row's labels move each score by
        at most 1: labels are protected, features are not (`privacy` is a `LabelPrivacy`, and there
        is no `cost`). Accurate, as in `Promising` [CH11], and the rows needed do not grow with the
        domain. Proper.

    Exactness:
        As `Exponential`.

    Cost:
        None that composes: `privacy` is not a `Cost`. Time: one pass over the counts for each
        labelling of the points, which are n + 1 for thresholds and about n^vc in general.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> learner = LabelPrivateLearner(Thresholds(1024), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    707

    Proof: docs/proofs/label_private.md
    """

    concepts: ConceptClass[C]
    epsilon: Fraction
    labels: int
    agnostic: bool

    theorem: ClassVar[str] = "CH11"
    grid: ClassVar[int] = 10_000

    def __init__(
        self, concepts: ConceptClass[C], *, epsilon: Exact, labels: int = 1, agnostic: bool = False
    ) -> None:
        held = hold(self, concepts=concepts, agnostic=agnostic)
        held.positive(epsilon=epsilon).count(labels=labels, least=1)

    @property
    def privacy(self) -> LabelPrivacy:
        """What is promised, about labels only."""
        return LabelPrivacy(self.epsilon)

    @property
    def largest_sample(self) -> int | None:
        """As many rows as have few enough labellings, which are counted before any is listed."""
        size, degree = self._size, self.concepts.vc.upper

        def labellings(n: int) -> int:
            return sauer(degree, n) if size is None else min(size, sauer(degree, n))

        return least(lambda n: n * labellings(n) > WORK, low=1) - 1

    def suffices(self, n: int, accuracy: Accuracy, /) -> bool:
        """Whether n rows certainly keep the promise for all labels at once."""
        rate = log_lower(1 / Decay.of(self._share / 2).ratio)
        bound = PublicPointsBound(self.concepts.vc.upper, self._size, rate, self.agnostic)
        return bound.suffices(n, Accuracy(accuracy.alpha, accuracy.beta / self.labels))

    def sample_size(self, accuracy: Accuracy, /) -> int:
        return least(lambda n: self.suffices(n, accuracy), low=1)

    def __call__(self, sample: JointCounts | LabelCounts, /, *, rng: Random) -> tuple[C, ...]:
        """Learn all labels; the points are public, the labels are not."""
        choose = Exponential(self._share)
        return tuple(choose(profile, rng=rng) for profile in self._profiles(sample))

    def law(self, sample: JointCounts | LabelCounts, /) -> Law[Any]:
        choose = Exponential(self._share)
        return product(choose.law(profile) for profile in self._profiles(sample))

    def _profiles(self, sample: JointCounts | LabelCounts) -> list[ScoreProfile[C]]:
        counts = sample.marginal()
        candidates = self.concepts.dichotomies(np.unique(self.concepts.clip(counts.points), axis=0))
        return [
            ScoreProfile.among(
                candidates, [counts.n - counts.mistakes(h, label=label) for h in candidates]
            )
            for label in range(self.labels)
        ]

    @property
    def _share(self) -> Fraction:
        return self.epsilon / self.labels

    @property
    def _size(self) -> int | None:
        try:
            return self.concepts.size
        except TooLarge:
            return None


ENTRY = entry_of(
    LabelPrivateLearner,
    "label-private",
    "the exponential mechanism over the labellings of public features; hides labels only",
    pure=True,
    make_jointly=made_by(LabelPrivateLearner),
    labels_only=True,
)
