"""What a number of successes says about their probability: Clopper-Pearson bounds."""

from __future__ import annotations

from scipy.special import betaincinv


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
