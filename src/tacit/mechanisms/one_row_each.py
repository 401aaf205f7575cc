"""One row of each person, for mechanisms that protect a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tacit.core import Cost, Law, Random
from tacit.core.chance.law import mixture
from tacit.statistics.counts.person_counts import PersonCounts


def as_it_is(rows: Any) -> Any:
    """Return the rows that were drawn.

    >>> as_it_is(7)
    7
    """
    return rows


@dataclass(frozen=True, slots=True)
class OneRowEach:
    """Draw one row of each person, and give a mechanism what `read` makes of them.

    Guarantee:
        What the mechanism guarantees for a replaced row holds for all rows of a replaced person: a
        person's row is drawn by coins that no other person's rows have a say in.

    Exactness:
        That of the mechanism, and of `PersonCounts.drawn`.

    Cost:
        The mechanism's, given the coins: all (epsilon, delta) that it composes to, alone or with
        other releases, hold for their mixture.

    >>> import numpy as np
    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.mechanisms import DiscreteLaplace
    >>> visits = PersonCounts.of(np.array([[1], [1], [2]]), np.array([[7], [7], [7]]), features=1)
    >>> OneRowEach(DiscreteLaplace(20), lambda rows: rows[7])(visits, rng=Seeded(1))
    2

    Proof: docs/proofs/persons.md
    """

    mechanism: Any
    read: Callable[[Any], Any] = as_it_is

    @property
    def cost(self) -> Cost:
        """What a person pays."""
        cost: Cost = self.mechanism.cost
        return cost

    def __call__(self, sample: PersonCounts, /, *, rng: Random) -> Any:
        return self.mechanism(self.read(sample.drawn(rng=rng)), rng=rng)

    def law(self, sample: PersonCounts, /) -> Law[Any]:
        """Return the exact law over all ways to draw, for few persons with few rows."""
        drawn = sample.draws()
        return mixture((share, self.mechanism.law(self.read(rows))) for share, rows in drawn)
