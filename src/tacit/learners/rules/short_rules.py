"""The generic learner for rules with a public prior: short rules first, and constants above all."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts import ConceptClass
from tacit.concepts.rules.rules import Rule, Rules
from tacit.core import Accuracy, Decay, Exact, InvalidArgument, hold
from tacit.learners.contract import entry_of
from tacit.learners.contract.choice import ByAgreements
from tacit.statistics import ScoreProfile
from tacit.theory.enough.choice import ChoiceBound


@dataclass(frozen=True, slots=True)
class ShortRuleLearner(ByAgreements[Rule]):
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
    >>> from tacit.statistics import LabelCounts
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

    def sample_size(self, accuracy: Accuracy, /) -> int:
        return self._bound.sample_size(accuracy)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        return self._bound.accuracy(n, beta)

    def _weighted(self, even: ScoreProfile[Rule]) -> ScoreProfile[Rule]:
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
