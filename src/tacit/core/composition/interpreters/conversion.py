"""From a Rényi divergence to (epsilon, delta), and the order at which to convert.

If the Rényi divergence of order a > 1 between neighbours is at most R, then for every epsilon

    delta = exp((a - 1) (R - epsilon)) / (a - 1) * (1 - 1/a)^a        [CKS20, Prop. 12]

(proof: docs/proofs/composition.md). Any order gives a true statement: orders are searched with
floats, and the statement at the chosen order is evaluated with ball arithmetic, rounded up.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from tacit.core.composition.certified import decimal_up, number, probability
from tacit.core.numbers.enclosures import Enclosure, real, upper

if TYPE_CHECKING:
    from collections.abc import Callable

Divergence = tuple["Callable[[float], float]", "Callable[[Fraction], Enclosure]"]
"""A bound on the Rényi divergence as a function of the order: in floats, and enclosed."""


def delta_at(epsilon: Fraction, divergence: Divergence) -> Fraction:
    """Return a delta <= 1 that these divergences imply at epsilon, at the best order."""
    estimate, enclose = divergence
    order = _best_order(lambda a: _log_delta(a, estimate(a), number(epsilon)))

    def formula() -> Enclosure:
        a, b = real(order), real(order - 1)
        return (b * (enclose(order) - real(epsilon)) + a * (-1 / a).log1p() - b.log()).exp()

    return probability(formula)


def epsilon_at(delta: Fraction, divergence: Divergence) -> Fraction:
    """Return an epsilon that these divergences imply at delta > 0, at the best order."""
    _, enclose = divergence
    order = order_at(delta, divergence)

    def formula() -> Enclosure:
        a, b = real(order), real(order - 1)
        return enclose(order) + (a * (-1 / a).log1p() - b.log() - real(delta).log()) / b

    return decimal_up(max(Fraction(0), upper(formula)))


def order_at(delta: Fraction, divergence: Divergence) -> Fraction:
    """Return the order at which `epsilon_at` converts."""
    estimate, price = divergence[0], -math.log(number(delta))
    return _best_order(lambda a: estimate(a) + (price + _shape(a)) / (a - 1))


def _log_delta(order: float, divergence: float, epsilon: float) -> float:
    return (order - 1) * (divergence - epsilon) + _shape(order)


def _shape(order: float) -> float:
    """Return the logarithm of (1 - 1/a)^a / (a - 1)."""
    return order * math.log1p(-1 / order) - math.log(order - 1)


def _best_order(objective: Callable[[float], float]) -> Fraction:
    """Return an order 1 + e^u that nearly minimises: the best of a grid over u, then refined."""
    best = min(_GRID, key=lambda u: objective(1 + math.exp(u)))
    low, high = best - _SPACING, best + _SPACING
    for _ in range(30):
        left, right = low + (high - low) * _GOLDEN, high - (high - low) * _GOLDEN
        if objective(1 + math.exp(left)) < objective(1 + math.exp(right)):
            high = right
        else:
            low = left
    return 1 + Fraction(math.exp((low + high) / 2))


_SPACING = 1.0
_GRID = [_SPACING * step for step in range(-12, 42)]
_GOLDEN = (3 - math.sqrt(5)) / 2
