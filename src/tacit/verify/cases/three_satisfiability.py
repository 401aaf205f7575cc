"""Private assignments: clauses of three literals are the records."""

from __future__ import annotations

from tacit.core.numbers.exact import Exact
from tacit.learners.rules.three_satisfiability import Clause, ThreeSatisfiability
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is
from tacit.verify.sampling import Probe

CLAUSES: tuple[Clause, ...] = ((1, 2, 3), (-1, -2, -3), (1, -2, 3), (-1, 2, -3))


def _case(n: int, epsilon: Exact) -> Case:
    problem = ThreeSatisfiability(3, epsilon=epsilon)

    table = [tuple(map(bool, row)) for row in problem.assignments().tolist()]
    law = Route(problem, as_it_is, lambda clauses: problem.law(clauses).map(lambda i: table[i]))
    setting = f"3 variables, n={n}, epsilon={epsilon}"
    return Case("three-satisfiability", setting, "learner", problem.cost, CLAUSES, n, law)


CASES = (_case(3, "1"), _case(4, "1/2"), _case(2, "6"))

PROBES = tuple(Probe(_case(1000, epsilon), 100) for epsilon in ("1/20", "8"))
