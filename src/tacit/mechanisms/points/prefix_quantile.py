"""A quantile of integer records over ranges of any length: an interior point of those near it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core import Exact, InvalidArgument, Law, Random, hold
from tacit.core.cost import Sequential
from tacit.mechanisms.points.interior_point import InteriorPoint
from tacit.mechanisms.points.private_quantile import PrivateQuantile
from tacit.statistics import LineCounts


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
        """What one quantile costs."""
        return self.interior.cost

    @property
    def rank_error(self) -> int:
        """By how much the rank may be missed but with probability beta."""
        return self.interior.rows // 2

    def __call__(self, records: LineCounts, *, rng: Random) -> int:
        """Find a number."""
        return self.interior(self._near(records), rng=rng)

    def law(self, records: LineCounts) -> Law[int]:
        """Return the exact law of the answer, for few bits."""
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
