"""One batch of bounded ranges among pure releases.

The pure releases are functions of randomised responses, which have total loss L with known
probabilities; and the batch, whatever was released before, has the delta_2 of `bounded_range`. So

    delta(epsilon) = E[ delta_2(epsilon - L) ],   delta_2(-x) = 1 - e^-x + e^-x delta_2(x),

whether the pure releases come before the batch or after (docs/proofs/composition.md). Private
synthetic data and then many labels learned from it at once is of this form.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from tacit.core.composition.certified import least_epsilon, number, probability
from tacit.core.composition.interpreters import basic, bounded_range, responses
from tacit.core.cost import BoundedRange
from tacit.core.numbers.enclosures import Enclosure, real

if TYPE_CHECKING:
    from tacit.core.composition.worlds import RepeatedLeaf, Simple

MOST_RESPONSES = 16
NEGLIGIBLE = Fraction(1, 10**8)
"""A part of delta that is not worth a finer bound."""


def epsilon(releases: tuple[RepeatedLeaf[Simple], ...], delta: Fraction) -> Fraction | None:
    """Return the least epsilon over all choices of the batch; other bounded ranges count as pure.

    None where there is no batch, or more than 16 outcomes of the responses.
    """
    ceiling = basic.total(releases)
    if delta == 0 or ceiling is None or len(releases) < 2:
        return None
    found = [
        _solve(batch, others, delta, ceiling)
        for batch in filter(bounded_range.fits, releases)
        if responses.count(others := _responses(releases, batch)) <= MOST_RESPONSES
    ]
    return min((value for value in found if value is not None), default=None)


def _responses(
    releases: tuple[RepeatedLeaf[Simple], ...], batch: RepeatedLeaf[BoundedRange]
) -> list[tuple[Fraction, int]]:
    return [(basic.pure(r.leaf) or Fraction(0), r.times) for r in releases if r is not batch]


def _solve(
    batch: RepeatedLeaf[BoundedRange],
    others: list[tuple[Fraction, int]],
    delta: Fraction,
    ceiling: Fraction,
) -> Fraction | None:
    width, times = batch.leaf.epsilon, batch.times
    outcomes = responses.outcomes(others)
    floats = [(float(loss), float(mass)) for loss, mass in outcomes]

    def estimate(x: float) -> float:
        return sum(mass * _estimate(times, number(width), x - loss) for loss, mass in floats)

    def bound(x: Fraction) -> Fraction:
        values = [
            (mass, x - loss, bounded_range.bound(times, width, abs(x - loss), limit=little))
            for loss, mass in outcomes
        ]
        return probability(
            lambda: sum((mass * _enclose(at, value) for mass, at, value in values), arb(0))
        )

    little = delta * NEGLIGIBLE
    return least_epsilon(estimate, bound, delta=delta, ceiling=ceiling)


def _estimate(times: int, width: float, x: float) -> float:
    value = bounded_range.estimate(times, width, abs(x))
    return value if x >= 0 else -math.expm1(x) + math.exp(x) * value


def _enclose(x: Fraction, value: Fraction) -> Enclosure:
    """Enclose delta_2(x), where value is delta_2(|x|)."""
    return real(value) if x >= 0 else 1 - real(x).exp() * real(1 - value)
