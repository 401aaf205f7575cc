"""Before interpreters see a world: what is only known as (epsilon, delta) becomes pure.

An (epsilon, delta) release at its worst leaks everything with probability delta and is pure
otherwise (docs/proofs/composition.md), so the total delta is charged for the chance that anything
leaks, and the rest composes as pure releases do. A `Subsample` node, and a `Parallel` node that
`worlds` left closed, is priced at a share of the total delta and is such a release from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from tacit.core.composition.interpreters.concentrated import rate
from tacit.core.composition.subsampling import HOPELESS, amplified, factor
from tacit.core.composition.worlds import Part, RepeatedLeaf, Simple, World
from tacit.core.cost import (
    Approximate,
    Cost,
    Leaf,
    Parallel,
    Pure,
    Repeat,
    Sequential,
    Subsample,
    ZeroConcentrated,
)
from tacit.core.numbers.enclosures import Enclosure, real, round_down, upper
from tacit.core.privacy import Privacy

Pricing = Callable[[Cost, Fraction], Fraction | None]
"""The least epsilon of a tree at a delta; None where there is none."""

NONE = (Fraction(0),)
SHARES = tuple(Fraction(part, 64) for part in (0, 64, 1, 8, 32, 56))
"""The parts of delta that are tried for all open nodes together; a node alone takes none or all."""
BITS = 64
EXACT = 64
"""So many approximate releases have their leak computed without rounding."""
PATIENCE, SLIGHTLY_LESS = 10, Fraction(1023, 1024)


class Settled(NamedTuple):
    """Releases that interpreters know, and the delta that is left for them."""

    releases: tuple[RepeatedLeaf[Simple], ...]
    delta: Fraction


def settlements(world: World, delta: Fraction, pricing: Pricing) -> list[Settled]:
    """Return the ways to settle a world within delta: an epsilon for any one of them is true."""
    found = (charged(closed, delta) for closed in _closings(world, delta, pricing))
    return [settled for settled in found if settled is not None]


def charged(releases: list[RepeatedLeaf[Leaf]], delta: Fraction) -> Settled | None:
    """Charge delta for leaks and make approximate releases pure; None if delta does not suffice."""
    leak = _leak([(r.leaf.delta, r.times) for r in releases if isinstance(r.leaf, Approximate)])
    if leak > delta:
        return None
    left = (delta - leak) / (1 - leak)
    pure = (RepeatedLeaf(_pure(r.leaf), r.times, r.batch) for r in releases)
    costly = tuple(release for release in pure if release.leaf != Pure(0))
    return Settled(costly, round_down(left, BITS) if leak and left else left)


def _pure(leaf: Leaf) -> Simple:
    return Pure(leaf.epsilon) if isinstance(leaf, Approximate) else leaf


def _leak(approximate: list[tuple[Fraction, int]]) -> Fraction:
    """Return a bound on the chance that at least one of them leaks, 1 - prod (1 - delta)^times."""
    if sum(times for _, times in approximate) <= EXACT:
        kept = Fraction(1)
        for delta, times in approximate:
            kept *= (1 - delta) ** times
        return 1 - kept

    def enclosed() -> Enclosure:
        return -sum(times * (-real(delta)).log1p() for delta, times in approximate).expm1()

    return min(upper(enclosed), sum((t * delta for delta, t in approximate), Fraction(0)))


def _closings(
    world: World, delta: Fraction, pricing: Pricing
) -> Iterator[list[RepeatedLeaf[Leaf]]]:
    """Yield the releases with all nodes closed: at shares of delta, and by their rates."""
    nodes = sum(r.times for r in world if isinstance(r.leaf, Subsample | Parallel))
    shares = SHARES[: len(SHARES) if len(world) + nodes > 2 else 2] if delta and nodes else NONE
    ways = [
        [_at_share(r, delta * share / max(nodes, 1), pricing) for r in world] for share in shares
    ]
    if delta and nodes:
        ways.append([_at_rate(r) for r in world])
    for way in ways:
        closed = [release for release in way if release is not None]
        if len(closed) == len(way):
            yield closed


def _at_rate(release: RepeatedLeaf[Part]) -> RepeatedLeaf[Leaf] | None:
    """Return the release with its node, if it has one, as a zero-concentrated leaf."""
    match release.leaf:
        case Subsample():
            return None
        case Parallel():
            rho = _rate(release.leaf)
            return (
                None
                if rho is None
                else RepeatedLeaf(ZeroConcentrated(rho), release.times, batch=False)
            )
        case leaf:
            return RepeatedLeaf(leaf, release.times, release.batch)


def _rate(cost: Cost) -> Fraction | None:
    """Return a rho for which the tree is rho-zCDP: sums in sequence, the greatest in parallel."""
    match cost:
        case Sequential(parts) | Parallel(parts):
            rates = [_rate(part) for part in parts]
            known = [rho for rho in rates if rho is not None]
            if len(known) < len(rates):
                return None
            return (
                max(known, default=Fraction(0))
                if isinstance(cost, Parallel)
                else sum(known, Fraction(0))
            )
        case Repeat(part, times):
            rho = _rate(part)
            return None if rho is None else times * rho
        case Subsample() | Approximate():
            return None
        case leaf:
            return rate(leaf)


def _at_share(
    release: RepeatedLeaf[Part], delta: Fraction, pricing: Pricing
) -> RepeatedLeaf[Leaf] | None:
    """Return the release with its node, if it has one, as an approximate leaf at this delta."""
    match release.leaf:
        case Subsample():
            privacy = _subsampled(release.leaf, delta, pricing)
        case Parallel(parts):
            privacy = _worst(parts, delta, pricing)
        case leaf:
            return RepeatedLeaf(leaf, release.times, release.batch)
    if privacy is None:
        return None
    return RepeatedLeaf(Approximate(privacy.epsilon, privacy.delta), release.times, batch=False)


def _worst(parts: tuple[Cost, ...], delta: Fraction, pricing: Pricing) -> Privacy | None:
    prices = [pricing(part, delta) for part in parts]
    known = [epsilon for epsilon in prices if epsilon is not None]
    return Privacy(max(known), delta) if len(known) == len(prices) else None


def _subsampled(node: Subsample, delta: Fraction, pricing: Pricing) -> Privacy | None:
    """Return what a subsampled tree keeps at this delta.

    The inner delta is delta over a factor that grows with the inner epsilon, and that epsilon grows
    when the inner delta shrinks: start from too much, come down until the outcome fits.
    """
    inner = min(delta * node.rows / node.drawn, Fraction(1, 2))
    for _ in range(PATIENCE):
        inner = round_down(inner, BITS) if inner else inner
        epsilon = pricing(node.part, inner)
        if epsilon is None or (inner and epsilon > HOPELESS):
            break
        outcome = amplified(node, Privacy(epsilon, inner))
        if outcome is not None and outcome.delta <= delta:
            return outcome
        inner = delta / factor(node, epsilon) * SLIGHTLY_LESS
    return None
