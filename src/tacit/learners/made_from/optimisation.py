"""Private optimisation from solutions that are drawn without the data, and back.

Of the papers: BNS19 Def 27, BNS19 Lemma 28, BNS19 Lemma 29, BNS19 Ex 7, BNS19 Ex 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Generic

from tacit.core import BoundedRangeCost, Cost, Exact, InvalidArgument, Law, Random, check, hold
from tacit.core.chance.law import mixture
from tacit.learners.every_class.converse import hit_probability, runs_for
from tacit.mechanisms import Exponential
from tacit.statistics import ScoreProfile
from tacit.theory.optimisation.problem import Problem, R, S
from tacit.theory.optimisation.solution_sets import SolutionSets


@dataclass(frozen=True, slots=True)
class Optimiser(BoundedRangeCost, Generic[R, S]):
    """Draw solutions, then choose one privately by its score [BNS19 Lemma 28].

    Guarantee:
        epsilon-DP for every database. That one replaced row moves no score by more than the units
        of the problem is checked, for the number of rows that are given, before they are counted.
        If the sets (alpha, beta)-represent the problem, then with `rows(more, miss)` rows the
        solution is within alpha + `more` of the best, but for beta + `miss`.

    Exactness:
        Scores are integers; sampled as `Exponential` is.

    Cost:
        `BoundedRange(epsilon)`; time linear in the solutions of the problem.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.theory.optimisation.problem import WorstTest
    >>> often = WorstTest((0, 1), (0, 1), ([[1, 0]], [[0, 1]]))
    >>> optimiser = Optimiser(often, SolutionSets.fixed((0, 1)), epsilon=1)
    >>> optimiser.rows("0.1", 0.05), optimiser([1] * 50, rng=Seeded(0))
    (50, 1)

    Proof: docs/proofs/optimisation.md
    """

    problem: Problem[R, S]
    solutions: SolutionSets[S]
    epsilon: Fraction

    def __init__(
        self, problem: Problem[R, S], solutions: SolutionSets[S], *, epsilon: Exact
    ) -> None:
        hold(self, problem=problem, solutions=solutions).positive(epsilon=epsilon)
        solutions.places(problem)  # refuses what is no solution

    def rows(self, more: Exact, miss: Exact) -> int:
        """Return how many rows make the choice fall short by at most `more` of them, but for miss.

        >>> from tacit.theory.optimisation.problem import WorstTest
        >>> many = WorstTest((0,), range(1000), [[[0]]] * 1000)
        >>> Optimiser(many, SolutionSets.fixed(many.solutions), epsilon=1).rows("0.1", "0.01")
        230
        """
        public = {"size": self.solutions.size, "sensitivity": self.problem.units}
        gap = Exponential(self.epsilon).shortfall(miss, **public)
        return ceil(Fraction(gap - 1, self.problem.units) / check.probability(more=more))

    def __call__(self, rows: Sequence[R], /, *, rng: Random) -> S:
        return Exponential(self.epsilon)(self._profile(rows, self.solutions.draw(rng)), rng=rng)

    def law(self, rows: Sequence[R]) -> Law[S]:
        """Return the exact law of the solution, where few sets can be drawn."""
        choice, lottery = Exponential(self.epsilon), self.solutions.lottery()
        return mixture((p, choice.law(self._profile(rows, drawn))) for p, drawn in lottery)

    def _profile(self, rows: Sequence[R], drawn: tuple[S, ...]) -> ScoreProfile[S]:
        if not self.problem.bounded(max(1, len(rows))):
            raise InvalidArgument(
                "problem must be bounded: a replaced row moves a score by more than its units; "
                "`problem.leap` shows where, and more units may help"
            )
        scores = dict(
            zip(self.problem.solutions, self.problem.scores(self.problem.held(rows)), strict=True)
        )
        told = [int(scores[solution]) for solution in drawn]
        return ScoreProfile.among(drawn, told, sensitivity=self.problem.units)


def solutions_of(
    law: Law[S], n: int, *, cost: Cost, beta: Exact, failure: Exact
) -> SolutionSets[S]:
    """Run a private algorithm on n public rows, where it has this law, until it is good for any.

    If it gives an alpha-good solution but for beta, then one comes out with probability at least
    e^(-epsilon n) (1 - beta) for any rows: so many runs (alpha, failure)-represent the problem
    [BNS19 Lemma 29, with the failure that is asked for in place of the algorithm's own].

    >>> from tacit.core.chance.law import certain
    >>> from tacit.core.cost import Pure
    >>> solutions_of(certain(0), 1, cost=Pure(1), beta="1/2", failure="0.01").size
    23
    """
    return SolutionSets.independent(law, runs_for(hit_probability(cost, n, beta), failure))
