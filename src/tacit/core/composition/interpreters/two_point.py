"""Many independent releases, each with one of two privacy losses: the worst cases there are.

One release has loss `high` with probability p and loss `high - width` otherwise; that both laws of
the pair add up to 1 fixes p = (1 - e^(high - width)) / (1 - e^-width). After `times` releases, i of
them low, the loss is L_i = times * high - i * width, so for every epsilon

    delta(epsilon) = sum over i of C(times, i) p^(times-i) (1-p)^i max(0, 1 - e^(epsilon - L_i)).

Randomised response has width = 2 * high. All terms are non-negative and, on either side of the
mode, their ratios shrink: a geometric series bounds what a truncated sum leaves out.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb
from numpy.typing import NDArray

from tacit.core.composition.certified import probability
from tacit.core.numbers.enclosures import PRECISION, Enclosure, precision, real

MANY = 512
SPREAD = 6
ENOUGH = 2.0**-40
"""The sum may end when what is left is at most this part of it."""


def estimate(times: int, high: float, width: float, epsilon: float) -> float:
    """Return delta(epsilon) in floats.

    >>> round(estimate(100, 0.05, 0.1, 2.207533), 11)
    1e-06
    """
    last = min(times, math.ceil((times * high - epsilon) / width) - 1)
    if last < 0 or not 0 < high < width:
        return 0.0
    decay = math.exp(-min(width, 690.0))
    rare = max(decay * math.expm1(min(high, 690.0)) / -math.expm1(-width), 1e-300)
    common = max(math.expm1(high - width) / math.expm1(-width), 1e-300)
    start = min(last, int(times * rare))
    mass = math.exp(
        math.lgamma(times + 1)
        - math.lgamma(start + 1)
        - math.lgamma(times - start + 1)
        + start * math.log(rare)
        + (times - start) * math.log(common)
    )
    excess = math.exp(min(0.0, epsilon - times * high + start * width))
    odds, total = common / rare, 0.0
    if times > MANY:
        return _at_once(times, start, last, (mass, excess, odds, decay))
    term, share = mass, excess
    for i in range(start, -1, -1):
        total += term * (1 - share)
        if term < ENOUGH * total:
            break
        term *= odds * i / (times - i + 1)
        share *= decay
    term, share = mass, excess
    for i in range(start + 1, last + 1):
        term *= (times - i + 1) / (odds * i)
        share = min(1.0, share / decay)
        total += term * (1 - share)
        if term < ENOUGH * total:
            break
    return total


def _at_once(times: int, start: int, last: int, given: tuple[float, float, float, float]) -> float:
    """Add up the same terms by arrays, as far as they can matter."""
    mass, excess, odds, decay = given
    reach = int(SPREAD * math.sqrt(times)) + MANY // 8
    down = np.arange(start, max(start - reach, 0), -1, dtype=np.float64)
    up = np.arange(start + 1, min(start + reach, last) + 1, dtype=np.float64)
    falling = np.cumprod(odds * down / (times - down + 1))
    rising = np.cumprod((times - up + 1) / (odds * up))
    kept = -np.expm1(np.minimum(math.log(max(excess, 1e-300)) + _steps(len(down), decay), 0.0))
    told = -np.expm1(np.minimum(math.log(max(excess, 1e-300)) - _steps(len(up), decay), 0.0))
    return mass * (1 - excess + float(falling @ kept) + float(rising @ told))


def _steps(count: int, decay: float) -> NDArray[np.float64]:
    """Return ln decay, 2 ln decay, and so on."""
    return np.arange(1.0, count + 1.0) * np.float64(math.log(max(decay, 1e-300)))


def bound(
    times: int,
    high: Fraction,
    width: Fraction,
    epsilon: Fraction,
    *,
    limit: Fraction = Fraction(0),
) -> Fraction:
    """Return a rational at least delta(epsilon), for epsilon >= 0.

    The sum is followed until it is known to nine digits, or known to be at most `limit`.

    >>> tail = bound(1000, Fraction(1, 100), Fraction(1, 50), Fraction("1.365447"))
    >>> 0.99999e-6 < tail <= 1e-6
    True
    """
    last = min(times, math.ceil((times * high - epsilon) / width) - 1)
    if last < 0 or not 0 < high < width:
        return Fraction(0)
    return probability(lambda: _sum(times, high, width, epsilon, last, real(limit)))


def _sum(
    times: int, high: Fraction, width: Fraction, epsilon: Fraction, last: int, limit: Enclosure
) -> Enclosure:
    decay = (-real(width)).exp()
    rare = decay * real(high).expm1() / (1 - decay)
    common = (1 - real(high - width).exp()) / (1 - decay)
    start = min(last, int(times * float(rare)))
    mass = (log_choose(times, start) + start * rare.log() + (times - start) * common.log()).exp()
    excess = real(epsilon - times * high + start * width).exp()
    odds = common / rare
    above = _above(times, start, last, mass, excess, odds, decay)
    return _below(times, start, mass, excess, odds, decay, above, limit)


def _above(
    times: int,
    start: int,
    last: int,
    mass: Enclosure,
    excess: Enclosure,
    odds: Enclosure,
    decay: Enclosure,
) -> Enclosure:
    """Add up the terms from start + 1 to last; start is then at the mode, and terms shrink."""
    total, term, share = arb(0), mass, excess
    check = 1
    for count, i in enumerate(range(start + 1, last + 1), start=1):
        ratio = arb(times - i + 1) / (odds * i)
        if count == check:
            check *= 2
            rest = term * (1 - share) * ratio / (1 - ratio)
            if ratio < 1 and rest < ENOUGH * (total + mass):
                return total + rest
        term *= ratio
        share /= decay
        total += term * (1 - share)
    return total


def _below(
    times: int,
    start: int,
    mass: Enclosure,
    excess: Enclosure,
    odds: Enclosure,
    decay: Enclosure,
    above: Enclosure,
    limit: Enclosure,
) -> Enclosure:
    """Add the terms from start down to 0 to what was found above."""
    total, term, share = above, mass, excess
    check = 1
    for count, i in enumerate(range(start, -1, -1), start=1):
        total += term * (1 - share)
        ratio = odds * i / (times - i + 1)
        if count == check and ratio < 1:
            rest = term * (ratio / (1 - ratio) - share * decay * ratio / (1 - decay * ratio))
            if total + rest <= limit or rest < ENOUGH * total:
                return total + rest
        check += check * (count == check)
        term *= ratio
        share *= decay
    return total


def log_choose(n: int, k: int) -> Enclosure:
    """Return ln C(n, k)."""
    return _log_factorial(n) - _log_factorial(k) - _log_factorial(n - k)


@lru_cache(maxsize=1 << 15)
def _log_factorial(n: int) -> Enclosure:
    with precision(PRECISION):
        return arb(n + 1).lgamma()
