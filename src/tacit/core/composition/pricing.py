"""What a cost tree comes to: the cheapest promise that some interpreter proves.

Of the papers: BNS16 Thm 2.16.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from heapq import nsmallest
from typing import NamedTuple

from tacit.core import check
from tacit.core.composition.interpreters import (
    adaptive_range,
    advanced,
    basic,
    bounded_range,
    concentrated,
    loss_distribution,
    near_gaussian,
    optimal,
    renyi,
    two_stage,
)
from tacit.core.composition.pure_worlds import Settled, settlements
from tacit.core.composition.worlds import worlds
from tacit.core.cost import Added, Cost, ReleaseCost
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.core.unit import Neighbours

INTERPRETERS = {
    "basic": basic.epsilon,
    "optimal": optimal.epsilon,
    "bounded_range": bounded_range.epsilon,
    "two_stage": two_stage.epsilon,
    "renyi": renyi.epsilon,
    "concentrated": concentrated.epsilon,
    "near_gaussian": near_gaussian.epsilon,
    "advanced": advanced.epsilon,
    "loss_distribution": loss_distribution.epsilon,
    "adaptive_range": adaptive_range.epsilon,
}
"""Each takes releases and a delta, and returns an epsilon that is certainly enough, or None.

Of equal prices the first is named.
"""
QUICK = ("basic", "renyi", "concentrated", "advanced")
"""One of these has a price wherever there is one."""

CLOSE = 3
"""Of the ways to settle a world, so many are priced by all interpreters."""


class Found(NamedTuple):
    """An epsilon, and the interpreter that proves it."""

    epsilon: Fraction
    interpreter: str


@dataclass(frozen=True, slots=True)
class Price:
    """A promise, the interpreter that proves it, and the neighbours that it is about."""

    privacy: Privacy
    interpreter: str
    neighbours: Neighbours = Neighbours.REPLACED


def price(cost: ReleaseCost, delta: Exact = 0) -> Price:
    """Return the least epsilon that any interpreter proves for the tree at this total delta.

    Guarantee:
        The tree keeps `privacy`: every interpreter is proved in docs/proofs/composition.md, and
        what it returns is certified in ball or integer arithmetic, rounded up in the seventh digit.
        A proof is about the laws of what two neighbours let out, whatever makes them neighbours: so
        `Added` costs what its part does, for added records.

    >>> from tacit.core.cost import BoundedRange, Repeat
    >>> price(Repeat(BoundedRange(0.01), 1000, adaptive=False), 1e-6)
    Price(privacy=Privacy(epsilon=Fraction(6479539, 10000000), delta=Fraction(1, 1000000)),
          interpreter='bounded_range', neighbours=<Neighbours.REPLACED: 'replaced'>)
    """
    total = check.small_probability(delta=delta)
    about = Neighbours.REPLACED
    if isinstance(cost, Added):
        cost, about = cost.part, Neighbours.ADDED
    found = _price(cost, total)
    if found is None and total == 0:
        raise InvalidArgument("the cost has no pure guarantee; give delta, such as delta=1e-6")
    if found is None:
        raise InvalidArgument(
            f"delta={float(total):.3g} is used up by the cost's approximate parts; give more delta"
        )
    return Price(Privacy(found.epsilon, total), found.interpreter, about)


@lru_cache(maxsize=4096)
def _price(cost: Cost, delta: Fraction) -> Found | None:
    """Return the price of the worst world; what quick bounds show to be cheaper is skipped."""
    close = []
    for world in worlds(cost):
        ways = settlements(world, delta, _least)
        known = [(quick, way) for way in ways if (quick := _cheapest(way, QUICK)) is not None]
        if not known:
            return None
        close.append(nsmallest(CLOSE, known, key=lambda entry: entry[0].epsilon))
    prices: list[Found] = []
    for best in sorted(close, key=lambda best: best[0][0].epsilon, reverse=True):
        if all(best[0][0].epsilon > price.epsilon for price in prices):
            prices.append(_first(_cheapest(way, INTERPRETERS) or quick for quick, way in best))
    return max(prices, key=lambda price: price.epsilon)


def _least(cost: Cost, delta: Fraction) -> Fraction | None:
    found = _price(cost, delta)
    return None if found is None else found.epsilon


def _cheapest(way: Settled, interpreters: Iterable[str]) -> Found | None:
    priced = ((INTERPRETERS[name](*way), name) for name in interpreters)
    found = [Found(epsilon, name) for epsilon, name in priced if epsilon is not None]
    return _first(found) if found else None


def _first(found: Iterable[Found]) -> Found:
    """Return the cheapest, the first of equals."""
    return min(found, key=lambda price: price.epsilon)
