"""Parities: cosets of agreement, the transform, and vast dimensions."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest

from tacit.concepts.algebra.parities import LARGEST_RANK, Parities, Parity, walsh_hadamard
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tests.support.concept_contract import check_contract


@pytest.mark.parametrize("dims", [1, 2, 3, 4, 5])
def test_small_classes_keep_the_contract(dims: int) -> None:
    check_contract(Parities(dims))


@pytest.mark.parametrize("dims", [1, 16, 1024])
def test_sizes_and_dimensions(dims: int) -> None:
    concepts = Parities(dims)
    assert concepts.size == concepts.domain_size == 2**dims
    assert concepts.vc.lower == concepts.vc.upper == dims
    assert concepts.littlestone.lower == concepts.littlestone.upper == dims


def test_the_transform_is_its_definition() -> None:
    table = np.random.default_rng(0).integers(-9, 10, 32)
    expected = [
        sum(int(t) * (-1) ** (s & x).bit_count() for x, t in enumerate(table)) for s in range(32)
    ]
    assert walsh_hadamard(table.copy()).tolist() == expected
    assert walsh_hadamard(np.array([7])).tolist() == [7]


@pytest.mark.parametrize("dims", [40, 62, 63, 64, 65, 1024])
def test_few_points_in_many_dimensions(dims: int) -> None:
    """Of twelve points two are sums of others: the rank is ten, and so are the bits of a cell."""
    rng = np.random.default_rng(dims)
    points = rng.integers(0, 2, (12, dims))
    points[10] = points[0] ^ points[3] ^ points[7]
    points[11] = points[1] ^ points[2]
    gains = rng.integers(-5, 6, 12)
    cells = Parities(dims).cells(points, gains)
    assert len(cells.gains) == 2**10
    assert [int(m) for m in cells.multiplicities] == [2 ** (dims - 10)] * 2**10
    seen = set()
    for cell in range(0, 1024, 17):
        for rank in (0, 1, int(cells.multiplicities[cell]) // 3, 2 ** (dims - 10) - 1):
            parity = cells.member(cell, rank)
            assert parity.mask < 2**dims
            assert int(gains[parity(points)].sum()) == cells.gains[cell]
            seen.add(parity)
    assert len(seen) == 61 * 4
    labels = {tuple(h(points).tolist()) for h in Parities(dims).dichotomies(points)}
    assert len(labels) == len(Parities(dims).dichotomies(points)) == 2**10


def test_every_member_is_met_once_whatever_the_rank() -> None:
    rng = np.random.default_rng(8)
    for m in range(1, 14):
        points = np.unique(rng.integers(0, 2, (m, 10)), axis=0)
        gains = rng.integers(-4, 5, len(points))
        cells = Parities(10).cells(points, gains)
        members = {
            cells.member(cell, rank): int(gain)
            for cell, (gain, size) in enumerate(zip(cells.gains, cells.multiplicities, strict=True))
            for rank in range(size)
        }
        assert len(members) == 1024
        assert all(int(gains[h(points)].sum()) == gain for h, gain in members.items())


def test_twenty_dimensions_and_many_points() -> None:
    rng = np.random.default_rng(4)
    points = rng.permutation(1 << 20)[:50_000, None] >> np.arange(20) & 1
    gains = rng.integers(-3, 4, 50_000)
    cells = Parities(20).cells(points.astype(np.uint8), gains)
    assert len(cells.gains) == 1 << 20
    assert set(cells.multiplicities.tolist()) == {1}
    for cell in rng.integers(0, 1 << 20, 50):
        assert int(gains[cells.member(int(cell), 0)(points)].sum()) == cells.gains[cell]


def test_too_many_points_in_too_many_dimensions_are_refused() -> None:
    points = np.eye(30, dtype=np.int64)
    few = points[:LARGEST_RANK, :]
    with pytest.raises(TooLarge, match=f"at most {LARGEST_RANK} points"):
        Parities(30).cells(points, np.ones(30, dtype=np.int64))
    assert len(Parities(30).dichotomies(few[:10])) == 1 << 10
    with pytest.raises(TooLarge):
        Parities(30).dichotomies(few)


def test_draws_have_half_of_the_columns() -> None:
    assert 400 < len(Parities(1024).draw(rng=Seeded(0)).columns) < 624


def test_long_sums_fit() -> None:
    """A sum of 200 one-byte columns does not fit into a byte; the first is widened."""
    names = [f"c{i}" for i in range(200)]
    ones = ", ".join(f"CAST(1 AS TINYINT) AS {name}" for name in names)
    for mask, odd in (((1 << 199) - 1, True), ((1 << 200) - 1, False), ((1 << 127) - 1, True)):
        query = f"SELECT {Parity(mask).sql(names)} FROM (SELECT {ones})"
        assert duckdb.execute(query).fetchall() == [(odd,)]
    assert "CAST" not in Parity((1 << 127) - 1).sql(names)


def test_words() -> None:
    assert Parity(0).rule(["a"]) == "never"
    assert Parity(0).sql(["a"]) == "(1 = 0)"
    assert Parity(2).rule(["a", "b"]) == "b is 1"
    assert Parity(7).rule(["a", "b", "c"]) == "the number of ones among a, b and c is odd"
    assert Parity(1).sql(['a"b']) == '(("a""b") % 2 = 1)'


@pytest.mark.parametrize("columns", [[0, 0], [1, 0], [3], [-1]])
def test_codes_of_other_classes_are_refused(columns: list[int]) -> None:
    with pytest.raises(InvalidArgument):
        Parities(3).decode({"columns": columns})


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="dims must be at least 1"):
        Parities(0)
    with pytest.raises(TooLarge):
        Parities(40).domain()
    with pytest.raises(TooLarge):
        Parities(40).concepts()
