"""Balls on grids: intervals on a line, and the cells of a lifted arrangement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tacit.concepts.contract.feature import Feature
from tacit.concepts.contract.specification import parse
from tacit.concepts.grid.arrangement import dichotomies
from tacit.concepts.grid.ball import Ball, simplest_ball, simplest_rational
from tacit.concepts.grid.balls import SEARCHED, SIZES, Balls
from tacit.concepts.grid.halfspaces import Halfspaces
from tacit.concepts.grid.listed_functions import Codes, codes, labels
from tacit.concepts.grid.numbering import grid
from tacit.concepts.grid.small_halfspaces import small_halfspaces
from tacit.concepts.line.intervals import Intervals
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tacit.theory.dimensions.halfspace_tree import halfspace_depth
from tests.support.concept_contract import check_contract
from tests.support.grid_oracles import cell_count, littlestone_at_least, shatters_some


def lifted(bits: int, dims: int) -> NDArray[np.int64]:
    points = grid(bits, dims)
    squares = (points * points).sum(axis=1, keepdims=True)
    return np.concatenate([points, np.ones_like(squares), squares], axis=1)


@lru_cache
def listed(bits: int, dims: int) -> Codes:
    return dichotomies(np.array([0] * (dims + 1) + [1]), lifted(bits, dims))


def table(found: Codes, bits: int, dims: int) -> NDArray[np.bool_]:
    return np.array([labels(code, 1 << bits * dims) for code in found.tolist()])


@pytest.mark.parametrize(("bits", "dims"), [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3)])
def test_small_classes_keep_the_contract(bits: int, dims: int) -> None:
    check_contract(Balls(bits, dims))


def test_golden_size_and_dimensions() -> None:
    concepts = Balls(2, 2)
    matrix = np.array([h(concepts.domain()) for h in concepts.concepts()])
    assert len(np.unique(matrix, axis=0)) == concepts.size == 524
    assert concepts.vc.lower == concepts.vc.upper == 3
    assert shatters_some(matrix, 3)
    assert not shatters_some(matrix, 4)
    assert concepts.littlestone.lower == concepts.littlestone.upper == 8


@pytest.mark.parametrize(("bits", "dims"), sorted(SEARCHED))
def test_searched_dimensions_are_found_again(bits: int, dims: int) -> None:
    matrix = table(listed(bits, dims), bits, dims)
    assert littlestone_at_least(matrix, SEARCHED[bits, dims])
    assert not littlestone_at_least(matrix, SEARCHED[bits, dims] + 1)


@pytest.mark.parametrize(("bits", "dims"), sorted(SIZES))
def test_there_are_as_many_balls_as_cells(bits: int, dims: int) -> None:
    """The apex makes pairs of all cells; one of each pair is a class of balls."""
    apex = (0,) * (dims + 1) + (1,)
    vectors = [apex, *(tuple(row) for row in lifted(bits, dims).tolist())]
    assert cell_count(vectors) == 2 * Balls(bits, dims).size


@pytest.mark.parametrize(("bits", "dims"), [(1, 2), (1, 3), (1, 4), (2, 2), (3, 2)])
def test_halfspaces_are_balls(bits: int, dims: int) -> None:
    domain = grid(bits, dims)
    halfspaces = codes(np.array([h(domain) for h in Halfspaces(bits, dims).concepts()]))
    balls = listed(bits, dims)
    assert len(balls) == SIZES[bits, dims]
    assert np.isin(halfspaces, balls).all()
    assert (len(balls) == len(halfspaces)) == (bits == 1)


@pytest.mark.parametrize(("bits", "dims"), [(2, 2), (3, 2), (2, 3)])
def test_random_balls_are_listed(bits: int, dims: int) -> None:
    rng = np.random.default_rng(bits + 10 * dims)
    concepts, points = Balls(bits, dims), grid(bits, dims)
    centres = rng.integers(-30, 30 + 7 * (1 << bits), (3000, dims))
    squares = ((7 * points[None, :, :] - centres[:, None, :]) ** 2).sum(axis=2)
    radii = np.take_along_axis(squares, rng.integers(0, len(points), (3000, 1)), axis=1)
    found = codes(squares <= radii)
    assert np.isin(found, listed(bits, dims)).all()
    for centre, radius, code in zip(centres[:30], radii[:30, 0], found[:30], strict=True):
        ball = simplest_ball(points, labels(int(code), len(points)))
        drawn = Ball(tuple(centre.tolist()), 7, int(radius))
        assert np.array_equal(ball(points), drawn(points))
        assert dims > 2 or concepts.decode(concepts.encode(ball)) == ball


def test_the_default_is_scored_and_drawn() -> None:
    concepts = Balls()
    rng = np.random.default_rng(3)
    chosen = rng.permutation(64)[:20]
    points, gains = concepts.domain()[chosen], rng.integers(-5, 6, 20)
    cells = concepts.cells(points, gains)
    assert int(cells.multiplicities.sum()) == concepts.size == 33742
    for cell in rng.integers(0, concepts.size, 50).tolist():
        assert int(gains[cells.member(cell, 0)(points)].sum()) == cells.gains[cell]
    assert cells.gains.max() == max(gains[h(points)].sum() for h in concepts.dichotomies(points))
    assert len({concepts.draw(rng=Seeded(i)) for i in range(20)}) == 20


@pytest.mark.parametrize(("bits", "dims", "each"), [(3, 2, 400), (2, 3, 4000), (1, 5, 20000)])
def test_every_listed_function_has_a_ball(bits: int, dims: int, each: int) -> None:
    points = grid(bits, dims)
    found = listed(bits, dims) if bits > 1 else small_halfspaces(bits, dims).codes
    for code in found[::each].tolist():
        values = labels(code, len(points))
        assert np.array_equal(simplest_ball(points, values)(points), values)


@given(st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(-1, 18))
def test_the_centre_is_the_simplest(centre: tuple[int, int], radius: int) -> None:
    """An integer first coordinate will do; ours is the nearest to 0, then the simplest second."""
    points = grid(2, 2)
    values = Ball(centre, 1, radius)(points)
    ball = simplest_ball(points, values)
    first = min((x for x in range(-3, 4) if _seconds(points, values, x)), key=abs)
    second = simplest_rational(*(_seconds(points, values, first) or (None, None)))
    assert [Fraction(c, ball.scale) for c in ball.centre] == [Fraction(first), second]


def _seconds(
    points: NDArray[np.int64], values: NDArray[np.bool_], first: int
) -> tuple[Fraction | None, Fraction | None] | None:
    """Return the ends of the interval of second coordinates, or None if it is empty."""
    low, high = Fraction(-(10**9)), Fraction(10**9)
    for a in points[values].tolist():
        for b in points[~values].tolist():
            room = sum(x * x for x in b) - sum(x * x for x in a) - 2 * (b[0] - a[0]) * first
            slope = 2 * (b[1] - a[1])
            if slope == 0 and room <= 0:
                return None
            if slope:
                end = Fraction(room, slope)
                low, high = (low, min(high, end)) if slope > 0 else (max(low, end), high)
    return (low, high) if low < high else None


@given(st.fractions(-5, 5, max_denominator=40), st.fractions(0, 2, max_denominator=40))
def test_simplest_rationals(low: Fraction, width: Fraction) -> None:
    if width == 0:
        return
    found = simplest_rational(low, low + width)
    assert low < found < low + width
    for denominator in range(1, found.denominator + 1):
        start, end = int(low * denominator) - 1, int((low + width) * denominator) + 1
        inside = [p for p in range(start, end + 1) if low < Fraction(p, denominator) < low + width]
        if denominator < found.denominator:
            assert not inside
        else:
            assert min(map(abs, inside)) == abs(found.numerator)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(None, None, 0), (None, 0, -1), (0, None, 1), (None, -3, -4), (Fraction(7, 2), None, 4)],
)
def test_simplest_rationals_without_end(low: Any, high: Any, expected: int) -> None:
    assert simplest_rational(low, high) == expected


def test_a_vast_line_is_intervals() -> None:
    concepts = Balls(1024, 1)
    points = np.array([[5], [1 << 1000]], dtype=object)
    cells = concepts.cells(points, np.array([1, 2]))
    assert sum(int(m) for m in cells.multiplicities) == concepts.size == Intervals(1024).size
    for cell, gain in enumerate(cells.gains.tolist()):
        ball = cells.member(cell, int(cells.multiplicities[cell]) - 1)
        assert int(np.array([1, 2])[ball(points)].sum()) == gain
        assert concepts.decode(concepts.encode(ball)) == ball
    assert concepts.littlestone == Intervals(1024).littlestone
    assert concepts.largest_sample == Intervals(1024).largest_sample
    assert Balls().largest_sample is None


def test_rules_and_queries_survive_small_columns_and_odd_names() -> None:
    names = ['a "b"', "c - -d"]
    ball = Ball((-7, 3), 2, 200**2)
    assert ball.rule(names).endswith('of (a "b", c - -d) from (-7/2, 3/2) is at most 10000')
    values = ", ".join(f"({x}::UTINYINT, {y}::UTINYINT)" for x, y in ((90, 2), (200, 255)))
    source = f'(VALUES {values}) AS t("a ""b""", "c - -d")'
    answers = duckdb.execute(f"SELECT {ball.sql(names)} FROM {source}").fetchall()
    assert [answer for (answer,) in answers] == [True, False]
    assert ball(np.array([[90, 2], [200, 255]], dtype=np.uint8)).tolist() == [True, False]
    assert Ball((0, 0), 1, -1).rule(names) == "never"
    assert Ball((3,), 1, 0).rule(["age"]) == "age is 3"
    assert Ball((7,), 2, 9).rule(["age"]) == "age is between 2 and 5"


