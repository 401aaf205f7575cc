"""What every mechanism is: a frozen value that can be called, priced and enumerated."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from tacit.core import Law
from tacit.core.chance.randomness import Random, is_secure
from tacit.core.cost import Cost

S = TypeVar("S", contravariant=True)
T = TypeVar("T", bound=Hashable)
R = TypeVar("R")


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
