"""The optimiser: what it promises on every database, and the way back."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import combinations_with_replacement
from math import exp

import numpy as np
import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.cost import BoundedRange, Pure
from tacit.core.errors import InvalidArgument
from tacit.learners.made_from.optimisation import Optimiser, solutions_of
from tacit.learners.rules.three_satisfiability import ThreeSatisfiability
from tacit.mechanisms import CentrePoint, Exponential
from tacit.statistics import Counts
from tacit.theory.optimisation.centre_points import centre_points
from tacit.theory.optimisation.problem import Problem, WorstTest, sanitization
from tacit.theory.optimisation.satisfiability import even_assignments, three_satisfiability
from tacit.theory.optimisation.solution_sets import SolutionSets


def _often(values: int) -> WorstTest[int, int]:
    return WorstTest(range(values), range(values), [r[None] for r in np.eye(values, dtype=int)])


def test_the_promise_holds_on_every_database() -> None:
    """Lemma 28, exactly: a drawn representation, and the choice in it, for all rows."""
    problem = _often(3)
    coins = SolutionSets([(0, 1), (1, 2), (0, 2)], [F(1, 3)] * 3, draws=2)
    for epsilon, m in (("2", 4), ("4", 6)):
        optimiser = Optimiser(problem, coins, epsilon=epsilon)
        assert optimiser.cost == BoundedRange(epsilon)
        alpha, more = F(1, 4), F(1, 2)
        beta = coins.failure(problem, m, alpha).value
        miss = Exponential(epsilon).failure(int(more * m) + 1, size=coins.size)
        assert optimiser.rows(more, min(miss, F(99, 100))) <= m
        for rows in problem.databases(m):
            good = set(problem.good(rows, alpha + more))
            law = optimiser.law(rows)
            assert sum((law[s] for s in problem.solutions if s not in good), F(0)) <= beta + miss


def test_optimisation_from_drawn_solutions_and_back() -> None:
    """Lemma 29, exactly: runs on public rows hold a good solution for all rows."""
    problem, n = _often(2), 4
    whole = SolutionSets.fixed((0, 1))
    little = Optimiser(problem, whole, epsilon="1/4")
    alpha = F(1, 2)
    beta = max(
        sum((p for s, p in little.law(rows).probabilities.items()
             if s not in problem.good(rows, alpha)), F(0))
        for rows in problem.databases(n)
    )  # fmt: skip
    assert 0 < beta < F(1, 2)
    back = solutions_of(little.law([0] * n), n, cost=Pure("1/4"), beta=beta, failure="1/10")
    assert back.size == len(back.draw(Seeded(1)))
    assert back.failure(problem, n, alpha).value <= F(1, 10)
    again = Optimiser(problem, back, epsilon=4)
    assert again([1] * 50, rng=Seeded(2)) == 1


def test_the_solution_space_costs_what_equation_4_says() -> None:
    """One perfect solution, all others at a half: chosen with 1/2 from 4 ln(|F| - 1) / epsilon."""
    others = 20
    rows = [[[2]], *[[[1]]] * others]
    problem = WorstTest(("row",), range(others + 1), rows, 2)
    optimiser = Optimiser(problem, SolutionSets.fixed(problem.solutions), epsilon=1)
    for m in (11, 12, 13):
        found = optimiser.law(["row"] * m)[0]
        assert float(found) == pytest.approx(1 / (1 + others * exp(-m / 4)))
        assert (found >= F(1, 2)) == (m >= 4 * np.log(others))


def test_a_problem_that_is_not_bounded_is_refused_whatever_the_rows() -> None:
    """By the public number of rows, not by what they hold."""
    steep = Problem((0, 1), (0, 1), lambda rows, s: 2 * rows.count(s))
    optimiser: Optimiser[int, int] = Optimiser(steep, SolutionSets.fixed((0, 1)), epsilon=1)
    for rows in ([0, 0, 0], [0, 1, 1], [9]):
        with pytest.raises(InvalidArgument, match=r"problem\.leap"):
            optimiser(rows, rng=Seeded(1))
    with pytest.raises(InvalidArgument, match="no solution"):
        Optimiser(steep, SolutionSets.fixed((0, 7)), epsilon=1)
    calm = Problem((0, 1), (0, 1), lambda rows, s: 2 * rows.count(s), units=2)
    assert Optimiser(calm, SolutionSets.fixed((0, 1)), epsilon=60)([1, 1], rng=Seeded(1)) == 1


def test_centre_points_are_solutions_too() -> None:
    """All points of a grid are a fixed set of solutions, and depth is the score."""
    grid = tuple((x, y) for x in range(3) for y in range(3))
    problem = centre_points(grid, grid)
    chosen = Optimiser(problem, SolutionSets.fixed(problem.solutions), epsilon=1)
    rng = np.random.default_rng(0)
    for _ in range(10):
        rows = [(int(x), int(y)) for x, y in rng.integers(0, 3, (7, 2))]
        law = CentrePoint((3, 3), 1).law(Counts.of(rows))
        assert chosen.law(rows).probabilities == law.probabilities


def test_assignments_are_solutions_too() -> None:
    problem = three_satisfiability(3)
    even = SolutionSets.fixed([tuple(map(bool, row)) for row in even_assignments(3)])
    chosen = Optimiser(problem, even, epsilon=1)
    for rows in list(problem.databases(2))[::7]:
        law = ThreeSatisfiability(3, epsilon=1).law(Counts.of(rows))
        assert chosen.law(rows).probabilities == law.probabilities


def test_synthetic_rows_are_solutions_too() -> None:
    """Two rows stand for four within 1/4 in every threshold, and that is attained."""
    table = np.array([[x >= q for x in range(3)] for q in range(1, 3)])
    problem = sanitization(table, 2)
    assert problem.bounded(10**6)
    for rows in combinations_with_replacement(range(3), 4):
        best = max(problem.quality(rows, s) for s in problem.solutions)
        errors = [
            max(abs(F(sum(t[x] for x in rows), 4) - F(sum(t[x] for x in s), 2)) for t in table)
            for s in problem.solutions
        ]
        assert best == 1 - min(errors) >= F(3, 4)
    optimiser = Optimiser(problem, SolutionSets.fixed(problem.solutions), epsilon=6)
    alike = [2] * optimiser.rows("1/4", "1/20")
    far = [s for s in problem.solutions if s not in problem.good(alike, "1/4")]
    assert far
    assert sum((optimiser.law(alike)[s] for s in far), F(0)) <= F(1, 20)