def test_rules_speak_of_values_and_calculate_with_codes() -> None:
    age = Feature(
        "age", show=lambda c: str(18 + c), coded="(age - 18)", term=lambda: '("age" - 18)'
    )
    assert Ball((7,), 2, 9).rule([age]) == "age is between 20 and 23"
    assert "of ((age - 18), bmi) from" in Ball((7, 6), 2, 41).rule([age, "bmi"])
    assert Ball((7,), 2, 9).sql([age]) == '(("age" - 18) BETWEEN 2 AND 5)'


@pytest.mark.parametrize(("bits", "dims"), [(4, 2), (3, 3), (2, 4), (1, 6)])
def test_of_fine_grids_facts_are_known_and_no_functions(bits: int, dims: int) -> None:
    concepts = Balls(bits, dims)
    assert parse(str(concepts)) == concepts
    assert concepts.vc == replace(concepts.vc, lower=dims + 1, upper=dims + 1)
    assert concepts.littlestone.lower == halfspace_depth(bits, dims)
    assert concepts.littlestone.upper == bits * dims * (dims + 1) + 1
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


@pytest.mark.parametrize(("bits", "dims"), [(1, 2), (2, 2), (3, 2), (1, 3), (1, 4)])
def test_each_halfspace_is_a_ball_of_known_centre(bits: int, dims: int) -> None:
    """Around R w, R = dims (2^bits - 1)^2, with squared radius |R w|^2 - 2 R threshold + R."""
    points, far = grid(bits, dims), dims * ((1 << bits) - 1) ** 2
    for half in Halfspaces(bits, dims).concepts():
        centre = far * np.array(half.weights)
        radius = int((centre**2).sum()) - 2 * far * half.threshold + far
        inside = ((points - centre) ** 2).sum(axis=1) <= radius
        assert np.array_equal(inside, half(points))


