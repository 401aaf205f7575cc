"""A quantile of integer records: by ranks, or over long ranges by a point amid those near it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.concepts.contract.concept_class import integers
from tacit.core import BoundedRangeCost, Exact, InvalidArgument, Law, Random, check, hold
from tacit.core.cost import Sequential
from tacit.mechanisms.choice.exponential import Exponential
from tacit.mechanisms.points.interior_point import InteriorPoint
from tacit.statistics import LineCounts, ScoreProfile


@dataclass(frozen=True, slots=True)
class PrivateQuantile(BoundedRangeCost):
    """Choose a number of the range by how many records would have to change for it to be exact.

    A number y is a quantile of rank k if at least k records are <= y and less than k are < y; its
    score is minus the number of records that are missing for that. Equal records are no trouble.

    Guarantee:
        epsilon-DP and of bounded range epsilon, on every sample [MT07; Smi11]. The answer misses
        its rank by more than `rank_error(beta)` with probability at most beta.

    Exactness:
        As `Exponential`: numbers between two records are one cell, however many they are.

    Cost:
        `BoundedRange(epsilon)`; time n log n, whatever the range.

    >>> from tacit.core.chance.randomness import Seeded
    >>> median = PrivateQuantile(64, level="1/2", epsilon=1)
    >>> median.rank_error("0.05")
    94
    >>> median(LineCounts.of(range(0, 10**6, 100), bits=64), rng=Seeded(3))
    499...

    Proof: docs/proofs/private_quantile.md
    """

    bits: int
    level: Fraction
    epsilon: Fraction

    def __init__(self, bits: int, *, level: Exact, epsilon: Exact) -> None:
        hold(self, level=_level(level)).count(bits=bits, least=1).positive(epsilon=epsilon)

    def __call__(self, records: LineCounts, *, rng: Random) -> int:
        return Exponential(self.epsilon)(self.profile(records), rng=rng)

    def law(self, records: LineCounts) -> Law[int]:
        """Return the exact law of the answer, for ranges small enough to list."""
        return Exponential(self.epsilon).law(self.profile(records))

    def profile(self, records: LineCounts) -> ScoreProfile[int]:
        """Score all numbers: each record is a cell of its own, and so is each gap."""
        if records.bits != self.bits:
            raise InvalidArgument(f"records must have bits={self.bits}, got {records.bits}")
        rank = records.rank(self.level)
        reached = np.cumsum(records.counts)
        before = np.concatenate(([0], reached))
        at_most = np.empty(2 * len(reached) + 1, dtype=np.int64)
        less = np.empty_like(at_most)
        at_most[0::2], less[0::2] = before, before
        at_most[1::2], less[1::2] = reached, before[:-1]
        scores = -np.maximum(np.maximum(rank - at_most, less - (rank - 1)), 0)
        starts = [0, *(end for x in records.points.tolist() for end in (x, x + 1))]
        ends = [*starts[1:], 1 << self.bits]
        widths = [end - start for start, end in zip(starts, ends, strict=True)]
        return ScoreProfile(scores, integers(widths), lambda cell, place: starts[cell] + place)

    def failure(self, misses: int) -> Fraction:
        """Bound the probability that the answer misses its rank by `misses` or more."""
        return Exponential(self.epsilon).failure(misses, size=1 << self.bits)

    def rank_error(self, beta: Exact) -> int:
        """Return by how much the rank may be missed but with probability beta."""
        return Exponential(self.epsilon).shortfall(beta, size=1 << self.bits) - 1


def _level(level: Exact) -> Fraction:
    read = check.nonnegative(level=level)
    if read > 1:
        raise InvalidArgument(f"level must lie between 0 and 1, got {level}")
    return read


@dataclass(frozen=True, slots=True)
class PrefixQuantile:
    """Find a point between the records whose ranks are nearest to the wanted one.

    Guarantee:
        (epsilon, delta)-DP on every sample. The answer misses its rank by more than `rank_error`
        with probability at most beta, whatever the number of records: those that are missing are
        read as the ends of the range.

    Exactness:
        As `InteriorPoint`.

    Cost:
        As `InteriorPoint`; time n log n.

    >>> from tacit.core.chance.randomness import Seeded
    >>> median = PrefixQuantile(1024, level="1/2", epsilon=1, delta="1e-6")
    >>> median.rank_error, PrivateQuantile(1024, level="1/2", epsilon=1).rank_error("0.05")
    (139, 1425)
    >>> records = LineCounts.of([x << 1000 for x in range(2000)], bits=1024)
    >>> 861 <= median(records, rng=Seeded(0)) >> 1000 <= 1139
    True

    Proof: docs/proofs/private_quantile.md
    """

    level: Fraction
    interior: InteriorPoint

    def __init__(
        self,
        bits: int,
        *,
        level: Exact,
        epsilon: Exact,
        delta: Exact,
        beta: Exact = Fraction(1, 20),
        bars: tuple[int, int, int, int] | None = None,
    ) -> None:
        interior = InteriorPoint(bits, epsilon=epsilon, delta=delta, beta=beta, bars=bars)
        hold(self, level=PrivateQuantile(bits, level=level, epsilon=1).level, interior=interior)

    @property
    def cost(self) -> Sequential:
        return self.interior.cost

    @property
    def rank_error(self) -> int:
        """By how much the rank may be missed but with probability beta."""
        return self.interior.rows // 2

    def __call__(self, records: LineCounts, *, rng: Random) -> int:
        return self.interior(self._near(records), rng=rng)

    def law(self, records: LineCounts) -> Law[int]:
        return self.interior.law(self._near(records))

    def failure(self, misses: int) -> Fraction:
        """Bound the probability that the answer misses its rank by more than `misses`."""
        enough = misses >= self.rank_error
        return self.interior.failure(self.interior.rows) if enough else Fraction(1)

    def _near(self, records: LineCounts) -> LineCounts:
        if records.bits != self.interior.bits:
            raise InvalidArgument(
                f"records must have bits={self.interior.bits}, got {records.bits}"
            )
        rows = self.interior.rows
        return records.window(records.rank(self.level) - rows // 2, rows)
