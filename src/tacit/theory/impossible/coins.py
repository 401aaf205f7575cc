"""How many rows arbitrary labels ask of any learner, private or not: biased coins."""

from __future__ import annotations

import math

from scipy.special import betainc

from tacit.core import Exact, check, least
from tacit.theory.impossible.differing_rows import GUARD, number

FLAT = 1e-5
"""A bias: coins of a smaller one are too many to sum over."""


def coins(labels: int, *, alpha: Exact, beta: Exact) -> int:
    """Bound the rows of any learner of k arbitrary labels, private or not [AB99, Lemma 5.1].

    All mass on one point where two concepts differ, and each label a coin of bias just above
    alpha / 2, to one side or the other: who is wrong about the side errs by more than alpha
    [docs/proofs/lower_bounds.md].

    >>> coins(1, alpha=0.1, beta=0.05), coins(100, alpha=0.1, beta=0.05)
    (269, 1073)
    """
    k = check.count(labels=labels, least=1)
    error, failure = number(alpha=alpha), number(beta=beta)
    wrong_each = -math.expm1(math.log1p(-failure) / k) if failure < 1 else 1.0

    def possible(half: int) -> bool:  # of 2 half + 1 coins, at most half fall to the right side
        wrong = float(betainc(half + 1.0, half + 1.0, (1 - error) / 2))
        return wrong * (1 - 1e-6) <= wrong_each

    if wrong_each >= 0.5:
        return 0
    if error < FLAT:  # the same, in closed form
        spread = (1 - error**2) / error**2 * (1 - GUARD)
        rows = -spread * math.log(8 * wrong_each * (1 - 2 * wrong_each))
        return max(math.floor(rows) - 1, coins(k, alpha=FLAT, beta=beta))
    return 2 * least(possible) + 1
