"""Discrete Gaussian noise priced as Gaussian noise, which composes without loss.

A discrete Gaussian of parameter s^2 about an integer is, but for a part of e^(-8 pi^2), what a
continuous one of variance s^2 - 4 becomes when the integer is drawn anew about it, with parameter
4. So all such releases together, each chosen after those before, tell no more than N(0, 1) against
N(mu, 1), mu^2 the sum of their d^2 / (s^2 - 4); what pure releases add is a sum of responses, as in
`two_stage` (docs/proofs/composition.md, section 7).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from tacit.core.composition.certified import least_epsilon, number, probability
from tacit.core.composition.interpreters import basic, concentrated, responses
from tacit.core.composition.interpreters.optimal import MOST_OUTCOMES
from tacit.core.cost import Gaussian, NearGaussian
from tacit.core.numbers.enclosures import Enclosure, real

if TYPE_CHECKING:
    from tacit.core.composition.worlds import RepeatedLeaf, Simple

APART = Fraction(1, 10**19)
"""The logarithms of the probabilities of one leaf are off by no more, 2^48 integers together."""
FARTHEST = 2
"""What is off is 2c, and 1 + 2c is at least e^c, for c up to 1: 10^19 leaves."""
SMOOTH = 4
GREATEST = 100
"""Greater epsilons are left to the rates: a checker has 75 digits for what e^epsilon multiplies."""


def epsilon(releases: tuple[RepeatedLeaf[Simple], ...], delta: Fraction) -> Fraction | None:
    """Return the least epsilon of noise that is near Gaussian, with few pure releases.

    Guarantee:
        H_epsilon of N(0, 1) and N(mu, 1) is Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 -
        epsilon/mu), and what is off by `APART` is given away, on epsilon and on delta.
    """
    near = [(r, mu) for r in releases if (mu := mu_squared(r.leaf)) is not None]
    rest = [(basic.pure(r.leaf), r.times) for r in releases if mu_squared(r.leaf) is None]
    pure = [(loss, times) for loss, times in rest if loss is not None]
    if not near or not delta or len(pure) < len(rest) or responses.count(pure) > MOST_OUTCOMES:
        return None
    ceiling = concentrated.epsilon(releases, delta)
    apart = 2 * APART * sum(r.times for r, _ in near)
    if ceiling is None or ceiling > GREATEST or apart > FARTHEST:
        return None
    total = sum((r.times * mu for r, mu in near), Fraction(0))
    outcomes = responses.outcomes(pure)
    floats = [(float(loss), float(mass)) for loss, mass in outcomes]
    slope = math.sqrt(number(total))

    def estimate(x: float) -> float:
        return sum(mass * _estimate(slope, x - loss) for loss, mass in floats)

    def bound(x: Fraction) -> Fraction:
        return probability(
            lambda: sum((mass * curve(total, x - apart - loss) for loss, mass in outcomes), arb(0))
        )

    return least_epsilon(estimate, bound, delta=delta / (1 + apart), ceiling=ceiling)


def mu_squared(leaf: Simple) -> Fraction | None:
    """Return the squared distance of the two normal laws, and None where there are none."""
    match leaf:
        case NearGaussian(_, apart):
            return apart
        case Gaussian(sigma_squared, sensitivity) if sigma_squared > SMOOTH:
            return sensitivity**2 / (sigma_squared - SMOOTH)
    return None


def delta_of(cost: NearGaussian, epsilon: Fraction) -> Fraction:
    """Return a delta for which noise of this cost is (epsilon, delta)-private.

    >>> float(delta_of(NearGaussian("1/100", "1/49"), Fraction("1/2")))
    1.070...e-05
    """
    apart = 2 * APART
    return probability(lambda: curve(cost.mu_squared, epsilon - apart) * real(1 + apart))


def curve(mu_squared: Fraction, x: Fraction) -> Enclosure:
    """Enclose H_x of N(0, 1) and N(mu, 1), for mu^2 > 0 and any x.

    >>> float(curve(Fraction(1), Fraction(1)))
    0.1269...
    """
    scale = real(2 * mu_squared).sqrt()
    high, low = (real(x - mu_squared / 2) / scale, real(x + mu_squared / 2) / scale)
    return (high.erfc() - real(x).exp() * low.erfc()) / 2


def _estimate(mu: float, x: float) -> float:
    high, low = (x / mu - mu / 2) / math.sqrt(2), (x / mu + mu / 2) / math.sqrt(2)
    return (math.erfc(high) - math.exp(x) * math.erfc(low)) / 2
