"""By how much a choice among many falls short of the best."""

from __future__ import annotations

import math

from tacit.core import Decay, Exact, check
from tacit.core.numbers.enclosures import real, upper


def shortfall(decay: Decay, *, size: int, beta: Exact) -> int:
    """Return a g, nearly the least, such that a choice is worse by g with probability <= beta.

    The choice is among `size` hypotheses, with ratio q for each unit of score: it is worse than the
    best by g or more with probability at most w / (1 + w), w = (size - 1) q^g
    (docs/proofs/exponential.md). Fast however large g is.

    >>> from fractions import Fraction
    >>> shortfall(Decay.of(Fraction(1, 2)), size=1000, beta=0.05)
    20
    """
    beta = check.probability(beta=beta)
    odds = (check.count(size=size, least=1) - 1) * (1 - beta) / beta
    if odds <= 1:
        return 1
    return max(1, math.ceil(upper(lambda: -real(odds).log() / real(decay.ratio).log())))


def about(rate: float, *, size: int, beta: float) -> float:
    """Return about the shortfall, for comparisons: it promises nothing.

    >>> round(about(0.5, size=1000, beta=0.05), 1)
    19.7
    """
    return max(1.0, (math.log(max(size - 1, 1)) + math.log1p(-beta) - math.log(beta)) / rate)
