"""Boxes of a grid, and how they are counted by gain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from tacit.concepts.contract.specification import parse
from tacit.concepts.grid.boxes import Box, Boxes
from tacit.concepts.grid.strips import Strips
from tacit.concepts.line.intervals import EMPTY, Interval, Intervals
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tests.support.concept_contract import check_contract


@pytest.mark.parametrize(("bits", "dims"), [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3)])
def test_small_classes_keep_the_contract(bits: int, dims: int) -> None:
    check_contract(Boxes(bits, dims))


@pytest.mark.parametrize(("bits", "dims"), [(1, 4), (2, 3), (3, 2)])
def test_larger_classes_keep_the_contract(bits: int, dims: int) -> None:
    check_contract(Boxes(bits, dims), samples=2)


@pytest.mark.parametrize("values", [(3, 2), (2, 5), (2, 3, 2), (6,), (3,)])
def test_sides_of_their_own_lengths_keep_the_contract(values: tuple[int, ...]) -> None:
    concepts = Boxes(values=values)
    matrix = check_contract(concepts, samples=4, exact=False)
    assert concepts.vc.exact
    assert concepts.vc.lower == matrix.vc.lower or not matrix.vc.exact
    assert str(concepts) == f"boxes(values={'x'.join(map(str, values))})"


def test_equal_sides_are_told_by_their_bits() -> None:
    assert Boxes(values=(8, 8)) == Boxes(3, 2) == parse("boxes(values=8x8)")
    assert parse("boxes(values=6)") == Boxes(values=[6])


def test_the_longest_side_is_counted_last() -> None:
    rng = np.random.default_rng(5)
    points = np.unique(np.stack([rng.integers(0, 501, 300), rng.integers(0, 5, 300)], 1), axis=0)
    gains = rng.integers(-2, 3, len(points))
    one, other = Boxes(values=(501, 5)), Boxes(values=(5, 501))
    assert one.largest_sample == other.largest_sample == 10**7 // 501
    cells, mirrored = one.cells(points, gains), other.cells(points[:, ::-1], gains)
    assert cells.gains.tolist() == mirrored.gains.tolist()
    assert cells.multiplicities.tolist() == mirrored.multiplicities.tolist()
    best = cells.member(len(cells.gains) - 1, 0)
    assert gains[best(points)].sum() == cells.gains[-1]


def test_golden_sizes_and_dimensions() -> None:
    assert [Boxes(b, d).size for b, d in ((2, 2), (1, 3), (8, 1), (1, 7))] == [101, 28, 32897, 2188]
    exact = {(1, 1): 2, (2, 1): 3, (3, 1): 4, (4, 1): 6, (1, 2): 3, (2, 2): 6, (1, 3): 4}
    for (bits, dims), value in exact.items():
        assert (Boxes(bits, dims).littlestone.lower, Boxes(bits, dims).littlestone.upper) == (
            value,
            value,
        )
    shattered = {(1, 1): 2, (2, 1): 2, (1, 2): 2, (2, 2): 4, (1, 3): 3, (9, 5): 10}
    assert {key: Boxes(*key).vc.upper for key in shattered} == shattered
    for bits, dims in product(range(1, 9), range(1, 6)):
        found, most = Boxes(bits, dims).littlestone, Boxes(bits, dims).size.bit_length() - 1
        assert max(bits * dims, 2 * dims * (bits - 1)) <= found.lower <= found.upper <= most


def _has_tree(concepts: int, depth: int, questions: list[int], memo: dict[Any, bool]) -> bool:
    """Whether these concepts, a set of bits, have a mistake tree of this depth."""
    if depth == 0 or concepts.bit_count() < 1 << depth:
        return depth == 0
    if (concepts, depth) not in memo:
        splits = [(concepts & yes, concepts & ~yes) for yes in questions]
        splits.sort(key=lambda split: -min(split[0].bit_count(), split[1].bit_count()))
        memo[concepts, depth] = any(
            all(_has_tree(half, depth - 1, questions, memo) for half in split) for split in splits
        )
    return memo[concepts, depth]


@pytest.mark.parametrize(("bits", "dims"), [(1, 4), (1, 5), (2, 2), (2, 3), (3, 2), (4, 1), (5, 1)])
def test_dimensions_are_those_of_a_search_over_all_trees(bits: int, dims: int) -> None:
    concepts = Boxes(bits, dims)
    table = np.array([h(concepts.domain()) for h in concepts.concepts()])
    questions = [sum(1 << int(i) for i in np.flatnonzero(column)) for column in table.T]
    everything, memo = (1 << concepts.size) - 1, dict[Any, bool]()
    value = concepts.littlestone.upper
    assert concepts.littlestone.exact
    assert _has_tree(everything, value, questions, memo)
    assert not _has_tree(everything, value + 1, questions, memo)


def _pairs_of_cuts(edges: list[int], left: int, right: int) -> int:
    widths = [end - start for start, end in pairwise(edges)]
    if left == right:
        return widths[left] * (widths[left] - 1) // 2
    return widths[left] * widths[right]


@pytest.mark.parametrize("bits", [3, 30])
@pytest.mark.parametrize("spread", [1, 7, 10**10])
def test_counts_in_the_plane_are_those_of_all_cuts(bits: int, spread: int) -> None:
    """Against a sum over all four gaps, with repeated coordinates."""
    rng = np.random.default_rng(bits)
    side = 1 << bits
    values = np.unique(rng.integers(0, side, 6))
    points = np.unique(rng.choice(values, (9, 2)), axis=0)
    gains = rng.integers(-spread, spread + 1, len(points))
    cells = Boxes(bits, 2).cells(points, gains)
    edges = [-1, *values.tolist(), side]
    ends = range(len(edges) - 1)
    expected: Counter[int] = Counter({0: 1})
    for x, y in product(((i, j) for i in ends for j in ends if i <= j), repeat=2):
        held = [edges[i] < points[:, axis] for axis, (i, _) in enumerate((x, y))]
        held += [points[:, axis] <= edges[j] for axis, (_, j) in enumerate((x, y))]
        ways = _pairs_of_cuts(edges, *x) * _pairs_of_cuts(edges, *y)
        expected[int(gains[np.all(held, axis=0)].sum())] += ways
    found = Counter(dict(zip(cells.gains.tolist(), map(int, cells.multiplicities), strict=True)))
    assert +found == +expected


@pytest.mark.parametrize(("bits", "dims", "many"), [(1024, 2, 6), (64, 3, 7), (20, 4, 5)])
def test_ranks_of_vast_grids(bits: int, dims: int, many: int) -> None:
    rng, concepts = Seeded(dims), Boxes(bits, dims)
    points = np.array(
        [[rng.below(1 << bits) for _ in range(dims)] for _ in range(many)], dtype=object
    )
    gains = np.array([1, -1] * many)[:many]
    cells = concepts.cells(points, gains)
    assert sum(map(int, cells.multiplicities)) == concepts.size
    for cell, gain in enumerate(cells.gains.tolist()):
        multiplicity = int(cells.multiplicities[cell])
        ranks = {0, multiplicity // 2, multiplicity - 1, rng.below(multiplicity)}
        members = {cells.member(cell, rank) for rank in ranks}
        assert len(members) == len(ranks)
        for concept in members:
            assert gains[concept(points)].sum() == gain
            assert concepts.decode(concepts.encode(concept)) == concept
    labellings = {tuple(h(points).tolist()) for h in concepts.dichotomies(points)}
    assert len(labellings) == len(concepts.dichotomies(points))
    assert tuple([True] * many) in labellings
    assert len(concepts.draw(rng=rng).sides) == dims


def test_one_dimension_is_the_intervals() -> None:
    rng = np.random.default_rng(4)
    points, gains = rng.permutation(1 << 10)[:50], rng.integers(-2, 3, 50)
    line = Intervals(10).cells(points, gains)
    boxes = Boxes(10, 1).cells(points.reshape(50, 1), gains)
    assert boxes.gains.tolist() == line.gains.tolist()
    assert boxes.multiplicities.tolist() == line.multiplicities.tolist()
    assert boxes.member(0, 0) == Box((line.member(0, 0),))


def test_a_hundred_points_of_the_plane_are_practical() -> None:
    rng = np.random.default_rng(0)
    points = rng.permuted(np.tile(np.arange(100) << 20, (2, 1)), axis=1).T
    gains = np.where(((points > 20 << 20) & (points < 80 << 20)).all(axis=1), 1, -1)
    cells = Boxes(32, 2).cells(points, gains)
    assert sum(map(int, cells.multiplicities)) == Boxes(32, 2).size
    best = cells.member(len(cells.gains) - 1, 0)
    assert gains[best(points)].sum() == cells.gains.max() == (gains == 1).sum()


def test_the_largest_sample_is_public() -> None:
    practical = {(3, 2): None, (8, 2): 39062, (32, 1): 10**6, (32, 2): 390, (32, 3): 63}
    assert {key: Boxes(*key).largest_sample for key in practical} == practical


def test_rules_and_columns() -> None:
    box = Box((Interval(18, 65), Interval(7, 7)))
    assert box.rule(["age", "ward"]) == "age is between 18 and 65 and ward is 7"
    assert box.sql(['a"', "b"]) == '(("a""" BETWEEN 18 AND 65) AND ("b" BETWEEN 7 AND 7))'
    assert Box((EMPTY, EMPTY)).rule(["age", "ward"]) == "never"


