"""Hashes: collisions counted, hypotheses stored and read back, SQL run in DuckDB."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations

import duckdb
import numpy as np
import pytest

from tacit.concepts.algebra.hashes import BLOCKS, Hash, Hashes
from tacit.concepts.contract.hypothesis_set import Listed, Together
from tacit.concepts.contract.specification import parse_output
from tacit.concepts.outputs.bucket import Bucket, Buckets
from tacit.concepts.outputs.never import NEVER, OrNever
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge

F = Fraction


@pytest.mark.parametrize(("bits", "buckets"), [(1, 2), (2, 2), (2, 3), (2, 7), (4, 5), (4, 8)])
def test_collisions_are_counted_exactly(bits: int, buckets: int) -> None:
    family = Hashes(buckets, bits)
    table = np.array([drawn(np.arange(1 << bits)) for drawn in family.seeds()])
    for x, y in combinations(range(1 << bits), 2):
        assert F(int((table[:, x] == table[:, y]).sum()), len(table)) == family.collision
    assert family.collision <= F(1, buckets)
    assert table.min() >= 0
    assert table.max() < buckets


def test_long_numbers_collide_in_few_places() -> None:
    """Blocks of two bits modulo 7: numbers of three blocks agree for at most two bases."""
    points = np.arange(64, dtype=object)
    folded = np.array([Hash(3, 1, 0, base, 7)(points) for base in range(1, 8)])
    for x, y in combinations(range(64), 2):
        assert (folded[:, x] == folded[:, y]).sum() <= 2


def test_the_bound_for_long_numbers() -> None:
    everything = Hashes(1024)
    assert everything.blocks == BLOCKS
    assert F(1, 1024) < everything.collision < F(1, 1024) + F(1, 1 << 456)
    assert Hashes(1024, 1024).exponent == 1279
    assert Hashes(1024, 1024).blocks == 1
    assert Hashes(1024, 10**6).blocks == -(-(10**6) // 520)
    assert [Hashes(2, bits).exponent for bits in (1, 2, 30, 31, 60, 61, 64)] == [
        *(2, 3, 31, 61),
        *(61, 89, 89),
    ]
    assert Hashes(1 << 40, 4).exponent == 61


@pytest.mark.parametrize("bits", [3, 30, 31, 60, 62, 64, 88])
def test_sql_agrees(bits: int) -> None:
    rng, family = Seeded(bits), Hashes(64, bits)
    points = [rng.below(1 << bits) for _ in range(60)] + [0, (1 << bits) - 1]
    drawn = family.draw(rng=rng)
    expected = drawn(np.array(points, dtype=object if bits > 62 else np.int64)).tolist()
    kind = "HUGEINT" if bits > 62 else "BIGINT"
    values = ", ".join(f"({x}::{kind})" for x in points)
    column = 'the "key"'
    source = f'(VALUES {values}) AS t("the ""key""")'
    found = duckdb.execute(f"SELECT {drawn.sql([column])} FROM {source}").fetchall()
    assert [int(value) for (value,) in found] == expected
    bucket = Bucket(drawn, int(expected[0]))
    (answer,) = duckdb.execute(f"SELECT {bucket.sql([column])} FROM {source}").fetchall()[0]
    assert answer


@pytest.mark.parametrize("bits", [89, 1024, None])
def test_sql_says_where_it_ends(bits: int | None) -> None:
    with pytest.raises(TooLarge, match="predict in Python"):
        Bucket(Hashes(8, bits).draw(rng=Seeded(0)), 3).sql(["key"])


@pytest.mark.parametrize("bits", [8, 64, 1024, 5000, None])
def test_hypotheses_are_stored_and_read_back(bits: int | None) -> None:
    family = Hashes(100, bits)
    outputs = OrNever(family)
    assert parse_output(str(outputs)) == outputs
    bucket = Bucket(family.draw(rng=Seeded(1)), 99)
    encoded = json.loads(json.dumps(outputs.encode(bucket)))
    assert outputs.decode(encoded) == bucket
    assert bucket.rule(["key"]).endswith("modulo 100 is 99")
    prime = (1 << family.exponent) - 1
    wrong = [
        {**encoded, "bucket": 100},
        {**encoded, "multiplier": 0},
        {**encoded, "multiplier": prime},
        {**encoded, "shift": prime},
        {**encoded, "base": prime + 1},
        {**encoded, "base": 1 if not family.long else 0},
        {**encoded, "more": 1},
        {"bucket": 3},
    ]
    for bad in wrong:
        with pytest.raises(InvalidArgument):
            family.decode(bad)


def test_long_points_are_hashed() -> None:
    drawn = Hashes(1 << 20).draw(rng=Seeded(2))
    points = np.array([3, 1 << 5000, (1 << 5000) + 1, 1 << 5001], dtype=object)
    blocks = [[3], [0] * 9 + [1 << 320], [1] + [0] * 8 + [1 << 320], [0] * 9 + [1 << 321]]
    for point, parts in zip(drawn(points).tolist(), blocks, strict=True):
        folded = sum(part * drawn.base**i for i, part in enumerate(parts))
        assert point == (drawn.multiplier * folded + drawn.shift) % drawn.prime % (1 << 20)
    assert Hashes(8).clip(np.array([-3, 1 << 70], dtype=object)).tolist() == [0, 1 << 70]
    assert Hashes(8, 2).clip(np.array([-3, 9])).tolist() == [0, 3]


@pytest.mark.parametrize("buckets", [2, 5, 1 << 64])
def test_cells_are_the_buckets(buckets: int) -> None:
    drawn = Hashes(buckets, 16).draw(rng=Seeded(3))
    whole = Together((Buckets(drawn), Listed([NEVER])))
    points, gains = np.array([5, 9, 11, 400]), np.array([3, -1, 2, 5])
    cells = whole.cells(points, gains)
    assert sum(map(int, cells.multiplicities)) == whole.size == buckets + 1
    seen = set()
    for cell, (gain, many) in enumerate(zip(cells.gains, cells.multiplicities, strict=True)):
        for rank in range(min(int(many), 20)):
            hypothesis = cells.member(cell, rank)
            seen.add(hypothesis)
            assert int(gains[hypothesis(points)].sum()) == gain
        if many > 20:
            assert cells.member(cell, int(many) - 1).value == buckets - 1
    assert len(seen) >= min(buckets + 1, 20)


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgument, match="buckets"):
        Hashes(1)
    with pytest.raises(InvalidArgument, match=r"2\^64"):
        Hashes((1 << 64) + 1)
    with pytest.raises(InvalidArgument, match="bits"):
        Hashes(8, 0)
    with pytest.raises(TooLarge, match="hashes"):
        next(Hashes(8, 64).seeds())
    with pytest.raises(InvalidArgument, match="hypotheses"):
        Listed([])
