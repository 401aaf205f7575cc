"""What every mechanism is, and one given by its law: values to be called, priced, enumerated."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from tacit.core import Cost, Law, NotExact
from tacit.core.chance.randomness import Random, is_secure

S = TypeVar("S", contravariant=True)
T = TypeVar("T", bound=Hashable)
R = TypeVar("R")
X = TypeVar("X")


class Mechanism(Protocol[S, T]):
    """Public things are fields, the private statistic is an argument, what comes out is public."""

    @property
    def cost(self) -> Cost:
        """What one call costs."""

    def __call__(self, statistic: S, /, *, rng: Random) -> T:
        """Draw one output."""

    def law(self, statistic: S, /) -> Law[T]:
        """Return the exact law of the output, on inputs small enough to enumerate."""


@dataclass(frozen=True, slots=True)
class Release(Generic[R]):
    """An output that may be told, what it cost, and whether its coins were secret.

    A release drawn from a seeded source is marked: it is reproducible, so it is not private.
    """

    value: R
    cost: Cost
    secure: bool


def release(mechanism: Mechanism[S, T], statistic: S, *, rng: Random) -> Release[T]:
    """Call a mechanism and keep its cost with what it said.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.mechanisms.choice.exponential import Exponential
    >>> from tacit.statistics import ScoreProfile
    >>> release(Exponential(30), ScoreProfile.of([1, 5, 2]), rng=Seeded(0))
    Release(value=1, cost=BoundedRange(epsilon=Fraction(30, 1)), secure=False)
    """
    return Release(mechanism(statistic, rng=rng), mechanism.cost, is_secure(rng))


@dataclass(frozen=True, slots=True)
class Kernel(Generic[X, T]):
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
    law: Callable[[X], Law[T]]

    def __call__(self, statistic: X, *, rng: Random) -> T:
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
