"""Halfspaces on grids: the line, the plane, and small grids of more dimensions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from math import comb, gcd
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tacit.concepts.contract.feature import Feature
from tacit.concepts.contract.specification import parse
from tacit.concepts.grid.arrangement import dichotomies
from tacit.concepts.grid.halfplanes import Halfplanes, lattice_count, simplest
from tacit.concepts.grid.halfspace import Halfspace
from tacit.concepts.grid.halfspaces import SEARCHED, Halfspaces
from tacit.concepts.grid.listed_functions import codes
from tacit.concepts.grid.numbering import grid
from tacit.concepts.grid.small_halfspaces import SIZES, small_halfspaces
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tacit.theory.dimensions.halfspace_tree import halfspace_depth
from tests.support.concept_contract import check_contract
from tests.support.grid_oracles import cell_count, littlestone_at_least, shatters_some


def table(concepts: Halfspaces) -> NDArray[np.bool_]:
    return np.array([concept(concepts.domain()) for concept in concepts.concepts()])


def homogeneous(bits: int, dims: int) -> NDArray[np.int64]:
    return np.insert(grid(bits, dims), dims, 1, axis=1)


@pytest.mark.parametrize(("bits", "dims"), [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3), (1, 4)])
def test_small_classes_keep_the_contract(bits: int, dims: int) -> None:
    check_contract(Halfspaces(bits, dims))


def test_the_default_keeps_the_contract() -> None:
    check_contract(Halfspaces(), samples=1)


@pytest.mark.parametrize(
    ("bits", "dims", "size", "littlestone"),
    [
        (1, 1, 4, 2),
        (2, 1, 8, 3),
        (3, 1, 16, 4),
        (4, 1, 32, 5),
        (1, 2, 14, 3),
        (2, 2, 174, 7),
        (1, 3, 104, 6),
    ],
)
def test_golden_sizes_and_dimensions(bits: int, dims: int, size: int, littlestone: int) -> None:
    concepts = Halfspaces(bits, dims)
    matrix = table(concepts)
    assert concepts.size == size == len(np.unique(matrix, axis=0))
    assert concepts.littlestone.lower == concepts.littlestone.upper == littlestone
    assert littlestone_at_least(matrix, littlestone)
    assert not littlestone_at_least(matrix, littlestone + 1)
    assert concepts.vc.exact
    assert concepts.vc.lower == dims + 1
    assert shatters_some(matrix, dims + 1)
    assert not shatters_some(matrix, dims + 2)


@pytest.mark.parametrize(("bits", "dims"), sorted(SEARCHED))
def test_searched_dimensions_are_found_again(bits: int, dims: int) -> None:
    matrix = table(Halfspaces(bits, dims))
    assert littlestone_at_least(matrix, SEARCHED[bits, dims])
    assert not littlestone_at_least(matrix, SEARCHED[bits, dims] + 1)


@pytest.mark.parametrize(("bits", "dims"), [(1, 2), (2, 2), (3, 2), *sorted(SIZES)])
def test_there_are_as_many_functions_as_cells(bits: int, dims: int) -> None:
    vectors = [tuple(row) for row in homogeneous(bits, dims).tolist()]
    assert cell_count(vectors) == Halfspaces(bits, dims).size


@pytest.mark.parametrize(("bits", "dims"), [(1, 2), (2, 2), (3, 2), (1, 3), (2, 3), (1, 4)])
def test_the_functions_are_the_cells(bits: int, dims: int) -> None:
    corner, *others = homogeneous(bits, dims)
    found = dichotomies(corner, np.array(others)) << np.uint64(1)
    everywhere = np.uint64((1 << (1 << bits * dims)) - 1)
    expected = np.union1d(found, found ^ everywhere)
    assert np.array_equal(np.sort(codes(table(Halfspaces(bits, dims)))), expected)


@pytest.mark.parametrize(("bits", "dims"), [(2, 3), (1, 5)])
def test_listed_weights_make_listed_functions(bits: int, dims: int) -> None:
    listing = small_halfspaces(bits, dims)
    rows = [(*h.weights, h.threshold) for h in listing.concepts()]
    values = np.array(rows) @ np.insert(grid(bits, dims), dims, -1, axis=1).T
    assert np.array_equal(codes(values >= 0), listing.codes)
    assert len(np.unique(listing.codes)) == SIZES[bits, dims]


@pytest.mark.parametrize("bits", [1, 2, 3])
def test_plane_weights_are_the_least(bits: int) -> None:
    """All weights by absolute sum, as in more dimensions: the first for each cut is ours."""
    points, first = grid(bits, 2), dict[int, tuple[int, Halfspace]]()
    for w in product(range(-13, 14), repeat=2):
        values = points @ np.array(w)
        for threshold in np.unique(values)[1:].tolist():
            (code,) = codes((values >= threshold)[None, :]).tolist()
            total = abs(w[0]) + abs(w[1])
            if code not in first or first[code][0] > total:
                first[code] = total, Halfspace((int(w[0]), int(w[1])), threshold)
    concepts = list(Halfspaces(bits, 2).concepts())[2:]
    assert max(sum(map(abs, h.weights)) for h in concepts) <= 13
    assert {h for _, h in first.values()} == set(concepts)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_lattice_points_are_counted(data: st.DataObject) -> None:
    small = st.integers(0, 12)
    width, height, a, b = (data.draw(small) for _ in range(4))
    a, b = (a, b) if a or b else (1, 0)
    bounds = np.arange(-5, 320)
    expected = [
        sum(a * i + b * j <= c for i in range(width) for j in range(height)) for c in bounds
    ]
    one = [np.array([value]) for value in (width, height, a, b)]
    assert lattice_count((one[0], one[1]), (one[2], one[3]), bounds).tolist() == expected


@pytest.mark.parametrize("seed", range(4))
def test_plane_cells_count_what_the_list_holds(seed: int) -> None:
    concepts, matrix = Halfspaces(4, 2), PLANE_4
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(256)[: (0, 3, 20, 60)[seed]]
    gains = rng.integers(-4, 5, len(chosen))
    cells = concepts.cells(concepts.domain()[chosen], gains)
    found: Counter[int] = Counter()
    for gain, count in zip(cells.gains.tolist(), cells.multiplicities.tolist(), strict=True):
        found[gain] += count
    assert found == Counter((matrix[:, chosen].astype(np.int64) @ gains).tolist())


def test_fine_grids_are_counted_and_every_rank_is_another_function() -> None:
    concepts = Halfspaces(8, 2)
    rng = np.random.default_rng(7)
    points = np.unique(rng.integers(0, 256, (8, 2)), axis=0)
    gains = 1 << np.arange(len(points))  # a gain is a labelling
    cells = concepts.cells(points, gains)
    assert int(cells.multiplicities.sum()) == concepts.size == 2611069550
    members = set()
    for cell in rng.integers(0, len(cells.gains), 4):
        count = int(cells.multiplicities[cell])
        for rank in {0, count // 2, count - 1}:
            member = cells.member(int(cell), rank)
            members.add((int(cell), rank, member))
            assert int(gains[member(points)].sum()) == cells.gains[cell]
            assert concepts.decode(concepts.encode(member)) == member
    assert len({member for *_, member in members}) == len(members)
    labellings = {int(gains[h(points)].sum()) for h in concepts.dichotomies(points)}
    assert labellings == set(cells.gains.tolist())


def test_all_ranks_of_a_cell_are_different_functions() -> None:
    concepts = Halfspaces(4, 2)
    points, gains = np.array([[3, 4], [9, 2], [12, 15]]), np.array([1, 2, -4])
    cells = concepts.cells(points, gains)
    seen = Counter(
        cells.member(cell, rank)
        for cell, count in enumerate(cells.multiplicities.tolist())
        for rank in range(0, count, 97)
    )
    assert len(seen) > 400
    assert max(seen.values()) == 1


@pytest.mark.parametrize("seed", range(5))
def test_labellings_of_a_few_points_on_a_fine_grid(seed: int) -> None:
    """Against the cells of the arrangement of the sample alone, with collinear points."""
    rng = np.random.default_rng(seed)
    points = np.unique(rng.integers(0, 4, (9, 2)) * 85, axis=0)
    made = codes(np.array([h(points) for h in Halfspaces(8, 2).dichotomies(points)]))
    corner, *others = np.insert(points, 2, 1, axis=1)
    found = dichotomies(corner, np.array(others)) << np.uint64(1)
    everywhere = np.uint64((1 << len(points)) - 1)
    assert np.array_equal(np.sort(made), np.union1d(found, found ^ everywhere))


def test_every_index_is_another_concept() -> None:
    planes = Halfplanes(8)
    assert [planes.concept(i) for i in range(planes.size)] == list(planes.concepts())
    drawn = [Halfspaces(8, 2).draw(rng=Seeded(i)) for i in range(20)]
    assert len(set(drawn)) == 20


@pytest.mark.parametrize(("bits", "dims"), [(1, 2), (3, 2), (1, 3), (2, 3), (8, 2)])
def test_a_tree_as_deep_as_claimed(bits: int, dims: int) -> None:
    depth = bits + 1 + bits * dims * (dims - 1) // 2
    concepts = Halfspaces(bits, dims)
    assert concepts.vc.upper <= depth <= concepts.littlestone.lower
    for path in _paths(depth):
        asked, concept = _follow(path, bits, dims)
        assert concept(np.array(asked, dtype=object)).tolist() == path
        assert all(0 <= x < 1 << bits for point in asked for x in point)


def _paths(depth: int) -> list[list[bool]]:
    if depth <= 7:
        return [list(path) for path in product((False, True), repeat=depth)]
    rng = np.random.default_rng(depth)
    return [[bool(bit) for bit in rng.integers(0, 2, depth)] for _ in range(40)]


def _follow(path: list[bool], bits: int, dims: int) -> tuple[list[tuple[int, ...]], Halfspace]:
    """Walk down the explicit tree; question i depends on the answers before it only."""
    answers, asked = iter(path), [(0, *[0] * (dims - 1))]
    first, low, high = next(answers), 0, 1 << bits
    for _ in range(bits):
        middle = (low + high) // 2
        asked.append((middle, *[0] * (dims - 1)))
        low, high = (middle, high) if next(answers) == first else (low, middle)
    weights, threshold = ([-1], -low) if first else ([1], low + 1)
    for k in range(1, dims):
        many = 1 << bits * k
        weights = [many * 2 * w + (1 << bits * i) for i, w in enumerate(weights)]
        threshold = many * (2 * threshold - 1)
        points = list(product(range(1 << bits), repeat=k))
        points.sort(key=partial(_value, weights))
        low, high = 0, many
        for _ in range(bits * k):
            middle = (low + high) // 2
            asked.append((*points[middle], 1, *[0] * (dims - 1 - k)))
            low, high = (low, middle) if next(answers) else (middle, high)
        at = (
            _value(weights, points[low + 1]) if low + 1 < many else _value(weights, points[low]) + 1
        )
        weights.append(threshold - at)
    return asked, Halfspace(tuple(weights), threshold)


def _value(weights: list[int], point: tuple[int, ...]) -> int:
    return sum(w * c for w, c in zip(weights, point, strict=True))


def test_a_vast_line() -> None:
    concepts = Halfspaces(1024, 1)
    points = np.array([[5], [1 << 1000]], dtype=object)
    cells = concepts.cells(points, np.array([1, 2]))
    assert sum(int(m) for m in cells.multiplicities) == concepts.size == 1 << 1025
    assert concepts.littlestone.lower == concepts.littlestone.upper == 1025
    assert [cells.member(c, 0)(points).tolist() for c in (1, 2)] == [[False, True], [False, False]]
    assert concepts.decode({"weights": [-1], "threshold": -(1 << 1000)})(points).all()
    assert len(concepts.dichotomies(points)) == 4


def test_rules_and_queries_survive_small_columns_and_odd_names() -> None:
    names = ['a "b"', "c + -d"]
    half = Halfspace((-3, 200), -50)
    assert half.rule(names) == '3*a "b" - 200*c + -d is at most 50'
    assert Halfspace((0, -1), -4).rule(names) == "c + -d is below 5"
    assert Halfspace((0, 0), 0).rule(names) == "always"
    values = ", ".join(f"({x}::UTINYINT, {y}::UTINYINT)" for x, y in ((255, 2), (200, 255)))
    source = f'(VALUES {values}) AS t("a ""b""", "c + -d")'
    answers = duckdb.execute(f"SELECT {half.sql(names)} FROM {source}").fetchall()
    assert [answer for (answer,) in answers] == [False, True]
    points = np.array([[255, 2], [200, 255]], dtype=np.uint8)
    assert half(points).tolist() == [False, True]


