"""Synthetic rows chosen among all: the exponential mechanism over small tables.

Of the papers: BNS19 Ex 7, BNS16 Thm 2.18.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import BoundedRangeCost, Exact, Law, Random, TooLarge, check, hold
from tacit.core.numbers.enclosures import real, round_up, upper
from tacit.mechanisms import Exponential
from tacit.sanitizers.contract.queries import Queries
from tacit.sanitizers.contract.synthetic import Synthetic
from tacit.statistics import Counts, ScoreProfile

LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class BlrSanitizer(BoundedRangeCost):
    """Choose `rows` synthetic rows among all multisets, by their worst answered query.

    `fineness` says how near the answers of so few rows can be brought to those of any database:
    1 / (2 rows) for thresholds, and in general what a random sample of rows reaches.

    Guarantee:
        Of bounded range epsilon. With probability at least 1 - beta no query is off by more than
        `error(n, beta)`, for every database [BLR13].

    Exactness:
        As `Exponential`: a score is an integer, minus the greatest difference of answers in units
        of 1 / rows of a row.

    Cost:
        `BoundedRange(epsilon)`; time and memory in the number of multisets, so for tiny domains.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.sanitizers.contract.queries import ListedQueries
    >>> thresholds = ListedQueries.thresholds(16)
    >>> sanitizer = BlrSanitizer(thresholds, epsilon=1, rows=7, fineness="1/14")
    >>> float(sanitizer.error(234, 0.05))
    0.19...
    >>> sanitizer(Counts.of([3] * 150 + [12] * 84), rng=Seeded(3)).n
    7

    Proof: docs/proofs/blr_sanitizer.md
    """

    queries: Queries
    epsilon: Fraction
    rows: int
    fineness: Fraction

    def __init__(
        self, queries: Queries, *, epsilon: Exact, rows: int, fineness: Exact | None = None
    ) -> None:
        hold(self, queries=queries).positive(epsilon=epsilon).count(rows=rows, least=1)
        fine = _sampled(queries.count, self.rows) if fineness is None else fineness
        hold(self).nonnegative(fineness=fine)
        if self.tables > LARGEST:
            raise TooLarge(f"there are {self.tables} tables, and at most {LARGEST} can be scored")

    @property
    def tables(self) -> int:
        """How many multisets of `rows` rows there are."""
        return comb(self.queries.attributes.size + self.rows - 1, self.rows)

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Synthetic:
        return Exponential(self.epsilon)(self._profile(counts), rng=rng)

    def law(self, counts: Counts[Any], /) -> Law[Synthetic]:
        return Exponential(self.epsilon).law(self._profile(counts))

    def error(self, n: int, beta: Exact) -> Fraction:
        if check.count(n=n) == 0:
            return Fraction(1)
        missed = Exponential(self.epsilon).shortfall(
            beta, size=max(2, self.tables), sensitivity=self.rows
        )
        return min(Fraction(1), self.fineness + Fraction(missed - 1, self.rows * n))

    def _profile(self, counts: Counts[Any]) -> ScoreProfile[Synthetic]:
        truth = self.queries.answers(self.queries.attributes.histogram(counts))
        size = self.queries.attributes.size
        chosen = np.array(list(combinations_with_replacement(range(size), self.rows)))
        cells = np.identity(size, dtype=np.int64)
        answers = np.stack([self.queries.answers(cell) for cell in cells])
        off = np.zeros(len(chosen), dtype=np.int64)
        for query, count in enumerate(truth.tolist()):
            held = answers[:, query][chosen].sum(axis=1)
            off = np.maximum(off, abs(self.rows * count - counts.n * held))

        def table(index: int, rank: int) -> Synthetic:  # noqa: ARG001
            return self._table(chosen[index])

        return ScoreProfile(
            -off, np.ones(len(chosen), dtype=np.int64), table, sensitivity=self.rows
        )

    def _table(self, cells: NDArray[np.int64]) -> Synthetic:
        held = np.bincount(cells, minlength=self.queries.attributes.size)
        return Synthetic.of(self.queries.attributes.shape, held)


def _sampled(queries: int, rows: int) -> Fraction:
    """Return r with 2 queries e^(-2 rows r^2) < 1: so near some sample of rows comes to anything.

    >>> float(_sampled(16, 7))
    0.49...
    """
    return round_up(upper(lambda: (real(2 * queries).log() / (2 * rows)).sqrt()), 24)
