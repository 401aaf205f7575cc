"""What a cost tree comes to: the cheapest promise that some interpreter proves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from heapq import nsmallest
from operator import itemgetter

from tacit.core import check
from tacit.core.composition import (
    advanced,
    basic,
    bounded_range,
    concentrated,
    loss_distribution,
    optimal,
    renyi,
    two_stage,
)
from tacit.core.composition.settling import Settled, settlements
from tacit.core.composition.worlds import worlds
from tacit.core.cost import Cost
from tacit.core.errors import InvalidArgument
from tacit.core.exact import Exact
from tacit.core.privacy import Privacy

QUICK = {
    "basic": basic.epsilon,
    "advanced": advanced.epsilon,
    "concentrated": concentrated.epsilon,
    "renyi": renyi.epsilon,
}
INTERPRETERS = QUICK | {
    "optimal": optimal.epsilon,
    "bounded_range": bounded_range.epsilon,
    "two_stage": two_stage.epsilon,
    "loss_distribution": loss_distribution.epsilon,
}
"""Each takes releases and a delta, and returns an epsilon that is certainly enough, or None."""

Found = tuple[Fraction, str]
CLOSE = 3
"""Of the ways to settle a world, so many are priced by all interpreters."""


@dataclass(frozen=True, slots=True)
class Price:
    """A promise, and the interpreter that proves it."""

    privacy: Privacy
    interpreter: str


def price(cost: Cost, delta: Exact = 0) -> Price:
    """Return the least epsilon that any interpreter proves for the tree at this total delta.

    Guarantee:
        The tree keeps `privacy`: every interpreter is proved in docs/proofs/composition.md, and
        what it returns is certified in ball or integer arithmetic, rounded up in the seventh digit.

    >>> from tacit.core.cost import BoundedRange, Repeat
    >>> price(Repeat(BoundedRange(0.01), 1000, adaptive=False), 1e-6)
    Price(privacy=Privacy(epsilon=Fraction(6479539, 10000000), delta=Fraction(1, 1000000)),
          interpreter='bounded_range')
    """
    total = check.small_probability(delta=delta)
    found = _price(cost, total)
    if found is None and total == 0:
        raise InvalidArgument("the cost has no pure guarantee; give delta, such as delta=1e-6")
    if found is None:
        raise InvalidArgument(
            f"delta={float(total):.3g} is used up by the cost's approximate parts; give more delta"
        )
    epsilon, interpreter = found
    return Price(Privacy(epsilon, total), interpreter)


@lru_cache(maxsize=4096)
def _price(cost: Cost, delta: Fraction) -> Found | None:
    """Return the price of the worst world; what quick bounds show to be cheaper is skipped."""
    ceilings = []
    for world in worlds(cost):
        ways = settlements(world, delta, _least)
        known = [(found, way) for way in ways if (found := _cheapest(way, QUICK)) is not None]
        if not known:
            return None
        ceilings.append(nsmallest(CLOSE, known, key=itemgetter(0)))
    worst: Found = (Fraction(0), "basic")
    for close in sorted(ceilings, key=lambda close: close[0][0], reverse=True):
        if close[0][0] > worst:
            worst = max(worst, min(_cheapest(way, INTERPRETERS) or quick for quick, way in close))
    return worst


def _least(cost: Cost, delta: Fraction) -> Fraction | None:
    found = _price(cost, delta)
    return found and found[0]


def _cheapest(way: Settled, interpreters: Iterable[str]) -> Found | None:
    priced = ((INTERPRETERS[name](*way), name) for name in interpreters)
    return min(((epsilon, name) for epsilon, name in priced if epsilon is not None), default=None)
