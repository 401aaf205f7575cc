"""Elimination over two elements: the compiled kernel against a reference in Python integers."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chi2

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.statistics.algebra.linear_system import LinearSystem, coefficients, packed


def _rank(rows: list[int]) -> int:
    """Return the rank of rows over two elements, by a basis of integers."""
    basis: list[int] = []
    for row in rows:
        for other in basis:
            row = min(row, row ^ other)
        if row:
            basis.append(row)
    return len(basis)


def _codes(table: NDArray[np.bool_]) -> list[int]:
    return [sum(int(bit) << i for i, bit in enumerate(line)) for line in table]


def _random(seed: int, shape: tuple[int, int]) -> NDArray[np.bool_]:
    words = Seeded(seed).words(shape[0] * shape[1])
    return (words & np.uint64(1)).astype(np.bool_).reshape(shape)


@given(st.integers(0, 2**32), st.integers(0, 12), st.integers(1, 6), st.integers(1, 70))
def test_rank_and_consistency(seed: int, rows: int, dims: int, labels: int) -> None:
    points, marks = _random(seed, (rows, dims)), _random(seed + 1, (rows, labels))
    kept = _random(seed + 2, (1, rows))[0]
    found = LinearSystem.of(points, marks).solve(kept)
    codes = _codes(points[kept])
    solvable = [
        _rank(codes) == _rank([c | int(y) << dims for c, y in zip(codes, column, strict=True)])
        for column in marks[kept].T
    ]
    assert found.consistent.tolist() == solvable
    if any(solvable):
        assert found.rank == _rank(codes)
        chosen = found.draw(rng=Seeded(seed))
        for label in np.flatnonzero(solvable).tolist():
            c = coefficients(chosen, label)
            assert [(c & code).bit_count() % 2 for code in codes] == marks[kept, label].tolist()


@pytest.mark.parametrize(("rows", "dims", "labels"), [(40, 130, 3), (300, 129, 70), (90, 64, 64)])
def test_wide_systems(rows: int, dims: int, labels: int) -> None:
    points, secrets = _random(1, (rows, dims)), _random(2, (labels, dims))
    codes, masks = _codes(points), _codes(secrets)
    marks = np.array([[(c & x).bit_count() % 2 for c in masks] for x in codes], dtype=np.bool_)
    marks[-1, 0] ^= rows > dims
    found = LinearSystem.of(points, marks).solve(np.ones(rows, dtype=np.bool_))
    assert found.rank == _rank(codes) == min(rows, dims)
    assert found.consistent.tolist() == [rows <= dims, *[True] * (labels - 1)]
    chosen = found.draw(rng=Seeded(3))
    for label in range(1, labels):
        c = coefficients(chosen, label)
        assert [(c & x).bit_count() % 2 for x in codes] == marks[:, label].tolist()
        assert rows <= dims or c == masks[label]


def test_solutions_are_uniform() -> None:
    points = np.array([[1, 1, 0, 0, 1], [0, 1, 1, 0, 0]], dtype=np.bool_)
    space = LinearSystem.of(points, np.array([[True], [False]])).solve(np.ones(2, dtype=np.bool_))
    rng, runs = Seeded(5), 4000
    seen = Counter(coefficients(space.draw(rng=rng)) for _ in range(runs))
    expected = [
        c
        for c in range(32)
        if (c & 0b10011).bit_count() % 2 == 1 and (c & 0b00110).bit_count() % 2 == 0
    ]
    assert set(seen) == set(expected)
    statistic = sum((seen[c] - runs / 8) ** 2 / (runs / 8) for c in expected)
    assert statistic < chi2.isf(1e-9, 7)


def test_a_system_without_rows_has_all_solutions() -> None:
    system = LinearSystem(70, 1, packed(np.zeros((0, 70))), packed(np.zeros((0, 1))))
    space = system.solve(np.zeros(0, dtype=np.bool_))
    assert space.rank == 0
    assert space.consistent.all()
    assert coefficients(space.draw(rng=Seeded(0))) < 1 << 70


def test_shapes_are_checked() -> None:
    with pytest.raises(InvalidArgument, match="shapes"):
        LinearSystem(65, 1, packed(np.zeros((3, 64))), packed(np.zeros((3, 1))))


@pytest.mark.parametrize(
    ("rows", "dims", "labels"), [(320, 256, 2000), (300, 190, 1500), (700, 70, 1200)]
)
def test_many_labels_are_solved_by_a_product_as_few_are(rows: int, dims: int, labels: int) -> None:
    """Many rows and labels take another way through the kernel than single labels do."""
    points, secrets = _random(3, (rows, dims)), _random(4, (labels, dims))
    points[:, dims // 2] = points[:, 0] ^ points[:, 1]
    marks = (points.astype(np.int64) @ secrets.T.astype(np.int64)) % 2 == 1
    marks[-1, 7] ^= True
    kept = np.ones(rows, dtype=np.bool_)
    together = LinearSystem.of(points, marks).solve(kept)
    assert np.flatnonzero(~together.consistent).tolist() == [7]
    width = -(-dims // 64)
    for label in (0, 7, 64, labels - 1):
        alone = LinearSystem.of(points, marks[:, [label]]).solve(kept)
        assert alone.pivots.tolist() == together.pivots.tolist()
        assert alone.consistent[0] == together.consistent[label]
        if label != 7:
            bits = together.lines[:, width + label // 64] >> np.uint64(label % 64) & np.uint64(1)
            assert np.array_equal(alone.lines[:, width] & np.uint64(1), bits)
    chosen = together.draw(rng=Seeded(5))
    codes = _codes(points)
    c = coefficients(chosen, labels - 1)
    assert [(c & code).bit_count() % 2 for code in codes] == marks[:, labels - 1].tolist()


def test_reading_stops_when_every_label_is_contradicted() -> None:
    points, marks = _random(6, (2000, 8)), _random(7, (2000, 3))
    found = LinearSystem.of(points, marks).solve(np.ones(2000, dtype=np.bool_))
    assert not found.consistent.any()
