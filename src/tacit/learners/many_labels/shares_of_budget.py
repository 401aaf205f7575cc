"""How one budget is divided between a cover and the k choices that follow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tacit.concepts import ConceptClass, Points, Thresholds
from tacit.core import InvalidArgument, Privacy
from tacit.core.composition import delta_of_rho
from tacit.core.composition.certified import root
from tacit.core.composition.interpreters import renyi
from tacit.core.composition.pure_worlds import settlements
from tacit.core.composition.worlds import worlds
from tacit.core.cost import BoundedRange, Cost, Repeat, Sequential
from tacit.core.numbers.enclosures import round_down
from tacit.learners.many_labels.covers_of_classes import HistogramCover, tabulated
from tacit.learners.many_labels.covers_of_points import PrefixCover, SplitCover, ToldCover

PARTS = tuple(Fraction(part, 20) for part in (1, 2, 3, 4, 6, 8, 10, 12, 14, 16))
MORE = tuple(Fraction(part, 20) for part in (18, 20, 24, 30))
"""With a delta the losses of all levels hardly ever add up, so they may exceed epsilon."""
FINE = (Fraction(1, 500), Fraction(1, 200), Fraction(1, 100), Fraction(1, 50), *PARTS)
"""One release of a histogram may be a small part of many labels' budget."""
DEEPEST = 32
SPAN, CLOSE = math.log(10**9), 2.0**-17
LARGEST = Fraction(10**12)


def plans(
    concepts: ConceptClass[Any], total: Privacy, *, labels: int, n: int, listed: bool = False
) -> Iterator[tuple[SplitCover | PrefixCover | ToldCover | HistogramCover, Fraction]]:
    """Yield covers for some part of the budget, each with about what is left for one choice."""
    if listed:
        yield from _of_listed(concepts, total, labels)
    elif isinstance(concepts, Thresholds):
        for depth in range(1, min(DEEPEST, max(n, 2).bit_length() - 1) + 1):
            for part in (*PARTS, *MORE):
                epsilon = total.epsilon * part / depth
                left = _left(total, depth * epsilon, depth * epsilon**2, labels)
                if left > 0:
                    yield SplitCover(concepts, epsilon=epsilon, depth=depth), left
        for part in PARTS if total.delta else ():
            told = PrefixCover(concepts, epsilon=total.epsilon * part, delta=total.delta / 2)
            yield told, (1 - part) * _left(total, Fraction(0), Fraction(0), labels)
    elif isinstance(concepts, Points) and total.delta:
        for part in PARTS:
            cover = ToldCover(concepts, epsilon=total.epsilon * part, delta=total.delta / 2)
            yield cover, (1 - part) * _left(total, Fraction(0), Fraction(0), labels)
    elif isinstance(concepts, Points):
        raise InvalidArgument("points are told with a delta above 0, such as --delta 1e-6")
    else:
        raise InvalidArgument(
            f"there are such covers of thresholds and points, not of {concepts}; learner "
            "'sanitized-classes' lists a class"
        )


def _of_listed(
    concepts: ConceptClass[Any], total: Privacy, labels: int
) -> Iterator[tuple[HistogramCover, Fraction]]:
    """Yield covers of a class whose functions are listed."""
    for part in FINE:
        cover = HistogramCover(tabulated(concepts), epsilon=total.epsilon * part)
        left = _left(total, cover.epsilon, 4 * cover.epsilon**2, labels)
        if left > 0:
            yield cover, left


def affordable(total: Privacy, cover: Cost, *, times: int) -> Fraction:
    """Return about the greatest epsilon that so many choices may have after the cover.

    By adding up losses or Rényi divergences: `price`, which knows more ways, never finds more than
    the total.

    >>> from tacit.core.cost import Pure
    >>> affordable(Privacy(1), Pure("1/2"), times=10)
    Fraction(1, 20)
    >>> float(affordable(Privacy(1, "1e-6"), Repeat(BoundedRange("3/50"), 5), times=100))
    0.0423...
    """
    simple = max(Fraction(0), (total.epsilon - _basic(cover)) / times)
    each = max(simple, _by_renyi(total, cover, times)) if total.delta else simple
    if not each:
        raise InvalidArgument("the cover leaves nothing of the budget; give it less")
    return each


@lru_cache(maxsize=1024)
def _by_renyi(total: Privacy, cover: Cost, times: int) -> Fraction:
    """Return about the greatest epsilon that Rényi divergences leave, 0 if it is less than any."""

    def spent(each: Fraction) -> float:
        found = _price(total.delta, Sequential(cover, _choices(each, times)))
        return math.inf if found is None else float(found / total.epsilon)

    def choice(away: float) -> Fraction:
        return round_down(total.epsilon * Fraction(math.exp(-away)), 24)

    away = root(lambda x: spent(choice(x)), 1.0, SPAN, close=CLOSE / SPAN)
    return next(
        (each for i in range(4) if spent(each := choice(away + i * CLOSE)) <= 1), Fraction(0)
    )


def _choices(epsilon: Fraction, times: int) -> Repeat:
    return Repeat(BoundedRange(epsilon), times, adaptive=False)


def _price(delta: Fraction, cost: Cost) -> Fraction | None:
    """Return an epsilon that Rényi divergences alone show at this delta."""
    (world,) = worlds(cost)
    ways = settlements(world, delta, lambda *_: None)
    found = [renyi.epsilon(way.releases, way.delta) for way in ways]
    return min((epsilon for epsilon in found if epsilon is not None), default=None)


def _basic(cover: Cost) -> Fraction:
    """Return what the losses of a cover add up to."""
    if isinstance(cover, Repeat):
        return cover.times * _basic(cover.part)
    epsilon: Fraction = getattr(cover, "epsilon", Fraction(0))
    return epsilon


@lru_cache(maxsize=1 << 12)
def _left(total: Privacy, epsilon: Fraction, squares: Fraction, labels: int) -> Fraction:
    """Return about what is left for one of the choices after a cover of so much, or such ranges."""
    simple = (total.epsilon - epsilon) / labels
    if not total.delta:
        return simple
    square = min(8 * _rate(total) - squares, LARGEST)
    return max(simple, Fraction((float(square) / labels) ** 0.5) if square > 0 else Fraction(0))


@lru_cache(maxsize=64)
def _rate(total: Privacy) -> Fraction:
    """Return about the concentrated rate rho whose price is the total."""
    low, high = Fraction(0), total.epsilon
    for _ in range(30):
        middle = round_down((low + high) / 2, 20)
        fits = delta_of_rho(middle, total.epsilon) <= total.delta
        low, high = (middle, high) if fits else (low, middle)
    return low
