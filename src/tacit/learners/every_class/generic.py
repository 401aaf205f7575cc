"""The proper learner for every class: the exponential mechanism over its score profile.

Of the papers: BNS16 Def 2.14, BNS16 Thm 2.22, BNS16 Cor 3.4, BNS16 Ex 3.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeVar

from tacit.concepts import Concept, ConceptClass
from tacit.core import (
    Accuracy,
    Decay,
    Exact,
    InvalidArgument,
    check,
    hold,
)
from tacit.core.budget import read_best_error
from tacit.learners.contract import entry_of
from tacit.learners.contract.choice import ByAgreements
from tacit.statistics import ScoreProfile
from tacit.theory.enough.choice import BetterBound, ChoiceBound, better_bounds

C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True)
class GenericLearner(ByAgreements[C]):
    """Choose a concept by its agreements with the labels.

    Guarantee:
        epsilon-DP, of bounded range epsilon, on every sample; accurate, as in `Promising` [KLNRS11,
        Thm. 3.4; constants in docs/proofs/selection_bound.md, chain_bound.md and order_bound.md];
        with a `best_error`, if the best concept errs no more than that, which takes fewer rows
        [best_error.md ibidem]. Proper.

    Exactness:
        As `Exponential`: the law is sampled without error whatever the size of the class.

    Cost:
        `BoundedRange(epsilon)` a label; time as the class's `cells`, never its size.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.statistics import LabelCounts
    >>> learner = GenericLearner(Thresholds(10), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    238
    >>> rows = [(x, (x >= 600,)) for x in range(0, 1024, 4)]
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(4)).rule(["dose"])
    'dose is at least 602'

    Proof: docs/proofs/selection_bound.md
    """

    concepts: ConceptClass[C]
    epsilon: Fraction
    agnostic: bool
    best_error: Fraction | None

    theorem: ClassVar[str] = "KLNRS11"

    def __init__(
        self,
        concepts: ConceptClass[C],
        *,
        epsilon: Exact,
        agnostic: bool = False,
        best_error: Exact | None = None,
    ) -> None:
        stated = None if best_error is None else read_best_error(best_error)
        if stated is not None and not agnostic:
            raise InvalidArgument("best_error is for arbitrary labels: say agnostic=True")
        held = hold(self, concepts=concepts, agnostic=agnostic, best_error=stated)
        held.positive(epsilon=epsilon)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n that is proved to keep the promise; never more with more epsilon."""
        alpha, beta = accuracy.alpha, accuracy.beta
        better = (bound.sample_size(alpha, beta) for bound in self._better(beta))
        return min([self._bound.sample_size(accuracy), *better])

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return the accuracy that n rows are enough for, rounded up, or None if there is none.

        >>> from tacit.concepts.line.thresholds import Thresholds
        >>> promised = GenericLearner(Thresholds(10), epsilon=1).accuracy(238, 0.05)
        >>> float(promised.alpha) if promised else None
        0.0999...
        """
        beta = check.probability(beta=beta)
        promised = self._bound.accuracy(n, beta)
        if n == 0:
            return promised
        found = [bound.error(n, beta) for bound in self._better(beta)]
        found += [] if promised is None else [promised.alpha]
        alpha = min(found, default=Fraction(1))
        return Accuracy(alpha, beta) if alpha < 1 else None

    def _weighted(self, even: ScoreProfile[C]) -> ScoreProfile[C]:
        return even

    @property
    def _bound(self) -> ChoiceBound:
        return ChoiceBound(self.concepts.size, Decay.of(self.epsilon / 2), self.agnostic)

    def _better(self, beta: Fraction) -> tuple[BetterBound, ...]:
        """Return the better bounds: of an order of the points, and of a best error that is said."""
        return better_bounds(
            self.concepts,
            Decay.of(self.epsilon / 2),
            beta,
            agnostic=self.agnostic,
            best_error=self.best_error,
        )


ENTRY = entry_of(GenericLearner, "generic", "the exponential mechanism over the whole class")
