"""Exact 3-satisfiability as an optimisation problem, and assignments that stand for all.

Drawn ones [BNS19, Section 5.1], fixed ones (its R1), and that fixed ones cannot be very few (R2).
Proofs in docs/proofs/optimisation.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
from flint import fmpz_poly, fq_default_ctx
from numpy.typing import NDArray

from tacit.core import Exact, InvalidArgument, TooLarge, check
from tacit.theory.optimisation.problem import WorstTest

LARGEST = 1 << 20
"""Assignments that are listed at most."""
Clause = tuple[int, int, int]
"""Three different literals: variable i, from 1 on, as i, and its negation as -i."""
Assignment = tuple[bool, ...]


def three_satisfiability(variables: int) -> WorstTest[Clause, Assignment]:
    """Return the problem to satisfy most clauses of three different literals, all of them listed.

    >>> problem = three_satisfiability(3)
    >>> len(problem.rows), problem.quality([(1, 2, 3), (-1, -2, -3)], (True, True, True))
    (20, Fraction(1, 2))
    """
    if check.count(variables=variables, least=3) > 8:
        raise TooLarge("all clauses and assignments are listed for at most 8 variables")
    literals = [sign * i for i in range(1, variables + 1) for sign in (1, -1)]
    clauses, assignments = (
        list(combinations(literals, 3)),
        list(product((False, True), repeat=variables)),
    )
    tests = [[[satisfied(clause, each) for clause in clauses]] for each in assignments]
    return WorstTest(clauses, assignments, tests)


def satisfied(clause: Clause, assignment: Sequence[bool]) -> bool:
    """Whether an assignment makes one of the literals true.

    >>> satisfied((1, -2, 3), (False, False, False))
    True
    """
    if any(not 1 <= abs(literal) <= len(assignment) for literal in clause):
        raise InvalidArgument(f"clause {clause} names a variable that is not assigned")
    return any(assignment[abs(literal) - 1] == (literal > 0) for literal in clause)


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


def even_assignments(variables: int) -> NDArray[np.bool_]:
    """Return at most 4 n assignments that give any three variables all eight values equally often.

    >>> even_assignments(16).shape
    (32, 16)
    """
    many = 2 << (check.count(variables=variables, least=1) - 1).bit_length()
    _check_listed(many, variables)
    return of_seeds(np.arange(many), np.arange(variables))


def few_bits(variables: int, alpha: Exact) -> tuple[int, int]:
    """Return (L, k): all 2^L even assignments, or 2^(2k) that are nearly even, are enough for R1.

    >>> [few_bits(2**bits, "1/20") for bits in (4, 30, 64, 1024)]
    [(5, 7), (31, 10), (65, 11), (1025, 15)]
    """
    digits = 1 + (check.count(variables=variables, least=3) - 1).bit_length()
    k = 1
    while 8 * check.positive(alpha=alpha) * 2**k < 7 * (digits - 1):
        k += 1
    return digits, k


def few_assignments(variables: int, alpha: Exact) -> NDArray[np.bool_]:
    """Return assignments of which one leaves at most 1/8 + alpha of any clauses: R1.

    They are at most (log n / alpha)^2, up to a constant, and at most 4 n.

    >>> len(few_assignments(16, "1/10")), len(few_assignments(2**12, "1/4"))
    (32, 587)
    """
    digits, k = few_bits(variables, alpha)
    if digits <= 2 * k:
        return even_assignments(variables)
    _check_listed(4**k, variables)
    field, every = fq_default_ctx(2, k), list(product((0, 1), repeat=k))
    seeds: set[int] = set()
    for x in every:
        powers = [(field(fmpz_poly(list(x))) ** j).to_list() for j in range(digits)]
        table = np.array([list(map(int, power)) for power in powers])
        seeds.update(((np.array(every) @ table.T % 2) @ (1 << np.arange(digits))).tolist())
    return of_seeds(np.array(sorted(seeds)), np.arange(variables))


def unsatisfied_by(assignments: NDArray[np.bool_]) -> tuple[Clause, Clause] | None:
    """Return two clauses of which every assignment leaves one, though both can be satisfied: R2.

    There are such whenever there are more than 2^(1 + assignments) variables: three that are always
    equal. None if there are no three.

    >>> unsatisfied_by(np.array([[0, 1, 0, 0, 1]], dtype=bool))
    ((1, 3, 4), (-1, -3, -4))
    """
    alike: dict[bytes, list[int]] = {}
    for variable, column in enumerate(np.ascontiguousarray(assignments.T), start=1):
        alike.setdefault(column.tobytes(), []).append(variable)
    for same in alike.values():
        if len(same) >= 3:
            x, y, z = same[:3]
            return (x, y, z), (-x, -y, -z)
    return None


def fewest_assignments(variables: int) -> int:
    """Bound from below how many fixed assignments leave less than half of any clauses: R2.

    >>> [fewest_assignments(n) for n in (3, 16, 17, 2**64)]
    [1, 3, 4, 63]
    """
    return max(1, (check.count(variables=variables, least=3) - 1).bit_length() - 1)


def of_seeds(seeds: NDArray[np.int64], variables: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return what seeds assign to variables: i, from 0, is the parity of (1, digits of i) and one.

    >>> of_seeds(np.array([0, 1, 2]), np.array([0, 5])).tolist()
    [[False, False], [True, True], [False, True]]
    """
    vectors = (variables << 1 | 1)[None, :]
    return np.asarray(np.bitwise_count(seeds[:, None] & vectors) & 1, dtype=np.bool_)


def _check_listed(assignments: int, variables: int) -> None:
    if assignments * variables > 64 * LARGEST:
        raise TooLarge(f"{assignments} assignments of {variables} variables are too many to list")
