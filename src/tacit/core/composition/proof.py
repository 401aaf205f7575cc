"""A price with a proof that a short program can check, by the theorems of docs/pack.md alone.

`price` takes the cheapest of all interpreters, and some go too long a way for a reader to follow.
Here are those of the specification, and beside the epsilon what a checker would have to search for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any

from tacit.core import check
from tacit.core.composition.interpreters import (
    basic,
    bounded_range,
    concentrated,
    near_gaussian,
    optimal,
    responses,
    two_stage,
)
from tacit.core.composition.interpreters.conversion import epsilon_at, order_at
from tacit.core.composition.pure_worlds import Settled, charged
from tacit.core.composition.subsampling import amplified
from tacit.core.composition.worlds import RepeatedLeaf, Simple, World, worlds
from tacit.core.cost import (
    Added,
    Approximate,
    BoundedRange,
    Cost,
    Parallel,
    Pure,
    ReleaseCost,
    Repeat,
    Sequential,
    Subsample,
)
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy

_NOTHING = "nothing that docs/pack.md names"
LONGEST = 1000
"""Releases of a batch: a checker adds up half as many terms as their square."""


@dataclass(frozen=True, slots=True)
class PriceProof:
    """What a tree keeps, the theorem that shows it of its dearest world, and orders for others."""

    privacy: Privacy
    theorem: str
    orders: tuple[Fraction, ...]

    def encode(self) -> dict[str, Any]:
        """Return the JSON object of the proof; exact numbers are strings."""
        return {"theorem": self.theorem, "orders": list(map(str, self.orders))}


def prove(cost: ReleaseCost, delta: Exact = 0) -> PriceProof:
    """Return the least epsilon that the theorems of docs/pack.md prove of each world.

    Guarantee:
        That of `price`, by fewer interpreters, so that it may be more; for the same neighbours.

    >>> from tacit.core.cost import Repeat
    >>> prove(Repeat(BoundedRange("0.1"), 10, adaptive=False), 1e-6).theorem
    'batch'
    """
    total, found = check.small_probability(delta=delta), []
    orders: list[Fraction] = []
    tree = cost.part if isinstance(cost, Added) else _closed(cost)
    for world in (*worlds(tree), *worlds(tree, every=True)):  # the first are those of `price`
        settled = None
        if not any(isinstance(release.leaf, Parallel | Subsample) for release in world):
            settled = charged(list(world), total)  # type: ignore[arg-type]
        prices = {} if settled is None else _prices(settled, orders)
        if not prices:
            raise InvalidArgument(
                f"{_NOTHING} proves this cost at delta={float(total):.3g}: it has too many parts "
                "side by side, or needs more delta"
            )
        best = min(prices, key=lambda name: prices[name])
        found.append((prices[best], best))
    epsilon, theorem = max(found, default=(Fraction(0), "basic"))
    return PriceProof(Privacy(epsilon, total), theorem, tuple(dict.fromkeys(orders)))


def _prices(settled: Settled, orders: list[Fraction]) -> dict[str, Fraction]:
    """Return what each theorem proves of a world; note the order of the divergence."""
    releases, delta = settled
    short = tuple(replace(r, batch=r.batch and r.times <= LONGEST) for r in releases)
    kinds = [(Fraction(1), release.times) for release in releases]
    listed = responses.count(kinds) <= optimal.MOST_OUTCOMES
    found = {
        "basic": basic.epsilon(short, delta),
        "responses": optimal.epsilon(short, delta) if listed else None,
        "batch": (bounded_range if len(short) == 1 else two_stage).epsilon(short, delta),
        "near_gaussian": near_gaussian.epsilon(short, delta),
    }
    if delta and short:
        divergence = concentrated.linear(sum(map(_rate, short), Fraction(0)))
        orders.append(order_at(delta, divergence))
        found["concentrated"] = epsilon_at(delta, divergence)
    return {name: epsilon for name, epsilon in found.items() if epsilon is not None}


def _rate(release: RepeatedLeaf[Simple]) -> Fraction:
    """Return the rate of releases, that of bounded range by its simplest bound."""
    leaf = release.leaf
    each = leaf.epsilon**2 / 8 if isinstance(leaf, BoundedRange) else concentrated.rate(leaf)
    return release.times * each


def _closed(cost: Cost) -> Cost:
    """Return the tree with each sample of pure or approximate releases as one leaf, rounded up."""
    match cost:
        case Sequential(parts) | Parallel(parts):
            return type(cost)(*map(_closed, parts))
        case Repeat(part, times, adaptive):
            return Repeat(_closed(part), times, adaptive=adaptive)
        case Subsample(part):
            sums = [_sums(world) for world in worlds(_closed(part))]
            epsilon, delta = (max(each) for each in zip(*sums, strict=True))
            kept = amplified(cost, Privacy(epsilon, delta)) if delta < 1 else None
            if kept is None:
                raise InvalidArgument(f"{_NOTHING} proves it: a sample of rows leaks too often")
            rounded = cost.replacement and delta and epsilon
            return Approximate(_seven(kept.epsilon), _seven(kept.delta) if rounded else kept.delta)
    return cost


def _sums(world: World) -> tuple[Fraction, Fraction]:
    """Return what a world of pure and approximate releases comes to by basic composition."""
    epsilon = delta = Fraction(0)
    for release in world:
        if not isinstance(release.leaf, Pure | BoundedRange | Approximate):
            raise InvalidArgument(
                f"{_NOTHING} proves it: rows are drawn for what is neither pure nor approximate, "
                "or has too many parts side by side"
            )
        epsilon += release.times * release.leaf.epsilon
        delta += release.times * getattr(release.leaf, "delta", 0)
    return epsilon, delta


def _seven(number: Fraction) -> Fraction:
    """Round up to seven significant decimal digits."""
    ceiling = Context(7, ROUND_CEILING)
    return Fraction(ceiling.divide(Decimal(number.numerator), Decimal(number.denominator)))
