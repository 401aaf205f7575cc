"""What a learner promises about its predictor.

Of the papers: FX14 Def 13, FX14 Def 14, BNS19 Def 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core.frozen import hold
from tacit.core.numbers.exact import Exact


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Error at most alpha (agnostic: at most alpha above the best) with probability >= 1 - beta.

    >>> Accuracy(0.1, 0.05)
    Accuracy(alpha=Fraction(1, 10), beta=Fraction(1, 20))
    """

    alpha: Fraction
    beta: Fraction

    def __init__(self, alpha: Exact, beta: Exact) -> None:
        hold(self).probability(alpha=alpha, beta=beta)
