"""A cost tree as the worlds it can be in: what one neighbouring pair can tell apart.

A pair of neighbours differs in one record, and that record lies in exactly one part of every
`Parallel` node: each way to choose the parts is a world, a world is a multiset of releases that
are composed one after the other, and the tree promises what its worst world promises
(docs/proofs/composition.md). `Repeat` is opened here and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Generic, TypeVar

from tacit.core.cost import (
    Approximate,
    BoundedRange,
    Cost,
    Gaussian,
    Leaf,
    NearGaussian,
    Parallel,
    Pure,
    Repeat,
    Sequential,
    Subsample,
    ZeroConcentrated,
)
from tacit.core.errors import InvalidArgument

Simple = Pure | BoundedRange | ZeroConcentrated | Gaussian | NearGaussian
"""What interpreters see; everything else is settled before (settling.py)."""

Part = Leaf | Subsample | Parallel
L = TypeVar("L", covariant=True, bound=Part)

MOST_WORLDS = 64  # each is priced by all interpreters: some seconds
MOST_PROVED = 256  # each is proved by a few


@dataclass(frozen=True, slots=True)
class RepeatedLeaf(Generic[L]):
    """The same leaf `times` over; `batch` says that all of them were fixed before the first draw.

    A batch is told apart for bounded range only, which alone composes better when fixed.
    """

    leaf: L
    times: int
    batch: bool


World = tuple[RepeatedLeaf[Part], ...]


def worlds(cost: Cost, *, every: bool = False) -> tuple[World, ...]:
    """Return the worlds of a tree, without those that another one dominates.

    Beyond 64 worlds each `Parallel` node stays closed, one release of its own, so that one world
    is left; `price` then settles the node by the worst price among its parts. `every` one up to 256
    is for a checker that cannot tell which dominate: by its few theorems a dominated one may be
    shown less.

    >>> worlds(Repeat(Sequential(Pure(1), Pure(1)), 3))
    ((RepeatedLeaf(leaf=Pure(epsilon=Fraction(1, 1)), times=6, batch=False),),)
    """
    try:
        return tuple(_open(cost, _Thin(MOST_PROVED, every) if every else _Thin(MOST_WORLDS)))
    except _TooManyWorldsError:
        return (_closed(cost),)


class _TooManyWorldsError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class _Thin:
    """How many worlds may come of a node, and whether the dominated ones are left out."""

    most: int
    every: bool = False

    def __call__(self, candidates: Iterable[World], number: int = 0) -> list[World]:
        if number > self.most:
            raise _TooManyWorldsError
        return list(dict.fromkeys(candidates)) if self.every else _undominated(candidates)


def _open(cost: Cost, thin: _Thin) -> list[World]:
    match cost:
        case Sequential(parts):
            return _products([_open(part, thin) for part in parts], thin)
        case Parallel(parts):
            return thin(world for part in parts for world in _open(part, thin)) or [()]
        case Repeat(part, times, adaptive):
            return _repeated(_open(part, thin), times, thin, adaptive=adaptive)
        case _:
            return [_single(cost)]


def _closed(cost: Cost) -> World:
    match cost:
        case Sequential(parts):
            return _joined(_closed(part) for part in parts)
        case Repeat(part, times, adaptive):
            return _scaled(_closed(part), times, adaptive=adaptive)
        case _:
            return _single(cost)


def _single(part: Part) -> World:
    match part:
        case Approximate(epsilon, delta) if delta == 0:
            return _single(Pure(epsilon))
        case Pure(size) | BoundedRange(size) | ZeroConcentrated(size) | NearGaussian(size, _) if (
            size == 0
        ):
            return ()
        case Subsample(_, drawn, _, _) if drawn == 0:
            return ()
        case _ if isinstance(part, Part):
            return (RepeatedLeaf(part, 1, isinstance(part, BoundedRange)),)
        case _:
            raise InvalidArgument(f"a cost tree is made of costs, got {type(part).__name__}")


def _products(choices: list[list[World]], thin: _Thin) -> list[World]:
    number = math.prod(len(options) for options in choices)
    return thin((_joined(chosen) for chosen in product(*choices)), number)


def _repeated(options: list[World], times: int, thin: _Thin, *, adaptive: bool) -> list[World]:
    if len(options) == 1:
        return [_scaled(options[0], times, adaptive=adaptive)]
    number = math.comb(times + len(options) - 1, times)
    made = (
        _joined(
            _scaled(option, count, adaptive=adaptive)
            for option, count in zip(options, counts, strict=True)
        )
        for counts in _counts(times, len(options))
    )
    return thin(made, number)


def _counts(total: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a total as an ordered sum of so many numbers."""
    if kinds == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _counts(total - first, kinds - 1):
            yield first, *rest


def _scaled(world: World, times: int, *, adaptive: bool) -> World:
    """Return the world `times` over; it stays a batch when it is one and is repeated as one."""
    if times <= 1:
        return world * times
    fixed = not adaptive and len(world) == 1
    return tuple(RepeatedLeaf(r.leaf, r.times * times, r.batch and fixed) for r in world)


def _joined(parts: Iterable[World]) -> World:
    """Return the releases of all parts; equal leaves from two places are no longer one batch."""
    found: dict[Part, RepeatedLeaf[Part]] = {}
    for release in (release for part in parts for release in part):
        earlier = found.get(release.leaf)
        found[release.leaf] = (
            RepeatedLeaf(release.leaf, earlier.times + release.times, batch=False)
            if earlier
            else release
        )
    return tuple(sorted(found.values(), key=repr))


def _undominated(candidates: Iterable[World]) -> list[World]:
    kept: list[World] = []
    for world in dict.fromkeys(candidates):
        if not any(_dominated(world, other) for other in kept):
            kept = [other for other in kept if not _dominated(other, world)] + [world]
    return kept


def _dominated(world: World, other: World) -> bool:
    """Whether whatever keeps the promises of `world` also keeps those of `other`."""
    free = list(other)
    for release in world:
        match = next((r for r in free if _covers(r, release)), None)
        if match is None:
            return False
        free.remove(match)
    return True


def _covers(large: RepeatedLeaf[Part], small: RepeatedLeaf[Part]) -> bool:
    batched = small.batch or not large.batch
    return small.times <= large.times and batched and _follows(large.leaf, small.leaf)


def _follows(claim: Part, known: Part) -> bool:
    """Whether the claim on one release follows from what is known of it."""
    match known, claim:
        case ((Pure(small) | BoundedRange(small)), (Pure(large) | Approximate(large, _))):
            return small <= large
        case BoundedRange(small), BoundedRange(large):
            return small <= large
        case Approximate(small, less), Approximate(large, more):
            return small <= large and less <= more
        case ((ZeroConcentrated(small) | NearGaussian(small, _)), ZeroConcentrated(large)):
            return small <= large
        case NearGaussian(small, near), NearGaussian(large, far):
            return small <= large and near <= far
        case Gaussian(variance, small), Gaussian(other, large):
            return variance == other and small <= large
        case _:
            return known == claim
