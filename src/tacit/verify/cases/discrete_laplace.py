"""Discrete Laplace noise: a count, a sum of sensitivity 2, and a whole histogram."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.core.chance.law import Law
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

Database = tuple[int, ...]
UNIVERSE = (0, 1, 2)


def _count(database: Database) -> int:
    return database.count(1)


def _histogram(database: Database) -> tuple[int, ...]:
    return tuple(database.count(x) for x in UNIVERSE)


def _case(
    name: str,
    statistic: Callable[[Database], int | tuple[int, ...]],
    epsilon: Fraction,
    *,
    sensitivity: int,
    n: int = 3,
    near: tuple[int, int] | None = None,
) -> Case:
    """Everything below and above the two ends is told as the ends, which loses nothing."""
    mechanism = DiscreteLaplace(epsilon, sensitivity)

    single = isinstance(statistic(UNIVERSE), int)
    low, high = near or (0, 2 * n if single else n)

    def cut(told: Any) -> int | tuple[int, ...]:
        if isinstance(told, int):
            return min(max(told, low), high)
        return tuple(min(max(count, low), high) for count in told.tolist())

    def law_of(value: Any) -> Law[Any]:
        return mechanism.law(value, low=low, high=high)

    law = Route(mechanism, statistic, law_of, cut)

    setting = f"{name} of n={n} records out of 3, epsilon={epsilon}"
    return Case(
        "discrete-laplace", setting, "mechanism", mechanism.cost, UNIVERSE, n, law, tight=True
    )


CASES = (
    *(
        _case("a count", _count, epsilon, sensitivity=1, n=5)
        for epsilon in (Fraction(1, 10**9), Fraction(1, 10), Fraction(1), Fraction(10))
    ),
    *(_case("the sum", sum, epsilon, sensitivity=2) for epsilon in (Fraction(1, 3), Fraction(2))),
    *(
        _case("the histogram", _histogram, epsilon, sensitivity=2)
        for epsilon in (Fraction(1, 2), Fraction(3))
    ),
)

PROBES = tuple(
    Probe(_case("a count", _count, epsilon, sensitivity=1, n=1000, near=(313, 353)))
    for epsilon in (Fraction(1, 10), Fraction(8))
)
