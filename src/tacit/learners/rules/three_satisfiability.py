"""Private assignments that satisfy about as many clauses of three literals as a random one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.core import BoundedRangeCost, Decay, Exact, Law, Random, TooLarge, check, hold
from tacit.core.numbers.enclosures import real, upper
from tacit.mechanisms import Exponential
from tacit.statistics import Counts, ScoreProfile
from tacit.theory.optimisation.satisfiability import LARGEST, Assignment, Clause, of_seeds


@dataclass(frozen=True, slots=True)
class ThreeSatisfiability(BoundedRangeCost):
    """The exponential mechanism over a space of at most 4 n assignments of n variables.

    The assignments a_i = <v_i, r>, v_i = (1, digits of i), for all r: of any three variables they
    take all eight values equally often, so a clause is left by 1/8 of them, or by none if it has a
    variable and its negation. What is no clause of three different literals is read as 1, 2, 3.

    Guarantee:
        epsilon-DP for all clauses. With m >= `rows(alpha, beta)` clauses, more than (1/8
        + alpha) m are left unsatisfied with probability at most beta, for any number of variables:
        a choice by e^(-eta u) exceeds the mean of u by g with probability at most e^(-eta g).

    Cost:
        Time 4 n for each different clause.

    >>> problem = ThreeSatisfiability(16, epsilon=1)
    >>> problem.size, problem.rows("0.1", "0.05")
    (32, 60)

    Proof: docs/proofs/communication.md
    """

    variables: int
    epsilon: Fraction

    def __init__(self, variables: int, *, epsilon: Exact) -> None:
        hold(self).count(variables=variables, least=3).positive(epsilon=epsilon)
        if self.size > LARGEST:
            raise TooLarge(f"at most {LARGEST // 4} variables have their assignments listed")

    @property
    def size(self) -> int:
        """The number of assignments that are chosen from."""
        return 2 << (self.variables - 1).bit_length()

    def rows(self, alpha: Exact, beta: Exact) -> int:
        """Return how many clauses are enough: ceil(2 ln(1 / beta) / (epsilon alpha)), checked.

        >>> ThreeSatisfiability(1000, epsilon="1/2").rows("0.01", "0.01")
        1843
        """
        alpha, beta = check.positive(alpha=alpha), check.probability(beta=beta)
        m = max(1, int(upper(lambda: -2 * real(beta).log() / real(self.epsilon * alpha))))
        while self.failure(m, alpha) > beta:
            m += 1
        return m

    def failure(self, m: int, alpha: Exact) -> Fraction:
        """Bound the probability that more than (1/8 + alpha) m of m clauses are unsatisfied."""
        excess = check.positive(alpha=alpha) * check.count(m=m)
        ratio = Decay.of(self.epsilon / 2).ratio
        return min(Fraction(1), upper(lambda: real(ratio) ** real(excess)))

    def left(self, m: int, beta: Exact) -> int:
        """Return how many of m clauses are left at most, but for probability beta.

        >>> ThreeSatisfiability(16, epsilon=1).left(1000, "0.05")
        130
        """
        beta, ratio = check.probability(beta=beta), Decay.of(self.epsilon / 2).ratio
        excess = upper(lambda: real(beta).log() / real(ratio).log())
        return min(check.count(m=m), int(Fraction(m, 8) + excess))

    def __call__(self, clauses: Counts[Clause], *, rng: Random) -> Assignment:
        return self._assignment(Exponential(self.epsilon)(self._profile(clauses), rng=rng))

    def law(self, clauses: Counts[Clause]) -> Law[Assignment]:
        return Exponential(self.epsilon).law(self._profile(clauses)).map(self._assignment)

    def _assignment(self, seed: int) -> Assignment:
        everybody = np.arange(self.variables)
        return tuple(of_seeds(np.array([seed]), everybody)[0].tolist())

    def _profile(self, clauses: Counts[Clause]) -> ScoreProfile[int]:
        seeds, scores = np.arange(self.size), np.zeros(self.size, dtype=np.int64)
        for clause, many in clauses.table.items():
            literals = np.array(clause if self._reads(clause) else (1, 2, 3), dtype=np.int64)
            values = of_seeds(seeds, abs(literals) - 1)
            scores += many * (values == (literals > 0)).any(axis=1)
        return ScoreProfile.of(scores)

    def _reads(self, clause: Clause) -> bool:
        """Whether it is three different literals of the variables."""
        if not isinstance(clause, tuple) or len(clause) != 3:
            return False
        known = [isinstance(i, int) and 1 <= abs(i) <= self.variables for i in clause]
        return all(known) and len(set(clause)) == 3