def test_rules_speak_of_values_and_calculate_with_codes() -> None:
    age = Feature(
        "age", show=lambda c: str(18 + c), coded="(age - 18)", term=lambda: '("age" - 18)'
    )
    assert Halfspace((1, 0), 47).rule([age, "bmi"]) == "age is at least 65"
    assert Halfspace((2, -1), 7).rule([age, "bmi"]) == "2*(age - 18) - bmi is at least 7"
    assert Halfspace((-1, 0), -47).sql([age, "bmi"]) == '(("age" - 18) <= 47)'


def test_samples_are_limited_on_fine_grids_only() -> None:
    assert [Halfspaces(b, 2).largest_sample for b in (3, 6, 7, 8)] == [None, None, 1512, 378]
    assert Halfspaces(64, 1).largest_sample is None
    assert Halfspaces(1, 5).largest_sample is None


@pytest.mark.parametrize(("bits", "dims"), [(9, 2), (3, 3), (2, 4), (1, 6)])
def test_of_fine_grids_facts_are_known_and_no_functions(bits: int, dims: int) -> None:
    concepts = Halfspaces(bits, dims)
    assert parse(str(concepts)) == concepts
    assert concepts.vc == replace(concepts.vc, lower=dims + 1, upper=dims + 1)
    assert concepts.littlestone.lower == halfspace_depth(bits, dims)
    assert concepts.littlestone.upper == bits * dims * dims + 1
    assert concepts.largest_sample == 0
    point = np.zeros((1, dims), dtype=np.int64)
    asked: list[Callable[[], object]] = [
        lambda: concepts.size,
        concepts.concepts,
        lambda: concepts.cells(point, np.array([1])),
        lambda: concepts.dichotomies(point),
        lambda: concepts.draw(rng=Seeded(1)),
    ]
    for each in asked:
        with pytest.raises(TooLarge, match="coarser"):
            each()


