"""Private optimisation from a list of solutions that is drawn without the data, and back.

Of the papers: BNS19 Def 20, BNS19 Def 21, BNS19 Def 24, BNS19 Def 27, BNS19 Lemma 28, BNS19 Lemma
29, BNS19 Ex 7.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Generic, TypeVar

from tacit.core import BoundedRangeCost, Exact, Law, Random, check, hold
from tacit.core.cost import Cost
from tacit.learners.every_class.converse import hit_probability, runs_for
from tacit.mechanisms import Exponential
from tacit.statistics import ScoreProfile

R = TypeVar("R")
S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Solutions(Generic[S]):
    """Solutions drawn without the data, of which one is good for any data but for `failure`.

    Good means: a score of at least the best minus `approximation` times the number of rows.
    """

    draw: Callable[[Random], Sequence[S]]
    size: int
    approximation: Fraction
    failure: Fraction


@dataclass(frozen=True, slots=True)
class Optimiser(BoundedRangeCost, Generic[R, S]):
    """Draw solutions, then choose one privately by its score [BNS19 Lemma 28].

    Guarantee:
        epsilon-DP, if one replaced row moves each score by at most 1. With `rows(more, miss)` rows
        the solution is within approximation + `more` of the best, but for failure + `miss`.

    >>> pair = Solutions(lambda _: ("no", "yes"), 2, Fraction(0), Fraction(0))
    >>> Optimiser(pair, lambda rows, s: sum(row == s for row in rows), epsilon=1).rows("0.1", 0.05)
    50

    Proof: docs/proofs/exponential.md
    """

    solutions: Solutions[S]
    score: Callable[[Sequence[R], S], int]
    epsilon: Fraction

    def __init__(
        self,
        solutions: Solutions[S],
        score: Callable[[Sequence[R], S], int],
        *,
        epsilon: Exact,
    ) -> None:
        hold(self, solutions=solutions, score=score).positive(epsilon=epsilon)

    def rows(self, more: Exact, miss: Exact) -> int:
        """Return how many rows make the choice fall short by at most `more` of them, but for miss.

        >>> Optimiser(Solutions(lambda _: (), 10**6, 0, 0), len, epsilon=1).rows("0.1", "0.01")
        360
        """
        gap = Exponential(self.epsilon).shortfall(miss, size=self.solutions.size)
        return ceil((gap - 1) / check.probability(more=more))

    def __call__(self, rows: Sequence[R], /, *, rng: Random) -> S:
        """Draw and choose."""
        drawn = self.solutions.draw(rng)
        return drawn[Exponential(self.epsilon)(self._profile(rows, drawn), rng=rng)]

    def law(self, rows: Sequence[R], drawn: Sequence[S]) -> Law[S]:
        """Return the exact law of the choice among solutions that were drawn."""
        chosen = Exponential(self.epsilon).law(self._profile(rows, drawn))
        return chosen.map(lambda place: drawn[place])

    def _profile(self, rows: Sequence[R], drawn: Sequence[S]) -> ScoreProfile[int]:
        return ScoreProfile.of([self.score(rows, solution) for solution in drawn])


def solutions_of(
    algorithm: Callable[[Sequence[R], Random], S],
    public: Sequence[R],
    *,
    cost: Cost,
    approximation: Exact,
    beta: Exact,
    failure: Exact,
) -> Solutions[S]:
    """Run a private algorithm on public rows, often enough to be good for any rows.

    What is good for other rows comes out with probability at least e^(-epsilon n) (1 - beta)
    [BNS19 Lemma 29, with the failure that is asked for in place of the algorithm's own].

    >>> from tacit.core.cost import Pure
    >>> asked = {"approximation": "0.1", "beta": "1/2", "failure": "0.01"}
    >>> solutions_of(lambda rows, rng: 0, [None], cost=Pure(1), **asked).size
    23
    """
    good = hit_probability(cost, len(public), beta)
    runs = runs_for(good, failure)

    def draw(rng: Random) -> Sequence[S]:
        return [algorithm(public, rng) for _ in range(runs)]

    near = check.probability(approximation=approximation)
    return Solutions(draw, runs, near, check.probability(failure=failure))
