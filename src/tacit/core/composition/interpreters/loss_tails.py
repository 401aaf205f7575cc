"""The worst pair of laws of one release, by the two tails of its privacy loss.

`tails(leaf)` gives x -> (P[L >= x], Q[L >= x]) as balls, for the pair (P, Q) that tells most apart;
L = ln(P / Q) is the loss (docs/proofs/composition.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from flint import arb

from tacit.core.cost import BoundedRange, Gaussian, Pure
from tacit.core.numbers.enclosures import Enclosure, real

Tails = Callable[[Fraction], tuple[Enclosure, Enclosure]]


@dataclass(frozen=True, slots=True)
class Normal:
    """N(0, 1) against N(mu, 1): what noise that is near Gaussian has at its worst."""

    mu_squared: Fraction


Known = Pure | BoundedRange | Gaussian | Normal

MOST_INTEGERS = 100_000
NATS = 120
"""A discrete Gaussian is followed to where its weights are e^-120."""


def tails(leaf: Known) -> Tails:
    """Return the tails of the leaf's worst loss, evaluated at the current working precision."""
    match leaf:
        case Pure(epsilon):
            return _response(epsilon)
        case BoundedRange(width):
            return _bounded_range(width)
        case Gaussian():
            return _gaussian(leaf)
        case Normal(mu_squared):
            return _normal(mu_squared)


def reach(leaf: Gaussian) -> int:
    """Return how far from 0 a discrete Gaussian is followed."""
    return math.isqrt(math.ceil(2 * NATS * leaf.sigma_squared)) + leaf.sensitivity + 1


def _response(epsilon: Fraction) -> Tails:
    """Return the tails of randomised response: loss epsilon or -epsilon."""
    likely, rare = 1 / (1 + (-real(epsilon)).exp()), 1 / (1 + real(epsilon).exp())

    def at(x: Fraction) -> tuple[Enclosure, Enclosure]:
        if x <= -epsilon:
            return arb(1), arb(1)
        if x > epsilon:
            return arb(0), arb(0)
        return likely, rare

    return at


def _bounded_range(width: Fraction) -> Tails:
    """Return the tails for delta(x) = (1 - u)^2 / (1 - e^-width), u = e^((x - width) / 2).

    That is the two-point delta at its worst t = (x + width) / 2. The pair is its own mirror image,
    which gives the tails at negative x.
    """

    def positive(x: Fraction) -> tuple[Enclosure, Enclosure]:
        if x >= width:
            return arb(0), arb(0)
        u = real((x - width) / 2).exp()
        p = (1 - u) / (1 - (-real(width)).exp())
        return p, p * u * (-real(x)).exp()

    def at(x: Fraction) -> tuple[Enclosure, Enclosure]:
        if x >= 0:
            return positive(x)
        p, q = positive(-x)
        return 1 - q, 1 - p

    return at


def _normal(mu_squared: Fraction) -> Tails:
    """Return the tails of a loss that is normal, of mean mu^2 / 2 and variance mu^2."""
    mean, scale = real(mu_squared / 2), real(2 * mu_squared).sqrt()

    def at(x: Fraction) -> tuple[Enclosure, Enclosure]:
        loss = real(x)
        return ((loss - mean) / scale).erfc() / 2, ((loss + mean) / scale).erfc() / 2

    return at


def _gaussian(leaf: Gaussian) -> Tails:
    """Return the tails for noise X under P and X + sensitivity under Q.

    The loss of an output n is (s^2 - 2 s n) / (2 sigma^2), at least x where n is at most a bound.
    """
    shift, far = leaf.sensitivity, reach(leaf)
    variance = leaf.sigma_squared
    first, bend = real(-1 / (2 * variance)).exp(), real(-1 / variance).exp()
    weights, ratio = [arb(1)], first
    for _ in range(far):
        weights.append(weights[-1] * ratio)
        ratio *= bend
    beyond = arb(0).union(weights[-1] * ratio / (1 - ratio))
    sums = list(accumulate(weights[:0:-1] + weights, initial=beyond))
    total = sums[-1] + beyond

    def below(n: int) -> Enclosure:
        if n < -far:
            return beyond / total
        return sums[n + far + 1] / total if n < far else 1 - beyond / total

    def at(x: Fraction) -> tuple[Enclosure, Enclosure]:
        n = (shift**2 - 2 * variance * x) // (2 * shift)
        return below(n), below(n - shift)

    return at
