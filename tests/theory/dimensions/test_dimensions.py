"""VC and Littlestone dimension against brute force, and their witnesses against their verifiers."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.theory.dimensions.cover_numbers import covering_number, packing_number
from tacit.theory.dimensions.littlestone import MistakeTree, is_mistake_tree, littlestone
from tacit.theory.dimensions.teaching import teaching
from tacit.theory.dimensions.threshold_dimension import threshold_dimension
from tacit.theory.dimensions.vc import is_shattered, vc
from tacit.theory.solving.incidence import Incidence, Table

Matrix = NDArray[np.bool_]


def plain_vc(matrix: Matrix) -> int:
    """Try all sets of points."""
    found = 0
    for d in range(1, matrix.shape[1] + 1):
        sets = combinations(range(matrix.shape[1]), d)
        if not any(len(np.unique(matrix[:, list(s)], axis=0)) == 2**d for s in sets):
            break
        found = d
    return found


def plain_littlestone(matrix: Matrix) -> int:
    """Follow the definition."""

    @cache
    def depth(rows: frozenset[int]) -> int:
        if len(rows) <= 1:
            return len(rows) - 1
        best = 0
        for x in range(matrix.shape[1]):
            yes = frozenset(r for r in rows if matrix[r, x])
            if yes and yes != rows:
                best = max(best, 1 + min(depth(yes), depth(rows - yes)))
        return best

    return depth(frozenset(range(len(matrix))))


def random_matrix(seed: int, *, rows: int, points: int) -> Matrix:
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, rows + 1), rng.integers(1, points + 1)
    return np.unique(rng.random(shape) < rng.random(), axis=0)


@pytest.mark.parametrize("start", range(0, 1000, 100))
def test_a_thousand_small_classes_against_brute_force(start: int) -> None:
    for seed in range(start, start + 100):
        matrix = random_matrix(seed, rows=10, points=6)
        table = Incidence.of(matrix)
        shattering, mistakes = vc(table), littlestone(table)
        assert shattering.exact
        assert shattering.lower == plain_vc(matrix)
        assert is_shattered(table, shattering.points)
        assert mistakes.exact
        assert mistakes.lower == plain_littlestone(matrix)
        assert mistakes.tree.depth == mistakes.lower
        assert is_mistake_tree(table, mistakes.tree)


@pytest.mark.parametrize(
    ("spec", "vc_dimension", "littlestone_dimension"),
    [
        ("thresholds(bits=6)", 1, 6),
        ("points(bits=5)", 1, 1),
        ("parities(dims=4)", 4, 4),
        ("lines(p=7)", 2, 2),
        ("halfspaces(bits=2, dims=2)", 3, 7),
        ("halfspaces(bits=1, dims=3)", 4, 6),
        ("boxes(bits=2, dims=2)", 4, 6),
        ("boxes(bits=1, dims=3)", 3, 4),
        ("intervals(bits=4)", 2, 6),
        ("balls(bits=2, dims=2)", 3, 8),
    ],
)
def test_known_values_of_the_families(
    spec: str, vc_dimension: int, littlestone_dimension: int
) -> None:
    concepts = parse(spec)
    table = Incidence.of_class(concepts)
    assert table.n == concepts.size
    assert vc(table).lower == vc(table).upper == vc_dimension
    found = littlestone(table)
    assert found.lower == found.upper == littlestone_dimension
    assert is_mistake_tree(table, found.tree)
    for bracket, value in ((concepts.vc, vc_dimension), (concepts.littlestone, found.lower)):
        assert bracket.lower <= value <= bracket.upper


def test_large_classes_are_quick_enough_to_try() -> None:
    size = 4096
    thresholds = Incidence.of(np.arange(size)[None, :] >= np.arange(size)[:, None])
    found = littlestone(thresholds)
    assert (found.lower, found.upper) == (12, 12)
    assert is_mistake_tree(thresholds, found.tree)
    assert vc(thresholds).upper == 1


@given(st.integers(0, 10**6), st.data())
@settings(max_examples=100, deadline=None)
def test_corrupted_witnesses_are_rejected(seed: int, data: st.DataObject) -> None:
    matrix = random_matrix(seed, rows=30, points=6)
    table = Incidence.of(matrix)
    tree = littlestone(table).tree
    if tree.depth:
        leaves = tree.concepts.copy()
        leaf = data.draw(st.integers(0, len(leaves) - 1))
        leaves[leaf] = leaves[leaf ^ 1]
        assert not is_mistake_tree(table, MistakeTree(tree.points, leaves))
    points = vc(table).points
    assert not is_shattered(table, (*points, *points[:1])) or not points
    free = [x for x in range(table.m) if x not in points]
    assert not any(is_shattered(table, (*points, x)) for x in free)


@pytest.mark.parametrize(
    "tree",
    [
        MistakeTree(np.array([0]), np.array([0])),
        MistakeTree(np.array([5]), np.array([0, 1])),
        MistakeTree(np.array([0]), np.array([0, 7])),
        MistakeTree(np.array([0, 0]), np.array([0, 1, 1])),
    ],
)
def test_trees_of_a_wrong_shape_are_rejected(tree: MistakeTree) -> None:
    assert not is_mistake_tree(Incidence.of(np.array([[0], [1]])), tree)


@pytest.mark.parametrize("dimension", [vc, littlestone])
def test_a_time_limit_gives_certain_bounds(dimension: Any) -> None:
    matrix = np.random.default_rng(3).random((600, 400)) < 0.1
    found = dimension(Incidence.of(matrix), time_limit=0.3)
    assert found.lower <= found.upper
    assert found.exact or "stopped" in found.why


def test_the_dual_swaps_points_and_concepts() -> None:
    matrix = random_matrix(5, rows=10, points=6)
    table = Incidence.of(matrix)
    dual = table.dual
    assert (dual.n, dual.m) == (len(np.unique(matrix.T, axis=0)), len(matrix))
    assert vc(dual).lower == plain_vc(np.unique(matrix.T, axis=0))


@pytest.mark.parametrize("bad", [np.array([[0, 2]]), np.array([0, 1]), np.zeros((0, 3))])
def test_what_is_no_class_is_refused(bad: NDArray[Any]) -> None:
    with pytest.raises(InvalidArgument):
        Incidence.of(bad)


def test_tables_may_be_given_in_any_form() -> None:
    matrix = np.arange(8)[None, :] >= np.arange(8)[:, None]
    forms: list[Table] = [Incidence.of(matrix), matrix, parse("thresholds(bits=3)")]
    for form in [*forms, "thresholds(bits=3)"]:
        found = littlestone(form)
        assert found.lower == 3
        assert is_mistake_tree(form, found.tree)
        assert is_shattered(form, vc(form).points)
        assert teaching(form).lower == 2
        assert threshold_dimension(form).lower == 8
        assert len(covering_number(form, ["1/8"] * 8, "1/8").centres) == 3
        assert len(packing_number(form, ["1/8"] * 8, "1/8").centres) == 4


def test_what_is_too_large_to_list_is_refused() -> None:
    with pytest.raises(TooLarge):
        Incidence.of_class(parse("thresholds(bits=64)"))
