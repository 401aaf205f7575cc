"""How many rows k arbitrary labels ask of private learners: fingerprinting.

Of the papers: BNS16 Remark 4.8.
"""

from __future__ import annotations

import math

from tacit.core import check
from tacit.core.numbers.exact import Exact
from tacit.theory.impossible.differing_rows import GUARD, number


def many_labels(labels: int, *, epsilon: Exact, delta: Exact, alpha: Exact, beta: Exact) -> int:
    """Bound the rows of a learner of k arbitrary labels that may fail with probability beta.

    For any class with two concepts that agree on one point and differ on another, x, of mass w.
    Label j is +1 at x with a bias p_j that is uniform in [-1, 1]; whoever errs at most alpha is
    right about the sign of p_j unless |p_j| <= alpha / w. So its answers agree with the biases by
    1/2 - beta - (1 - beta) (alpha / w)^2 each on average, and privacy lets a row add but little to
    that. Best over w. It binds learners that hide only the labels of a row, too: the points do not
    move in the proof [BNS16; docs/proofs/lower_bounds.md].

    >>> many_labels(10**4, epsilon=1, delta="1e-9", alpha=0.01, beta=0.05)
    2802
    >>> many_labels(10**4, epsilon=1, delta="1e-9", alpha=0.12, beta=0.99)
    0
    """
    k, rate = check.count(labels=labels, least=1), number(epsilon=epsilon)
    error, failure = number(alpha=alpha), float(check.probability(beta=beta))
    slack, agreed = float(check.small_probability(delta=delta)), 0.5 - failure
    if agreed <= 0:
        return 0
    times = min(math.sqrt(3 * (1 - failure) / agreed), 1 / error)  # w / alpha, for w <= 1
    told = 2 * k * (agreed - (1 - failure) / times**2)
    spread = math.sqrt((1 - slack) * 2 * k / 3)
    each = 2 * math.sinh(min(rate, 700.0) / 2) * spread + 4 * slack * k
    return max(0, math.ceil(told / (times * error * each) * (1 - GUARD)))
