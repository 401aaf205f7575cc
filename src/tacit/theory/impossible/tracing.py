"""How many rows privacy needs because a code would otherwise trace the learner's output.

Of the papers: BNS16 Cor 4.6, BNS16 Cor 4.10.
"""

from __future__ import annotations

import math

from tacit.core import Exact, check, least
from tacit.theory.codes.symmetric_tardos import bias_law
from tacit.theory.impossible.packing import packing

GUARD = 1e-9
"""A share by which sums of floats may be wrong."""
FEW = 64
"""Labels: one row that tells so many tells any number, but for what no budget allows."""


def thresholds_untraceable(labels: int, *, epsilon: Exact, delta: Exact, beta: Exact) -> int:
    """Return the rows below which no (epsilon, delta)-DP learner fits k thresholds to its rows.

    On every table of so few rows, with k labels that thresholds explain, it would have to find
    hypotheses that err on less than half of the rows, with probability 1 - beta; the columns are
    those of the Boneh-Shaw code [BNS16 Cor 4.6; log-free in docs/proofs/fingerprinting.md].

    >>> [thresholds_untraceable(10**k, epsilon=1, delta="1e-8", beta=0.1) for k in (2, 4, 6)]
    [5, 23, 106]
    """
    k = check.count(labels=labels, least=1)
    half, slack, failing = _numbers(epsilon, delta, beta)

    def allowed(n: int) -> bool:
        d = k // (n + 1)
        if d == 0:
            return True
        gained = half * math.sqrt((1 - slack) * d * d / (2 * d - 1)) + 2 * slack * d
        return n * gained >= d * (1 - 2 * failing) * (1 - GUARD)

    return least(allowed, low=1)


def labels_untraceable(labels: int, *, epsilon: Exact, delta: Exact, beta: Exact) -> int:
    """Return the rows below which no (epsilon, delta)-DP agnostic learner of k labels exists.

    On every table of so few rows, all at one point, it would have to say each label that all rows
    share, with probability 1 - beta; so for every class with two concepts that differ somewhere
    [BNS16 Cor 4.10; log-free in docs/proofs/fingerprinting.md].

    >>> [labels_untraceable(10**k, epsilon=1, delta="1e-8", beta=0.1) for k in (2, 4, 6)]
    [6, 50, 488]
    >>> labels_untraceable(1, epsilon=3, delta=0, beta=0.1), labels_untraceable(
    ...     1, epsilon=1, delta=0, beta=0.1
    ... )
    (1, 2)
    """
    k = check.count(labels=labels, least=1)
    half, slack, failing = _numbers(epsilon, delta, beta)

    alone = 1 << min(k, FEW)  # what a single row must tell apart

    def allowed(n: int) -> bool:
        if n < 2:
            budget = {"epsilon": epsilon, "delta": delta}
            return failing > 0 and packing(alone, **budget, beta=beta) <= 1
        law = bias_law(n)
        steepest = math.sqrt((1 - law.biases[0]) / law.biases[0])
        gained = half * math.sqrt((1 - slack) * k) + 2 * slack * k * steepest
        return n * gained >= law.advantage * (1 - 2 * failing) * k * (1 - GUARD)

    return least(allowed, low=1)


def _numbers(epsilon: Exact, delta: Exact, beta: Exact) -> tuple[float, float, float]:
    """Return 2 sinh(epsilon / 2), delta and beta."""
    rate = min(float(check.positive(epsilon=epsilon)), 700.0)
    slack = float(check.small_probability(delta=delta))
    return 2 * math.sinh(rate / 2), slack, float(check.small_probability(beta=beta))
