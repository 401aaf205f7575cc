"""Private assignments that satisfy about as many clauses of three literals as a random one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.core import check
from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Random
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.frozen import hold
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import real, upper
from tacit.core.numbers.exact import Exact
from tacit.core.own_cost import BoundedRangeCost
from tacit.mechanisms import Exponential
from tacit.statistics import ScoreProfile

LARGEST = 1 << 20
"""Assignments that are listed at most, each a line of a table in memory."""
Clause = tuple[int, int, int]
"""Three literals: variable i, from 1 on, as i, and its negation as -i."""


def assignments_for(alpha: Exact, beta: Exact) -> int:
    """Return how many random assignments are enough for one to leave 1/8 + alpha unsatisfied.

    One leaves more with probability at most 1 / (1 + 8 alpha), by Markov's inequality, and all of t
    do with its t-th power; [BNS19, Section 5.1] takes the success for the failure.

    >>> [assignments_for(a, b) for a, b in (("1/100", "1/100"), ("1/50", "1/20"), ("1/8", "1/100"))]
    [60, 21, 7]
    """
    alpha, beta = check.positive(alpha=alpha), check.probability(beta=beta)
    t = 1
    while (1 + 8 * alpha) ** t * beta < 1:
        t += 1
    return t


@dataclass(frozen=True, slots=True)
class ThreeSatisfiability(BoundedRangeCost):
    """The exponential mechanism over a space of at most 4 n assignments of n variables.

    The assignments a_i = <v_i, r>, v_i = (1, digits of i), for all r: of any three variables they
    take all eight values equally often, so a clause of three variables is left by 1/8 of them.

    Guarantee:
        epsilon-DP for every list of clauses. With m >= `rows(alpha, beta)` clauses, more than (1/8
        + alpha) m are left unsatisfied with probability at most beta, for any number of variables:
        a choice by e^(-eta u) exceeds the mean of u by g with probability at most e^(-eta g).

    Cost:
        Time 4 n m.

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

    def assignments(self) -> NDArray[np.bool_]:
        """Return the space, one line an assignment."""
        seeds = np.arange(self.size)[:, None]
        vectors = (np.arange(self.variables) << 1 | 1)[None, :]
        return np.asarray(np.bitwise_count(seeds & vectors) & 1, dtype=np.bool_)

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

    def __call__(self, clauses: Iterable[Clause], *, rng: Random) -> tuple[bool, ...]:
        """Choose an assignment; what is no clause is read as the clause 1, 2, 3."""
        table = self.assignments()
        chosen = Exponential(self.epsilon)(self._profile(clauses, table), rng=rng)
        return tuple(bool(value) for value in table[chosen])

    def law(self, clauses: Iterable[Clause]) -> Law[int]:
        """Return the exact law of the assignment, by its number in the space."""
        return Exponential(self.epsilon).law(self._profile(clauses, self.assignments()))

    def _profile(self, clauses: Iterable[Clause], table: NDArray[np.bool_]) -> ScoreProfile[int]:
        satisfied = np.zeros(self.size, dtype=np.int64)
        for clause in clauses:
            literals = clause if self._reads(clause) else (1, 2, 3)
            columns = [table[:, abs(literal) - 1] == (literal > 0) for literal in literals]
            satisfied += columns[0] | columns[1] | columns[2]
        return ScoreProfile.of(satisfied.tolist())

    def _reads(self, clause: Clause) -> bool:
        """Whether it is three literals of different variables."""
        if not isinstance(clause, tuple | list):
            return False
        named = [literal for literal in clause if isinstance(literal, int)]
        variables = {abs(literal) for literal in named}
        return len(clause) == len(named) == len(variables) == 3 and all(
            1 <= variable <= self.variables for variable in variables
        )


def satisfied(clause: Clause, assignment: tuple[bool, ...]) -> bool:
    """Whether an assignment makes one of the literals true.

    >>> satisfied((1, -2, 3), (False, False, False))
    True
    """
    if any(not 1 <= abs(literal) <= len(assignment) for literal in clause):
        raise InvalidArgument(f"clause {clause} names a variable that is not assigned")
    return any(assignment[abs(literal) - 1] == (literal > 0) for literal in clause)
