"""About how many records there are, where that is secret, and then what is done with so many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.core import Exact, InvalidArgument, Law, Random, hold
from tacit.core.cost import Added, Pure, ReleaseCost, Sequential
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace

MOST = 1 << 62
"""No more records are thought of."""


@dataclass(frozen=True, slots=True)
class ToldNumber:
    """Tell a noisy number of records, and do what `make` makes for it; `then` is what that costs.

    Guarantee:
        epsilon for the number, which an added record moves by 1, and then as what is made, whatever
        number was told: it may be any mechanism that costs `then` for added records.

    Exactness:
        As `DiscreteLaplace`, cut to 0 and `most`, and as what is made.

    Cost:
        `Added`, of `Pure(epsilon)` and what is in `then`, one after the other.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.statistics import Counts
    >>> twice = ToldNumber(50, lambda n: lambda held, *, rng: held.n - n, Added(Pure(1)))
    >>> twice(Counts.of([4, 4, 4]), rng=Seeded(1)), twice.cost.part
    ((3, 0), Sequential(parts=(Pure(epsilon=Fraction(50, 1)), Pure(epsilon=Fraction(1, 1)))))

    Proof: docs/proofs/added.md
    """

    epsilon: Fraction
    make: Callable[[int], Any]
    then: ReleaseCost
    most: int

    def __init__(
        self, epsilon: Exact, make: Callable[[int], Any], then: ReleaseCost, most: int = MOST
    ) -> None:
        if not isinstance(then, Added):
            raise InvalidArgument("where the number of records is secret, then must be for added")
        hold(self, make=make, then=then).positive(epsilon=epsilon).count(most=most, least=1)

    @property
    def cost(self) -> Added:
        assert isinstance(self.then, Added)
        return Added(Sequential(Pure(self.epsilon), self.then.part))

    def deviation(self, beta: Exact) -> int:
        """Return by how much the number is off at most, but with probability beta."""
        return DiscreteLaplace(self.epsilon).deviation(beta) - 1

    def __call__(self, sample: Any, *, rng: Random) -> tuple[int, Any]:
        """Tell the number, and what was made for it says."""
        told = min(max(DiscreteLaplace(self.epsilon)(sample.n, rng=rng), 0), self.most)
        return told, self.make(told)(sample, rng=rng)

    def law(self, sample: Any) -> Law[Any]:
        """Return the exact law, for a small `most`."""
        high = max(self.most, sample.n)
        told = DiscreteLaplace(self.epsilon).law(sample.n, low=0, high=high)
        numbers: Law[int] = told.map(lambda n: min(n, self.most))
        return numbers.then(lambda n: self.make(n).law(sample).map(lambda said: (n, said)))
