"""How likely disjoint blocks of rows make one of the bad candidates win, and it is told."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from tacit.core.balls import Ball, ball, round_up, upper

BITS = 192


def badly_told(chance: Fraction, told: Sequence[Fraction]) -> Fraction:
    """Bound the probability that a bad candidate is told, rounded up.

    Each of r voters is for at most one candidate, and for any bad one with probability at most
    `chance`, independently; a candidate with v votes is told with probability at most told[v],
    which rises from told[0] = 0 to told[r]. The candidates need not be counted: together they have
    at most r votes (docs/proofs/stable_erm.md).

    >>> float(badly_told(Fraction(1, 2), [Fraction(0), Fraction(1, 10), Fraction(1)]))
    0.6
    """
    voters = len(told) - 1
    if not chance or not voters:
        return Fraction(0)
    shares = list(accumulate((told[v] / v for v in range(1, voters + 1)), max))
    if chance == 1:
        return min(Fraction(1), voters * shares[-1])

    def bound() -> Ball:
        p = ball(chance)
        term, odds = (1 - p) ** (voters - 1), p / (1 - p)
        total = term * ball(shares[0])
        for v in range(1, voters):
            term = term * odds * (voters - v) / v
            total += term * ball(shares[v])
        return voters * total

    return min(Fraction(1), round_up(upper(bound, BITS + voters.bit_length()), 64))
