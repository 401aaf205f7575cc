"""How likely a key that each row has with some probability stays untold."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tacit.core.balls import Ball, ball, upper


def binomial_miss(missed: Sequence[Fraction], n: int, mass: Fraction) -> Fraction:
    """Bound sum_c P[Bin(n, mass) = c] missed[c], the counts beyond the list being never missed.

    Exactness:
        Ball arithmetic, rounded up; n may be large, the list is what costs time.

    >>> float(binomial_miss([Fraction(1), Fraction(1, 2)], 2, Fraction(1, 2)))
    0.5
    """
    if not 0 < mass < 1:
        count = n if mass >= 1 else 0
        return missed[count] if count < len(missed) else Fraction(0)

    def total() -> Ball:
        term, odds = ball(1 - mass) ** n, ball(mass) / ball(1 - mass)
        added = ball(0)
        for c, chance in enumerate(missed[: n + 1]):
            added += term * ball(chance)
            term = term * odds * (n - c) / (c + 1)
        return added

    return min(Fraction(1), upper(total))
