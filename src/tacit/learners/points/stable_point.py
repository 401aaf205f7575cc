"""Points with rows that do not grow with the domain: tell the point that stands out."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tacit.concepts.contract.concept_class import Concept, HypothesisClass, listable
from tacit.concepts.line.points import Point, Points
from tacit.concepts.outputs.never import NEVER, OrNever
from tacit.core import Accuracy, ApproximateCost, Exact, InvalidArgument, Random, check, hold
from tacit.core.chance.law import Law, certain, collect
from tacit.core.numbers.least import least_share
from tacit.learners.contract import entry_of
from tacit.mechanisms import StableRelease
from tacit.mechanisms.stable.binomial_miss import Missed
from tacit.statistics import LabelCounts, Stable, Votes


@dataclass(frozen=True, slots=True)
class StablePointLearner(ApproximateCost):
    """Tell the point with the most positive rows if it leads by enough, else say no everywhere.

    If `proper`, a uniform point takes the place of the hypothesis that always says no: in a large
    domain it almost never weighs anything.

    Guarantee:
        (epsilon, delta)-DP on every sample; accurate, as in `Promising`, with an n that does not
        grow with the domain [Vad17, Sec. 8.3].

    Exactness:
        As `StableRelease`; the uniform point is exact, too.

    Cost:
        `Approximate(epsilon, delta)`; time linear in the distinct points.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = StablePointLearner(Points(64), epsilon=1, delta="1e-6")
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    370
    >>> rows = [(7, (1,))] * 60 + [(x, (0,)) for x in range(8, 400)]
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(0)).rule(["ward"])
    'ward is 7'

    Proof: docs/proofs/stable_point.md
    """

    concepts: Points
    epsilon: Fraction
    delta: Fraction
    proper: bool

    agnostic: ClassVar[bool] = False
    """Never: where points do not explain the labels, two of them may tie."""
    theorem: ClassVar[str] = "Vad17"
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self, concepts: Points, *, epsilon: Exact, delta: Exact, proper: bool = False
    ) -> None:
        release = StableRelease(epsilon, delta)
        hold(self, concepts=concepts, epsilon=release.epsilon, delta=release.delta, proper=proper)

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        """Points, and if not proper the hypothesis that always says no."""
        return self.concepts if self.proper else OrNever(self.concepts)

    def failure(self, n: int, accuracy: Accuracy) -> Fraction:
        """Bound the probability that n rows lead to an error above alpha, if it is at most beta.

        Beta matters for a proper learner only: it says how heavy a uniform point may be.
        """
        mass = accuracy.alpha - self._heavy(accuracy.beta)
        missed = self._missed.among(n, mass) if mass > 0 else Fraction(1)
        return max(missed, self._unlucky(accuracy.beta))

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n that keeps the promise; a proper learner needs a large domain."""
        if accuracy.alpha <= self._heavy(accuracy.beta):
            raise InvalidArgument(
                f"no n suffices in so small a domain as {self.concepts}: a uniform point may weigh "
                "more than alpha; use the improper learner, or GenericLearner"
            )
        mass = accuracy.alpha - self._heavy(accuracy.beta)
        return self._missed.rows(mass, accuracy.beta)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta, n = check.probability(beta=beta), check.count(n=n)
        heavy, missed = self._heavy(beta), self._missed
        alpha = least_share(lambda share: share > heavy and missed.at_most(beta, n, share - heavy))
        return None if alpha is None else Accuracy(alpha, beta)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Concept:
        told = self._release(self._lead(sample, label), rng=rng)
        if told is not None:
            return Point(told)
        return self.concepts.draw(rng=rng) if self.proper else NEVER

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis; if proper, for domains small enough to list."""
        told = self._release.law(self._lead(sample, label))
        return told.then(self._without if self.proper else _or_never)

    def _without(self, told: int | None) -> Law[Hashable]:
        if told is not None:
            return certain(Point(told))
        size = listable(self.concepts.size, what="points")
        return collect((Point(z), Fraction(1, size)) for z in range(size))

    def _lead(self, sample: LabelCounts, label: int) -> Stable[int | None]:
        return votes_of_positives(self.concepts, sample, label).lead()

    @property
    def _release(self) -> StableRelease:
        return StableRelease(self.epsilon, self.delta)

    @property
    def _missed(self) -> Missed:
        return Missed.untold(self._release, each=2)

    def _heavy(self, beta: Fraction) -> Fraction:
        """Return a mass that a uniform point exceeds with probability at most beta, 0 if none."""
        return 1 / Fraction(1 + self._few(beta)) if self.proper else Fraction(0)

    def _unlucky(self, beta: Fraction) -> Fraction:
        return Fraction(self._few(beta), self.concepts.size) if self.proper else Fraction(0)

    def _few(self, beta: Fraction) -> int:
        """Return how many points are at most a part beta of the domain."""
        return int(beta * self.concepts.size)


def votes_of_positives(concepts: Points, sample: LabelCounts, label: int) -> Votes[int]:
    """Let each positive row vote for its point, and each other one abstain."""
    table: dict[int, int] = {}
    ones = sample.positives[:, label]
    points = concepts.clip(sample.points[ones > 0]).tolist()
    for x, votes in zip(points, ones[ones > 0].tolist(), strict=True):
        table[x] = table.get(x, 0) + votes
    return Votes(sample.n, switch=True, table=table)


def _or_never(told: int | None) -> Law[Hashable]:
    return certain(NEVER if told is None else Point(told))


ENTRY = entry_of(
    StablePointLearner,
    "stable-point",
    "the point that leads by enough; rows do not grow with the domain",
    families=("points",),
)
