"""Zero-concentrated privacy: the rate rho of every kind of leaf, and what a total promises."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from tacit.core import check
from tacit.core.composition.certified import number
from tacit.core.composition.interpreters.conversion import Divergence, delta_at, epsilon_at
from tacit.core.cost import BoundedRange, Gaussian, NearGaussian, Pure, ZeroConcentrated
from tacit.core.numbers.enclosures import Enclosure, real, upper

if TYPE_CHECKING:
    from tacit.core.composition.worlds import RepeatedLeaf, Simple


TINY = Fraction(1, 1 << 30)
"""Below this width, Z - 1 - ln Z is width^2 / 8, which is greater, to eighteen digits."""


def epsilon(releases: tuple[RepeatedLeaf[Simple], ...], delta: Fraction) -> Fraction | None:
    """Return an epsilon by adding up the rates of all releases.

    Guarantee:
        Rates add up under adaptive composition [BS16, Lemma 1.7]; `delta_of_rho` converts the sum.
    """
    if delta == 0:
        return None
    total = sum((release.times * rate(release.leaf) for release in releases), Fraction(0))
    return epsilon_at(delta, linear(total)) if total else Fraction(0)


def rate(leaf: Simple) -> Fraction:
    """Return a rho for which the leaf is rho-zCDP.

    Guarantee:
        Pure: epsilon^2 / 2 [BS16, Prop. 1.4]. Bounded range: Z - 1 - ln Z for
        Z = epsilon / (1 - e^-epsilon), rounded up; no smaller rate is true
        (docs/proofs/composition.md). Discrete Gaussian: s^2 / (2 sigma^2) [CKS20, Thm. 4].

    >>> float(rate(BoundedRange(4))), float(rate(Pure(1)))
    (1.669..., 0.5)
    """
    match leaf:
        case Pure(width):
            return width**2 / 2
        case BoundedRange(width):
            return upper(lambda: _bounded_range(real(width))) if width > TINY else width**2 / 8
        case ZeroConcentrated(rho) | NearGaussian(rho, _):
            return rho
        case Gaussian(sigma_squared, sensitivity):
            return sensitivity**2 / (2 * sigma_squared)


def delta_of_rho(rho: Fraction, epsilon: Fraction) -> Fraction:
    """Return a delta <= 1 for which rho-zCDP implies (epsilon, delta)-DP [CKS20, Cor. 13].

    Guarantee:
        A rational upper bound on the least delta over all orders a > 1 of the conversion.

    >>> float(delta_of_rho(Fraction(1, 2), Fraction(5)))
    2.896...e-06
    """
    rho, epsilon = check.nonnegative(rho=rho), check.nonnegative(epsilon=epsilon)
    return delta_at(epsilon, linear(rho)) if rho else Fraction(0)


def linear(rho: Fraction) -> Divergence:
    """Return the divergences of rho-zCDP."""
    slope = number(rho)
    return (lambda order: slope * order), (lambda order: real(rho * order))


def _bounded_range(width: Enclosure) -> Enclosure:
    z = width / (arb(1) - (-width).exp())
    return z - 1 - z.log()
