"""Any algorithm by statistical queries, run on private data: noisy shares within a tolerance.

Of the papers: Vad17 Thm 8.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core import Decay, Exact, Law, Random, check
from tacit.learners.queries.query_oracle import WithinTolerance
from tacit.learners.queries.statistical_queries import SQAlgorithm
from tacit.mechanisms import DiscreteLaplace
from tacit.mechanisms.noise.geometric import tail_upper
from tacit.probability.noisy_mean import NoisyMean


@dataclass(frozen=True, slots=True, init=False)
class PrivateQueries(WithinTolerance):
    """Answer T queries with noisy shares, clamped to [0, 1].

    Adaptive queries get a block of n // T rows of their own each: answered on one sample, they
    would learn about the sample and not about the population. Others are all asked of the whole
    sample, at epsilon / T each.

    Guarantee:
        epsilon-DP for all answers together. On n = `sample_size(beta)` i.i.d. rows all answers are
        within the tolerance with probability at least 1 - beta, so what the algorithm promises for
        such answers holds [BDMN05].

    Exactness:
        As `DiscreteLaplace`.

    Cost:
        `Pure(epsilon)`; one pass over the rows for each query.

    >>> from tacit.learners.queries.statistical_queries import ThresholdQueries
    >>> private = PrivateQueries(ThresholdQueries(1024), tolerance="0.1", epsilon=1)
    >>> private.sample_size("0.1")
    1800

    Proof: docs/proofs/statistical_queries.md
    """

    algorithm: SQAlgorithm
    tolerance: Fraction
    epsilon: Fraction

    def sample_size(self, beta: Exact) -> int:
        """Return a number of rows at which the failure is certainly at most beta.

        The failure is not monotone in the number of rows: ask `failure` about any other number.
        """
        each = check.probability(beta=beta) / self.algorithm.queries
        return self.blocks * NoisyMean(self.decay).size(self.tolerance, each)

    def failure(self, n: int, beta: Exact) -> Fraction:
        """Bound the chance that some answer on n rows is out of tolerance, if possible by beta.

        The better of two certified bounds, times the number of queries.
        """
        m, beta = check.count(n=n) // self.blocks, check.probability(beta=beta)
        if m == 0:
            return Fraction(1)
        mean, times = NoisyMean(self.decay), self.algorithm.queries
        each = mean.chernoff(m, self.tolerance)
        if each * times > beta:
            each = min(each, mean.failure(m, self.tolerance, beta / times))
        return min(Fraction(1), times * each)

    def answer(self, found: int, rows: int, *, rng: Random) -> Fraction:
        """Return the noisy count as a share of the rows."""
        return share(self.noise(found, rng=rng), rows)

    def answer_law(self, found: int, rows: int) -> Law[Fraction]:
        """Return the exact law of the share."""
        noisy = self.noise.law(found, low=0, high=max(rows, 1))
        return noisy.map(lambda told: share(told, rows))

    @property
    def noise(self) -> DiscreteLaplace:
        """What is added to a count."""
        return DiscreteLaplace(self._rate)

    @property
    def decay(self) -> Decay:
        """The ratio of the noise."""
        return Decay.of(self._rate)

    def beyond(self, reach: int) -> Fraction:
        """Return how often the noise is larger than this, either way."""
        return 2 * tail_upper(self.decay, reach + 1)


def share(told: int, m: int) -> Fraction:
    """Return a noisy count of m rows as a share, moved into [0, 1]."""
    return Fraction(min(max(told, 0), m), m) if m else Fraction(0)
