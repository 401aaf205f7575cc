"""Any algorithm by statistical queries without a curator: each row answers one query, with a lie.

Of the papers: Vad17 Thm 8.4.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import HypothesisClass, Points
from tacit.core import Decay, Exact, InvalidArgument, Law, Random, check, hold
from tacit.core.chance.law import collect
from tacit.learners.queries.local import yeses
from tacit.learners.queries.query_oracle import WithinTolerance
from tacit.learners.queries.statistical_queries import Dialogue, Query, SQAlgorithm
from tacit.mechanisms import RandomisedResponse
from tacit.probability.noisy_mean import LocalMean


@dataclass(frozen=True, slots=True, init=False)
class LocalQueries(WithinTolerance):
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

    dealt: ClassVar[bool] = True
    """Always: each row answers one query."""

    def sample_size(self, beta: Exact) -> int:
        """Return a number of rows at which the failure is certainly at most beta."""
        each = check.probability(beta=beta) / self.algorithm.queries
        return self.algorithm.queries * self._mean.size(self.tolerance, each)

    def answer(self, found: int, rows: int, *, rng: Random) -> Fraction:
        """Let each row answer, and make the share of yeses unbiased."""
        truths = np.arange(rows) < found
        told = RandomisedResponse(self.epsilon)(truths.astype(np.int64), rng=rng)
        return self._share(int(told.sum()), rows)

    def answer_law(self, found: int, rows: int) -> Law[Fraction]:
        chances = enumerate(yeses(self._mean.flip, found, rows))
        return collect((self._share(told, rows), chance) for told, chance in chances)

    def _share(self, told: int, rows: int) -> Fraction:
        flip = self._mean.flip
        found = (Fraction(told, rows) - flip) / (1 - 2 * flip) if rows else Fraction(0)
        return min(max(found, Fraction(0)), Fraction(1))

    @property
    def _mean(self) -> LocalMean:
        return LocalMean(Decay.of(self.epsilon))


RowQuery = Callable[[Any, bool], Any]
"""From one row, a point and its label, to a value from 0 to 1."""
HALF = Fraction(1, 2)
Asks = Callable[[Fraction], Generator[RowQuery, Fraction, Any]]
"""Told the tolerance; yields queries, is sent their shares, returns anything."""


@dataclass(frozen=True, slots=True)
class OwnQueries:
    """At most so many queries of your own, for `PrivateQueries`, `LocalQueries` or `PartyQueries`.

    A query is called for one row at a time, its point moved into the domain of `hypotheses`, and
    must depend on that row alone. Its value is moved into [0, 1] and to the nearest multiple of 1 /
    `levels`; what it raises, or what is no number, counts as 0, and no warning is shown: nothing is
    refused or told for a row's sake. `adaptive` says that queries depend on earlier answers; if
    they do and it is not said, privacy holds, and no tolerance is promised.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.learners.queries.private_queries import PrivateQueries
    >>> from tacit.statistics import LabelCounts
    >>> def mean_age_of_the_ill(tolerance):
    ...     ill = yield lambda age, sick: sick
    ...     years = yield lambda age, sick: age / 128 if sick else 0
    ...     return float(128 * years / ill) if ill > tolerance else None
    >>> own = OwnQueries(mean_age_of_the_ill, Thresholds(7), queries=2, levels=128)
    >>> rows = LabelCounts.of([(age, (age >= 60,)) for age in range(20, 100)] * 50, labels=1)
    >>> round(PrivateQueries(own, tolerance="0.02", epsilon=1)(rows, rng=Seeded(1)))
    82

    Proof: docs/proofs/statistical_queries.md
    """

    asks: Asks
    hypotheses: HypothesisClass[Any]
    queries: int
    adaptive: bool = False
    levels: int = 1

    def __post_init__(self) -> None:
        hold(self).count(queries=self.queries, least=1).count(levels=self.levels, least=1)

    def tolerance(self, alpha: Fraction, /) -> Fraction:
        """Return alpha: what the answers are worth is known to their author alone."""
        return check.probability(tolerance=alpha)

    def run(self, tolerance: Fraction, /) -> Dialogue[Any]:
        """Let the author's function ask, and return what it returns."""
        dialogue, answer, asked = self.asks(tolerance), None, 0
        while True:
            try:
                query = dialogue.send(answer)  # type: ignore[arg-type]
            except StopIteration as end:
                return end.value
            if asked == self.queries:
                raise InvalidArgument(f"queries={asked} were declared, and more were asked")
            answer, asked = (yield self._of_rows(query)), asked + 1

    def _of_rows(self, query: RowQuery) -> Query:
        def values(points: Points, labels: NDArray[np.bool_]) -> NDArray[Any]:
            rows = zip(points.tolist(), labels.tolist(), strict=True)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")  # one about a row would tell of the row
                return np.array([self._grade(query, x, y) for x, y in rows], dtype=np.int64)

        if not callable(query):
            raise InvalidArgument(f"asks must yield functions, got {type(query).__name__}")
        return values

    def _grade(self, query: RowQuery, point: Any, label: Any) -> int:
        try:
            said = query(tuple(point) if isinstance(point, list) else point, label)
            value = Fraction(said.item() if isinstance(said, np.generic | np.ndarray) else said)
        except KeyboardInterrupt:
            raise
        except BaseException:  # an exit, too, would tell of the row
            return 0
        return min(max(floor(value * self.levels + HALF), 0), self.levels)
