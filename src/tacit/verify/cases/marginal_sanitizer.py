"""Synthetic rows from chosen marginals: choice, noise and check, over all tiny databases."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit.core.chance.law import Law
from tacit.core.composition import price
from tacit.core.cost import Approximate, ZeroConcentrated
from tacit.sanitizers import Attributes, MarginalSanitizer
from tacit.statistics import Counts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe


def _case(shape: tuple[int, ...], n: int, rho: str, delta: str) -> Case:
    sanitizer = MarginalSanitizer(Attributes(shape), rho=rho, rounds=1, width=1, first=0)

    law = Route(sanitizer, Counts.of)

    total = price(sanitizer.cost, delta).privacy
    claim = Approximate(total.epsilon, total.delta)
    setting = f"{shape} cells, n={n}, rho={rho}, delta={delta}"
    universe = tuple(product(*map(range, shape)))
    return Case("marginal-sanitizer", setting, "sanitizer", claim, universe, n, law)


def _started(dims: int, n: int, rho: str, delta: str) -> Case:
    """The parities that are measured first, by themselves."""
    sanitizer = MarginalSanitizer(Attributes.binary(dims), rho=rho, first="7/10", width=2)

    def law(database: tuple[Any, ...]) -> Law[Any]:
        return sanitizer.started(Counts.of(database))

    total = price(ZeroConcentrated(Fraction(7, 10) * Fraction(rho)), delta).privacy
    claim = Approximate(total.epsilon, total.delta)
    setting = f"parities of {dims} bits, n={n}, rho={rho}, delta={delta}"
    universe = tuple(product(range(2), repeat=dims))
    return Case("marginal-sanitizer", setting, "sanitizer", claim, universe, n, law)


CASES = (
    _case((2, 2), 3, "1/2", "1/10"),
    _case((2, 2), 2, "1", "1/100"),
    _started(2, 3, "1/2", "1/10"),
    _started(2, 3, "1", "1/100"),
    _case((2, 2), 2, "1/50", "1/10"),
    _case((2, 2), 2, "2", "1/1000"),
)

PROBES = tuple(
    Probe(_case((2,), n, rho, "1/100"), 300, neighbours=1) for n, rho in ((10, "1/40"), (1000, "8"))
)
