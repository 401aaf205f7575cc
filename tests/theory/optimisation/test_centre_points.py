"""Depths over any finite domain, against removal of points and against the grid's own depths."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from tacit.core.errors import InvalidArgument, TooLarge
from tacit.mechanisms.points.centre_point import tukey_depths
from tacit.theory.optimisation.centre_points import centre_points
from tacit.theory.optimisation.solution_sets import SolutionSets


def _inside(points: np.ndarray, place: np.ndarray) -> bool:
    """Whether a place is a mixture of points."""
    ones = np.ones((1, len(points)))
    return bool(
        len(points)
        and linprog(
            np.zeros(len(points)),
            A_eq=np.vstack([points.T, ones]),
            b_eq=np.append(place, 1),
            bounds=(0, None),
        ).status == 0
    )  # fmt: skip


@pytest.mark.parametrize("dims", [1, 2, 3, 4])
def test_depth_is_how_many_must_be_removed(dims: int) -> None:
    """The definition itself: the fewest records without which the place is outside their hull."""
    rng = np.random.default_rng(dims)
    for _ in range(8):
        points = [tuple(map(int, p)) for p in np.unique(rng.integers(0, 4, (6, dims)), axis=0)]
        place = tuple(map(int, rng.integers(0, 4, dims)))
        problem = centre_points(points, [place])
        records = np.array(points)
        removed = [
            sum(gone) for gone in product((0, 1), repeat=len(points))
            if not _inside(records[~np.array(gone, dtype=bool)], np.array(place))
        ]  # fmt: skip
        assert problem.quality(points, place) == F(min(removed), len(points))


@pytest.mark.parametrize("sizes", [(7,), (3, 3), (2, 2, 3)])
def test_grids_have_the_depths_of_the_mechanism(sizes: tuple[int, ...]) -> None:
    grid = list(product(*map(range, sizes)))
    problem, rng = centre_points(grid, grid), np.random.default_rng(2)
    assert problem.bounded(10**6)
    for _ in range(20):
        held = rng.integers(0, 3, len(grid))
        held[0] += not held.any()
        kept = held > 0
        depths = tukey_depths(np.array(grid)[kept], held[kept], np.array(grid))
        assert problem.scores(held).tolist() == depths.tolist()


def test_places_of_the_space_are_deeper_than_those_of_the_domain() -> None:
    """Corners of a square: m/4 of their own, and m/3 or more with the crossing of the diagonals.

    With three corners of a triangle, all that is inside is as shallow as a corner.
    """
    corners = [(0, 0), (0, 1), (1, 0), (1, 1)]
    problem = centre_points(corners, [*corners, ("1/2", "1/2")])
    own = SolutionSets.fixed(corners).approximation(problem, 4)
    assert (own.value, own.database) == (F(1, 4), tuple(corners))
    depths = [max(problem.scores(problem.held(s))) for s in problem.databases(6)]
    assert min(depths) == 2  # a third of six
    assert SolutionSets.fixed([*corners, ("1/2", "1/2")]).represents(problem, 6, 0)


def test_places_of_other_dimensions_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="as many coordinates"):
        centre_points([(0, 0)], [(0,)])
    with pytest.raises(TooLarge, match="too many to list"):
        centre_points([(i, i * i, i**3) for i in range(400)], [(0, 0, 0)])


def test_a_domain_of_one_point() -> None:
    problem = centre_points([(2, 3)], [(2, 3), (0, 0)])
    assert [problem.quality([(2, 3)] * 5, place) for place in problem.solutions] == [1, 0]
