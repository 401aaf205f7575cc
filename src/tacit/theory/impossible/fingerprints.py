"""How many rows k arbitrary labels ask of private learners: fingerprinting.

Of the papers: BNS16 Remark 4.4, BNS16 Cor 4.6, BNS16 Remark 4.8, BNS16 Prop 4.11.
"""

from __future__ import annotations

import math

import numpy as np

from tacit.core import Exact, check, least
from tacit.theory.impossible.differing_rows import GUARD, LARGE, Floats, added, grown, mean, number

FINER = 1.2
"""The ratio of lengths of a line that are tried one after the other."""


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
    k, error = check.count(labels=labels, least=1), number(alpha=alpha)
    failure = float(check.probability(beta=beta))
    agreed = 0.5 - failure
    if agreed <= 0:
        return 0
    times = min(math.sqrt(3 * (1 - failure) / agreed), 1 / error)  # w / alpha, for w <= 1
    told = agreed - (1 - failure) / times**2
    return _rows(k, told, epsilon=epsilon, delta=delta, mass=times * error)


def labels_of_uniform_points(
    labels: int, *, epsilon: Exact, delta: Exact, alpha: Exact, beta: Exact
) -> int:
    """Bound the rows of a learner of k arbitrary labels by parities, where points are uniform.

    Label j has a bias p_j as above, whatever the point. If it is towards no, the constant no is the
    best parity; if not, all others err 1/2. So hypotheses must tell the two apart by how often they
    say yes [BNS16 Prop 4.11; docs/proofs/lower_bounds.md].

    >>> labels_of_uniform_points(10**4, epsilon=1, delta="1e-9", alpha=0.01, beta=0.05)
    46
    """
    k, error = check.count(labels=labels, least=1), number(alpha=alpha)
    failure = float(check.probability(beta=beta))
    told = (1 - failure) * (0.25 - 2 * error + 1.5 * error**2) - failure / 2
    return _rows(k, told, epsilon=epsilon, delta=delta, mass=1.0) if error < 0.5 else 0


def many_thresholds(
    labels: int, *, line: int, epsilon: Exact, delta: Exact, alpha: Exact, beta: Exact
) -> int:
    """Bound the rows of a learner of k labels that thresholds explain, on a line of so many points.

    The last point, where all thresholds say yes, has mass 1 - 2 alpha; m others share the rest. Of
    each of the m + 1 cuts there are d = k / (m + 1) labels, in a secret order. Who errs at most
    alpha tells the first cut from the last; somewhere between it tells two next to each other
    apart, by no more than the rows at one point, about 2 alpha n / m of them, allow. Best over m.
    It binds learners that hide the labels only, too [BNS16 Cor 4.6; docs/proofs/lower_bounds.md].

    >>> asked = {"epsilon": 1, "delta": "1e-9", "alpha": 0.1, "beta": 0.05}
    >>> [many_thresholds(10**k, line=2**16, **asked) for k in (1, 3, 6)]
    [19, 53, 540]
    """
    k, rate = check.count(labels=labels, least=1), number(epsilon=epsilon)
    share, failure = 2 * number(alpha=alpha), float(check.probability(beta=beta))
    shift = added(rate, float(check.small_probability(delta=delta)))
    most, best, points = min(check.count(line=line, least=1), k) - 1, 0, 1
    if share >= 1 or 2 * failure >= 1:
        return 0
    while points <= most:
        same = k // (points + 1)
        spread, m = math.sqrt(same**2 / (2 * same - 1)), points

        def gained(rows: Floats, same: int = same, spread: float = spread) -> Floats:
            told = 2 * np.sinh(np.minimum(rate * rows / 2, 350.0)) * spread
            slack = shift * (grown(rate, rows) - 1)
            return np.minimum(told + 2 * slack * same, same)

        def possible(n: int, m: int = m, same: int = same) -> bool:
            reached = m * mean(n, share / m, gained)
            return n > LARGE or reached >= same * (1 - 2 * failure) * (1 - GUARD)

        best = least(possible, low=best)
        points = max(points + 1, math.floor(points * FINER))
    return best


def _rows(k: int, told: float, *, epsilon: Exact, delta: Exact, mass: float) -> int:
    """Return the rows that agree with k biases so much: each adds but little, if it is hit at all.

    `told` is how much an answer agrees with its bias on average, `mass` how often rows are hit.
    """
    rate, slack = number(epsilon=epsilon), float(check.small_probability(delta=delta))
    spread = math.sqrt((1 - slack) * 2 * k / 3)
    each = 2 * math.sinh(min(rate, 700.0) / 2) * spread + 4 * slack * k
    return max(0, math.ceil(2 * k * told / (mass * each) * (1 - GUARD)))
