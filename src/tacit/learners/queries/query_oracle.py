"""Algorithms by statistical queries on private rows: who answers, how many, from which of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

from tacit.concepts.contract.concept_class import Concept, ConceptClass, HypothesisClass
from tacit.core import Accuracy, Exact, InvalidArgument, PureCost, Random, check, hold
from tacit.core.chance.law import Law, certain, mixture, product
from tacit.learners.contract import deals
from tacit.learners.queries.statistical_queries import (
    Dialogue,
    Query,
    SQAlgorithm,
    ZeroQueries,
    clipped,
    grades,
    law_of,
    learned,
    queries_for,
)
from tacit.statistics import LabelCounts
from tacit.theory.enough.zero_test import SHARE, Cut, ZeroTest, gap, size

C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """An algorithm, the test that answers its queries, and whether each gets rows of its own."""

    algorithm: ZeroQueries
    test: ZeroTest
    dealt: bool

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return self.algorithm.queries if self.dealt else 1

    def sample_size(self, accuracy: Accuracy) -> int:
        """Return the least number of rows for this accuracy: a union bound over the queries."""
        if accuracy.beta < self._beta:
            raise InvalidArgument(
                f"beta must be at least {self._beta}, which the learner is made for, "
                f"got {accuracy.beta}"
            )
        return self.blocks * size(self.test, self.algorithm.gap(accuracy.alpha))

    def enough(self, n: int, accuracy: Accuracy) -> bool:
        """Whether n rows are certainly enough for this accuracy."""
        missed = self.test.miss(n // self.blocks, self.algorithm.gap(accuracy.alpha))
        return accuracy.beta >= self._beta and missed <= self.test.level

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        if check.probability(beta=beta) < self._beta:
            return None
        found = gap(self.test, check.count(n=n) // self.blocks)
        alpha = None if found is None else found / self.algorithm.gap(Fraction(1))
        return None if alpha is None or alpha >= 1 else Accuracy(alpha, beta)

    @property
    def _beta(self) -> Fraction:
        return self.test.level * self.algorithm.queries


def some(found: int, cut: Cut, *, rng: Random) -> Fraction:
    """Answer 1 where a private count is above the cut, and 0 where it is not."""
    coin = Fraction(rng.bits(SHARE), 1 << SHARE)
    return Fraction(int(found > cut.count + (coin < cut.share)))


def some_law(at: Fraction, beyond: Fraction, cut: Cut) -> Law[Fraction]:
    """Return the law of `some` from the chances of counts above cut.count, and above that + 1."""
    yes = (1 - cut.share) * at + cut.share * beyond
    return Law({Fraction(1): yes, Fraction(0): 1 - yes})


class QueryOracle(PureCost):
    """Answer the queries of `algorithm`, each from a count of rows that a subclass makes private.

    If `dealt`, each query gets a block of rows of its own: queries that depend on earlier answers
    would otherwise learn about the sample and not about the population. Others are all asked of the
    whole sample, at epsilon / T each of T.
    """

    __slots__ = ()
    algorithm: SQAlgorithm

    @property
    def dealt(self) -> bool:
        """Whether each query gets rows of its own."""
        return self.algorithm.adaptive

    def dialogue(self) -> Dialogue[Any]:
        """Let the algorithm ask; answers are 0 and 1, so it is told that none is off."""
        return self.algorithm.run(Fraction(0))

    @abstractmethod
    def answer(self, found: int, rows: int, *, rng: Random) -> Fraction:
        """Answer a query that holds for so many of a block's rows."""

    @abstractmethod
    def answer_law(self, found: int, rows: int) -> Law[Fraction]:
        """Return the exact law of the answer."""

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Any:
        blocks, place = self.blocks_of(sample, label, rng=rng)
        parts = iter(blocks)

        def answer(query: Query) -> Fraction:
            block = next(parts)
            return self.answer(self.count(block, query, place, rng=rng), block.n, rng=rng)

        return learned(self.dialogue(), answer)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis, for few rows; over all ways to deal them."""
        ways = self.ways(sample, label)
        return mixture((weight, self._law(blocks, place)) for weight, blocks, place in ways)

    def _law(self, blocks: Sequence[LabelCounts], label: int) -> Law[Any]:
        def answers(i: int, query: Query) -> Law[Fraction]:
            found = self.count_law(blocks[i], query, label)
            return found.then(lambda count: self.answer_law(count, blocks[i].n))

        return law_of(self.dialogue, answers)

    def blocks_of(
        self, sample: LabelCounts, label: int, *, rng: Random
    ) -> tuple[Sequence[LabelCounts], int]:
        """Return the rows of each query, and the place of the label in them."""
        if not self.dealt:
            return [sample] * self.algorithm.queries, label
        return sample.split(self._sizes(sample.n), label=label, rng=rng), 0

    def ways(
        self, sample: LabelCounts, label: int
    ) -> Iterator[tuple[Fraction, Sequence[LabelCounts], int]]:
        """Yield what `blocks_of` may return, with its probability."""
        if not self.dealt:
            yield Fraction(1), [sample] * self.algorithm.queries, label
            return
        for weight, blocks in deals(sample, self._sizes(sample.n), label=label):
            yield weight, blocks, 0

    def count(self, block: LabelCounts, query: Query, label: int, *, rng: Random) -> int:
        """Count the rows with a query; a value between 0 and 1 is rounded by the row's own coin."""
        held = self._grades(block, query, label)
        levels = len(held) - 1
        middle = ((g, many) for g, many in enumerate(held[1:-1], start=1))
        return held[-1] + sum(rng.below(levels) < g for g, many in middle for _ in range(many))

    def count_law(self, block: LabelCounts, query: Query, label: int) -> Law[int]:
        """Return the exact law of the count."""
        held = self._grades(block, query, label)
        found = certain(held[-1])
        for g, many in enumerate(held[1:-1], start=1):
            coin = Law({1: Fraction(g, len(held) - 1), 0: 1 - Fraction(g, len(held) - 1)})
            for _ in range(many):
                found = product([found, coin]).map(sum)
        return found

    def _grades(self, block: LabelCounts, query: Query, label: int) -> list[int]:
        asked = clipped(self.algorithm.hypotheses, query)
        return grades(block, asked, getattr(self.algorithm, "levels", 1), label=label)

    def _sizes(self, n: int) -> list[int]:
        return [n // self.blocks] * self.blocks

    @property
    def blocks(self) -> int:
        """Into how many blocks the rows are dealt."""
        return self.algorithm.queries if self.dealt else 1

    @property
    def _rate(self) -> Fraction:
        """What one query may spend: blocks hold different rows."""
        return self.epsilon * self.blocks / self.algorithm.queries


class WithinTolerance(QueryOracle):
    """Answer any algorithm's queries, each within the tolerance that it is told."""

    __slots__ = ()
    tolerance: Fraction

    def __init__(self, algorithm: SQAlgorithm, *, tolerance: Exact, epsilon: Exact) -> None:
        hold(self, algorithm=algorithm).probability(tolerance=tolerance).positive(epsilon=epsilon)

    def dialogue(self) -> Dialogue[Any]:
        """Let the algorithm ask for answers within the tolerance."""
        return self.algorithm.run(self.tolerance)


class QueryLearner(QueryOracle, Generic[C]):
    """Learn by queries that only ask whether an event is impossible, made for its own beta."""

    __slots__ = ()
    concepts: ConceptClass[C]
    beta: Fraction

    agnostic: ClassVar[bool] = False

    def __init__(
        self, concepts: ConceptClass[C], *, epsilon: Exact, beta: Exact = Fraction(1, 20)
    ) -> None:
        queries_for(concepts)
        hold(self, concepts=concepts).positive(epsilon=epsilon).probability(beta=beta)
        self._test  # noqa: B018

    @property
    def algorithm(self) -> ZeroQueries:  # type: ignore[override]
        """What is asked."""
        return queries_for(self.concepts)

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        """The class that every output belongs to."""
        return self.algorithm.hypotheses

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
        return self._plan.accuracy(n, beta)

    @property
    @abstractmethod
    def _test(self) -> ZeroTest:
        """The test that answers a query."""

    @property
    def _plan(self) -> QueryPlan:
        return QueryPlan(self.algorithm, self._test, dealt=self.dealt)
