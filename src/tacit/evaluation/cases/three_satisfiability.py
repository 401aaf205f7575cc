"""Private assignments: clauses of three literals are the records."""

from __future__ import annotations

from tacit.core.exact import Exact
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.three_satisfiability import Clause, ThreeSatisfiability

CLAUSES: tuple[Clause, ...] = ((1, 2, 3), (-1, -2, -3), (1, -2, 3), (-1, 2, -3))


def _case(n: int, epsilon: Exact) -> Case:
    problem = ThreeSatisfiability(3, epsilon=epsilon)

    def law(database: tuple[Clause, ...]) -> Law[int]:
        return problem.law(database)

    setting = f"3 variables, n={n}, epsilon={epsilon}"
    return Case("three-satisfiability", setting, "learner", problem.cost, CLAUSES, n, law)


CASES = (_case(3, "1"), _case(4, "1/2"))
