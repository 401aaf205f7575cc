"""From an accurate private learner to a representation, gaining from its accuracy.

If a learner is accurate within alpha, then on samples of which only a share w = alpha / alpha' is
not one fixed row it is still accurate within alpha' on that share; and such samples are near the
constant one. Floats are used with a margin on the safe side.

Of the papers: BNS19 Lemma 16, BNS19 Thm 19.
"""

from __future__ import annotations

import math

import numpy as np

from tacit.core import Exact, check, least
from tacit.theory.impossible.differing_rows import GUARD, LARGE, added, differing_rows, grown


def local_hit(
    n: int,
    *,
    epsilon: Exact,
    alpha: Exact,
    coarse: Exact = "1/4",
    beta: Exact = "1/2",
    delta: Exact = 0,
) -> float:
    """Bound from below how likely a run on a constant sample is good within `coarse`.

    The learner has n rows and is (alpha, beta)-accurate; K ~ Bin(n, alpha / coarse) rows differ, so
    1 - beta <= E min(1, a e^(epsilon K) + delta (e^(epsilon K) - 1) / (e^epsilon - 1)): the least
    such a, rounded down (docs/proofs/communication.md).

    >>> round(math.log(local_hit(200, epsilon="0.1", alpha="0.05")), 3)
    -4.801
    """
    rate, slack = float(check.positive(epsilon=epsilon)), float(check.exact(delta=delta))
    share = min(1.0, float(check.positive(alpha=alpha) / check.probability(coarse=coarse)))
    success = 1 - float(check.probability(beta=beta))
    counts, chances = differing_rows(check.count(n=n), share)  # hits grow with what differs
    lost = added(rate, slack) * (grown(rate, counts) - 1)

    def too_rare(log_a: float) -> bool:
        hit = np.minimum(1.0, np.exp(np.minimum(log_a + rate * counts, 60.0)) + lost)
        return bool(float(chances @ hit) * (1 + GUARD) + GUARD < success)

    low, high = -rate * n - 80, 0.0
    if not too_rare(low):
        return 0.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if too_rare(middle) else (low, middle)
    return math.exp(low)


def local_runs(hit: float, failure: Exact = "1/4") -> int:
    """Return how many runs on each of the two constant samples are enough.

    >>> 2 * local_runs(local_hit(200, epsilon="0.1", alpha="0.05"))
    336
    """
    beta = float(check.probability(failure=failure))
    return max(1, math.ceil(math.log(beta) / math.log1p(-hit) * (1 + GUARD)))


def local_bound(
    size: int,
    *,
    epsilon: Exact,
    alpha: Exact,
    beta: Exact = "1/2",
    delta: Exact = 0,
    near: tuple[Exact, Exact] = ("1/4", "1/4"),
) -> int:
    """Bound the rows of a learner of a class whose representations, so `near`, have sets of `size`.

    >>> local_bound(10**3, epsilon="0.1", alpha="0.05"), local_bound(10**6, epsilon=1, alpha="0.01")
    (254, 299)
    """
    check.count(size=size, least=1)

    def possible(n: int) -> bool:
        hit = local_hit(n, epsilon=epsilon, alpha=alpha, coarse=near[0], beta=beta, delta=delta)
        return n > LARGE or hit <= 0 or 2 * local_runs(hit, near[1]) >= size

    return least(possible)
