"""Sets of solutions against brute force over all of X^m, and the worst database they show."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from math import log

import numpy as np
import pytest

from tacit.core.chance.law import Law
from tacit.core.errors import InvalidArgument
from tacit.theory.optimisation.problem import Problem, WorstTest
from tacit.theory.optimisation.solution_sets import SolutionSets


def _missed(sets: SolutionSets[int], problem: Problem[str, int], rows: tuple[str, ...],
            alpha: F) -> F:  # fmt: skip
    """Return, by the definition, how often no solution within alpha is drawn."""
    best = max(problem.quality(rows, f) for f in problem.solutions)
    return sum(
        (p for p, drawn in sets.lottery()
         if all(problem.quality(rows, f) < best - alpha for f in drawn)), F(0),
    )  # fmt: skip


def test_lotteries_against_the_definition() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        problem = WorstTest("abc", range(4), [rng.integers(0, 3, (2, 3)) for _ in range(4)], 2)
        sets = SolutionSets(((0,), (1, 2), (3,)), (F(1, 2), F(1, 3), F(1, 6)), draws=2)
        m, alpha = 3, F(int(rng.integers(0, 4)), 6)
        every = [_missed(sets, problem, s, alpha) for s in product("abc", repeat=m)]
        worst = sets.failure(problem, m, alpha)
        assert worst.value == max(every)
        assert _missed(sets, problem, worst.database, alpha) == worst.value
        assert sets.represents(problem, m, alpha, worst.value) or worst.value == 1
        if worst.value < 1:
            assert sets.approximation(problem, m, worst.value).value <= alpha
        beta = F(1, 10)
        near = sets.approximation(problem, m, beta)
        assert sets.represents(problem, m, near.value, beta)
        if near.value:
            assert not sets.represents(problem, m, near.value - F(1, 100), beta)
            assert _missed(sets, problem, near.database, near.value - F(1, 100)) > beta


def test_one_solution_has_every_ratio() -> None:
    assert SolutionSets.fixed((3,)).ratio(5) is None
    low, high = SolutionSets.independent(Law({0: F(1, 2), 1: F(1, 2)}), 10).ratio(30) or (0, 0)
    assert low <= high
    assert float(low) == pytest.approx(30 / log(10))


def test_what_is_no_lottery_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="add up to 1"):
        SolutionSets(((0,), (1,)), (F(1, 2), F(1, 3)))
    with pytest.raises(InvalidArgument, match="be empty"):
        SolutionSets(((),), (F(1),))
    often = WorstTest((0, 1), (0, 1), ([[1, 0]], [[0, 1]]))
    with pytest.raises(InvalidArgument, match="no solution"):
        SolutionSets.fixed((0, 7)).failure(often, 2, 0)
