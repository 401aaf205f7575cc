"""How many rows learning takes without privacy: what privacy's price is measured against.

Of the papers: BNS16 Cor 2.12.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.errors import TooLarge
from tacit.core.numbers.least import least
from tacit.theory.enough.agnostic import AgnosticBound

GUARD = 1e-9
HARD = Fraction(1000)
"""A rate at which the exponential mechanism is as good as the least error."""


def without_privacy(
    concepts: ConceptClass[Any], accuracy: Accuracy, *, labels: int = 1, agnostic: bool = False
) -> int:
    """Return how many rows are enough to learn k labels by least error, privacy aside.

    The better of a union over the class and of one over its labellings of a double sample, whose
    number is at most Sauer's sum [Sau72]; constants in docs/proofs/baseline.md.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> without_privacy(Thresholds(32), Accuracy(0.1, 0.05))
    140
    """
    k = check.count(labels=labels, least=1)
    log_failure = math.log(float(accuracy.beta)) - math.log(k)
    alpha, dimension = float(accuracy.alpha), concepts.vc.upper
    size = _size(concepts)
    log_size = math.inf if size is None else math.log(size)

    def enough(n: int) -> bool:
        log_patterns = _log_growth(dimension, 2 * n)
        if agnostic:
            # half of alpha for the best concepts' luck, half for everybody's
            one = -2 * n * (alpha / 2) ** 2
            everybody = min(log_size + one, math.log(2) + log_patterns - _square(n, alpha / 2))
            return max(one, everybody) + math.log(2) <= log_failure - GUARD
        listed = log_size + n * math.log1p(-alpha)
        doubled = math.log(2) + log_patterns - math.floor(alpha * n) * math.log(2)
        return min(listed, doubled) <= log_failure - GUARD

    listed = least(enough, low=1)
    if not agnostic or size is None:
        return listed
    chosen = AgnosticBound(size, HARD).sample_size(accuracy.alpha, accuracy.beta / k)
    return min(listed, chosen)


def _size(concepts: ConceptClass[Any]) -> int | None:
    """Return how many concepts there are, or None if they are too many to count."""
    try:
        return concepts.size
    except TooLarge:
        return None


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