@pytest.mark.parametrize(("bits", "dims"), sorted(SIZES))
def test_what_is_known_of_any_grid_is_true_of_small_ones(bits: int, dims: int) -> None:
    concepts = Balls(bits, dims)
    assert concepts.tree == halfspace_depth(bits, dims) <= concepts.littlestone.lower
    assert SEARCHED.get((bits, dims), concepts.tree) >= concepts.tree
    others = (1 << bits * dims) - 1
    assert concepts.least <= concepts.size
    assert concepts.size <= 2 * sum(comb(others, i) for i in range(dims + 2)) <= concepts.most
    assert concepts.most == 1 << bits * dims * (dims + 1) + 1


@pytest.mark.parametrize(("bits", "dims"), [(0, 2), (2, 0)])
def test_empty_grids_are_refused(bits: int, dims: int) -> None:
    with pytest.raises(InvalidArgument, match="at least 1"):
        Balls(bits, dims)


def test_too_many_to_list() -> None:
    with pytest.raises(TooLarge, match="concepts"):
        Balls(32, 1).concepts()


@pytest.mark.parametrize(
    ("concepts", "centre", "scale", "bound"),
    [
        (Balls(2, 2), [0, 0], 1, 3),
        (Balls(2, 2), [0, 0], 2, 4),
        (Balls(2, 2), [1, 0], 1, -1),
        (Balls(2, 2), [0], 1, 1),
        (Balls(2, 2), "00", 1, 1),
        (Balls(2, 2), [1 << 80, 0], 1, 1),
        (Balls(2, 2), [-(1 << 80), 0], 1, 1),
        (Balls(2, 2), [0, 0], 1, 1 << 80),
        (Balls(2, 2), [0, 0], 0, 1),
        (Balls(3, 1), [8], 1, 0),
        (Balls(3, 1), [3], 1, 1 << 80),
        (Balls(3, 1), [4], 2, 4),
        (Balls(3, 1), [1], 1, -1),
    ],
)
def test_other_functions_and_other_centres_are_refused(
    concepts: Balls, centre: Any, scale: int, bound: int
) -> None:
    with pytest.raises(InvalidArgument):
        concepts.decode({"centre": centre, "scale": scale, "bound": bound})


def test_codes_hold_integers() -> None:
    with pytest.raises(NotExact, match="scale must be an integer"):
        Balls(2, 2).decode({"centre": [0, 0], "scale": 1.0, "bound": 1})
