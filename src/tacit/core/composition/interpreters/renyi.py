"""Rényi divergences add up order by order: the price of an adaptive mixture of everything.

At every order these divergences are at most order * rho, so this is never worse than
`concentrated`; and what one release of bounded range can have at its worst is in closed form.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from flint import arb

from tacit.core.composition.certified import number
from tacit.core.composition.interpreters import basic
from tacit.core.composition.interpreters.concentrated import rate
from tacit.core.composition.interpreters.conversion import Divergence, epsilon_at
from tacit.core.cost import BoundedRange, Pure
from tacit.core.numbers.enclosures import Enclosure, real

if TYPE_CHECKING:
    from tacit.core.composition.worlds import RepeatedLeaf, Simple


def epsilon(releases: tuple[RepeatedLeaf[Simple], ...], delta: Fraction) -> Fraction | None:
    """Return an epsilon from the sum of divergences at the best order.

    Guarantee:
        Adaptive composition at one order [Mir17, Prop. 1], converted by [CKS20, Prop. 12].
    """
    if delta == 0:
        return None
    return epsilon_at(delta, divergence(releases)) if releases else Fraction(0)


def divergence(releases: tuple[RepeatedLeaf[Simple], ...]) -> Divergence:
    """Return a bound on the Rényi divergence of all releases together, by order > 1.

    With lc = ln cosh and K(x) = x ln(sinh(x/2) / (x/2)), one release has at order a at most

        pure e           (lc((a - 1/2) e) - lc(e/2)) / (a - 1)
        bounded range w  (K(a w) - K((a-1) w) - K(w)) / ((a - 1) w)
        otherwise        rho * a

    and both pure and bounded range attain it (docs/proofs/composition.md).
    """
    floats = [
        (r.leaf, r.times, number(basic.pure(r.leaf) or Fraction(0)), number(rate(r.leaf)))
        for r in releases
    ]

    @cache
    def estimate(order: float) -> float:
        return sum(t * _estimate(leaf, order, width, rho) for leaf, t, width, rho in floats)

    def enclose(order: Fraction) -> Enclosure:
        return sum((r.times * _enclose(r.leaf, order) for r in releases), arb(0))

    return estimate, enclose


def _estimate(leaf: Simple, order: float, width: float, rho: float) -> float:
    if width * order < 1e-3:
        return rho * order
    if isinstance(leaf, Pure):
        exact = _log_cosh((order - 0.5) * width) - _log_cosh(width / 2)
    else:
        rest = (order - 1) * width
        step = math.log1p(math.exp(-rest) * math.expm1(-width) / math.expm1(-rest))
        exact = order * (step - math.log1p(1 / (order - 1))) + rest
        exact += math.log(math.expm1(-rest) / (order - 1) / math.expm1(-width))
    return min(rho * order, exact / (order - 1))


def _enclose(leaf: Simple, order: Fraction) -> Enclosure:
    a, simple = order, real(order * rate(leaf))
    match leaf:
        case Pure(e):
            exact = (real((a - Fraction(1, 2)) * e).cosh() / real(e / 2).cosh()).log() / real(a - 1)
        case BoundedRange(w):
            whole, part, one = (_product(x, x / w) for x in (a * w, (a - 1) * w, w))
            exact = (whole - part - one) / real(a - 1)
        case _:
            return simple
    return exact.min(simple) if exact.is_finite() else simple


def _product(x: Fraction, factor: Fraction) -> Enclosure:
    """Enclose factor * ln(sinh(x/2) / (x/2))."""
    half = real(x / 2)
    return real(factor) * (half.sinh() / half).log()


def _log_cosh(x: float) -> float:
    return x + math.log1p(math.expm1(-2 * x) / 2)
