"""How sure a share of failures is."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.special import betaincinv

from tacit.core import check
from tacit.core.numbers.exact import Exact


@dataclass(frozen=True, slots=True)
class Share:
    """So many failures in so many runs, and between what their probability lies."""

    failures: int
    runs: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        """The share of the runs that failed."""
        return self.failures / self.runs


def share(failures: int, runs: int, *, level: Exact = "0.05") -> Share:
    """Return the share with an interval that misses the probability in at most this share of cases.

    The interval of Clopper and Pearson, which holds for every probability and number of runs
    [CP34]; that of Wilson is shorter and does not.

    >>> share(3, 100)
    Share(failures=3, runs=100, low=0.00622..., high=0.08517...)
    """
    check.count(runs=runs, least=1)
    check.count(failures=failures)
    tail = float(check.probability(level=level)) / 2
    low = betaincinv(failures, runs - failures + 1, tail) if failures else 0.0
    high = betaincinv(failures + 1, runs - failures, 1 - tail) if failures < runs else 1.0
    return Share(failures, runs, float(low), float(high))
