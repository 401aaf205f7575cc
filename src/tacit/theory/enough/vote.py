"""How likely disjoint blocks of rows make one of the bad candidates win, and it is told."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from tacit.core.numbers.enclosures import Enclosure, real, round_up, upper

BITS = 192
HALF, NEGLIGIBLE = 0.5, 2.0**-80


def badly_told(
    chance: Fraction, told: Sequence[Fraction], candidates: int | None = None
) -> Fraction:
    """Bound the probability that a bad candidate is told, rounded up.

    Each of r voters is for at most one candidate, and for any bad one with probability at most
    `chance`, independently; a candidate with v votes is told with probability at most told[v],
    which rises from told[0] = 0 to told[r]. The candidates need not be counted: together they have
    at most r votes. If they are, and `chance` is so small that they have fewer, that counts
    (docs/proofs/stable_erm.md).

    >>> float(badly_told(Fraction(1, 2), [Fraction(0), Fraction(1, 10), Fraction(1)]))
    0.6
    >>> float(badly_told(Fraction(1, 8), [Fraction(0), Fraction(1, 10), Fraction(1)], 4))
    0.15
    """
    share = Fraction(1) if candidates is None else min(Fraction(1), candidates * chance)
    voters = len(told) - 1
    if not chance or not voters:
        return Fraction(0)
    if chance == 1:
        return min(Fraction(1), share * voters * max(told[v] / v for v in range(1, voters + 1)))

    def bound() -> Enclosure:
        p, total = real(chance), real(0)
        term, odds = (1 - p) ** (voters - 1), p / (1 - p)
        shares = accumulate((told[v] / v for v in range(1, voters + 1)), max)
        for v, most in enumerate(shares, 1):
            total += term * real(most)
            ratio = odds * (voters - v) / v
            term = term * ratio
            if bool(ratio < HALF) and bool(term < total * NEGLIGIBLE):
                total += 2 * term  # what is left, were all of it told
                break
        return real(share) * voters * total

    return min(Fraction(1), round_up(upper(bound, BITS + voters.bit_length()), 64))
