"""Problems: what a solution is worth, and that boundedness is found out, not believed."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from tacit.core.errors import InvalidArgument, TooLarge
from tacit.theory.optimisation.problem import Problem, WorstTest


def test_boundedness_agrees_with_brute_force_on_random_tests() -> None:
    """A certificate is never wrong; where there is none, all ordered neighbours decide."""
    rng, seen = np.random.default_rng(5), set()
    for _ in range(200):
        tests = [rng.integers(0, 4, (int(rng.integers(1, 3)), 2)) for _ in range(2)]
        problem, m = WorstTest("ab", (0, 1), tests, 2), 3
        moves = [
            abs(problem.quality(s, f) - problem.quality((*s[:i], r, *s[i + 1 :]), f)) * m
            for s in product("ab", repeat=m) for i in range(m) for r in "ab" for f in (0, 1)
        ]  # fmt: skip
        assert problem.bounded(m) is (max(moves) <= 1)
        leap = problem.leap(m)
        assert (leap is None) is problem.bounded(m)
        if leap is not None:
            far = problem.quality(leap.before, leap.solution) - problem.quality(
                leap.after, leap.solution
            )
            assert abs(far) * m > 1
        spans = max(int(np.ptp(np.asarray(t), axis=1).max()) for t in tests)
        seen.add((spans <= 2, problem.bounded(m)))
    assert seen == {(True, True), (False, True), (False, False)}


def test_good_solutions_and_rows_that_are_none() -> None:
    often = WorstTest(range(3), "abc", [row[None] for row in np.eye(3, dtype=int)])
    assert often.good([0, 0, 1, 2], 0) == ("a",)
    assert often.good([0, 0, 1, 2], "1/4") == ("a", "b", "c")
    assert often.quality([7, None, 2], "a") == F(2, 3)  # read as the first row
    assert sorted(often.databases(2)) == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]


def test_what_is_no_problem_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="one table"):
        WorstTest((0, 1), (0, 1), [[[1, 0]]])
    with pytest.raises(InvalidArgument, match="a weight for each row"):
        WorstTest((0, 1), (0,), [[[1]]])
    with pytest.raises(InvalidArgument, match="at least 0"):
        WorstTest((0, 1), (0,), [[[1, -1]]])
    with pytest.raises(TooLarge, match="too many"):
        WorstTest(range(100), (0,), [[[0] * 100]]).leap(20)
    assert Problem((0, 1), (0,), lambda rows, s: 0).leap(2) is None
