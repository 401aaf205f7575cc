"""Assignments that stand for all, drawn and fixed, on all databases of few clauses."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from math import log

import numpy as np
import pytest

from tacit.core.chance.law import Law
from tacit.core.errors import TooLarge
from tacit.theory.optimisation.problem import sanitization
from tacit.theory.optimisation.satisfiability import (
    assignments_for,
    even_assignments,
    few_assignments,
    few_bits,
    fewest_assignments,
    of_seeds,
    satisfied,
    three_satisfiability,
    unsatisfied_by,
)
from tacit.theory.optimisation.solution_sets import SolutionSets

EIGHTH = F(1, 8)


def _times(a: int, b: int, modulus: int) -> int:
    """Multiply two polynomials over two elements, their coefficients bits, modulo a third."""
    product_ = 0
    while b:
        product_ ^= a if b & 1 else 0
        a, b = a << 1, b >> 1
    return _rest(product_, modulus)


def _rest(a: int, modulus: int) -> int:
    while a.bit_length() >= modulus.bit_length():
        a ^= modulus << (a.bit_length() - modulus.bit_length())
    return a


def _irreducible(degree: int) -> int:
    """Return the least polynomial of this degree that none of at most half of it divides."""
    divisors = range(2, 2 << degree // 2)
    return next(p for p in range(1 << degree, 2 << degree) if all(_rest(p, d) for d in divisors))


THREE = three_satisfiability(3)


@pytest.mark.parametrize("alpha", [F(1, 100), F(1, 8)])
def test_drawn_assignments_keep_what_is_promised(alpha: F) -> None:
    """With the corrected number of draws, for all 1,540 databases of three clauses."""
    assert THREE.bounded(10**6)
    assert THREE.leap(2) is None
    one = Law(dict.fromkeys(THREE.solutions, F(1, 8)))
    draws = assignments_for(alpha, "1/20")
    assert SolutionSets.independent(one, draws).represents(THREE, 3, EIGHTH + alpha, "1/20")


def test_the_printed_number_of_draws_is_too_small() -> None:
    """Seven clauses on three variables, the eighth left out: one draw is good with 1/8."""
    seven = [c for c in product((1, -1), (2, -2), (3, -3)) if c != (-1, -2, -3)]
    good = THREE.good(seven, EIGHTH + F(1, 100))
    assert len(good) == 1
    printed = log(100) / (log(0.01 + 0.125) + log(100))
    assert printed < 2
    assert F(7, 8) ** 2 > F(1, 100)


def test_even_assignments_represent_within_an_eighth() -> None:
    """R1 with alpha = 0: at most 4 n assignments, whatever the clauses."""
    four = three_satisfiability(4)
    even = SolutionSets.fixed([tuple(map(bool, row)) for row in even_assignments(4)])
    assert (len(four.rows), even.size) == (56, 8)
    assert even.represents(four, 2, EIGHTH)
    assert even.approximation(four, 2).value == 0


def test_pairs_of_field_elements_leave_few_of_any_clause() -> None:
    """R1: at most 1/8 + alpha of all (x, y) leave a clause, so some leaves few of any clauses."""
    variables, alpha = 256, F(7, 16)
    digits, k = few_bits(variables, alpha)
    assert (digits, k) == (9, 4)
    modulus, seeds = _irreducible(k), []
    for x, y in product(range(16), repeat=2):
        powers = [1]
        while len(powers) < digits:
            powers.append(_times(powers[-1], x, modulus))
        seeds.append(sum(((p & y).bit_count() & 1) << j for j, p in enumerate(powers)))
    table = of_seeds(np.array(seeds), np.arange(variables))
    assert {row.tobytes() for row in table} == {r.tobytes() for r in few_assignments(256, alpha)}
    rng = np.random.default_rng(0)
    triples = rng.permuted(np.tile(np.arange(variables), (3000, 1)), axis=1)[:, :3]
    values = table[:, triples] @ np.array([1, 2, 4])
    most = max((values == left).mean(axis=0).max() for left in range(8))
    assert F(1, 8) < F(float(most)) <= EIGHTH + F(7, 8) * F(digits - 1, 2**k) <= EIGHTH + alpha


def test_multiplication_is_that_of_a_field() -> None:
    for k in (1, 2, 3, 4, 5):
        modulus = _irreducible(k)
        for a in range(1, 1 << k):
            assert sorted(_times(a, b, modulus) for b in range(1 << k)) == [*range(1 << k)]


def test_what_cannot_be_listed_is_refused() -> None:
    for wanted in (lambda: few_assignments(2**40, "1/20"), lambda: even_assignments(2**14),
                   lambda: three_satisfiability(9)):  # fmt: skip
        with pytest.raises(TooLarge):
            wanted()
    with pytest.raises(TooLarge, match="synthetic tables"):
        sanitization(np.tri(100, dtype=bool), 100)


def test_sizes_grow_with_the_logarithm_of_the_logarithm() -> None:
    """R1: ln of the number is about 2 ln(log n / alpha)."""
    for bits in (30, 64, 1024, 2**16):
        digits, k = few_bits(2**bits, "1/20")
        assert 2 ** (k - 1) < 7 * bits / (8 / 20) <= 2**k
        assert digits == bits + 1


@pytest.mark.parametrize("size", [1, 2, 3])
def test_fewer_assignments_are_stuck_at_one_half(size: int) -> None:
    """R2: beyond 2^(1 + size) variables some two clauses are left by one each, of any set."""
    rng = np.random.default_rng(size)
    variables = 2 ** (size + 1) + 1
    assert fewest_assignments(variables) == size + 1
    for _ in range(50):
        table = rng.integers(0, 2, (size, variables)).astype(bool)
        pair = unsatisfied_by(table)
        assert pair is not None
        assert all(sum(satisfied(c, tuple(row)) for c in pair) == 1 for row in table)
        both = [v == abs(pair[0][0]) for v in range(1, variables + 1)]
        assert all(satisfied(c, both) for c in pair)
    columns = np.array([*product((0, 1), repeat=size)] * 2, dtype=bool).T
    assert unsatisfied_by(columns) is None  # as many variables as two of each kind


def test_a_set_that_is_too_small_is_refuted_by_its_database() -> None:
    """R2 by the checker: five variables, one assignment, two clauses."""
    problem = three_satisfiability(5)
    one = SolutionSets.fixed([(True,) * 5])
    worst = one.approximation(problem, 2)
    assert worst.value == 1  # both clauses may be left: one of three negations
    two = SolutionSets.fixed([(True,) * 5, (False,) * 5])
    assert two.approximation(problem, 2).value == F(1, 2)
    assert not two.represents(problem, 2, "0.49")
