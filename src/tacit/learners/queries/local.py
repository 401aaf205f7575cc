"""Learning without a curator: each row answers one question, by randomised response."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

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
from tacit.mechanisms import RandomisedResponse
from tacit.statistics import LabelCounts
from tacit.theory.enough.zero_test import LocalZeroTest

C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True)
class LocalLearner(Generic[C]):
    """Points, thresholds and conjunctions from answers that each row's owner has randomised.

    The rows are dealt to T groups, one for each query; a row tells whether its group's query holds
    for it, with odds e^epsilon : 1 for the truth, and nothing else. A null row answers no.

    Guarantee:
        epsilon-DP for each row towards everybody who sees its answer [War65], so epsilon-DP for
        the learner. On n >= `sample_size` i.i.d. rows labelled by a concept of the class, the
        error is at most alpha with probability at least 1 - beta [KLNRS11, Sec. 5.1.1; proof in
        docs/proofs/statistical_queries.md]. Thresholds are learned properly.

    Exactness:
        As `RandomisedResponse`; a tie is decided by a coin of 192 bits.

    Cost:
        `Pure(epsilon)` a label; one answer a row.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> learner = LocalLearner(Thresholds(10), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    25660
    """

    concepts: ConceptClass[C]
    epsilon: Fraction
    beta: Fraction

    agnostic: ClassVar[bool] = False
    theorem: ClassVar[str] = "KLNRS11"

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

    @property
    def largest_sample(self) -> int | None:
        """As many rows as the binomial tails are computed for."""
        return self.algorithm.queries << 40

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
        blocks = iter(sample.split(self._plan.sizes(sample.n), label=label, rng=rng))
        response = RandomisedResponse(self.epsilon)
        cut = self._test.cut(sample.n // self.algorithm.queries)

        def answer(query: Query) -> Fraction:
            group = next(blocks)
            truths = np.arange(group.n) < count(group, clipped(self.concepts, query))
            told = response(truths.astype(np.int64), rng=rng)
            return some(int(told.sum()), cut, rng=rng)

        return learned(self.algorithm.run(Fraction(0)), answer)  # type: ignore[no-any-return]

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis, for few rows; over all ways to deal them."""
        ways = deals(sample, self._plan.sizes(sample.n), label=label)
        return mixture((weight, self._law(groups)) for weight, groups in ways)

    def _law(self, groups: Sequence[LabelCounts]) -> Law[Any]:
        flip, cut = self._test.flip, self._test.cut(groups[0].n)

        def answers(i: int, query: Query) -> Law[Fraction]:
            truths = count(groups[i], clipped(self.concepts, query))
            yeses = _yeses(flip, truths, groups[i].n)
            at, beyond = (sum(yeses[max(cut.count + more, 0) :], Fraction(0)) for more in (1, 2))
            return some_law(at, beyond, cut)

        return law_of(lambda: self.algorithm.run(Fraction(0)), answers)

    @property
    def _test(self) -> LocalZeroTest:
        return LocalZeroTest(Decay.of(self.epsilon), self.beta / self.algorithm.queries)

    @property
    def _plan(self) -> QueryPlan:
        return QueryPlan(self.algorithm, self._test, dealt=True)


def _yeses(flip: Fraction, truths: int, rows: int) -> list[Fraction]:
    """Return the probabilities of 0, 1, ... yeses from rows of which `truths` should say yes."""
    chances = [Fraction(1)]
    for row in range(rows):
        yes = 1 - flip if row < truths else flip
        chances = [
            (chances[k] * (1 - yes) if k < len(chances) else Fraction(0))
            + (chances[k - 1] * yes if k else Fraction(0))
            for k in range(len(chances) + 1)
        ]
    return chances


def _make(request: Request) -> LocalLearner[Any]:
    return LocalLearner(request.concepts, epsilon=request.privacy.epsilon, beta=request.beta)


ENTRY = Entry(
    name="local",
    summary="randomised responses, one from each row: no curator is trusted",
    families=("conjunctions", "points", "thresholds"),
    pure=True,
    proper=False,
    agnostic=False,
    theorem="KLNRS11",
    beaten_by="statistical-query",
    make=_make,
)
