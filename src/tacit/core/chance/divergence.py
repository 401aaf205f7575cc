"""How far apart two laws are, from both sides when a law has slack.

Each function returns `Bounds(lower, upper)`; for laws without slack the two are equal.

Of the papers: BNS19 Def 1.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import NamedTuple, TypeVar

from tacit.core.chance.law import Law

T = TypeVar("T", bound=Hashable)


class Bounds(NamedTuple):
    """A number known to lie between two rationals; an infinite upper bound is None."""

    lower: Fraction
    upper: Fraction | None


def hockey_stick(p: Law[T], q: Law[T], factor: Fraction) -> Bounds:
    """Return the sum over outcomes of max(0, p - factor * q).

    >>> p, q = Law({0: Fraction(1)}), Law({0: Fraction(1, 2), 1: Fraction(1, 2)})
    >>> hockey_stick(p, q, Fraction(1)).upper
    Fraction(1, 2)
    """
    masses, loose, whole = p.parts
    others, vague, total = q.parts
    over, under = factor.as_integer_ratio()
    here, there, one = under * total, over * whole, under * total * whole
    gains = (mass * here - others.get(outcome, 0) * there for outcome, mass in masses.items())
    excess, slack = sum(gain for gain in gains if gain > 0), loose * here + vague * there
    return Bounds(Fraction(max(0, excess - slack), one), Fraction(min(one, excess + slack), one))


def max_ratio(p: Law[T], q: Law[T]) -> Bounds:
    """Return the largest p/q over outcomes: e to the pure privacy loss.

    An outcome that q cannot produce makes the ratio infinite. The slack of p may sit on any outcome
    that p lists, or, unless p is `complete`, on one that it does not: then the ratio is unbounded.

    >>> p, q = Law({0: Fraction(1)}), Law({0: Fraction(1, 2), 1: Fraction(1, 2)})
    >>> max_ratio(p, q).upper, max_ratio(q, p).upper
    (Fraction(2, 1), None)
    """
    masses, loose, whole = p.parts
    others, vague, total = q.parts
    low = high = whole, total  # the ratios in parts of either law: 1 is whole to total
    unbounded, exact = bool(loose) and not p.complete, not loose and not vague
    for outcome in masses.keys() | others.keys():
        mass, other = masses.get(outcome, 0), others.get(outcome, 0)
        if mass == 0 == loose:
            continue
        if mass > loose:
            low = _larger(low, (mass - loose, other + vague))
        unbounded = unbounded or other <= vague
        if not (unbounded or exact):
            high = _larger(high, (mass + loose, other - vague))
    lowest = Fraction(low[0] * total, low[1] * whole) if low[1] else INFINITE
    if unbounded or exact:
        return Bounds(lowest, None if unbounded else lowest)
    return Bounds(lowest, Fraction(high[0] * total, high[1] * whole))


def _larger(ratio: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Return the larger of two ratios of integers; below a line, 0 stands for the infinite."""
    return other if other[0] * ratio[1] > ratio[0] * other[1] else ratio


INFINITE = Fraction(10) ** 300
"""Stands for an unbounded lower bound on a ratio: larger than e^690."""


def ratio_range(p: Law[T], q: Law[T]) -> Bounds:
    """Return max(p/q) * max(q/p): e to the range of the privacy loss [DDR20].

    >>> third, rest = Fraction(1, 3), Fraction(2, 3)
    >>> ratio_range(Law({0: third, 1: rest}), Law({0: rest, 1: third})).upper
    Fraction(4, 1)
    """
    there, back = max_ratio(p, q), max_ratio(q, p)
    upper = None if there.upper is None or back.upper is None else there.upper * back.upper
    return Bounds(there.lower * back.lower, upper)
