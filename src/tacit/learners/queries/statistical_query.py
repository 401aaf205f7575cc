"""Learning by statistical queries on a trusted curator's table: noisy counts, nothing else.

Of the papers: Vad17 Thm 8.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeVar

from tacit.concepts import Concept, ConceptClass
from tacit.core import Decay, Law, Random
from tacit.learners.contract import entry_of
from tacit.learners.queries.query_oracle import QueryLearner, some, some_law
from tacit.mechanisms import DiscreteLaplace
from tacit.mechanisms.noise.geometric import tail
from tacit.theory.enough.zero_test import NoisyZeroTest

C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True, init=False)
class StatisticalQueryLearner(QueryLearner[C]):
    """Points, thresholds and conjunctions from noisy counts of "is there any row that ...?".

    Queries that depend on earlier answers get a block of rows of their own each; others are all
    asked of the whole sample, at epsilon / T each of T.

    Guarantee:
        epsilon-DP on every sample, also for the transcript of all answers; accurate, as in
        `Promising` [BDMN05]. Nothing is promised for labels that no concept explains. Thresholds
        are learned properly.

    Exactness:
        As `DiscreteLaplace`; answers are compared with an integer, and a tie is decided by a coin
        of 192 bits.

    Cost:
        `Pure(epsilon)` a label; one pass over the rows for each query.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.accuracy import Accuracy
    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.statistics import LabelCounts
    >>> learner = StatisticalQueryLearner(Thresholds(10), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    1360
    >>> rows = [(x, (x >= 600,)) for x in range(0, 1024)] * 2
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(4)).rule(["dose"])
    'dose is at least 616'

    Proof: docs/proofs/statistical_queries.md
    """

    concepts: ConceptClass[C]
    epsilon: Fraction
    beta: Fraction

    theorem: ClassVar[str] = "BDMN05"
    largest_sample: ClassVar[int | None] = None

    def answer(self, found: int, rows: int, *, rng: Random) -> Fraction:
        """Compare the noisy count with the cut."""
        return some(DiscreteLaplace(self._rate)(found, rng=rng), self._test.cut(rows), rng=rng)

    def answer_law(self, found: int, rows: int) -> Law[Fraction]:
        decay, cut = Decay.of(self._rate), self._test.cut(rows)
        at, beyond = (tail(decay, cut.count + more - found) for more in (1, 2))
        return some_law(at, beyond, cut)

    @property
    def _test(self) -> NoisyZeroTest:
        return NoisyZeroTest(Decay.of(self._rate), self.beta / self.algorithm.queries)


ENTRY = entry_of(
    StatisticalQueryLearner,
    "statistical-query",
    "noisy counts, one for each query of an algorithm that sees no rows",
    families=("conjunctions", "points", "thresholds"),
)
