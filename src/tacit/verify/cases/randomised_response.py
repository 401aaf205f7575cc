"""Randomised response: each of n records answers for itself."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit.core.chance.law import Law
from tacit.mechanisms.noise.randomised_response import RandomisedResponse
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is
from tacit.verify.sampling import Probe

MANY = 10
"""From so many records on, only how many say 1 is compared."""


def _case(values: int, n: int, epsilon: Fraction) -> Case:
    mechanism = RandomisedResponse(epsilon, values)

    def ones(database: tuple[int, ...]) -> Law[Any]:
        """Return the law of how many say 1, in integers of 200 bits: rounding is below 2^-180."""
        chances = [1 << 200]
        yes = {value: int(mechanism.law(value)[1] * (1 << 200)) for value in range(values)}
        for record in database:
            p, pairs = yes[record], zip((0, *chances), (*chances, 0), strict=True)
            chances = [(up * p + stay * ((1 << 200) - p)) >> 200 for up, stay in pairs]
        listed = {k: Fraction(chance, 1 << 200) for k, chance in enumerate(chances)}
        return Law(listed, Fraction(1, 1 << 180), complete=True)

    few = n < MANY
    law = Route(
        lambda database, *, rng: mechanism(list(database), rng=rng),
        as_it_is,
        mechanism.law if few else ones,
        (lambda told: tuple(told.tolist())) if few else (lambda told: int((told == 1).sum())),
    )

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
    _case(3, 2, Fraction(7)),
)

PROBES = tuple(
    Probe(_case(3, 1000, epsilon), 600, neighbours=1) for epsilon in (Fraction(1, 10), Fraction(8))
)
