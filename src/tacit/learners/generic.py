"""The proper learner for every class: the exponential mechanism over its score profile."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from tacit.concepts.concept_class import Concept, ConceptClass
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.balls import ball, log_lower, round_up, upper
from tacit.core.cost import BoundedRange
from tacit.core.decay import Decay
from tacit.core.exact import Exact
from tacit.core.law import Law
from tacit.core.randomness import Random
from tacit.learners.listing import Listing, Request
from tacit.mechanisms import Exponential
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.theory.selection_bound import SelectionBound, tempered
from tacit.theory.uniform_bound import UniformBound

C = TypeVar("C", bound=Concept)
ANYTHING = Fraction(1)
SMALLEST = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class GenericLearner(Generic[C]):
    """Choose a concept by its agreements with the labels.

    Guarantee:
        epsilon-DP, of bounded range epsilon, on every sample. On n >= `sample_size` i.i.d. rows
        labelled by a concept of the class, the error is at most alpha with probability at least
        1 - beta; if `agnostic`, with arbitrary labels, it is at most alpha above the best concept's
        [KLNRS11, Thm. 3.4; constants in docs/proofs/selection_bound.md]. Proper.

    Exactness:
        As `Exponential`: the law is sampled without error whatever the size of the class.

    Cost:
        `BoundedRange(epsilon)` a label; time as the class's `cells`, never its size.

    >>> from tacit.concepts.thresholds import Thresholds
    >>> from tacit.core.randomness import Seeded
    >>> learner = GenericLearner(Thresholds(10), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    247
    >>> rows = [(x, (x >= 600,)) for x in range(0, 1024, 4)]
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(4)).rule(["dose"])
    'dose is at least 602'
    """

    concepts: ConceptClass[C]
    epsilon: Fraction
    agnostic: bool

    def __init__(
        self, concepts: ConceptClass[C], *, epsilon: Exact, agnostic: bool = False
    ) -> None:
        object.__setattr__(self, "concepts", concepts)
        object.__setattr__(self, "epsilon", check.positive(epsilon=epsilon))
        object.__setattr__(self, "agnostic", agnostic)

    @classmethod
    def tempered(
        cls, concepts: ConceptClass[C], *, epsilon: Exact, alpha: Exact
    ) -> GenericLearner[C]:
        """Return the agnostic learner for this alpha that spends no more of epsilon than helps.

        Beyond 2 atanh(alpha) a larger epsilon does not improve the promise of the first bound; what
        is not spent is left in the budget. In simulation a larger epsilon still errs less.

        >>> from tacit.concepts.thresholds import Thresholds
        >>> learner = GenericLearner.tempered(Thresholds(10), epsilon=1, alpha=0.1)
        >>> float(learner.epsilon), learner.sample_size(Accuracy(0.1, 0.05))
        (0.2006706..., 1966)
        """
        alpha = check.probability(alpha=alpha)
        decay = tempered(epsilon, (1 - alpha) / (1 + alpha))
        spent = min(check.positive(epsilon=epsilon), 2 * log_lower(1 / decay.ratio))
        return cls(concepts, epsilon=spent, agnostic=True)

    @property
    def hypotheses(self) -> ConceptClass[C]:
        """The class itself."""
        return self.concepts

    @property
    def cost(self) -> BoundedRange:
        """What learning one label costs."""
        return BoundedRange(self.epsilon)

    @property
    def proper(self) -> bool:
        """Always: what is chosen is a concept of the class."""
        return True

    @property
    def theorem(self) -> str:
        """The key of the theorem behind `sample_size`."""
        return "KLNRS11"

    @property
    def largest_sample(self) -> int | None:
        """As many rows as the class can score."""
        return self.concepts.largest_sample

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n for which one of the bounds keeps the promise."""
        if not self.agnostic:
            return self._bound(accuracy.alpha).sample_size(accuracy.beta)
        uniform = self._uniform.sample_size(accuracy.alpha, accuracy.beta)
        bound = self._bound(accuracy.alpha)
        return min(uniform, bound.sample_size(accuracy.beta)) if bound.factor < 1 else uniform

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return the accuracy that n rows are enough for, rounded up, or None if there is none.

        >>> from tacit.concepts.thresholds import Thresholds
        >>> promised = GenericLearner(Thresholds(10), epsilon=1).accuracy(247, 0.05)
        >>> float(promised.alpha) if promised else None
        0.099603...
        """
        beta, n = check.probability(beta=beta), check.count(n=n)
        if n == 0:
            return None
        alpha = self._selection_alpha(n, beta)
        if self.agnostic:
            alpha = min(alpha, self._uniform.excess(n, beta))
        return Accuracy(alpha, beta) if alpha < 1 else None

    def _selection_alpha(self, n: int, beta: Fraction) -> Fraction:
        """Return the least alpha that `SelectionBound` proves, rounded up."""
        odds = (self.concepts.size - 1) * (1 - beta) / beta
        if odds <= 1:
            return SMALLEST
        start, end = self._factor(Fraction(0)), self._factor(Fraction(1))
        goal = upper(lambda: ball(start) - (-ball(odds).log() / n).exp())
        alpha = max(round_up(goal / (start - end), 24), SMALLEST)
        while alpha < 1 and not self._bound(alpha).suffices(n, beta):
            alpha = round_up(alpha * (1 + Fraction(1, 2**20)), 24)
        return alpha

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> C:
        """Learn one label."""
        profile = ScoreProfile.agreements(self.concepts, sample, label=label)
        return Exponential(self.epsilon)(profile, rng=rng)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis, for classes small enough to list."""
        profile = ScoreProfile.agreements(self.concepts, sample, label=label)
        return Exponential(self.epsilon).law(profile)

    def _bound(self, alpha: Fraction) -> SelectionBound:
        unknown = ANYTHING if self.agnostic else Fraction(0)
        return SelectionBound(self.concepts.size, alpha, unknown, Decay.of(self.epsilon / 2))

    @property
    def _uniform(self) -> UniformBound:
        return UniformBound(self.concepts.size, log_lower(1 / Decay.of(self.epsilon / 2).ratio))

    def _factor(self, gap: Fraction) -> Fraction:
        """Return the bound's factor, which is linear in the gap, also at its ends 0 and 1."""
        inner = Fraction(1, 3), Fraction(2, 3)
        low, high = (self._bound(g).factor for g in inner)
        return low + (gap - inner[0]) * (high - low) / (inner[1] - inner[0])


def _make(request: Request) -> GenericLearner[Any]:
    if request.agnostic and request.alpha is not None:
        return GenericLearner.tempered(
            request.concepts, epsilon=request.privacy.epsilon, alpha=request.alpha
        )
    return GenericLearner(
        request.concepts, epsilon=request.privacy.epsilon, agnostic=request.agnostic
    )


LISTING = Listing(
    name="generic",
    summary="the exponential mechanism over the whole class",
    families=(),
    pure=True,
    proper=True,
    agnostic=True,
    theorem="KLNRS11",
    make=_make,
)
