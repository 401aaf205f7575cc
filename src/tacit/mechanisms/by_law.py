"""A mechanism that is given by its law."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from tacit.core import Law, NotExact, Random
from tacit.core.cost import Cost

S = TypeVar("S")
T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Kernel(Generic[S, T]):
    """Draw from the exact law that a function gives for the private input.

    It makes a mechanism of a small table (randomised response, say), to be wrapped by others.

    Guarantee:
        The maker promises that the law has the stated cost.

    Exactness:
        The law is sampled without error: one uniform integer below the common denominator.

    Cost:
        As stated.

    >>> from tacit.core.cost import Pure
    >>> from tacit.core.chance.law import certain
    >>> from tacit.core.chance.randomness import Seeded
    >>> Kernel(Pure(0), lambda rows: certain("said"))(("row",), rng=Seeded(0))
    'said'
    """

    cost: Cost
    law: Callable[[S], Law[T]]

    def __call__(self, statistic: S, *, rng: Random) -> T:
        """Draw one output."""
        return draw(self.law(statistic), rng=rng)


def draw(law: Law[T], *, rng: Random) -> T:
    """Draw an outcome of a law without slack, exactly.

    >>> from fractions import Fraction
    >>> from tacit.core.chance.randomness import Seeded
    >>> draw(Law({"heads": Fraction(1), "tails": Fraction(0)}), rng=Seeded(0))
    'heads'
    """
    if law.slack:
        raise NotExact("a law with slack cannot be sampled exactly; give the exact law")
    denominator = math.lcm(*(p.denominator for p in law.probabilities.values()))
    left = rng.below(denominator)
    outcomes = iter(law.probabilities.items())
    outcome, probability = next(outcomes)
    while (left := left - int(probability * denominator)) >= 0:
        outcome, probability = next(outcomes)
    return outcome
