"""A budget that is not spent in full, where less of it needs fewer rows."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from tacit.core import InvalidArgument

L = TypeVar("L")
PART, MOST = Fraction(3, 4), Fraction(8)


def thrifty(planned: Callable[[Fraction], tuple[int, L]], epsilon: Fraction) -> L:
    """Return what is planned for epsilon, or for less of it as long as that needs fewer rows.

    A choice among hypotheses that are only near the target must not trust every single row: beyond
    some budget it needs more of them. Up to 1 is spent, and never more than 8.

    >>> def rows(epsilon: Fraction) -> tuple[int, str]:
    ...     return int(100 / epsilon + 10 * epsilon), f"epsilon {epsilon}"
    >>> thrifty(rows, Fraction(1, 2)), thrifty(rows, Fraction(8))
    ('epsilon 1/2', 'epsilon 27/8')
    """
    best: tuple[int, L] | None = None
    epsilon = min(epsilon, MOST)
    refusal: InvalidArgument | None = None
    while True:
        try:
            found = planned(epsilon)
        except InvalidArgument as refused:
            found, refusal = None, refused
        if best is not None and (found is None or found[0] >= best[0]):
            return best[1]
        best = found or best
        if epsilon <= 1:
            break
        epsilon *= PART
    if best is None:
        assert refusal is not None
        raise refusal
    return best[1]
