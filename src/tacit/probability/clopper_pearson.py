"""What a number of successes says about their probability: Clopper-Pearson bounds."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.special import betaincinv

from tacit.core import Exact, check


def at_least(successes: int, trials: int, level: float) -> float:
    """Return a bound that the probability is below with chance at most `level` [CP34].

    >>> round(at_least(10, 10, 0.001), 3), at_least(0, 10, 0.001)
    (0.501, 0.0)
    """
    return 0.0 if successes == 0 else float(betaincinv(successes, trials - successes + 1, level))


def at_most(successes: int, trials: int, level: float) -> float:
    """Return a bound that the probability is above with chance at most `level` [CP34].

    >>> round(at_most(0, 10, 0.001), 3)
    0.499
    """
    return 1.0 - at_least(trials - successes, trials, level)


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

    Both bounds hold for every probability and number of runs; Wilson's interval is shorter and does
    not.

    >>> share(3, 100)
    Share(failures=3, runs=100, low=0.00622..., high=0.08517...)
    """
    check.count(runs=runs, least=1)
    check.count(failures=failures)
    tail = float(check.probability(level=level)) / 2
    return Share(failures, runs, at_least(failures, runs, tail), at_most(failures, runs, tail))