@pytest.mark.parametrize(("bits", "dims"), [(1, 1), (5, 1), *((b, 2) for b in range(1, 9)), *SIZES])
def test_what_is_known_of_any_grid_is_true_of_small_ones(bits: int, dims: int) -> None:
    """The tree is no deeper than what a search finds, and Cover's count no less than the size."""
    concepts = Halfspaces(bits, dims)
    assert concepts.tree == halfspace_depth(bits, dims) <= concepts.littlestone.lower
    assert SEARCHED.get((bits, dims), concepts.tree) >= concepts.tree
    others = (1 << bits * dims) - 1
    assert concepts.least <= concepts.size
    assert concepts.size <= 2 * sum(comb(others, i) for i in range(dims + 1)) <= concepts.most
    assert concepts.most == 1 << bits * dims**2 + 1


@pytest.mark.parametrize(("bits", "dims"), [(0, 2), (2, 0)])
def test_empty_grids_are_refused(bits: int, dims: int) -> None:
    with pytest.raises(InvalidArgument, match="at least 1"):
        Halfspaces(bits, dims)


def test_too_many_to_list() -> None:
    with pytest.raises(TooLarge, match="concepts"):
        Halfspaces(6, 2).concepts()


@pytest.mark.parametrize(
    ("concepts", "weights", "threshold"),
    [
        (Halfspaces(2, 2), [2, 2], 4),
        (Halfspaces(2, 2), [1, 1], 0),
        (Halfspaces(2, 2), [1, 1], 7),
        (Halfspaces(2, 2), [0, 0], 2),
        (Halfspaces(2, 2), [1, 1, 1], 2),
        (Halfspaces(2, 2), "11", 2),
        (Halfspaces(2, 2), [1 << 80, 1], 2),
        (Halfspaces(2, 2), [-(1 << 80), 1], 2),
        (Halfspaces(1, 3), [2, 0, 0], 1),
        (Halfspaces(1, 3), [0, 0, 0], -1),
        (Halfspaces(3, 1), [2], 4),
        (Halfspaces(3, 1), [1], 8),
        (Halfspaces(3, 1), [-1], 0 - 7),
    ],
)
def test_other_functions_and_other_weights_are_refused(
    concepts: Halfspaces, weights: Any, threshold: int
) -> None:
    with pytest.raises(InvalidArgument):
        concepts.decode({"weights": weights, "threshold": threshold})


def test_codes_hold_integers() -> None:
    with pytest.raises(NotExact, match="weight must be an integer"):
        Halfspaces(2, 2).decode({"weights": [1.0, 1], "threshold": 2})


@given(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), st.integers(0, 63))
@settings(max_examples=100, deadline=None)
def test_simplest_weights_make_the_same_cut(weights: tuple[int, int], place: int) -> None:
    points = grid(3, 2)
    threshold = int(points[place] @ np.array(weights))
    labels = points @ np.array(weights) >= threshold
    if labels.all():
        return
    least, bound = simplest(np.array([weights]), np.array([threshold]), 8)
    assert np.array_equal(points @ least[0] >= bound[0], labels)
    assert (points[labels] @ least[0]).min() == bound[0]
    assert gcd(*least[0].tolist()) == 1


PLANE_4 = table(Halfspaces(4, 2))
