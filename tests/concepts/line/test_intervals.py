"""Intervals of a line, and how they are counted by gain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.contract.specification import parse
from tacit.concepts.line import gaps
from tacit.concepts.line.gaps import Gaps
from tacit.concepts.line.intervals import EMPTY, Interval, Intervals
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tests.support.concept_contract import check_contract


@pytest.mark.parametrize("bits", [1, 2, 3])
def test_small_classes_keep_the_contract(bits: int) -> None:
    check_contract(Intervals(bits))


@pytest.mark.parametrize("values", [2, 3, 5, 6, 7, 9, 12])
def test_a_line_may_have_any_length(values: int) -> None:
    concepts = Intervals(values=values)
    check_contract(concepts, samples=4, exact=False)
    assert concepts.littlestone.exact or values & (values - 1)
    assert Intervals(values=8) == Intervals(3)


def test_a_larger_class_keeps_the_contract() -> None:
    check_contract(Intervals(5), samples=4)


def test_golden_sizes_and_dimensions() -> None:
    assert [Intervals(bits).size for bits in (1, 2, 3, 4)] == [4, 11, 37, 137]
    assert [Intervals(bits).littlestone.upper for bits in (1, 2, 3, 4)] == [2, 3, 4, 6]
    assert all(Intervals(bits).littlestone.exact for bits in range(1, 70))
    assert all(Intervals(bits).vc.upper == 2 for bits in (1, 2, 64))


def _by_pairs(gains: dict[int, int], size: int) -> Counter[int]:
    """Count by pairs of gaps, straight from the definition."""
    found: Counter[int] = Counter()
    points = sorted(gains)
    edges = [-1, *points, size]
    levels = [sum(gains[x] for x in points[:i]) for i in range(len(points) + 1)]
    for i, j in combinations(range(len(edges) - 1), 2):
        found[levels[j] - levels[i]] += (edges[i + 1] - edges[i]) * (edges[j + 1] - edges[j])
    for start, end in pairwise(edges):
        found[0] += (end - start) * (end - start - 1) // 2
    return found


@settings(max_examples=150, deadline=None)
@given(
    bits=st.sampled_from([6, 40, 300]),
    scale=st.sampled_from([1, 3, 10**12]),
    seed=st.integers(0, 1 << 30),
    many=st.integers(0, 40),
)
def test_counts_are_those_of_all_pairs_of_gaps(bits: int, scale: int, seed: int, many: int) -> None:
    rng = Seeded(seed)
    points = {rng.below(1 << bits) for _ in range(many)}
    gains = {x: rng.below(2 * scale + 1) - scale for x in points}
    counted = Gaps(gains, size=1 << bits).counts
    assert +Counter(counted) == +_by_pairs(gains, 1 << bits)


@pytest.mark.parametrize("chunk", [1, 2, 7])
@pytest.mark.parametrize("dense", [0, 8])
@pytest.mark.parametrize("scale", [1, 5, 10**9])
def test_every_way_of_counting_agrees(
    chunk: int, dense: int, scale: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long integers, double loops and polynomial products take turns."""
    monkeypatch.setattr(gaps, "CHUNK", chunk)
    monkeypatch.setattr(gaps, "DENSE", dense)
    rng = np.random.default_rng(chunk)
    points = rng.permutation(1 << 12)[:300].tolist()
    gains = dict(zip(points, rng.integers(-scale, scale + 1, 300).tolist(), strict=True))
    counted = Gaps(gains, size=1 << 12).counts
    assert +Counter(counted) == +_by_pairs(gains, 1 << 12)


