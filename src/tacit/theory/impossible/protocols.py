"""How many rows one-way protocols ask of pure learners, proper or not.

Of the papers: FX14 Thm 6.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from tacit.core import Exact, check, least
from tacit.theory.impossible.differing_rows import GUARD, LARGE, differing_rows, number

NEARS = 24
"""Accuracies, and failures, of a protocol that are tried: a grid of so many times so many."""


def protocol_bound(
    messages: Callable[[float], float | Fraction], *, epsilon: Exact, alpha: Exact, beta: Exact
) -> int:
    """Bound the rows of a pure learner by the `messages` that protocols of any error need.

    Runs of the learner on two constant, public samples are a representation, and that a protocol
    [BNS19 Lemma 16; FX14 Thm 6 and Thm 7; docs/proofs/lower_bounds.md]; best over how near and how
    surely.

    >>> lines = lambda error: 4 * (1 - 2 * error) ** 2 * 10006**2 / 10007
    >>> protocol_bound(lines, epsilon="0.1", alpha="0.1", beta="0.1")
    221
    """
    rate, error = number(epsilon=epsilon), number(alpha=alpha)
    failure, tried = float(check.probability(beta=beta)), []
    for near in np.geomspace(error, 0.5, NEARS, endpoint=False) if error < 0.5 else ():
        share = min(1.0, error / float(near))
        for miss in np.geomspace(1e-3, 0.5, NEARS):
            both = float(near + miss - near * miss)
            needed = math.ceil(float(messages(both)) * (1 - GUARD)) if both < 0.5 else 1
            runs = needed - 1 if share == 1 else math.ceil(needed / 2) - 1
            if runs > 0:
                log_hit = math.log(-math.expm1(math.log(miss) / runs) * (1 + GUARD))
                each = math.log1p(share * math.expm1(min(rate, 700.0)))
                tried.append(((math.log(1 - failure) - log_hit) / each, log_hit, share))
    tried = sorted(tried, reverse=True)[:NEARS]
    best = math.floor(max(0.0, tried[0][0]) * (1 - GUARD)) if tried else 0
    for _, log_hit, share in tried if best < LARGE else ():
        best = least(_likely(log_hit, rate, failure, share), low=best)
    return best


def _likely(log_hit: float, rate: float, failure: float, share: float) -> Callable[[int], bool]:
    """Whether K of Bin(n, share) raises E min(1, hit e^(epsilon K)) to 1 - beta; or n is huge."""

    def likely(n: int) -> bool:
        counts, chances = differing_rows(n, share)
        success = float(chances @ np.exp(np.minimum(log_hit + rate * counts, 0.0)))
        return n > LARGE or success * (1 + GUARD) + GUARD >= 1 - failure

    return likely
