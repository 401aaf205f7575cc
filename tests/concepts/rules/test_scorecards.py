"""Scorecards: evaluation, words, SQL, JSON, and what they refuse."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.concepts.contract.specification import parse, parse_output
from tacit.concepts.grid.halfspace import Halfspace
from tacit.concepts.rules.scorecard import Parabola, Scorecard
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, NotExact, TooLarge

CARDS = Scorecards("5xc3x2xq4")
small = st.integers(-9, 9)
cards = st.builds(
    lambda a, b, c, d, t: Scorecard((a, b, c, d), t),
    small,
    st.tuples(small, small, small),
    small,
    st.builds(Parabola, small, small),
    small,
)


def _by_hand(card: Scorecard, point: list[int]) -> bool:
    total = 0
    for weight, code in zip(card.weights, point, strict=True):
        if isinstance(weight, Parabola):
            total += weight.slope * code + weight.square * code**2
        else:
            total += weight * code if isinstance(weight, int) else weight[code]
    return total >= card.threshold


@given(cards)
def test_a_card_adds_up_its_points(card: Scorecard) -> None:
    domain = CARDS.domain()
    assert card(domain).tolist() == [_by_hand(card, point) for point in domain.tolist()]
    assert CARDS.decode(CARDS.encode(card)) == card


@given(cards)
def test_sql_says_the_same(card: Scorecard) -> None:
    domain = CARDS.domain()
    rows = ", ".join(str(tuple(point)) for point in domain.tolist())
    query = f"SELECT {card.sql(list('abcd'))} FROM (VALUES {rows}) AS t(a, b, c, d)"
    assert [said for (said,) in duckdb.sql(query).fetchall()] == card(domain).tolist()


def test_cards_of_numbers_are_halfspaces() -> None:
    domain = Scorecards("8x8").domain()
    assert np.array_equal(Scorecard((2, -3), -4)(domain), Halfspace((2, -3), -4)(domain))


def test_one_column_needs_no_vectors() -> None:
    assert Scorecard((1,), 3)(np.array([2, 3])).tolist() == [False, True]
    assert Scorecards(5).coordinates(np.array([0, 4]), 8).tolist() == [[-8], [8]]
    assert Scorecards(5).domain().tolist() == [0, 1, 2, 3, 4]


def test_the_words() -> None:
    assert Scorecard((0, (0, 0, 0), 0), 1).rule(["a", "b", "c"]) == "never"
    assert Scorecard((0, (0, 0, 0), 0), 0).rule(["a", "b", "c"]) == "always"
    said = Scorecard((-1, (0, -2, 0), 1), 4).rule(["a", "b", "c"])
    assert said == "- a + (-2 if b is 1) + c is at least 4"


def test_the_specification_is_read_back() -> None:
    assert parse(str(CARDS)) == parse_output(str(CARDS)) == CARDS
    assert CARDS.domain_size == 120
    assert CARDS.vc.lower == 7
    assert CARDS.dims == 7
    assert CARDS.littlestone.upper >= CARDS.littlestone.lower


def test_the_shattered_corner() -> None:
    """As many points as the VC dimension says get all labels."""
    corner = np.array([[0, 0, 0, 0], [4, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 0, 1, 0]])
    squares = [[0, 0, 0, 1], [0, 0, 0, 2]]
    corner = np.concatenate((corner, squares))
    for code in range(1 << len(corner)):
        base, a, b1, b2, c, d1, d2 = (1 if code >> i & 1 else -1 for i in range(7))
        bend = 2 * ((d2 - base) - 2 * (d1 - base))
        parabola = Parabola(4 * (d1 - base) - bend, bend)
        card = Scorecard(
            (a - base, (0, 4 * (b1 - base), 4 * (b2 - base)), 4 * (c - base), parabola), -4 * base
        )
        assert card(corner).tolist() == [bool(code >> i & 1) for i in range(7)]


def test_points_outside_are_clipped() -> None:
    clipped = CARDS.clip(np.array([[-3, 9, 1, 9], [99, 1, 7, 0]]))
    assert clipped.tolist() == [[0, 2, 1, 3], [4, 1, 1, 0]]
    huge = np.array([[10**30, 0, 0, 0]], dtype=object)
    assert CARDS.clip(huge).tolist() == [[4, 0, 0, 0]]


@pytest.mark.parametrize(
    "values", ["", "5xx2", "c", "-3", "5xc", "0", str(1 << 41), "5-c3", "qc3", f"q{1 << 21}"]
)
def test_bad_columns(values: str) -> None:
    with pytest.raises(InvalidArgument, match="values must look like"):
        Scorecards(values)


SQUARE = {"slope": 1, "square": 2}


@pytest.mark.parametrize(
    "weights",
    [
        [1, [1, 2, 3], 3],
        [1, 2, 3, SQUARE],
        [1, [1, 2], 3, SQUARE],
        [[1], [1, 2, 3], 3, SQUARE],
        [1, [1, 2, 3], 3, 4],
        [1, [1, 2, 3], 3, {"slope": 1}],
        [1 << 61, [1, 2, 3], 3, SQUARE],
        [1, [1, 2, 3], 3, {"slope": 0, "square": 1 << 60}],
    ],
)
def test_what_is_no_card(weights: list[object]) -> None:
    with pytest.raises(InvalidArgument):
        CARDS.decode({"weights": weights, "threshold": 0})


def test_a_card_has_nothing_more_and_only_integers() -> None:
    good = [1, [1, 2, 3], 3, SQUARE]
    assert CARDS.decode({"weights": good, "threshold": 0}).weights[3] == Parabola(1, 2)
    with pytest.raises(InvalidArgument):
        CARDS.decode({"weights": good, "threshold": 0, "more": 1})
    with pytest.raises(NotExact):
        CARDS.decode({"weights": [1, [1, 2.5, 3], 3, SQUARE], "threshold": 0})


def test_they_are_never_listed() -> None:
    with pytest.raises(TooLarge, match="margin"):
        CARDS.cells(CARDS.domain(), np.ones(120, dtype=np.int64))
    with pytest.raises(TooLarge, match="margin"):
        CARDS.draw(rng=Seeded(0))
    with pytest.raises(TooLarge, match="margin"):
        CARDS.dichotomies(CARDS.domain())
    with pytest.raises(TooLarge, match="margin"):
        CARDS.concepts()
    with pytest.raises(TooLarge, match="count"):
        _ = CARDS.size
    assert CARDS.largest_sample == 0
