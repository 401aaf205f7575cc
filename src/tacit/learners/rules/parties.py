"""Several parties learn one conjunction; each tells noisy counts, and nobody is trusted.

Messages for it are a question of the kind conjunction: `workflows/sites/kinds/conjunction.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.concepts import Concept
from tacit.core import Accuracy, Decay, Exact, Law, PureCost, Random, check, hold
from tacit.learners.queries.query_oracle import QueryPlan
from tacit.learners.queries.statistical_queries import ConjunctionQueries, clipped, count, learned
from tacit.mechanisms import DiscreteLaplace
from tacit.statistics import LabelCounts
from tacit.theory.enough.zero_test import NoisyZeroTest


@dataclass(frozen=True, slots=True)
class PartyCounts(PureCost):
    """How often each literal is violated by a yes, told by one party with noise of its own.

    Guarantee:
        epsilon-DP for each row of the party, towards all others together, whatever they hold and
        however they conspire [BNO08]: their view depends on the party's rows through its message
        only. On n >= `sample_size` i.i.d. rows of all parties together, labelled by one
        conjunction, what `learn` makes of the sum of their counts has error at most alpha with
        probability at least 1 - beta.

    Exactness:
        As `DiscreteLaplace`.

    Cost:
        `Pure(epsilon)` a message.

    >>> counts = PartyCounts(4, epsilon=1)
    >>> counts.sample_size(Accuracy(0.1, 0.05), parties=2)
    1772

    Proof: docs/proofs/parties.md
    """

    dims: int
    epsilon: Fraction
    monotone: bool

    def __init__(self, dims: int, *, epsilon: Exact, monotone: bool = True) -> None:
        hold(self, monotone=monotone).count(dims=dims, least=1).positive(epsilon=epsilon)

    @property
    def algorithm(self) -> ConjunctionQueries:
        """What is asked: a literal stays unless there is a yes that violates it."""
        return ConjunctionQueries(self.dims, self.monotone)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> tuple[int, ...]:
        """Return the noisy counts of one party, in the order of `algorithm.literals`."""
        return tuple(self._laplace(self.exact(sample, label), rng=rng).tolist())

    def law(
        self, sample: LabelCounts, /, *, label: int = 0, low: int, high: int
    ) -> Law[tuple[int, ...]]:
        """Return the exact law of the counts, cut off at low and high as in `DiscreteLaplace`."""
        return self._laplace.law(self.exact(sample, label), low=low, high=high)

    def sample_size(self, accuracy: Accuracy, /, *, parties: int = 2) -> int:
        return self._plan(accuracy.beta, parties).sample_size(accuracy)

    def accuracy(self, n: int, beta: Exact, *, parties: int = 2) -> Accuracy | None:
        return self._plan(check.probability(beta=beta), parties).accuracy(n, beta)

    def learn(self, totals: Sequence[int], beta: Exact, *, parties: int) -> Concept:
        """Return the hypothesis from the noisy counts, added up over the parties."""
        most = self.cut(beta, parties=parties)
        return self.algorithm.kept([total <= most for total in totals])

    def cut(self, beta: Exact, *, parties: int) -> int:
        """Return up to which noisy total a literal counts as never violated."""
        return self._plan(check.probability(beta=beta), parties).test.cut(0).count

    def exact(self, sample: LabelCounts, label: int) -> list[int]:
        """Return the counts without noise: they never leave the party."""
        found: list[int] = []

        def answer(query: Any) -> Fraction:
            found.append(count(sample, clipped(self.algorithm.hypotheses, query), label=label))
            return Fraction(0)

        learned(self.algorithm.run(Fraction(0)), answer)
        return found

    @property
    def _laplace(self) -> DiscreteLaplace:
        """One row is in every count at most once."""
        return DiscreteLaplace(self.epsilon, sensitivity=self.algorithm.queries)

    def _plan(self, beta: Fraction, parties: int) -> QueryPlan:
        parties = check.count(parties=parties, least=2)
        times = self.algorithm.queries
        test = NoisyZeroTest(Decay.of(self.epsilon / times), beta / times, parties)
        return QueryPlan(self.algorithm, test, dealt=False)
