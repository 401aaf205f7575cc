"""Equal bounded ranges, each chosen after the outcomes before it: the value of a game.

Whoever chooses the next release chooses a t in [0, w], and the loss is t or t - w. With k releases
left and x of epsilon, the greatest delta is

    V_k(x) = max over t of p V_(k-1)(x - t) + (1 - p) V_(k-1)(x - t + w),   V_0(x) = (1 - e^x)+,

p = (1 - e^(t-w)) / (1 - e^-w). V is convex in e^x, so on a grid of x the chords lie above it; the
greatest value for t between two grid points is bounded by the control points of a curve, all of
them sums of products of positive numbers, of which floats lose a known part, which is given away
(docs/proofs/composition.md, section 5). What is returned tends to the truth with a finer grid.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from tacit.core.composition.certified import decimal_up, number
from tacit.core.cost import BoundedRange
from tacit.core.numbers.enclosures import real, upper

if TYPE_CHECKING:
    from tacit.core.composition.worlds import RepeatedLeaf, Simple

ULP = 2.0**-53
TINY = 1e-290
WIDEST = 64
"""Wider ranges are left to the sum of the losses: powers of e would lose more."""
FINEST, COARSEST = 32, 4
WORK = 16_000_000
"""So many points, parts of a range and releases in all: two tenths of a second."""
FAR = 2.0**20
"""The grid ends about where delta has fallen to this part of what is asked."""


def epsilon(releases: tuple[RepeatedLeaf[Simple], ...], delta: Fraction) -> Fraction | None:
    """Return about the least epsilon of equal bounded ranges, and None for all else.

    >>> from tacit.core.composition.worlds import RepeatedLeaf
    >>> found = epsilon((RepeatedLeaf(BoundedRange(0.05), 100, batch=False),), Fraction(1, 10**6))
    >>> float(found)  # fixed in advance they cost 1.0577..., by divergences 1.1350...
    1.0606...
    """
    if delta == 0 or len(releases) != 1:
        return None
    leaf, times = releases[0].leaf, releases[0].times
    if not isinstance(leaf, BoundedRange) or leaf.epsilon > WIDEST:
        return None
    width = math.nextafter(number(leaf.epsilon), math.inf)
    ranges = _reach(times, width, number(delta))
    parts = FINEST
    while parts > COARSEST and times * ranges * parts**2 > WORK:
        parts //= 2
    if times * ranges * parts**2 > WORK:
        return None
    return _passed(curve(times, width, parts, ranges), width / parts, delta)


def curve(times: int, width: float, parts: int, ranges: int) -> NDArray[np.float64]:
    """Bound V(0), V(h), ..., V(ranges * width) from above, h = width / parts, parts a power of 2.

    >>> float(curve(1, 1.0, 64, 1)[0])  # tanh(1/4), and a little for the chords
    0.2449...
    """
    step, places = width / parts, np.arange(parts + 1)
    high = (np.expm1((places - parts) * step) / math.expm1(-width))[:, None]
    low = (np.exp((places - parts) * step) * np.expm1(-places * step) / math.expm1(-width))[:, None]
    growth, middle = math.exp(step), 1 + math.expm1(step) / 2
    fall = places[:0:-1] * step
    sure = 1 + (128 + 4 * width) * ULP
    size = ranges * parts + 1
    found = np.zeros(size)
    for _ in range(times):
        beyond = -np.expm1(-fall) + np.exp(-fall) * found[parts:0:-1]
        shifted = sliding_window_view(
            np.concatenate([beyond, found, np.full(parts, found[-1])]), size
        )
        won, lost = shifted[parts::-1], shifted[2 * parts : parts - 1 : -1]
        ends = high * won + low * lost
        cross = (
            growth * (high[:-1] * won[1:] + low[:-1] * lost[1:])
            + (high[1:] * won[:-1] + low[1:] * lost[:-1])
        ) / 2
        left = (ends[:-1] + cross) / (1 + middle)
        right = (cross + growth * ends[1:]) / (middle + growth)
        best = np.maximum(np.maximum(left, right).max(axis=0), ends.max(axis=0))
        found = np.minimum(best * sure + TINY, 1.0)
    return found


def _reach(times: int, width: float, delta: float) -> int:
    """Return how many ranges the grid is long; too short is safe and costs epsilon."""
    likely = times * width / 8 + math.sqrt(times * math.log(FAR / delta) / 2)
    return min(times, 1 + math.ceil(likely))


def _passed(found: NDArray[np.float64], step: float, delta: Fraction) -> Fraction | None:
    """Return the least x, rounded up, at which the chords are at most delta."""
    below = np.flatnonzero(found <= math.nextafter(float(delta), 0))
    if not len(below):
        return None
    place = int(below[0])
    if place == 0:
        return Fraction(0)
    before, after = Fraction(float(found[place - 1])), Fraction(float(found[place]))
    share = max((before - delta) / (before - after), Fraction(0))
    start = (place - 1) * Fraction(step)
    return decimal_up(start + upper(lambda: (real(share) * real(Fraction(step)).expm1()).log1p()))
