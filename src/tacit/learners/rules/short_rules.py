"""The generic learner for rules with a public prior: short rules first, and constants above all."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts import ConceptClass
from tacit.concepts.rules.rules import Rule, Rules
from tacit.core import Accuracy, BoundedRangeCost, Decay, Exact, InvalidArgument, Law, Random, hold
from tacit.learners.contract import Proper, entry_of
from tacit.mechanisms import Exponential
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.theory.enough.choice import ChoiceBound


@dataclass(frozen=True, slots=True)
class ShortRuleLearner(Proper[Rules], BoundedRangeCost):
    """Choose a rule by prior weight and agreements with the labels.

    All rules of as many literals weigh about as much together as those of any other number. So
    where rows are too few to tell rules apart, it says always or never rather than anything.

    Guarantee:
        epsilon-DP, of bounded range epsilon, on every sample: the weights are public. Accurate, as
        in `Promising` [KLNRS11, Thm. 3.4]. Proper.

    Exactness:
        As `Exponential`: the weights are integers.

    Cost:
        `BoundedRange(epsilon)` a label; time as the class's `cells`.

    >>> from tacit.concepts.rules.literals import cuts
    >>> from tacit.concepts.rules.rules import Column
    >>> from tacit.core.chance.randomness import Seeded
    >>> ages = Rules([Column("age", 0, 120)], cuts(0, [40, 65]), width=2, negated=True)
    >>> learner = ShortRuleLearner(ages, epsilon=1)
    >>> learner.weights.tolist()[:11]
    [6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    >>> rows = [(age, (age >= 65,)) for age in range(100)]
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(1)).rule(["age"])
    'age is at least 65'

    Proof: docs/proofs/prior.md
    """

    concepts: Rules
    epsilon: Fraction
    agnostic: bool

    theorem: ClassVar[str] = "KLNRS11"

    def __init__(
        self, concepts: ConceptClass[Any], *, epsilon: Exact, agnostic: bool = False
    ) -> None:
        if not isinstance(concepts, Rules):
            raise InvalidArgument(f"short rules are first among rules, not among {concepts}")
        hold(self, concepts=concepts, agnostic=agnostic).positive(epsilon=epsilon)

    @property
    def weights(self) -> NDArray[np.int64]:
        """The weight of each rule, in their order: the most rules of a length by those of its."""
        many = np.diff(self.concepts.selections.places)
        each = np.repeat(many.max() // many, many)
        return np.tile(each, 1 + self.concepts.negated)

    @property
    def largest_sample(self) -> int | None:
        return self.concepts.largest_sample

    def sample_size(self, accuracy: Accuracy, /) -> int:
        return self._bound.sample_size(accuracy)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        return self._bound.accuracy(n, beta)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Rule:
        return Exponential(self.epsilon)(self._profile(sample, label), rng=rng)

    def all_labels(self, sample: LabelCounts, /, *, labels: int, rng: Random) -> tuple[Rule, ...]:
        """Learn the first labels as one by one, with the same coins; rules are scored together."""
        choose, all_ = Exponential(self.epsilon), ScoreProfile.agreements_of_labels
        profiles = all_(self.concepts, sample, labels=labels)
        return tuple(choose(self._weighted(profile), rng=rng) for profile in profiles)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        return Exponential(self.epsilon).law(self._profile(sample, label))

    def _profile(self, sample: LabelCounts, label: int) -> ScoreProfile[Rule]:
        return self._weighted(ScoreProfile.agreements(self.concepts, sample, label=label))

    def _weighted(self, even: ScoreProfile[Rule]) -> ScoreProfile[Rule]:
        """Return the profile of the class, each rule in as many copies as it weighs."""
        return ScoreProfile(even.scores, self.weights, lambda cell, _: even.member(cell, 0))

    @property
    def _bound(self) -> ChoiceBound:
        """The bound for so many equal candidates that each has the least share: 1 of them all."""
        return ChoiceBound(int(self.weights.sum()), Decay.of(self.epsilon / 2), self.agnostic)


ENTRY = entry_of(
    ShortRuleLearner,
    "short-rules",
    "the exponential mechanism with a prior: always and never first, then short rules",
    families=("rules",),
)
