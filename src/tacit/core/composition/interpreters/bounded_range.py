"""Many bounded-range releases fixed before the first is drawn: the optimal price.

The worst k releases of bounded range w have one and the same pair of losses t and t - w, and delta
is the greatest two-point delta over t. It is attained at one of t_l = (epsilon + (l+1) w) / (k+1),
l = 0, 1, ..., where the loss of l low outcomes exceeds epsilon and that of l + 1 does not
[DDR20, Thm. 3; proof: docs/proofs/composition.md]. All l are checked, so the maximum is certain:
most by floats of a proved error, at once, and the few that these do not decide one by one.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, TypeGuard

from tacit.core.composition.certified import least_epsilon, root
from tacit.core.composition.interpreters import low_counts, two_point
from tacit.core.cost import BoundedRange

if TYPE_CHECKING:
    from tacit.core.composition.worlds import RepeatedLeaf, Simple

ROUGH = 1e-6
LARGEST_BATCH = 5000
"""Longer batches are left to the Rényi divergence; checking all l would take seconds."""


def epsilon(releases: tuple[RepeatedLeaf[Simple], ...], delta: Fraction) -> Fraction | None:
    """Return the least epsilon of one batch of equal bounded ranges, and None for all else."""
    if delta == 0 or len(releases) != 1 or not fits(batch := releases[0]):
        return None
    width, times = batch.leaf.epsilon, batch.times
    return least_epsilon(
        lambda x: estimate(times, float(width), x),
        lambda x: bound(times, width, x, limit=delta),
        delta=delta,
        ceiling=times * width,
    )


def fits(release: RepeatedLeaf[Simple]) -> TypeGuard[RepeatedLeaf[BoundedRange]]:
    """Whether the release is a batch of bounded ranges that can be checked in full."""
    return (
        isinstance(release.leaf, BoundedRange) and release.batch and release.times <= LARGEST_BATCH
    )


def about_width(times: int, epsilon: float, delta: float) -> float:
    """Return about the range of which so many releases cost (epsilon, delta), by floats.

    >>> round(about_width(100, 1.0, 1e-6), 4)
    0.0475
    """
    low, high = epsilon / times, 64 * epsilon / math.sqrt(times) + 64 * epsilon / times
    span = math.log(high / low)
    found = root(
        lambda x: estimate(times, high * math.exp(-x), epsilon), delta, span, close=ROUGH / span
    )
    return high * math.exp(-found)


def estimate(times: int, width: float, epsilon: float) -> float:
    """Return delta(epsilon >= 0) in floats, for the best l that a climb finds."""
    return _at(times, width, epsilon, _climb(times, width, epsilon))


def bound(
    times: int, width: Fraction, epsilon: Fraction, *, limit: Fraction = Fraction(0)
) -> Fraction:
    """Return a rational at least delta(epsilon), epsilon >= 0, or at least that or `limit`."""
    last = (times * width - epsilon) // width
    if last < 0:
        return Fraction(0)

    def at(low: int, known: Fraction) -> Fraction:
        high = (epsilon + (low + 1) * width) / (times + 1)
        return max(known, two_point.bound(times, high, width, epsilon, limit=max(limit, known)))

    greatest = at(_climb(times, float(width), float(epsilon)), Fraction(0))
    for low in low_counts.above(times, width, epsilon, max(limit, greatest)):
        greatest = at(low, greatest)
    return greatest


def _climb(times: int, width: float, epsilon: float) -> int:
    """Return the number of low outcomes l at which delta is greatest, if it has one hill."""
    last = max(0, int(times - epsilon / width))
    best = min(max(int((times - 1) / 2 - epsilon / width), 0), last)
    value, step = _at(times, width, epsilon, best), max(1, last // 8)
    while step:
        beside = [low for low in (best - step, best + step) if 0 <= low <= last]
        found = max(((_at(times, width, epsilon, low), low) for low in beside), default=(0.0, 0))
        if found[0] > value:
            value, best = found
        else:
            step //= 2
    return best


def _at(times: int, width: float, epsilon: float, low: int) -> float:
    return two_point.estimate(times, (epsilon + (low + 1) * width) / (times + 1), width, epsilon)
