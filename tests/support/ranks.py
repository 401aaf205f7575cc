"""By how many records a value misses being a quantile: what mechanisms are measured by."""

from __future__ import annotations

from fractions import Fraction

from tacit.statistics.counts.line_counts import LineCounts


def rank_misses(records: LineCounts, level: Fraction, value: int) -> int:
    """Count the records that have to change for `value` to be the quantile.

    >>> [rank_misses(LineCounts.of([1, 3, 3, 6], bits=3), Fraction(1, 2), y) for y in range(8)]
    [2, 1, 1, 0, 2, 2, 2, 3]
    """
    rank = records.rank(level)
    less = records.n - records.at_least(value)
    return max(rank - records.at_most(value), less - (rank - 1), 0)
