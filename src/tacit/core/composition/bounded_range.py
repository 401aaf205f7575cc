"""Many bounded-range releases fixed before the first is drawn: the optimal price.

The worst k releases of bounded range w have one and the same pair of losses t and t - w, and delta
is the greatest two-point delta over t. It is attained at one of t_l = (epsilon + (l+1) w) / (k+1),
l = 0, 1, ..., where the loss of l low outcomes exceeds epsilon and that of l + 1 does not
[DDR20, Thm. 3; proof: docs/proofs/composition.md]. All l are checked, so the maximum is certain.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, TypeGuard

from tacit.core.composition import two_point
from tacit.core.composition.certified import least_epsilon
from tacit.core.cost import BoundedRange

if TYPE_CHECKING:
    from tacit.core.composition.worlds import Release, Simple

STEPS = 22
LARGEST_BATCH = 5000
"""Longer batches are left to the Rényi divergence; checking all l would take seconds."""


def epsilon(releases: tuple[Release[Simple], ...], delta: Fraction) -> Fraction | None:
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


def fits(release: Release[Simple]) -> TypeGuard[Release[BoundedRange]]:
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
    for _ in range(STEPS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if estimate(times, middle, epsilon) <= delta else (low, middle)
    return low


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
    best = _climb(times, float(width), float(epsilon))
    greatest = Fraction(0)
    for low in (best, *range(last + 1)):
        high = (epsilon + (low + 1) * width) / (times + 1)
        value = two_point.bound(times, high, width, epsilon, limit=max(limit, greatest))
        greatest = max(greatest, value)
    return greatest


def _climb(times: int, width: float, epsilon: float) -> int:
    """Return the number of low outcomes l at which delta is greatest, if it has one hill."""
    low, high = 0, max(0, int(times - epsilon / width))
    while high - low > 2:
        left, right = low + (high - low) // 3, high - (high - low) // 3
        rises = _at(times, width, epsilon, right) - _at(times, width, epsilon, left)
        low, high = (left if rises >= 0 else low), (right if rises <= 0 else high)
    return max(range(low, high + 1), key=lambda at: _at(times, width, epsilon, at))


def _at(times: int, width: float, epsilon: float, low: int) -> float:
    return two_point.estimate(times, (epsilon + (low + 1) * width) / (times + 1), width, epsilon)
