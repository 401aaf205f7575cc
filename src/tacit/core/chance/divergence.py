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
    excess = sum(
        (max(Fraction(0), mass - factor * q[outcome]) for outcome, mass in p.probabilities.items()),
        Fraction(0),
    )
    slack = p.slack + factor * q.slack
    return Bounds(max(Fraction(0), excess - slack), min(Fraction(1), excess + slack))


def max_ratio(p: Law[T], q: Law[T]) -> Bounds:
    """Return the largest p/q over outcomes: e to the pure privacy loss.

    An outcome that q cannot produce makes the ratio infinite. The slack of p may sit on any outcome
    that p lists, or, unless p is `complete`, on one that it does not: then the ratio is unbounded.

    >>> p, q = Law({0: Fraction(1)}), Law({0: Fraction(1, 2), 1: Fraction(1, 2)})
    >>> max_ratio(p, q).upper, max_ratio(q, p).upper
    (Fraction(2, 1), None)
    """
    lowest: Fraction = Fraction(1)
    highest: Fraction | None = None if p.slack and not p.complete else Fraction(1)
    for outcome in p.probabilities.keys() | q.probabilities.keys():
        mass, other = p[outcome], q[outcome]
        if mass == 0 and p.slack == 0:
            continue
        floor = other + q.slack
        if mass > p.slack:
            lowest = max(lowest, (mass - p.slack) / floor if floor else INFINITE)
        ceiling = other - q.slack
        if highest is not None:
            highest = max(highest, (mass + p.slack) / ceiling) if ceiling > 0 else None
    return Bounds(lowest, highest)


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
