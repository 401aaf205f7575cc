"""Sanitization as an optimisation problem: synthetic rows that answer as the records do.

Proof in docs/proofs/optimisation.md.

Of the papers: BNS19 Ex 7.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import listable
from tacit.core import check
from tacit.theory.optimisation.problem import WorstTest


def sanitization(queries: NDArray[np.bool_], rows: int) -> WorstTest[int, tuple[int, ...]]:
    """Return the problem to find so many synthetic rows for the queries, a line of answers each.

    The quality is 1 minus the greatest difference of an answer, a share of the rows.

    >>> thresholds = np.array([[0, 1, 1], [0, 0, 1]], dtype=bool)
    >>> problem = sanitization(thresholds, 2)
    >>> problem.quality([0, 2, 2, 2], (1, 2)), problem.good([0, 2, 2, 2], 0)
    (Fraction(3, 4), ((0, 2), (1, 2), (2, 2)))
    """
    points, made = queries.shape[1], check.count(rows=rows, least=1)
    listable(comb(points + made - 1, made), what="synthetic tables")
    solutions = list(combinations_with_replacement(range(points), made))
    yes = queries.astype(np.int64)
    tests = []
    for solution in solutions:
        told = yes[:, list(solution)].sum(axis=1, keepdims=True)
        tests.append(np.concatenate([made - made * yes + told, made + made * yes - told]))
    return WorstTest(range(points), solutions, tests, made)
