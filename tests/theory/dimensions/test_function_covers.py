"""Covers by any functions: against all sets of functions, witnesses of either side, spoils."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import ceil
from typing import Any

import numpy as np
import pytest

from tacit.theory.dimensions.cover_numbers import covering_number
from tacit.theory.dimensions.function_covers import covers, function_cover, most_covered
from tacit.theory.solving.incidence import Incidence

F = Fraction


def plain(matrix: Any, masses: list[Fraction], radius: Fraction) -> int:
    """Try all sets of all functions."""
    every = [np.array(h, dtype=np.bool_) for h in product((0, 1), repeat=matrix.shape[1])]
    held = [
        frozenset(
            i
            for i, row in enumerate(matrix)
            if sum((m for m, far in zip(masses, row != h, strict=True) if far), F(0)) <= radius
        )
        for h in every
    ]
    balls = set(held)
    return next(
        size
        for size in range(1, len(matrix) + 1)
        if any(len(frozenset.union(*some)) == len(matrix) for some in combinations(balls, size))
    )


@pytest.mark.parametrize("seed", range(120))
def test_small_classes_against_all_sets_of_functions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 6))
    matrix = np.unique(rng.random((int(rng.integers(1, 9)), m)) < rng.random(), axis=0)
    shares = rng.integers(0, 5, size=m) + (np.arange(m) == 0)
    masses = [F(int(s), int(shares.sum())) for s in shares]
    radius = F(int(rng.integers(0, 11)), 16)
    found = function_cover(matrix, masses, radius)
    table = Incidence.of(matrix)
    assert found.lower == found.upper == plain(matrix, masses, radius) == len(found.functions)
    assert covers(matrix, masses, radius, found.functions)
    assert (sum(found.weights), len(found.weights)) == (1, table.n)
    assert ceil(1 / most_covered(matrix, masses, radius, found.weights)) <= found.lower
    assert found.upper <= covering_number(matrix, masses, radius).upper
    if 2 * radius < 1:
        assert covering_number(matrix, masses, 2 * radius).lower <= found.lower
    if len(found.functions) > 1:
        assert not covers(matrix, masses, radius, found.functions[1:])
    limited = function_cover(matrix, masses, radius, time_limit=1e-9)
    assert limited.lower <= found.lower <= limited.upper
    assert covers(matrix, masses, radius, limited.functions)


def test_weights_show_what_pairs_do_not() -> None:
    """All functions on 4 points: within 1/4 each has 5, and balls of one change tile no cube."""
    cube, even = np.array([*product((0, 1), repeat=4)], dtype=np.bool_), [F(1, 4)] * 4
    found = function_cover(cube, even, F(1, 4))
    assert found.lower == found.upper == 4
    assert most_covered(cube, even, F(1, 4), found.weights) == F(5, 16)
    seven = np.array([*product((0, 1), repeat=7)], dtype=np.bool_)
    hamming = function_cover(seven, [F(1, 7)] * 7, F(1, 7), time_limit=20)
    assert hamming.lower == 16, "the Hamming code is perfect"
    assert most_covered(seven, [F(1, 7)] * 7, F(1, 7), hamming.weights) <= F(1, 15)


def test_functions_beat_concepts_and_large_lines_are_bracketed() -> None:
    stars = np.eye(40, dtype=np.bool_)
    even = [F(1, 40)] * 40
    assert covering_number(stars, even, F(1, 40)).upper == 40
    assert function_cover(stars[:, :16], [F(1, 16)] * 16, F(1, 16)).upper == 1
    line = np.tri(64, dtype=np.bool_)
    found = function_cover(line, [F(1, 64)] * 64, F(1, 8), time_limit=5)
    assert (found.lower, found.upper) == (4, 4)
    assert most_covered(line, [F(1, 64)] * 64, F(1, 8), found.weights) == F(1, 4)
    stuck = function_cover(stars, even, F(1, 40))
    assert (stuck.lower, stuck.upper) == (1, 40)
    rng = np.random.default_rng(7)
    noise, share = rng.random((30, 40)) < 1 / 2, F(2, 5)
    bracket = function_cover(noise, even, share)
    assert bracket.lower < bracket.upper <= covering_number(noise, even, share).upper
    assert covers(noise, even, share, bracket.functions)
    assert most_covered(noise, even, share, bracket.weights) <= F(1, bracket.lower)


def test_masses_of_any_denominator_and_points_that_are_one() -> None:
    tiny = F(1, 3**60)
    masses = [F(1, 2), F(1, 2) - tiny, tiny]
    pair = np.array([[0, 0, 0], [1, 0, 1]], dtype=np.bool_)
    assert function_cover(pair, masses, (F(1, 2) + tiny) / 2).upper == 2
    assert function_cover(pair, masses, F(1, 2)).upper == 1
    wide, even = np.repeat(pair, 100, axis=1), [F(1, 300)] * 300
    assert [function_cover(wide, even, F(r, 300)).upper for r in (99, 100)] == [2, 1]
