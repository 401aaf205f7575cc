"""Learning without a curator: each row answers one question, by randomised response."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeVar

import numpy as np

from tacit.concepts import Concept, ConceptClass
from tacit.core import Decay, Law, Random
from tacit.learners.contract import entry_of
from tacit.learners.queries.query_oracle import QueryLearner, some, some_law
from tacit.mechanisms import RandomisedResponse
from tacit.theory.enough.zero_test import LocalZeroTest

C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True, init=False)
class LocalLearner(QueryLearner[C]):
    """Points, thresholds and conjunctions from answers that each row's owner has randomised.

    The rows are dealt to T groups, one for each query; a row tells whether its group's query holds
    for it, with odds e^epsilon : 1 for the truth, and nothing else. A null row answers no.

    Guarantee:
        epsilon-DP for each row towards everybody who sees its answer [War65], so epsilon-DP for the
        learner; accurate, as in `Promising` [KLNRS11, Sec. 5.1.1]. Thresholds are learned properly.

    Exactness:
        As `RandomisedResponse`; a tie is decided by a coin of 192 bits.

    Cost:
        `Pure(epsilon)` a label; one answer a row.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.accuracy import Accuracy
    >>> learner = LocalLearner(Thresholds(10), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    25660

    Proof: docs/proofs/statistical_queries.md
    """

    concepts: ConceptClass[C]
    epsilon: Fraction
    beta: Fraction

    theorem: ClassVar[str] = "KLNRS11"
    dealt: ClassVar[bool] = True
    """Always: each row answers one query."""

    @property
    def largest_sample(self) -> int | None:
        """As many rows as the binomial tails are computed for."""
        return self.algorithm.queries << 40

    def answer(self, found: int, rows: int, *, rng: Random) -> Fraction:
        """Let each row answer, and compare the number of yeses with the cut."""
        truths = np.arange(rows) < found
        told = RandomisedResponse(self.epsilon)(truths.astype(np.int64), rng=rng)
        return some(int(told.sum()), self._test.cut(rows), rng=rng)

    def answer_law(self, found: int, rows: int) -> Law[Fraction]:
        told, cut = yeses(self._test.flip, found, rows), self._test.cut(rows)
        at, beyond = (sum(told[max(cut.count + more, 0) :], Fraction(0)) for more in (1, 2))
        return some_law(at, beyond, cut)

    @property
    def _test(self) -> LocalZeroTest:
        return LocalZeroTest(Decay.of(self.epsilon), self.beta / self.algorithm.queries)


def yeses(flip: Fraction, truths: int, rows: int) -> list[Fraction]:
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


ENTRY = entry_of(
    LocalLearner,
    "local",
    "randomised responses, one from each row: no curator is trusted",
    families=("conjunctions", "points", "thresholds"),
    beaten_by="statistical-query",
)
