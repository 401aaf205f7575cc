"""Algorithms by statistical queries, run on private rows: who answers, and from which of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

from tacit.concepts.contract.concept_class import Concept, ConceptClass, HypothesisClass
from tacit.core import Accuracy, Exact, PureCost, Random
from tacit.core.chance.law import Law, mixture
from tacit.learners.contract import deals
from tacit.learners.queries.query_plan import QueryPlan
from tacit.learners.queries.statistical_queries import (
    Dialogue,
    Query,
    SQAlgorithm,
    ZeroQueries,
    clipped,
    count,
    law_of,
    learned,
    queries_for,
)
from tacit.statistics import LabelCounts
from tacit.theory.enough.zero_test import ZeroTest

C = TypeVar("C", bound=Concept)


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
        """Learn one label."""
        blocks, place = [sample] * self.algorithm.queries, label
        if self.dealt:
            blocks, place = list(sample.split(self._sizes(sample.n), label=label, rng=rng)), 0
        parts = iter(blocks)

        def answer(query: Query) -> Fraction:
            block = next(parts)
            return self.answer(self._count(block, query, place), block.n, rng=rng)

        return learned(self.dialogue(), answer)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis, for few rows; over all ways to deal them."""
        if not self.dealt:
            return self._law([sample] * self.algorithm.queries, label)
        ways = deals(sample, self._sizes(sample.n), label=label)
        return mixture((weight, self._law(blocks, 0)) for weight, blocks in ways)

    def _law(self, blocks: Sequence[LabelCounts], label: int) -> Law[Any]:
        def answers(i: int, query: Query) -> Law[Fraction]:
            return self.answer_law(self._count(blocks[i], query, label), blocks[i].n)

        return law_of(self.dialogue, answers)

    def _count(self, block: LabelCounts, query: Query, label: int) -> int:
        return count(block, clipped(self.algorithm.hypotheses, query), label=label)

    def _sizes(self, n: int) -> list[int]:
        return [n // self._blocks] * self._blocks

    @property
    def _blocks(self) -> int:
        return self.algorithm.queries if self.dealt else 1

    @property
    def _rate(self) -> Fraction:
        """What one query may spend: blocks hold different rows."""
        return self.epsilon * self._blocks / self.algorithm.queries


class QueryLearner(QueryOracle, Generic[C]):
    """Learn by queries that only ask whether an event is impossible, made for its own beta."""

    __slots__ = ()
    concepts: ConceptClass[C]
    beta: Fraction

    agnostic: ClassVar[bool] = False

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
        """Return the accuracy that n rows are enough for, or None if there is none."""
        return self._plan.accuracy(n, beta)

    @property
    @abstractmethod
    def _test(self) -> ZeroTest:
        """The test that answers a query."""

    @property
    def _plan(self) -> QueryPlan:
        return QueryPlan(self.algorithm, self._test, dealt=self.dealt)
