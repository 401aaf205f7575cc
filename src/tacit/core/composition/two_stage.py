"""Pure releases around one part whose whole privacy curve is known.

Let the second part have delta_2(x) at every x, whatever was released before. The pure releases are
functions of randomised responses, which have total loss L with known probabilities, so that

    delta(epsilon) = E[ delta_2(epsilon - L) ],   delta_2(-x) = 1 - e^-x + e^-x delta_2(x),

whether the pure releases come before, between or after (docs/proofs/composition.md). The second
part is one batch of bounded ranges, or everything that is not pure, by its Rényi divergence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from flint import arb

from tacit.core.balls import Ball, ball
from tacit.core.composition import basic, bounded_range, renyi, responses
from tacit.core.composition.certified import least_epsilon, number, probability
from tacit.core.composition.conversion import delta_at, delta_estimate
from tacit.core.cost import BoundedRange, Pure

if TYPE_CHECKING:
    from tacit.core.composition.worlds import Release, Simple

MOST_RESPONSES = 16
NEGLIGIBLE = Fraction(1, 10**8)
"""A part of delta that is not worth a finer bound."""


class Plan(NamedTuple):
    """Responses as (loss, times); the second part's curve for x >= 0; an epsilon known to do."""

    responses: list[tuple[Fraction, int]]
    estimate: Callable[[float], float]
    bound: Callable[[Fraction], Fraction]
    ceiling: Fraction


def epsilon(releases: tuple[Release[Simple], ...], delta: Fraction) -> Fraction | None:
    """Return the least epsilon over all ways to choose the second part; None where none is left."""
    if delta == 0 or len(releases) < 2:
        return None
    found = [_solve(plan, delta) for plan in _plans(releases, delta)]
    return min((value for value in found if value is not None), default=None)


def _plans(releases: tuple[Release[Simple], ...], delta: Fraction) -> Iterator[Plan]:
    for batch in filter(bounded_range.fits, releases):
        others = tuple(release for release in releases if release is not batch)
        if (ceiling := basic.total(releases)) is not None and _few(others):
            yield _batch_plan(batch, others, ceiling, delta)
    pure = tuple(release for release in releases if isinstance(release.leaf, Pure))
    rest = tuple(release for release in releases if release not in pure)
    if pure and rest and _few(pure):
        yield _renyi_plan(rest, pure, delta)


def _batch_plan(
    batch: Release[BoundedRange],
    others: tuple[Release[Simple], ...],
    ceiling: Fraction,
    delta: Fraction,
) -> Plan:
    width, times = batch.leaf.epsilon, batch.times
    return Plan(
        _responses(others),
        lambda x: bounded_range.estimate(times, number(width), x),
        lambda x: bounded_range.bound(times, width, x, limit=delta * NEGLIGIBLE),
        ceiling,
    )


def _renyi_plan(
    rest: tuple[Release[Simple], ...], pure: tuple[Release[Simple], ...], delta: Fraction
) -> Plan:
    divergence = renyi.divergence(rest)
    ceiling = (renyi.epsilon(rest, delta) or Fraction(0)) + (basic.total(pure) or Fraction(0))
    return Plan(
        _responses(pure),
        lambda x: delta_estimate(x, divergence),
        lambda x: delta_at(x, divergence),
        ceiling,
    )


def _responses(releases: tuple[Release[Simple], ...]) -> list[tuple[Fraction, int]]:
    return [(basic.pure(release.leaf) or Fraction(0), release.times) for release in releases]


def _few(releases: tuple[Release[Simple], ...]) -> bool:
    return responses.count(_responses(releases)) <= MOST_RESPONSES


def _solve(plan: Plan, delta: Fraction) -> Fraction | None:
    outcomes = responses.outcomes(plan.responses)
    floats = [(float(loss), float(mass)) for loss, mass in outcomes]

    def estimate(x: float) -> float:
        return sum(mass * _both_sides(plan.estimate, x - loss) for loss, mass in floats)

    def bound(x: Fraction) -> Fraction:
        curve = [(_certified(plan.bound, x - loss), mass) for loss, mass in outcomes]
        return probability(lambda: sum((mass * value() for value, mass in curve), arb(0)))

    return least_epsilon(estimate, bound, delta=delta, ceiling=plan.ceiling)


def _both_sides(curve: Callable[[float], float], x: float) -> float:
    return curve(x) if x >= 0 else -math.expm1(x) + math.exp(x) * curve(-x)


def _certified(curve: Callable[[Fraction], Fraction], x: Fraction) -> Callable[[], Ball]:
    value = curve(abs(x))
    if x >= 0:
        return lambda: ball(value)
    return lambda: 1 - ball(x).exp() * ball(1 - value)
