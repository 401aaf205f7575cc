"""Learning by statistical queries on a trusted curator's table: noisy counts, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

from tacit.concepts.contract.concept_class import Concept, ConceptClass, HypothesisClass
from tacit.core.accuracy import Accuracy
from tacit.core.chance.law import Law, mixture
from tacit.core.chance.randomness import Random
from tacit.core.cost import Pure
from tacit.core.frozen import hold
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.exact import Exact
from tacit.learners.contract.dealing import deals
from tacit.learners.contract.entry import Entry, Request
from tacit.learners.queries.query_plan import QueryPlan, some, some_law
from tacit.learners.queries.statistical_queries import (
    Query,
    ZeroQueries,
    clipped,
    count,
    law_of,
    learned,
    queries_for,
)
from tacit.mechanisms import DiscreteLaplace
from tacit.mechanisms.noise.geometric import tail
from tacit.statistics import LabelCounts
from tacit.theory.enough.zero_test import NoisyZeroTest

C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True)
class StatisticalQueryLearner(Generic[C]):
    """Points, thresholds and conjunctions from noisy counts of "is there any row that ...?".

    Queries that depend on earlier answers get a block of rows of their own each; others are all
    asked of the whole sample, at epsilon / T each of T.

    Guarantee:
        epsilon-DP on every sample, also for the transcript of all answers. On n >= `sample_size`
        i.i.d. rows labelled by a concept of the class, the error is at most alpha with probability
        at least 1 - beta [BDMN05; proof and constants in docs/proofs/statistical_queries.md].
        Nothing is promised for labels that no concept explains. Thresholds are learned properly.

    Exactness:
        As `DiscreteLaplace`; answers are compared with an integer, and a tie is decided by a coin
        of 192 bits.

    Cost:
        `Pure(epsilon)` a label; one pass over the rows for each query.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = StatisticalQueryLearner(Thresholds(10), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    1360
    >>> rows = [(x, (x >= 600,)) for x in range(0, 1024)] * 2
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(4)).rule(["dose"])
    'dose is at least 616'
    """

    concepts: ConceptClass[C]
    epsilon: Fraction
    beta: Fraction

    agnostic: ClassVar[bool] = False
    theorem: ClassVar[str] = "BDMN05"
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self, concepts: ConceptClass[C], *, epsilon: Exact, beta: Exact = Fraction(1, 20)
    ) -> None:
        queries_for(concepts)
        hold(self, concepts=concepts).positive(epsilon=epsilon).probability(beta=beta)
        self._test  # noqa: B018

    @property
    def algorithm(self) -> ZeroQueries:
        """What is asked."""
        return queries_for(self.concepts)

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        """The class that every output belongs to."""
        return self.algorithm.hypotheses

    @property
    def cost(self) -> Pure:
        """What learning one label costs."""
        return Pure(self.epsilon)

    @property
    def proper(self) -> bool:
        """Whether every output is a concept of the class: thresholds are."""
        return self.hypotheses == self.concepts

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n for which the bound keeps the promise.

        The learner is made for its own beta: it cannot promise a smaller one.
        """
        return self._plan.sample_size(accuracy)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return the accuracy that n rows are enough for, or None if there is none."""
        return self._plan.accuracy(n, beta)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> C:
        """Learn one label."""
        if not self.algorithm.adaptive:
            return self._learn([sample] * self.algorithm.queries, label, rng)
        return self._learn(sample.split(self._plan.sizes(sample.n), label=label, rng=rng), 0, rng)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis, for few rows; over all ways to deal them."""
        if not self.algorithm.adaptive:
            return self._law([sample] * self.algorithm.queries, label)
        ways = deals(sample, self._plan.sizes(sample.n), label=label)
        return mixture((weight, self._law(blocks, 0)) for weight, blocks in ways)

    def _learn(self, blocks: Sequence[LabelCounts], label: int, rng: Random) -> C:
        parts = iter(blocks)
        laplace, cut = DiscreteLaplace(self._rate), self._test.cut(blocks[0].n)

        def answer(query: Query) -> Fraction:
            found = count(next(parts), clipped(self.concepts, query), label=label)
            return some(laplace(found, rng=rng), cut, rng=rng)

        return learned(self.algorithm.run(Fraction(0)), answer)  # type: ignore[no-any-return]

    def _law(self, blocks: Sequence[LabelCounts], label: int) -> Law[Any]:
        decay, cut = Decay.of(self._rate), self._test.cut(blocks[0].n)

        def answers(i: int, query: Query) -> Law[Fraction]:
            found = count(blocks[i], clipped(self.concepts, query), label=label)
            at, beyond = (tail(decay, cut.count + more - found) for more in (1, 2))
            return some_law(at, beyond, cut)

        return law_of(lambda: self.algorithm.run(Fraction(0)), answers)

    @property
    def _rate(self) -> Fraction:
        return self.epsilon / (1 if self.algorithm.adaptive else self.algorithm.queries)

    @property
    def _test(self) -> NoisyZeroTest:
        return NoisyZeroTest(Decay.of(self._rate), self.beta / self.algorithm.queries)

    @property
    def _plan(self) -> QueryPlan:
        return QueryPlan(self.algorithm, self._test, dealt=self.algorithm.adaptive)


def _make(request: Request) -> StatisticalQueryLearner[Any]:
    return StatisticalQueryLearner(
        request.concepts, epsilon=request.privacy.epsilon, beta=request.beta
    )


ENTRY = Entry(
    name="statistical-query",
    summary="noisy counts, one for each query of an algorithm that sees no rows",
    families=("conjunctions", "points", "thresholds"),
    pure=True,
    proper=False,
    agnostic=False,
    theorem="BDMN05",
    make=_make,
)
