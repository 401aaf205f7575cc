"""A promise about the rows at hand, from one about rows that were never seen.

Of the papers: BNS16 Def 2.9, BNS16 Def 2.10, BNS16 Thm 2.11, BNS16 Thm 2.24.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, ConceptClass, HypothesisClass
from tacit.core import Accuracy, Exact, InvalidArgument, Privacy, Random, TooLarge, check, hold
from tacit.core.chance.law import Law, mixture
from tacit.core.composition.pricing import price
from tacit.core.cost import Subsample
from tacit.learners.contract import Learner, MultiLearner
from tacit.mechanisms.resample import rows_needed
from tacit.statistics import JointCounts, LabelCounts
from tacit.theory.dimensions.generalisation import on_population

C = TypeVar("C", bound=Concept)
MOST_DRAWS = 100_000


@dataclass(frozen=True, slots=True)
class EmpiricalLearner(Generic[C]):
    """Run a learner on `drawn` of the sample's `rows` rows, drawn in secret with replacement.

    It learns one label, or all together. The drawn rows are independent draws from the sample, so
    what the learner promises about a population it promises about the sample.

    Guarantee:
        If the learner is (e0, d0)-DP, this one is (e, d)-DP for e = n ln(1 + (e^e0 - 1) / m) and d
        = (d0 / m) (e^e - 1) / (e^(e / n) - 1), n rows drawn of m [the lemma printed as BNS16 Lemma
        2.25 has n and m exchanged]. With rows >= `sample_size` that is no more than (e0, d0): m is
        about 1.72 n at e0 = 1, where 9 n is printed. If as many rows are drawn as the learner
        needs, the share of mistakes among the sample's rows is at most alpha with probability at
        least 1 - beta [BNS16 Thm 2.24]; null rows are not counted for.

    Exactness:
        The rows are drawn exactly; the law is exact if the learner's is.

    Cost:
        `Subsample(of.cost, drawn, rows)`.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.learners.every_class.generic import GenericLearner
    >>> goal = Accuracy(0.1, 0.05)
    >>> base = GenericLearner(Thresholds(10), epsilon=1)
    >>> learner = EmpiricalLearner(base, drawn=base.sample_size(goal), rows=409)
    >>> learner.drawn, learner.sample_size(goal)
    (238, 409)
    >>> float(price(learner.cost).privacy.epsilon)
    0.99778...

    Proof: docs/proofs/resample.md
    """

    of: Learner[C] | MultiLearner[C]
    drawn: int
    rows: int
    privacy: Privacy

    theorem: ClassVar[str] = "BNS16"

    def __init__(
        self,
        of: Learner[C] | MultiLearner[C],
        *,
        drawn: int,
        rows: int,
        privacy: Privacy | None = None,
    ) -> None:
        cost = Subsample(of.cost, drawn, rows)
        kept = price(of.cost, privacy.delta if privacy else 0).privacy
        if privacy is not None and not kept.implies(privacy):
            raise InvalidArgument(f"the learner costs {kept}, which does not fit into {privacy}")
        hold(self, of=of, drawn=cost.drawn, rows=cost.rows, privacy=privacy or kept)

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        return self.of.hypotheses

    @property
    def cost(self) -> Subsample:
        return Subsample(self.of.cost, self.drawn, self.rows)

    @property
    def labels(self) -> int:
        """How many labels are learned at once."""
        many: int = getattr(self.of, "labels", 1)
        return many

    @property
    def proper(self) -> bool:
        """As the learner."""
        return self.of.proper

    @property
    def agnostic(self) -> bool:
        """As the learner."""
        return self.of.agnostic

    @property
    def largest_sample(self) -> int | None:
        """As the learner: it gets to see no more rows than are drawn."""
        return self.of.largest_sample

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows make a draw of enough rows no dearer than the learner itself."""
        drawn = self.of.sample_size(accuracy)
        return rows_needed(self.privacy.epsilon, drawn) if drawn else 1

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return what the drawn rows are enough for, if n is the declared number of rows."""
        return self.of.accuracy(self.drawn, beta) if check.count(n=n) == self.rows else None

    def on_population(self, beta: Exact) -> Accuracy | None:
        """Return what the promise for the rows says of the population they are from, if proper.

        Half of beta is for the rows, half for drawing them [BNS16 Thm 2.11].

        >>> from tacit.concepts.line.thresholds import Thresholds
        >>> from tacit.learners.every_class.generic import GenericLearner
        >>> base = GenericLearner(Thresholds(10), epsilon=1)
        >>> found = EmpiricalLearner(base, drawn=1000, rows=2000).on_population(0.05)
        >>> float(found.alpha) if found else None
        0.0435...
        """
        half = check.probability(beta=beta) / 2
        near, concepts = self.accuracy(self.rows, half), self.hypotheses
        if near is None or not (self.proper and isinstance(concepts, ConceptClass)):
            return None
        how: dict[str, Any] = {"labels": self.labels, "agnostic": self.agnostic}
        alpha = on_population(concepts, Accuracy(near.alpha, half), self.rows, **how)
        return Accuracy(alpha, 2 * half) if alpha < 1 else None

    def __call__(self, sample: LabelCounts | JointCounts, /, *, label: int = 0, rng: Random) -> Any:
        ends = np.cumsum(_kinds(self._checked(sample), label))
        at = np.searchsorted(ends, indices(self.rows, self.drawn, rng=rng), side="right")
        drawn = np.bincount(at, minlength=len(ends))
        return self.of(_counted(sample, drawn), rng=rng)

    def law(self, sample: LabelCounts | JointCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis, over all ways to draw few rows."""
        kinds = _kinds(self._checked(sample), label)
        held = np.flatnonzero(kinds).tolist()
        if len(held) ** self.drawn > MOST_DRAWS:
            raise TooLarge(f"the exact law is for at most {MOST_DRAWS} ways to draw the rows")
        parts = []
        for draw in combinations_with_replacement(held, self.drawn):
            counts = Counter(draw)
            ways = factorial(self.drawn) // prod(map(factorial, counts.values()))
            chance = prod((Fraction(int(kinds[kind]), self.rows) for kind in draw), start=ways)
            drawn = np.bincount(np.array(draw, dtype=np.int64), minlength=len(kinds))
            parts.append((Fraction(chance), self.of.law(_counted(sample, drawn))))
        return mixture(parts)

    def _checked(self, sample: LabelCounts | JointCounts) -> LabelCounts | JointCounts:
        if sample.n != self.rows:
            raise InvalidArgument(f"rows={self.rows} was declared, got {sample.n} rows")
        return sample


