"""How many rows learning takes without privacy: what privacy's price is measured against.

Of the papers: BNS16 Cor 2.12.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core import Accuracy, Decay, check, least
from tacit.theory.enough.agnostic import AgnosticBound
from tacit.theory.enough.choice import better_bounds
from tacit.theory.solving.class_table import named

GUARD = 1e-9
HARD = Fraction(1000)
"""A rate at which the exponential mechanism is as good as the least error."""


def without_privacy(
    concepts: ConceptClass[Any],
    accuracy: Accuracy,
    *,
    labels: int = 1,
    agnostic: bool = False,
    best_error: Fraction | None = None,
) -> int:
    """Return how many rows are enough to learn k labels by least error, privacy aside.

    The best of a union over the class, of one over its labellings of a double sample, whose number
    is at most Sauer's sum [Sau72], and of what an order of the points gives; the same bounds as for
    private learners, so that what privacy costs can be read off. Labels of concepts need no more
    rows if there are more of them: two concepts that differ much do so for every label
    [BNS16 Cor 2.12]. Arbitrary labels need fewer if the best concept is said to err at most
    `best_error`. Constants in docs/proofs/baseline.md.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> [without_privacy(Thresholds(32), Accuracy(0.1, 0.05), labels=k) for k in (1, 10**9)]
    [36, 232]
    """
    k = check.count(labels=labels, least=1)
    if agnostic:
        return _arbitrary(concepts, accuracy, k, best_error)
    return _explained(concepts, accuracy, k)


def _explained(concepts: ConceptClass[Any], accuracy: Accuracy, k: int) -> int:
    """Labels of concepts: whoever errs nowhere on the rows."""
    log_failure, alpha = math.log(float(accuracy.beta)) - GUARD, float(accuracy.alpha)
    size, dimension = named(concepts), concepts.vc.upper
    log_labels = math.log(k)
    log_size = math.inf if size is None else math.log(size)
    chained = math.inf if concepts.chains is None else math.log(concepts.chains) + log_labels
    listed = min(log_size + log_labels, 2 * log_size - math.log(2), chained)

    def enough(n: int) -> bool:
        log_patterns = _log_growth(dimension, 2 * n)
        doubled = math.log(2) + log_patterns + min(log_labels, log_patterns)
        doubled -= math.floor(alpha * n) * math.log(2)
        return min(listed + n * math.log1p(-alpha), doubled) <= log_failure

    return least(enough, low=1)


def _arbitrary(
    concepts: ConceptClass[Any], accuracy: Accuracy, k: int, best_error: Fraction | None
) -> int:
    """Arbitrary labels: each may mislead anew."""
    size, dimension = named(concepts), concepts.vc.upper
    alpha, beta = accuracy.alpha, accuracy.beta / k
    half, log_failure = float(alpha) / 2, math.log(float(accuracy.beta)) - math.log(k) - GUARD

    def enough(n: int) -> bool:
        # half of alpha for the best concepts' luck, half for everybody's
        one = -2 * n * half**2
        everybody = math.log(2) + _log_growth(dimension, 2 * n) - _square(n, half)
        return max(one, everybody) + math.log(2) <= log_failure

    found = [least(enough, low=1)]
    if size is not None:
        decay = Decay.of(HARD)
        found.append(AgnosticBound(size, HARD).sample_size(alpha, beta))
        better = better_bounds(concepts, decay, beta, agnostic=True, best_error=best_error)
        found += [each.sample_size(alpha, beta) for each in better]
    return min(found)


def _square(n: int, gap: float) -> float:
    rows = math.floor(gap * n)
    return rows * rows / (n + 1)


def _log_growth(dimension: int, points: int) -> float:
    """Return ln of sum_{i <= d} C(m, i), bounded by the largest term times their number."""
    d = min(dimension, points)
    logs = (
        math.lgamma(points + 1) - math.lgamma(i + 1) - math.lgamma(points - i + 1)
        for i in range(d + 1)
    )
    top = -math.inf
    total = 0.0
    for log in logs:
        if log > top:
            total = total * math.exp(top - log) if total else 0.0
            top = log
        total += math.exp(log - top)
    return top + math.log(total)
