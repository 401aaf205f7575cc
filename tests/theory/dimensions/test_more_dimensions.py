"""Threshold, teaching and dual dimensions, covers and packings: brute force, witnesses, spoils."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.kernels.deadline import Deadline
from tacit.theory.communication.augmented_index import AugmentedIndex, index_bits, threshold_coins
from tacit.theory.dimensions.cover_numbers import (
    covering_number,
    is_cover,
    is_packing,
    packing_number,
)
from tacit.theory.dimensions.halfspace_tree import follows, halfspace_depth, halfspace_path
from tacit.theory.dimensions.littlestone import littlestone
from tacit.theory.dimensions.optimal_predictor import OptimalPredictor
from tacit.theory.dimensions.teaching import teaches, teaching
from tacit.theory.dimensions.threshold_dimension import is_threshold_line, threshold_dimension
from tacit.theory.dimensions.vc import is_shattered, vc
from tacit.theory.solving.hitting_sets import hits, smallest_hitting_set
from tacit.theory.solving.incidence import Incidence

Matrix = NDArray[np.bool_]


def random_matrix(seed: int, *, rows: int, points: int) -> Matrix:
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, rows + 1), rng.integers(1, points + 1)
    return np.unique(rng.random(shape) < rng.random(), axis=0)


def plain_thresholds(matrix: Matrix) -> int:
    """Try all lines of concepts and points."""
    n, m = matrix.shape

    def longer(hs: tuple[int, ...], xs: tuple[int, ...]) -> int:
        best = len(hs)
        for h, x in product(range(n), range(m)):
            rows, columns = (*hs, h), (*xs, x)
            if all(
                matrix[rows[i], columns[j]] == (i <= j)
                for i in range(len(rows))
                for j in range(len(rows))
                if i == len(rows) - 1 or j == len(rows) - 1
            ):
                best = max(best, longer(rows, columns))
        return best

    return longer((), ())


def plain_teaching(matrix: Matrix) -> int:
    """Try all sets of points for each concept."""
    worst = 0
    for i, row in enumerate(matrix):
        for size in range(matrix.shape[1] + 1):
            tried = combinations(range(matrix.shape[1]), size)
            if any(_told(matrix, i, row, points) for points in tried):
                worst = max(worst, size)
                break
    return worst


def _told(matrix: Matrix, i: int, row: Any, points: tuple[int, ...]) -> bool:
    at = list(points)
    return not any((other[at] == row[at]).all() for j, other in enumerate(matrix) if j != i)


def plain_vc(matrix: Matrix) -> int:
    found = 0
    for d in range(1, matrix.shape[1] + 1):
        sets = combinations(range(matrix.shape[1]), d)
        if any(len(np.unique(matrix[:, list(s)], axis=0)) == 2**d for s in sets):
            found = d
    return found


@pytest.mark.parametrize("start", range(0, 1000, 100))
def test_a_thousand_small_classes_against_brute_force(start: int) -> None:
    for seed in range(start, start + 100):
        matrix = random_matrix(seed, rows=7, points=5)
        table = Incidence.of(matrix)
        line = threshold_dimension(table)
        assert line.exact
        assert line.lower == plain_thresholds(matrix)
        assert is_threshold_line(table, line.concepts, line.points)
        taught = teaching(table)
        assert taught.exact
        assert taught.lower == plain_teaching(matrix)
        assert all(teaches(table, c, points) for c, points in enumerate(taught.sets))
        assert len(taught.sets[taught.hardest]) == taught.lower
        dual = table.dual
        shattering = vc(dual)
        assert shattering.lower == plain_vc(np.unique(matrix.T, axis=0))
        assert is_shattered(dual, shattering.points)


def plain_distances(matrix: Matrix, masses: list[Fraction]) -> list[list[Fraction]]:
    return [
        [
            sum((p for p, a, b in zip(masses, c, d, strict=True) if a != b), Fraction())
            for d in matrix
        ]
        for c in matrix
    ]


def plain_cover(distances: list[list[Fraction]], radius: Fraction) -> int:
    n = len(distances)
    for size in range(1, n + 1):
        for centres in combinations(range(n), size):
            if all(any(distances[c][o] <= radius for o in centres) for c in range(n)):
                return size
    raise AssertionError


def plain_packing(distances: list[list[Fraction]], radius: Fraction) -> int:
    n = len(distances)
    for size in range(n, 0, -1):
        for centres in combinations(range(n), size):
            if all(distances[a][b] > radius for a, b in combinations(centres, 2)):
                return size
    raise AssertionError


@pytest.mark.parametrize("start", range(0, 1000, 250))
def test_covers_and_packings_of_a_thousand_classes(start: int) -> None:
    for seed in range(start, start + 250):
        matrix = random_matrix(seed, rows=8, points=5)
        rng = np.random.default_rng(seed + 10**6)
        parts = rng.integers(1, 6, matrix.shape[1])
        masses = [Fraction(int(p), int(parts.sum())) for p in parts]
        radius = Fraction(int(rng.integers(0, 9)), 12)
        table, distances = Incidence.of(matrix), plain_distances(matrix, masses)
        cover = covering_number(table, masses, radius)
        assert cover.lower == cover.upper == plain_cover(distances, radius)
        assert is_cover(table, masses, radius, cover.centres)
        packed = packing_number(table, masses, radius)
        assert packed.lower == packed.upper == plain_packing(distances, radius)
        assert is_packing(table, masses, radius, packed.centres)
        assert cover.lower <= packed.lower


def test_spoiled_witnesses_are_rejected() -> None:
    for seed in range(200):
        matrix = random_matrix(seed, rows=12, points=6)
        table = Incidence.of(matrix)
        line = threshold_dimension(table)
        for swapped in permutations(line.concepts):
            right = swapped == line.concepts
            assert is_threshold_line(table, swapped, line.points) == right
        assert not is_threshold_line(table, (*line.concepts, 0), line.points)
        taught = teaching(table)
        for c, points in enumerate(taught.sets):
            assert not any(
                teaches(table, c, [x for x in points if x != left]) for left in points
            ) or len(points) > plain_least(matrix, c)
        masses = [Fraction(1, table.m)] * table.m
        cover = covering_number(table, masses, "1/3").centres
        assert not any(
            is_cover(table, masses, "1/3", [c for c in cover if c != left]) for left in cover
        )
        packed = packing_number(table, masses, "1/3").centres
        others = set(range(table.n)) - set(packed)
        assert not any(is_packing(table, masses, "1/3", (*packed, c)) for c in others)
        assert not is_packing(table, masses, "1/3", (*packed, packed[0]))


def plain_least(matrix: Matrix, i: int) -> int:
    return next(
        size
        for size in range(matrix.shape[1] + 1)
        if any(
            _told(matrix, i, matrix[i], points)
            for points in combinations(range(matrix.shape[1]), size)
        )
    )


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("thresholds(bits=6)", 64),
        ("halfspaces(bits=2, dims=2)", 16),
        ("lines(p=7)", 2),
        ("parities(dims=4)", 4),
        ("points(bits=4)", 1),
    ],
)
def test_thresholds_in_the_families(spec: str, value: int) -> None:
    table = Incidence.of_class(parse(spec))
    found = threshold_dimension(table)
    assert found.lower == found.upper == value
    assert is_threshold_line(table, found.concepts, found.points)
    depth = littlestone(table).lower
    assert value.bit_length() - 1 <= depth
    assert depth.bit_length() - 1 <= value


@pytest.mark.parametrize(
    ("spec", "value"),
    [("points(bits=4)", 1), ("thresholds(bits=4)", 2), ("parities(dims=4)", 4), ("lines(p=5)", 2)],
)
def test_teaching_in_the_families(spec: str, value: int) -> None:
    found = teaching(Incidence.of_class(parse(spec)))
    assert found.lower == found.upper == value


def test_time_limits_leave_what_is_certain() -> None:
    matrix = np.random.default_rng(1).random((300, 200)) < 0.5
    table = Incidence.of(matrix)
    masses = [Fraction(1, 200)] * 200
    for found in (
        threshold_dimension(table, time_limit=0.3),
        teaching(table, time_limit=0.3),
        covering_number(table, masses, "0.47", time_limit=0.3),
        packing_number(table, masses, "0.47", time_limit=0.3),
    ):
        assert found.lower < found.upper
        assert "stopped" in found.why
        assert not found.exact
    stopped = smallest_hitting_set(table.bit_rows, Deadline(0.2))
    assert stopped.lower < len(stopped.chosen)


def test_many_concepts_are_covered_greedily() -> None:
    size = 600
    table = Incidence.of(np.arange(size)[None, :] >= np.arange(size)[:, None])
    masses = [Fraction(1, size)] * size
    cover, packed = covering_number(table, masses, "0.1"), packing_number(table, masses, "0.1")
    assert is_cover(table, masses, "0.1", cover.centres)
    assert is_packing(table, masses, "0.1", packed.centres)
    assert cover.lower <= 5 <= cover.upper <= 10
    assert packed.lower <= 10 <= packed.upper


def test_fine_masses_are_compared_exactly() -> None:
    table = Incidence.of(np.array([[0, 0], [1, 0], [0, 1]]))
    tiny = Fraction(1, 3**60)
    masses = [Fraction(1, 2) - tiny, Fraction(1, 2) + tiny]
    half = Fraction(1, 2)
    assert [covering_number(table, masses, r).upper for r in (half, half + tiny)] == [2, 1]
    assert [packing_number(table, masses, r).lower for r in (half - 2 * tiny, half - tiny)] == [
        3,
        2,
    ]


@pytest.mark.parametrize(
    ("bits", "dims"), [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2), (1, 3), (1, 4), (2, 3)]
)
def test_the_halfspace_tree_path_by_path(bits: int, dims: int) -> None:
    depth = halfspace_depth(bits, dims)
    assert depth == bits + 1 + bits * dims * (dims - 1) // 2
    asked: dict[tuple[bool, ...], tuple[int, ...]] = {}
    for labels in product((False, True), repeat=depth):
        path = halfspace_path(bits, dims, labels)
        assert follows(path, labels)
        assert all(0 <= x < 1 << bits for point in path.points for x in point)
        for i, point in enumerate(path.points):
            assert asked.setdefault(labels[:i], point) == point
        wrong = (*labels[:-1], not labels[-1])
        assert not follows(path, wrong)


@pytest.mark.parametrize(("bits", "dims"), [(4, 3), (2, 4), (16, 2)])
def test_the_halfspace_tree_on_random_paths(bits: int, dims: int) -> None:
    rng = np.random.default_rng(0)
    for _ in range(3):
        labels = [bool(b) for b in rng.integers(0, 2, halfspace_depth(bits, dims))]
        assert follows(halfspace_path(bits, dims, labels), labels)


def test_augmented_index_along_any_tree() -> None:
    for seed in range(100):
        table = Incidence.of(random_matrix(seed, rows=20, points=6))
        maps = AugmentedIndex(littlestone(table).tree)
        for coins in product((False, True), repeat=maps.tree.depth):
            concept = maps.concept(coins)
            said = [table.value(concept, maps.point(coins[:i])) for i in range(len(coins))]
            assert tuple(said) == coins
        with pytest.raises(InvalidArgument):
            maps.point((True,) * maps.tree.depth)
        with pytest.raises(InvalidArgument):
            maps.concept((True,) * (maps.tree.depth + 1))


@pytest.mark.parametrize("bits", [1, 2, 6])
def test_augmented_index_in_thresholds(bits: int) -> None:
    for coins in product((False, True), repeat=bits):
        z, asked = threshold_coins(coins)
        assert tuple(y >= z for y in asked) == coins
        assert all(0 <= v < 1 << bits for v in (z, *asked))


def test_guessing_tells_nothing() -> None:
    assert index_bits(100, "0.9") == index_bits(100, "1/2") == 0
    assert index_bits(100, 0) == 100


def test_the_optimal_predictor_makes_at_most_littlestone_many_mistakes() -> None:
    rng = np.random.default_rng(5)
    for seed in range(100):
        matrix = random_matrix(seed, rows=20, points=6)
        predictor, depth = OptimalPredictor(matrix), littlestone(Incidence.of(matrix)).lower
        target = matrix[rng.integers(len(matrix))]
        space, mistakes = predictor.everything, 0
        for x in rng.integers(0, matrix.shape[1], 30):
            if predictor.predictions(space)[x] != target[x]:
                mistakes += 1
                column = sum(1 << int(i) for i in np.flatnonzero(matrix[:, x]))
                space &= column if target[x] else ~column
        assert mistakes <= depth


def test_tables_as_integers() -> None:
    matrix = random_matrix(3, rows=90, points=70)
    table = Incidence.of(matrix)
    for x, column in enumerate(table.bit_columns):
        assert [column >> c & 1 for c in range(table.n)] == [
            table.value(c, x) for c in range(table.n)
        ]
    for c, row in enumerate(table.bit_rows):
        assert [row >> x & 1 for x in range(table.m)] == [table.value(c, x) for x in range(table.m)]


def test_what_cannot_be_asked_is_refused() -> None:
    table = Incidence.of(np.eye(3))
    with pytest.raises(InvalidArgument, match="masses"):
        covering_number(table, [Fraction(1, 2)] * 3, "1/3")
    with pytest.raises(InvalidArgument, match="labels"):
        halfspace_path(2, 2, (True,))
    with pytest.raises(InvalidArgument, match="empty"):
        smallest_hitting_set([0, 1])
    assert hits([3, 5], smallest_hitting_set([3, 5]).chosen)
    many = Incidence(1 << 20, 3, np.zeros((3, 1 << 14), dtype=np.uint64))
    with pytest.raises(TooLarge):
        packing_number(many, [Fraction(1, 3)] * 3, "1/3")