@pytest.mark.parametrize(
    ("attempt", "error", "words"),
    [
        (lambda: Boxes(0, 1), InvalidArgument, "bits must be at least 1"),
        (lambda: Boxes(1, 0), InvalidArgument, "dims must be at least 1"),
        (lambda: parse("boxes(bits=2)"), InvalidArgument, "needs bits and dims"),
        (lambda: Boxes(2, 2, values=(4, 4)), InvalidArgument, "not both"),
        (lambda: parse("boxes(values=3y2)"), InvalidArgument, "must look like 121x2"),
        (lambda: Boxes(values=(1, 2)), InvalidArgument, "values must be at least 2"),
        (lambda: parse("boxes(bits=2, dims=x)"), NotExact, "dims must be an integer"),
        (lambda: Boxes(2, 2).decode({"low": [0, 0], "high": [1]}), InvalidArgument, "no concept"),
        (lambda: Boxes(2, 2).decode({"low": [0], "high": [1]}), InvalidArgument, "no concept"),
        (lambda: Boxes(2, 2).decode({"low": [0, 0], "high": [1, 4]}), InvalidArgument, "no con"),
        (lambda: Boxes(2, 2).decode({"low": [1, 0], "high": [0, 1]}), InvalidArgument, "no con"),
        (lambda: Boxes(2, 2).decode({"low": "00", "high": "11"}), InvalidArgument, "no concept"),
        (lambda: Boxes(2, 2).decode({}), InvalidArgument, "no concept"),
        (lambda: Boxes(16, 2).domain(), TooLarge, "too many to list"),
        (lambda: next(Boxes(8, 2).concepts()), TooLarge, "too many to list"),
    ],
)
def test_bad_arguments_are_refused(
    attempt: Callable[[], Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        attempt()


def test_ranks_out_of_range_are_refused() -> None:
    counted = Strips({(1, 1): 1}, sizes=(4, 4))
    for gain in (0, 1, 7):
        with pytest.raises(IndexError, match="rank"):
            counted.sides(gain, counted.counts.get(gain, 0))
