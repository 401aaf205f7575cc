"""Discrete Laplace noise: a count, a sum of sensitivity 2, and a whole histogram."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.mechanisms.discrete_laplace import DiscreteLaplace

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
) -> Case:
    mechanism = DiscreteLaplace(epsilon, sensitivity)

    def law(database: Database) -> Law[int] | Law[tuple[int, ...]]:
        value = statistic(database)
        if isinstance(value, int):
            return mechanism.law(value, low=0, high=2 * n)
        return mechanism.law(value, low=0, high=n)

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
