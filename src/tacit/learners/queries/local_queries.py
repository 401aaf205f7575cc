"""Any algorithm by statistical queries without a curator: each row answers one query, with a lie.

Of the papers: Vad17 Thm 8.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.core import Decay, Exact, Law, Random, check, hold
from tacit.core.chance.law import collect
from tacit.learners.queries.local import yeses
from tacit.learners.queries.query_oracle import QueryOracle
from tacit.learners.queries.statistical_queries import Dialogue, SQAlgorithm
from tacit.mechanisms import RandomisedResponse
from tacit.probability.noisy_mean import LocalMean


@dataclass(frozen=True, slots=True)
class LocalQueries(QueryOracle):
    """Deal the rows to one group for each query; the share of flipped bits is made unbiased.

    Guarantee:
        epsilon-DP for each row towards everybody who sees its answer [War65], so for what the
        algorithm makes of all answers. On n = `sample_size(beta)` i.i.d. rows all answers are
        within the tolerance with probability at least 1 - beta [KLNRS11, Sec. 5.1.1].

    Exactness:
        As `RandomisedResponse`.

    Cost:
        `Pure(epsilon)`; one answer a row.

    >>> from tacit.learners.queries.statistical_queries import ThresholdQueries
    >>> LocalQueries(ThresholdQueries(1024), tolerance="0.1", epsilon=1).sample_size("0.1")
    7900

    Proof: docs/proofs/statistical_queries.md
    """

    algorithm: SQAlgorithm
    tolerance: Fraction
    epsilon: Fraction

    def __init__(self, algorithm: SQAlgorithm, *, tolerance: Exact, epsilon: Exact) -> None:
        hold(self, algorithm=algorithm).probability(tolerance=tolerance).positive(epsilon=epsilon)

    @property
    def dealt(self) -> bool:
        """Always: each row answers one query."""
        return True

    def sample_size(self, beta: Exact) -> int:
        """Return a number of rows at which the failure is certainly at most beta."""
        each = check.probability(beta=beta) / self.algorithm.queries
        return self.algorithm.queries * self._mean.size(self.tolerance, each)

    def dialogue(self) -> Dialogue[Any]:
        """Let the algorithm ask for answers within the tolerance."""
        return self.algorithm.run(self.tolerance)

    def answer(self, found: int, rows: int, *, rng: Random) -> Fraction:
        """Let each row answer, and make the share of yeses unbiased."""
        truths = np.arange(rows) < found
        told = RandomisedResponse(self.epsilon)(truths.astype(np.int64), rng=rng)
        return self._share(int(told.sum()), rows)

    def answer_law(self, found: int, rows: int) -> Law[Fraction]:
        """Return the exact law of the answer."""
        chances = enumerate(yeses(self._mean.flip, found, rows))
        return collect((self._share(told, rows), chance) for told, chance in chances)

    def _share(self, told: int, rows: int) -> Fraction:
        flip = self._mean.flip
        found = (Fraction(told, rows) - flip) / (1 - 2 * flip) if rows else Fraction(0)
        return min(max(found, Fraction(0)), Fraction(1))

    @property
    def _mean(self) -> LocalMean:
        return LocalMean(Decay.of(self.epsilon))
