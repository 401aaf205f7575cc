"""Conjunctions: their order, their dimensions, their popcount scores."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from tacit.concepts.contract.finite import Finite
from tacit.concepts.rules.bitmaps import label_gains, point_gains, supports
from tacit.concepts.rules.conjunctions import Conjunction, Conjunctions
from tacit.concepts.rules.selections import Selections
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.kernels.bits.literal_counts import BLOCK
from tacit.kernels.bits.packing import pack
from tests.support.concept_contract import check_contract, tabulate

SMALL = [(d, w) for d in range(1, 5) for w in range(1, d + 1)] + [(5, 1), (6, 1)]
TRUE: tuple[tuple[int, int], ...] = ()


@pytest.mark.parametrize(("dims", "width"), SMALL)
def test_small_classes_keep_the_contract(dims: int, width: int) -> None:
    check_contract(Conjunctions(dims, width))


def test_sizes() -> None:
    assert Conjunctions(20, 3).size == 1 + 40 + 190 * 4 + 1140 * 8
    for dims in range(1, 8):
        assert Conjunctions(dims, dims).size == 3**dims
        assert Conjunctions(dims, 1).size == 2 * dims + 1


@pytest.mark.parametrize(
    ("dims", "width", "vc", "littlestone"),
    [
        (1, 1, (1, 1), (1, 1)),
        (2, 2, (2, 2), (3, 3)),  # the boxes over one bit in two and three dimensions have 3 and 4
        (3, 3, (3, 3), (4, 4)),
        (50, 50, (50, 50), (51, 51)),
        (64, 1, (7, 7), (7, 7)),
        (63, 1, (6, 6), (6, 6)),
        (9, 7, (9, 9), (9, 9)),
        (5, 2, (4, 5), (4, 5)),  # both are 4, by search
        (20, 3, (8, 11), (9, 11)),
    ],
)
def test_dimensions(
    dims: int, width: int, vc: tuple[int, int], littlestone: tuple[int, int]
) -> None:
    concepts = Conjunctions(dims, width)
    assert (concepts.vc.lower, concepts.vc.upper) == vc
    assert (concepts.littlestone.lower, concepts.littlestone.upper) == littlestone


@pytest.mark.parametrize(("dims", "width"), [(4, 4), (4, 3), (5, 2), (5, 3), (5, 5), (6, 3)])
def test_a_mistake_tree_of_the_lower_depth_exists(dims: int, width: int) -> None:
    concepts = Conjunctions(dims, width)
    matrix = tabulate(concepts.concepts(), concepts.domain())
    assert _has_tree(matrix, concepts.littlestone.lower)


@pytest.mark.parametrize(
    ("dims", "width", "blocks"), [(9, 3, 6), (10, 3, 6), (10, 2, 5), (5, 2, 3)]
)
def test_blocks_are_shattered(dims: int, width: int, blocks: int) -> None:
    """Build the points of docs/proofs/conjunctions.md and label them in all ways."""
    t = (dims // width + 1).bit_length() - 1
    larger = (dims - width * (2**t - 1)) // 2**t
    columns: list[list[int]] = []
    sizes = [t + (j < larger) for j in range(width)]
    for j, size in enumerate(sizes):
        before, after = sum(sizes[:j]), sum(sizes[j + 1 :])
        for pattern in range(2**size - 1):
            own = [pattern >> bit & 1 for bit in range(size)]
            columns.append([1] * before + own + [1] * after)
    columns += [[1] * sum(sizes)] * (dims - len(columns))
    concepts = Conjunctions(dims, width)
    points = np.array(columns).T
    assert points.shape == (blocks, dims)
    assert len(concepts.dichotomies(points)) == 2**blocks
    assert concepts.vc.lower >= blocks


def test_the_order_is_one_order() -> None:
    for groups, choices, width in [(4, 1, 3), (4, 2, 4), (3, 3, 2), (1, 1, 1), (5, 2, 1)]:
        selections = Selections(groups, choices, width)
        listed = list(selections)
        assert listed == [selections.pick(index) for index in range(selections.size)]
        assert len(listed) == selections.size
        assert listed == sorted(listed, key=lambda chosen: (len(chosen), chosen))


def test_a_vast_class_is_drawn_from_and_dichotomised() -> None:
    concepts = Conjunctions(1024, 1024)
    assert concepts.size == 3**1024
    points = np.random.default_rng(0).integers(0, 2, (4, 1024))
    assert len(concepts.dichotomies(points)) == 16
    drawn = {concepts.draw(rng=Seeded(seed)) for seed in range(5)}
    assert len(drawn) == 5
    assert all(600 < len(conjunction.literals) < 760 for conjunction in drawn)
    with pytest.raises(TooLarge, match="lower the width"):
        concepts.cells(points, np.ones(4, dtype=np.int64))
    with pytest.raises(TooLarge):
        concepts.concepts()


def test_never_needs_a_missing_combination() -> None:
    square = np.array([[a, b, 1 - a, b] for a in (0, 1) for b in (0, 1)])
    labels = {tuple(h(square).tolist()) for h in Conjunctions(4, 1).dichotomies(square)}
    assert (False,) * 4 not in labels
    found = Conjunctions(4, 2).dichotomies(square)
    (never,) = [h for h in found if not h(square).any()]
    assert {column for column, _ in never.literals} == {0, 2}


@pytest.mark.parametrize(("choices", "width"), [(1, 1), (1, 2), (1, 4), (2, 1), (2, 3)])
@pytest.mark.parametrize("rows", [0, 1, 63, 64, 65, 64 * BLOCK, 64 * BLOCK + 1])
def test_popcounts_are_counts(choices: int, width: int, rows: int) -> None:
    rng = np.random.default_rng(rows)
    selections = Selections(5, choices, width)
    truths = rng.random((selections.literals, rows)) < 0.7
    labels = rng.random((3, rows)) < 0.4
    counted = supports(selections, pack(truths), pack(labels))
    gained = label_gains(selections, pack(truths), pack(labels), rows=rows)
    for index, chosen in enumerate(selections):
        holds = truths[list(chosen)].all(axis=0)
        assert counted[index].tolist() == (labels & holds).sum(axis=1).tolist()
        expected = (labels & holds).sum(axis=1) - (~labels & holds).sum(axis=1)
        assert gained[:, index].tolist() == expected.tolist()


def test_weights_of_any_size_are_exact() -> None:
    rng = np.random.default_rng(3)
    selections = Selections(4, 2, 3)
    truths = rng.random((8, 70)) < 0.6
    for largest in (1, 1000, 1 << 50):
        gains = rng.integers(-largest, largest + 1, 70)
        scored = point_gains(selections, truths, gains)
        expected = [int(gains[truths[list(c)].all(axis=0)].sum()) for c in selections]
        assert scored.tolist() == expected


def test_wrong_bitmaps_are_refused() -> None:
    bits: NDArray[np.uint64] = np.zeros((2, 3), dtype=np.uint64)
    with pytest.raises(InvalidArgument, match="must have 4 lines"):
        supports(Selections(2, 2, 1), bits, bits)
    with pytest.raises(InvalidArgument, match="as long as"):
        supports(Selections(2, 1, 1), bits, bits[:, :2])


def test_numba_is_loaded_when_something_is_counted() -> None:
    loads = "import sys, tacit.concepts.contract.specification, tacit.concepts.rules.rules"
    code = f"{loads}; print('numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize(("dims", "width"), [(0, 1), (3, 0), (3, 4), (2.0, 1)])
def test_bad_arguments_are_refused(dims: int, width: int) -> None:
    with pytest.raises((InvalidArgument, TypeError), match=r"dims|width"):
        Conjunctions(dims, width)


@pytest.mark.parametrize(
    "literals",
    [[[0, 1], [0, 0]], [[1, 1], [0, 1]], [[3, 1]], [[0, 2]], [[0, 1], [1, 1], [2, 1]], [[-1, 0]]],
)
def test_codes_of_other_classes_are_refused(literals: list[list[int]]) -> None:
    with pytest.raises(InvalidArgument):
        Conjunctions(3, 2).decode({"literals": literals})


def test_words() -> None:
    assert Conjunction(TRUE).rule([]) == "always"
    assert Conjunction(TRUE).sql([]) == "(1 = 1)"
    assert Conjunction(((0, 0),)).sql(['the "best"']) == '("the ""best""" = 0)'


def _has_tree(matrix: Finite, depth: int) -> bool:
    """Search for a mistake tree over sets of rows as bits; apart from `Finite`, and faster."""
    columns = [
        sum(1 << r for r, row in enumerate(matrix.matrix) if row[x])
        for x in range(matrix.domain_size)
    ]

    @cache
    def grows(rows: int, depth: int) -> bool:
        if depth == 0 or rows.bit_count() < 1 << depth:
            return depth == 0 and rows != 0
        return any(grows(rows & c, depth - 1) and grows(rows & ~c, depth - 1) for c in columns)

    return grows((1 << matrix.size) - 1, depth)


def test_lower_bounds_never_pass_upper_bounds() -> None:
    for dims, width in combinations(range(1, 40), 2):
        concepts = Conjunctions(width, dims)  # the smaller of the two is the width
        assert concepts.vc.lower <= concepts.vc.upper <= width
        assert concepts.vc.lower <= concepts.littlestone.lower <= concepts.littlestone.upper
        assert concepts.size == sum(comb(width, w) * 2**w for w in range(dims + 1))
