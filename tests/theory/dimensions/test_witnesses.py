"""A thousand small classes: each witness is taken, and each spoiled one is taken only if it is one.

A witness is spoiled at each place by each other value; what the verifier says of it is compared
with the definition, written out here. Then representations of all classes over three points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from tacit.theory.dimensions.cover_numbers import (
    covering_number,
    is_cover,
    is_packing,
    packing_number,
)
from tacit.theory.dimensions.littlestone import MistakeTree, is_mistake_tree, littlestone
from tacit.theory.dimensions.optimal_predictor import OptimalPredictor
from tacit.theory.dimensions.teaching import teaches, teaching
from tacit.theory.dimensions.threshold_dimension import is_threshold_line, threshold_dimension
from tacit.theory.dimensions.vc import is_shattered, vc
from tacit.theory.representations.exact import exact_representation
from tacit.theory.representations.fractional import covered_share, share_of_challenges
from tacit.theory.representations.representation import represents
from tacit.theory.solving.incidence import Incidence

Matrix = NDArray[np.bool_]
Table = list[list[bool]]
STARTS = range(0, 1000, 250)


def classes(start: int) -> Iterator[tuple[int, Matrix]]:
    for seed in range(start, start + 250):
        rng = np.random.default_rng(seed)
        shape = rng.integers(1, 8), rng.integers(1, 6)
        yield seed, np.unique(rng.random(shape) < rng.random(), axis=0)


def spoils(witness: Sequence[int], values: int) -> Iterator[tuple[int, ...]]:
    """Yield the witness without each entry, with each one more, and with each one changed."""
    whole = tuple(witness)
    for place in range(len(whole)):
        yield whole[:place] + whole[place + 1 :]
        for value in range(values):
            if value != whole[place]:
                yield (*whole[:place], value, *whole[place + 1 :])
    for value in range(values):
        yield (*whole, value)


def shattered(table: Table, points: Sequence[int]) -> bool:
    return len({tuple(row[x] for x in points) for row in table}) == 1 << len(points)


@pytest.mark.parametrize("start", STARTS)
def test_shattered_sets_and_those_of_the_dual(start: int) -> None:
    for _, matrix in classes(start):
        table = Incidence.of(matrix)
        for each, rows in ((table, matrix), (table.dual, np.unique(matrix.T, axis=0))):
            plain, found = rows.tolist(), vc(each)
            assert is_shattered(each, found.points)
            for spoiled in spoils(found.points, rows.shape[1]):
                assert is_shattered(each, spoiled) == shattered(plain, spoiled)
            larger = combinations(range(rows.shape[1]), found.upper + 1)
            assert not any(shattered(plain, points) for points in larger)


def follows(table: Table, points: Sequence[int], leaves: Sequence[int]) -> bool:
    depth = len(leaves).bit_length() - 1
    for number, leaf in enumerate(leaves):
        node = 0
        for level in reversed(range(depth)):
            label = number >> level & 1
            if table[leaf][points[node]] != bool(label):
                return False
            node = 2 * node + 1 + label
    return True


@pytest.mark.parametrize("start", STARTS)
def test_mistake_trees(start: int) -> None:
    for _, matrix in classes(start):
        table, plain = Incidence.of(matrix), matrix.tolist()
        points, leaves = (part.tolist() for part in _parts(littlestone(table).tree))
        assert is_mistake_tree(table, _tree(points, leaves))
        assert follows(plain, points, leaves)
        for spoiled in spoils(points, table.m):
            right = len(spoiled) == len(points) and follows(plain, spoiled, leaves)
            assert is_mistake_tree(table, _tree(spoiled, leaves)) == right
        for spoiled in spoils(leaves, table.n):
            right = len(spoiled) == len(leaves) and follows(plain, points, spoiled)
            assert is_mistake_tree(table, _tree(points, spoiled)) == right


def _parts(tree: MistakeTree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return tree.points, tree.concepts


def _tree(points: Sequence[int], leaves: Sequence[int]) -> MistakeTree:
    return MistakeTree(np.array(points, dtype=np.int64), np.array(leaves, dtype=np.int64))


@pytest.mark.parametrize("start", STARTS)
def test_lines_of_thresholds(start: int) -> None:
    def a_line(table: Table, concepts: Sequence[int], points: Sequence[int]) -> bool:
        return len(concepts) == len(points) and all(
            table[c][x] == (i <= j) for i, c in enumerate(concepts) for j, x in enumerate(points)
        )

    for _, matrix in classes(start):
        table, plain = Incidence.of(matrix), matrix.tolist()
        found = threshold_dimension(table)
        assert is_threshold_line(table, found.concepts, found.points)
        for spoiled in spoils(found.concepts, table.n):
            right = a_line(plain, spoiled, found.points)
            assert is_threshold_line(table, spoiled, found.points) == right
        for spoiled in spoils(found.points, table.m):
            right = a_line(plain, found.concepts, spoiled)
            assert is_threshold_line(table, found.concepts, spoiled) == right


@pytest.mark.parametrize("start", STARTS)
def test_teaching_sets(start: int) -> None:
    for _, matrix in classes(start):
        table, plain = Incidence.of(matrix), matrix.tolist()
        for concept, points in enumerate(teaching(table).sets):
            assert teaches(table, concept, points)
            for spoiled in spoils(points, table.m):
                alike = [all(row[x] == plain[concept][x] for x in spoiled) for row in plain]
                assert teaches(table, concept, spoiled) == (sum(alike) == 1)


@pytest.mark.parametrize("start", STARTS)
def test_covers_and_packings(start: int) -> None:
    for seed, matrix in classes(start):
        rng = np.random.default_rng(seed + 10**6)
        parts = rng.integers(1, 6, matrix.shape[1])
        masses = [Fraction(int(p), int(parts.sum())) for p in parts]
        radius, table = Fraction(int(rng.integers(0, 9)), 12), Incidence.of(matrix)
        apart = np.not_equal(matrix[:, None], matrix[None]) @ parts
        near = (12 * apart <= int(12 * radius) * int(parts.sum())).tolist()
        cover = covering_number(table, masses, radius).centres
        assert is_cover(table, masses, radius, cover)
        for spoiled in spoils(cover, table.n):
            right = all(any(near[c][o] for o in spoiled) for c in range(table.n))
            assert is_cover(table, masses, radius, spoiled) == right
        packed = packing_number(table, masses, radius).centres
        assert is_packing(table, masses, radius, packed)
        for spoiled in spoils(packed, table.n):
            right = not any(near[a][b] for a, b in combinations(spoiled, 2))
            assert is_packing(table, masses, radius, spoiled) == right


def test_the_optimal_predictor_on_every_sequence() -> None:
    """Whatever the target and the points, in any order, no more mistakes than the dimension."""
    for _, matrix in classes(0):
        predictor, depth = OptimalPredictor(matrix), littlestone(Incidence.of(matrix)).lower
        columns = [sum(1 << int(i) for i in np.flatnonzero(column)) for column in matrix.T]

        assert _most_mistakes(predictor, tuple(columns), predictor.everything, {}) <= depth


def _most_mistakes(
    predictor: OptimalPredictor, columns: tuple[int, ...], space: int, known: dict[int, int]
) -> int:
    """Return the longest chain of mistakes from here; what is predicted right teaches nothing."""
    if space not in known:
        said, most = predictor.predictions(space), 0
        for x, column in enumerate(columns):
            if left := space & (~column if said[x] else column):
                most = max(most, 1 + _most_mistakes(predictor, columns, left, known))
        known[space] = most
    return known[space]


CUBE = np.array(list(product((False, True), repeat=3)))


def _represented(chosen: int, alpha: Fraction) -> int:
    """Return which of the functions of three points a set of them represents, all as bits.

    Below 1/2 a mixture must, at each point, hold something right; of three points that is the
    function itself, or, from 1/3 on, the three that differ from it at one point each.
    """
    turned = [[c ^ 1, c ^ 2, c ^ 4] for c in range(8)]
    return sum(
        1 << c
        for c in range(8)
        if chosen >> c & 1 or (3 * alpha >= 1 and all(chosen >> t & 1 for t in turned[c]))
    )


@pytest.mark.parametrize("alpha", ["1/8", "1/5", "1/4", "1/3", "2/5"])
def test_representations_of_all_classes_over_three_points(alpha: str) -> None:
    """All 246 classes of at most 6 functions, by templates and by all sets; games on a part."""
    known = [_represented(chosen, Fraction(alpha)) for chosen in range(256)]
    for members in (m for m in range(1, 256) if m.bit_count() <= 6):
        concepts = CUBE[_bits(members)]
        found = exact_representation(concepts, alpha)
        plain = min(h.bit_count() for h, of in enumerate(known) if members & ~of == 0)
        assert found.lower == len(found.hypotheses) == plain
        chosen = sum(1 << int(h) for h in found.hypotheses @ np.array([4, 2, 1]))
        assert members & ~known[chosen] == 0
        for spoiled in (chosen ^ (1 << h) for h in _bits(chosen)):
            assert members & ~known[spoiled]
        if members % 32 == 5:
            assert represents(found.hypotheses, concepts, alpha)
            assert not represents(found.hypotheses[1:], concepts, alpha)


def test_shares_of_classes_over_three_points() -> None:
    """At 1/4 a hypothesis suits even weights only if it is right everywhere: shares are 1 / |C|."""
    for members in range(7, 256, 8):
        concepts = CUBE[_bits(members)]
        found = covered_share(concepts, "1/4")
        assert found.share == Fraction(1, len(concepts))
        assert share_of_challenges(concepts, "1/4", found) == found.share


def _bits(number: int) -> list[int]:
    return [place for place in range(8) if number >> place & 1]
