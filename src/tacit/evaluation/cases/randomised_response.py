"""Randomised response: each of n records answers for itself."""

from __future__ import annotations

from fractions import Fraction

from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.mechanisms.randomised_response import RandomisedResponse


def _case(values: int, n: int, epsilon: Fraction) -> Case:
    mechanism = RandomisedResponse(epsilon, values)

    def law(database: tuple[int, ...]) -> Law[tuple[int, ...]]:
        return mechanism.law(database)

    return Case(
        "randomised-response",
        f"{values} values, n={n} records, epsilon={epsilon}",
        "mechanism",
        mechanism.cost,
        tuple(range(values)),
        n,
        law,
        symmetric=False,
        tight=True,
    )


CASES = (
    *(_case(3, 3, epsilon) for epsilon in (Fraction(1, 10**9), Fraction(1, 2), Fraction(4))),
    *(_case(2, 4, epsilon) for epsilon in (Fraction(1, 10), Fraction(2))),
    _case(5, 2, Fraction(1)),
)