def _kinds(sample: LabelCounts | JointCounts, label: int) -> NDArray[np.int64]:
    """Count the kinds of rows: records, or positive and negative ones at points; and null rows."""
    if isinstance(sample, JointCounts):
        return np.append(sample.totals, sample.n - sample.totals.sum())
    ones = sample.positives[:, label]
    each = np.column_stack((ones, sample.totals - ones)).ravel()
    return np.append(each, sample.n - each.sum())


def _counted(sample: LabelCounts | JointCounts, drawn: NDArray[np.int64]) -> Any:
    if isinstance(sample, JointCounts):
        seen, totals = drawn[:-1] > 0, drawn[:-1].astype(np.int64)
        kept = sample.points[seen], sample.marks[seen], totals[seen]
        return JointCounts(int(drawn.sum()), sample.labels, *kept)
    ones, zeros = drawn[:-1:2], drawn[1:-1:2]
    seen = ones + zeros > 0
    totals = (ones + zeros)[seen].astype(np.int64)
    positives = ones[seen][:, None].astype(np.int64)
    return LabelCounts(int(drawn.sum()), 1, sample.points[seen], totals, positives)


WORDS = 1 << 64


def indices(bound: int, count: int, *, rng: Random) -> NDArray[np.int64]:
    """Return `count` independent uniform integers of range(bound), bound below 2^63.

    Exactness:
        64-bit words below the largest multiple of the bound, reduced; the others are drawn again.

    >>> from tacit.core.chance.randomness import Seeded
    >>> set(indices(3, 100, rng=Seeded(0)).tolist())
    {0, 1, 2}
    """
    bound, count = check.count(bound=bound, least=1), check.count(count=count)
    fair = WORDS - WORDS % bound
    drawn = np.zeros(0, dtype=np.uint64)
    while len(drawn) < count:
        words = rng.words(count - len(drawn))
        drawn = np.concatenate((drawn, words[words <= np.uint64(fair - 1)]))
    return (drawn % np.uint64(bound)).astype(np.int64)