def test_long_samples_use_polynomials_and_stay_exact() -> None:
    rng = np.random.default_rng(3)
    points = np.sort(rng.choice(1 << 20, 700, replace=False))
    for gains in (np.ones(700, dtype=np.int64), rng.integers(-2, 3, 700)):
        concepts = Intervals(20)
        cells = concepts.cells(points, gains)
        counted = dict(zip(cells.gains.tolist(), map(int, cells.multiplicities), strict=True))
        expected = _by_pairs(dict(zip(points.tolist(), gains.tolist(), strict=True)), 1 << 20)
        expected[0] += 1
        assert +Counter(counted) == +expected
        for cell in rng.integers(0, len(cells.gains), 20):
            many = int(cells.multiplicities[cell])
            for rank in {0, many // 3, many - 1} if many else set():
                concept = cells.member(int(cell), rank)
                assert concepts.decode(concepts.encode(concept)) == concept
                assert gains[concept(points)].sum() == cells.gains[cell]


def test_ranks_of_a_vast_domain() -> None:
    concepts, top = Intervals(1024), (1 << 1024) - 1
    points = np.array([top, 5, 1 << 1000], dtype=object)
    gains = np.array([1, 1, -1])
    cells = concepts.cells(points, gains)
    assert cells.gains.tolist() == [-1, 0, 1]
    assert sum(map(int, cells.multiplicities)) == concepts.size
    low, none, one = (int(m) for m in cells.multiplicities)
    assert low == ((1 << 1000) - 5) * (top - (1 << 1000))
    assert one == 6 * ((1 << 1000) - 5) + top - (1 << 1000) + 6
    assert cells.member(1, none - 1) == EMPTY
    for cell in range(3):
        many = int(cells.multiplicities[cell])
        ranks = {0, 1, many // 2, many - 2, many - 1}
        members = {cells.member(cell, rank) for rank in ranks}
        assert len(members) == len(ranks)
        assert all(gains[h(points)].sum() == cells.gains[cell] for h in members)
    assert len(concepts.dichotomies(points)) == 7
    assert concepts.draw(rng=Seeded(1)).high <= top


def test_ends_beyond_machine_integers() -> None:
    assert Interval(5, 1 << 70)(np.array([4, 5, 6])).tolist() == [False, True, True]


def test_ranks_out_of_range_are_refused() -> None:
    counted = Gaps({1: 1}, size=4)
    for gain in (0, 1, 7):
        with pytest.raises(IndexError, match="rank"):
            counted.sides(gain, counted.counts.get(gain, 0))


def test_a_hundred_thousand_points_are_practical() -> None:
    rng = np.random.default_rng(0)
    points = np.unique(rng.integers(0, 1 << 32, 100_000))
    gains = np.where((points > 1 << 30) & (points < 3 << 30), 1, -1)
    cells = Intervals(32).cells(points, gains)
    assert sum(map(int, cells.multiplicities)) == Intervals(32).size
    best = cells.member(len(cells.gains) - 1, 0)
    assert gains[best(points)].sum() == (gains == 1).sum()


def test_rules_and_columns() -> None:
    assert Interval(18, 65).rule(["age"]) == "age is between 18 and 65"
    assert Interval(7, 7).rule(["x"]) == "x is 7"
    assert EMPTY.rule(["x"]) == "never"
    assert Interval(0, 1).sql(['a"b']) == '("a""b" BETWEEN 0 AND 1)'


@pytest.mark.parametrize(
    ("attempt", "error", "words"),
    [
        (lambda: Intervals(0), InvalidArgument, "bits must be at least 1"),
        (lambda: parse("intervals(bits=x)"), NotExact, "bits must be an integer"),
        (lambda: Intervals(2).decode({"low": 0, "high": 4}), InvalidArgument, "no concept"),
        (lambda: Intervals(2).decode({"low": 2, "high": 1}), InvalidArgument, "no concept"),
        (lambda: Intervals(2).decode({"low": -1, "high": 1}), InvalidArgument, "at least 0"),
        (lambda: Intervals(2).decode({"low": 0}), InvalidArgument, "no concept"),
        (lambda: Intervals(2).decode({"low": 0, "high": "1"}), NotExact, "integer"),
        (lambda: Intervals(32).domain(), TooLarge, "too many to list"),
        (lambda: next(Intervals(16).concepts()), TooLarge, "too many to list"),
    ],
)
def test_bad_arguments_are_refused(
    attempt: Callable[[], Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        attempt()


def test_small_classes_take_any_number_of_rows() -> None:
    assert (Intervals(8).largest_sample, Intervals(16).largest_sample) == (None, 10**6)
