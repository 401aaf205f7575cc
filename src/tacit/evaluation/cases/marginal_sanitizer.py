"""Synthetic rows from chosen marginals: choice, noise and check, over all tiny databases."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.core.composition import price
from tacit.core.cost import Approximate
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.sanitizers import Attributes, MarginalSanitizer
from tacit.statistics import Counts


def _case(shape: tuple[int, ...], n: int, rho: str, delta: str) -> Case:
    sanitizer = MarginalSanitizer(Attributes(shape), rho=rho, rounds=1, width=1, first=0)

    def law(database: tuple[Any, ...]) -> Law[Any]:
        return sanitizer.law(Counts.of(database))

    total = price(sanitizer.cost, delta).privacy
    claim = Approximate(total.epsilon, total.delta)
    setting = f"{shape} cells, n={n}, rho={rho}, delta={delta}"
    universe = tuple(product(*map(range, shape)))
    return Case("marginal-sanitizer", setting, "sanitizer", claim, universe, n, law)


CASES = (
    _case((2, 2), 3, "1/2", "1/10"),
    _case((2, 2), 2, "1", "1/100"),
)
