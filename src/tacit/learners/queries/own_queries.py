"""A user's own algorithm by statistical queries: a function that asks, and sees nothing but shares.

Of the papers: Vad17 Thm 8.4.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import HypothesisClass, Points
from tacit.core import InvalidArgument, check, hold
from tacit.learners.queries.statistical_queries import Dialogue, Query

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
