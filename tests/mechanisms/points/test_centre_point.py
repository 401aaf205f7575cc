"""Tukey depth against its definition, and centre points."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.mechanisms import CentrePoint
from tacit.mechanisms.points.centre_point import tukey_depths
from tacit.statistics import Counts
from tacit.verify.enough.simulation import alarm

F = Fraction
GOAL = Accuracy("0.25", "0.2")
RUNS = 40


def _directions(dims: int, reach: int) -> np.ndarray[Any, Any]:
    """Return so many directions that every way to part vectors of entries up to 2 is among them."""
    made = np.array(list(product(range(-reach, reach + 1), repeat=dims)))
    return made[made.any(axis=1)]


def _by_definition(points: Any, place: Any, directions: Any) -> int:
    inside = (np.array(points) - np.array(place)) @ directions.T >= 0
    return int(inside.sum(axis=0).min())


@pytest.mark.parametrize(("dims", "side", "reach"), [(1, 5, 1), (2, 3, 5), (3, 2, 3)])
def test_depth_is_the_least_halfspace(dims: int, side: int, reach: int) -> None:
    """Against all halfspaces with small normals, which are enough on so small a grid."""
    floats, directions = np.random.default_rng(dims), _directions(dims, reach)
    places = np.array(list(product(range(side), repeat=dims)))
    for _ in range(60):
        points = floats.integers(0, side, (int(floats.integers(1, 9)), dims))
        different, counts = np.unique(points, axis=0, return_counts=True)
        found = tukey_depths(different, counts, places).tolist()
        assert found == [_by_definition(points, place, directions) for place in places]


def test_depth_beyond_the_grid_of_points() -> None:
    cube = np.array(list(product((0, 4), repeat=3)))
    ones = np.ones(8, dtype=np.int64)
    assert tukey_depths(cube, ones, np.array([[2, 2, 2], [4, 4, 4], [5, 0, 0]])).tolist() == [
        4,
        1,
        0,
    ]
    line = np.array([[1, 1, 1], [2, 2, 2], [4, 4, 4]])
    assert tukey_depths(line, np.array([5, 1, 2]), np.array([[2, 2, 2]])).tolist() == [3]
    assert tukey_depths(line, np.array([5, 1, 2]), np.array([[2, 2, 1]])).tolist() == [0]


@settings(max_examples=60)
@given(
    st.integers(1, 3).flatmap(
        lambda dims: st.lists(st.tuples(*[st.integers(0, 3)] * dims), min_size=1, max_size=9)
    )
)
def test_some_point_is_as_deep_as_claimed(points: list[tuple[int, ...]]) -> None:
    dims = len(points[0])
    centre = CentrePoint((4,) * dims, 60)
    different, counts = np.unique(np.array(points), axis=0, return_counts=True)
    places = np.array(list(product(range(4), repeat=dims)))
    assert tukey_depths(different, counts, places).max() >= centre.best(len(points))


def test_the_corners_of_a_square_attain_it() -> None:
    square = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert tukey_depths(square, np.ones(4, dtype=np.int64), square).max() == 1
    assert CentrePoint((2, 2), 1).best(4) == 1


def test_the_sampler_has_the_law() -> None:
    """Chi-square; a true law fails with probability 1e-9."""
    centre, count, rng = CentrePoint((3, 3), 1), 1500, Seeded(1)
    records = Counts.of([(0, 0), (0, 2), (2, 0), (1, 1), (9, -4)])
    law = centre.law(records)
    drawn = [centre(records, rng=rng) for _ in range(count)]
    found = sum(
        (drawn.count(place) - count * float(p)) ** 2 / (count * float(p))
        for place, p in law.probabilities.items()
    )
    assert found < chi2.isf(1e-9, 8)
    assert law[1, 1] > law[0, 0]


def test_depths_are_promised() -> None:
    centre = CentrePoint((8, 8), 1)
    assert centre.depth(100, "0.05") == 11
    assert centre.failure(11, 100) <= F(1, 20) < centre.failure(12, 100)
    assert centre.failure(26, 100) == 1
    assert centre.failure(0, 0) == 0
    assert centre.depth(4, "0.05") == 0
    floats, rng, misses = np.random.default_rng(1), Seeded(2), 0
    for _ in range(60):
        points = floats.integers(0, 8, (100, 2))
        chosen = np.array([centre(Counts.of(map(tuple, points.tolist())), rng=rng)])
        depth = tukey_depths(points, np.ones(100, dtype=np.int64), chosen)[0]
        misses += depth < 11
    assert misses < alarm(60, F(1, 20))


def test_no_records_and_bad_grids() -> None:
    assert len(CentrePoint((3,), 1).law(Counts(5, {})).probabilities) == 3
    with pytest.raises(InvalidArgument, match="sizes"):
        CentrePoint((2, 2, 2, 2), 1)
    with pytest.raises(InvalidArgument, match="at most"):
        CentrePoint((1 << 9, 1 << 9), 1)
    with pytest.raises(InvalidArgument, match="epsilon"):
        CentrePoint((2,), 0)
