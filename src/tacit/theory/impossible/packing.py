"""How many rows it takes to tell many concepts apart: packings, and group privacy.

Of the papers: BNS19 Ex 10, BNS16 Thm 5.1, BNS16 Remark 5.2, BNS16 Thm 5.4.
"""

from __future__ import annotations

import math

import numpy as np

from tacit.core import check
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least import least_near
from tacit.theory.impossible.differing_rows import (
    GUARD,
    LARGE,
    Floats,
    added,
    differing_rows,
    grown,
    number,
)


def packing(
    families: int, *, epsilon: Exact, beta: Exact, mass: Exact = 1, delta: Exact = 0
) -> int:
    """Bound the rows of a learner that must tell apart this many distributions.

    Their rows differ where an event of this mass happens, and what is good for one is bad for all
    others. If K rows differ, e^(-epsilon K) = q and s = delta / (e^epsilon - 1), the average
    success is at most (1 + (M - 1) s (1 - q)) / (1 + (M - 1) q). If delta is 0, M E[q] <= 1, too,
    for what remains when the learner fails where it hurts least [docs/proofs/lower_bounds.md].

    >>> packing(2**32 - 1, epsilon=1, beta=0.05, mass=0.1)
    312
    >>> packing(2**8, epsilon=1, beta=0.1, mass=0.1, delta="1e-6")
    100
    """
    check.count(families=families, least=1)
    rate, failure = number(epsilon=epsilon), number(beta=beta)
    share = min(float(check.positive(mass=mass)), 1.0)
    shift = added(rate, float(check.small_probability(delta=delta)))
    log_others = math.log(families - 1) if families > 1 else -math.inf

    def possible(n: int) -> bool:
        counts, chances = differing_rows(n, share)
        success = float(chances @ _success(counts, rate, log_others, shift))
        if success + GUARD < 1 - failure:
            return False
        kept = _without_lowest(chances, failure)
        return shift > 0 or math.log(families) + _log_mean(kept, -rate * counts) <= GUARD

    about = _fewest(log_others, rate, failure, share) if not shift else 0
    return about if about > LARGE else least_near(lambda n: n > LARGE or possible(n), about)


def _success(counts: Floats, rate: float, log_others: float, shift: float) -> Floats:
    """Bound the average success; fewer of the distributions never give a better bound."""
    alone = 1 / (1 + np.exp(np.minimum(log_others - rate * counts, 700.0)))
    slack = np.minimum(1.0, shift * (grown(rate, counts) - 1))
    return np.asarray(alone + (1 - alone) * slack)


def _fewest(log_others: float, rate: float, failure: float, share: float) -> int:
    """Return how many rows it takes at least until enough of them differ, but with chance GUARD.

    The success is at most that chance plus 1 / (1 + (M - 1) e^(-epsilon k)), k being what a
    binomial number exceeds so rarely by Bernstein's inequality.
    """
    if failure + 2 * GUARD >= 1:
        return 0
    most = log_others + math.log((1 - failure - 2 * GUARD) / (failure + 2 * GUARD))
    wanted, rare = max(most, 0.0) / rate, -math.log(GUARD)
    # n share + t <= wanted for t = rare / 3 + sqrt(rare^2 / 9 + 2 rare n share)
    mean = wanted + rare * 2 / 3 - math.sqrt(rare * (2 * wanted + rare * 4 / 9))
    return math.floor(max(mean, 0.0) / share * (1 - GUARD))


def _without_lowest(chances: Floats, beta: float) -> Floats:
    """Take probability beta away from the lowest counts, where good hypotheses are likeliest."""
    below = np.concatenate(([0.0], np.cumsum(chances)[:-1]))
    return np.clip(chances - np.clip(beta + GUARD - below, 0, None), 0, None)


def _log_mean(weights: Floats, exponents: Floats) -> float:
    used = weights > 0
    if not used.any():
        return -math.inf
    top = float(exponents[used].max())
    return top + math.log(float(weights[used] @ np.exp(exponents[used] - top)))
