"""Optimal composition of pure releases."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from tacit.core.composition.certified import least_epsilon, number, probability
from tacit.core.composition.interpreters import basic, responses, two_point
from tacit.core.numbers.enclosures import Enclosure, real

if TYPE_CHECKING:
    from tacit.core.composition.worlds import RepeatedLeaf, Simple

MOST_OUTCOMES, MOST_TIMES = 4096, 10**6
"""Longer sums are left to other interpreters."""


def epsilon(releases: tuple[RepeatedLeaf[Simple], ...], delta: Fraction) -> Fraction | None:
    """Return the least epsilon of adaptive pure releases; None where there are too many kinds.

    Guarantee:
        delta(epsilon) of the randomised responses, which is attained [KOV15, Thm. 3.3 for equal
        losses; MV16, Thm. 1.5 for others]. Bounded range counts as pure here.
    """
    ceiling = basic.total(releases)
    if delta == 0 or not ceiling:
        return ceiling
    losses: Counter[Fraction] = Counter()
    for release in releases:
        losses[basic.pure(release.leaf) or Fraction(0)] += release.times
    kinds = sorted(losses.items())
    if len(kinds) == 1:
        return _equal(*kinds[0], delta)
    return _mixed(kinds, delta, ceiling) if responses.count(kinds) <= MOST_OUTCOMES else None


def _equal(loss: Fraction, times: int, delta: Fraction) -> Fraction | None:
    if times > MOST_TIMES:
        return None
    return least_epsilon(
        lambda x: two_point.estimate(times, number(loss), 2 * number(loss), x),
        lambda x: two_point.bound(times, loss, 2 * loss, x, limit=delta),
        delta=delta,
        ceiling=times * loss,
    )


def _mixed(
    kinds: list[tuple[Fraction, int]], delta: Fraction, ceiling: Fraction
) -> Fraction | None:
    positive = [(loss, mass) for loss, mass in responses.outcomes(kinds) if loss > 0]
    floats = [(number(loss), float(mass)) for loss, mass in positive]

    def estimate(x: float) -> float:
        return sum(mass * -math.expm1(x - loss) for loss, mass in floats if loss > x)

    def bound(x: Fraction) -> Fraction:
        def enclosed() -> Enclosure:
            terms = (mass * -real(x - loss).expm1() for loss, mass in positive if loss > x)
            return sum(terms, arb(0))

        return probability(enclosed)

    return least_epsilon(estimate, bound, delta=delta, ceiling=ceiling)
