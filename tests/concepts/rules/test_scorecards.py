"""Scorecards: evaluation, words, SQL, JSON, and what they refuse."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.contract.specification import parse, parse_output
from tacit.concepts.grid.halfspace import Halfspace
from tacit.concepts.rules.scorecard import Parabola, Scorecard, Steps
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tacit.data import Category, Integer, Schema
from tacit.data.schema.classes import class_for
from tacit.workflows.naming import features_of

CARDS = Scorecards("5xc3x2xq4xs6xn4")
small = st.integers(-9, 9)

steps = st.lists(st.integers(1, 3), max_size=3, unique=True).flatmap(
    lambda cuts: st.lists(small, min_size=len(cuts) + 1, max_size=len(cuts) + 1).map(
        lambda points: Steps(tuple(sorted(cuts)), tuple(points))
    )
)
cards = st.builds(
    lambda a, b, c, d, e, f, t: Scorecard((a, b, c, d, e, f), t, (-3, 0, 4)),
    small,
    st.tuples(small, small, small),
    small,
    st.builds(Parabola, small, small),
    steps,
    steps,
    small,
)


def _by_hand(card: Scorecard, point: list[int]) -> bool:
    total = 0
    for weight, code in zip(card.weights, point, strict=True):
        if isinstance(weight, Parabola):
            total += weight.slope * code + weight.square * code**2
        elif isinstance(weight, Steps):
            total += weight.points[sum(cut <= code for cut in weight.cuts)]
        else:
            total += weight * code if isinstance(weight, int) else weight[code]
    return total >= card.threshold


@settings(max_examples=25)
@given(cards)
def test_a_card_adds_up_its_points(card: Scorecard) -> None:
    domain = CARDS.domain()
    assert card(domain).tolist() == [_by_hand(card, point) for point in domain.tolist()]
    assert CARDS.decode(CARDS.encode(card)) == card


@settings(max_examples=25)
@given(cards)
def test_sql_says_the_same(card: Scorecard) -> None:
    domain = CARDS.domain()[::11]
    rows = ", ".join(str(tuple(point)) for point in domain.tolist())
    query = f"SELECT {card.sql(list('abcdef'))} FROM (VALUES {rows}) AS t(a, b, c, d, e, f)"
    assert [said for (said,) in duckdb.sql(query).fetchall()] == card(domain).tolist()


def test_cards_of_numbers_are_halfspaces() -> None:
    domain = Scorecards("8x8").domain()
    assert np.array_equal(Scorecard((2, -3), -4)(domain), Halfspace((2, -3), -4)(domain))


def test_one_column_needs_no_vectors() -> None:
    assert Scorecard((1,), 3)(np.array([2, 3])).tolist() == [False, True]
    assert Scorecards(5).domain().tolist() == [0, 1, 2, 3, 4]


def test_the_words() -> None:
    assert Scorecard((0, (0, 0, 0), 0), 1).rule(["a", "b", "c"]) == "never"
    assert Scorecard((0, (0, 0, 0), 0), 0).rule(["a", "b", "c"]) == "always"
    said = Scorecard((-1, (0, -2, 0), 1), 4).rule(["a", "b", "c"])
    assert said == "- a + (-2 if b is 1) + c is at least 4"
    nothing = Scorecard((Steps((3,), (0, 0)), (0, 2)), 1)
    assert nothing.rule(["a", "b"]) == "(2 if b is 1) is at least 1"
    assert '"a"' not in nothing.sql(["a", "b"])


def test_what_is_missing_has_words_of_its_own() -> None:
    """The null code is a step, and no number above the highest."""
    schema = Schema({"bmi": Integer(10, 60, outside="null"), "sex": Category(["f", "m"])})
    chosen = class_for("scorecards", schema, ["bmi", "sex"])
    assert str(chosen) == "scorecards(values=n52xc2)"
    (bmi,) = features_of(schema, ["bmi"])
    card = Scorecard((Steps((20, 51), (0, 4, 9)),), 5)
    assert card.rule([bmi]) == (
        "(4 if bmi is between 30 and 60, 9 if bmi is missing or out of range) is at least 5"
    )
    assert card(np.array([0, 50, 51])).tolist() == [False, False, True]


def test_edges() -> None:
    assert Scorecard((1,), 3).levels == (0,)
    assert Scorecard((1,), 3, (-2, 0, 5)).levels == (-2, 0, 5)
    assert Scorecards(5).decode({"weights": [1], "threshold": 3}) == Scorecard((1,), 3)
    for edges in ([1, 2], [0, 0], [3, 0]):
        with pytest.raises(InvalidArgument, match="edges"):
            Scorecards(5).decode({"weights": [1], "threshold": 3, "edges": edges})


def test_the_specification_is_read_back() -> None:
    assert parse(str(CARDS)) == parse_output(str(CARDS)) == CARDS
    assert CARDS.domain_size == 2880
    assert CARDS.vc.lower == 15
    assert CARDS.dims == 12
    assert CARDS.littlestone.upper >= CARDS.littlestone.lower


def test_the_shattered_corner() -> None:
    """As many points as the VC dimension says get all labels."""
    assert Scorecards("5xc3x2xq4").vc.lower == 7
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
    clipped = CARDS.clip(np.array([[-3, 9, 1, 9, 9, -1], [99, 1, 7, 0, 0, 9]]))
    assert clipped.tolist() == [[0, 2, 1, 3, 5, 0], [4, 1, 1, 0, 0, 3]]
    huge = np.array([[10**30, 0, 0, 0, 0, 0]], dtype=object)
    assert CARDS.clip(huge).tolist() == [[4, 0, 0, 0, 0, 0]]


@pytest.mark.parametrize(
    "values", ["", "5xx2", "c", "-3", "5xc", "0", str(1 << 41), "5-c3", "qc3", f"q{1 << 21}"]
)
def test_bad_columns(values: str) -> None:
    with pytest.raises(InvalidArgument, match="values must look like"):
        Scorecards(values)


SQUARE = {"slope": 1, "square": 2}
LINE = {"cuts": [2], "points": [0, 7]}


@pytest.mark.parametrize(
    "weights",
    [
        [1, [1, 2, 3], 3],
        [1, 2, 3, SQUARE, LINE, LINE],
        [1, [1, 2], 3, SQUARE, LINE, LINE],
        [[1], [1, 2, 3], 3, SQUARE, LINE, LINE],
        [1, [1, 2, 3], 3, 4, LINE, LINE],
        [1, [1, 2, 3], 3, {"slope": 1}, LINE, LINE],
        [1 << 61, [1, 2, 3], 3, SQUARE, LINE, LINE],
        [1, [1, 2, 3], 3, {"slope": 0, "square": 1 << 60}, LINE, LINE],
        [1, [1, 2, 3], 3, SQUARE, 5, LINE],
        [1, [1, 2, 3], 3, SQUARE, {"cuts": [2], "points": [0]}, LINE],
        [1, [1, 2, 3], 3, SQUARE, {"cuts": [3, 2], "points": [0, 1, 2]}, LINE],
        [1, [1, 2, 3], 3, SQUARE, LINE, {"cuts": [4], "points": [0, 1]}],
        [1, [1, 2, 3], 3, SQUARE, LINE, {"cuts": [0], "points": [0, 1]}],
    ],
)
def test_what_is_no_card(weights: list[object]) -> None:
    with pytest.raises(InvalidArgument):
        CARDS.decode({"weights": weights, "threshold": 0})


def test_a_card_has_nothing_more_and_only_integers() -> None:
    good = [1, [1, 2, 3], 3, SQUARE, LINE, LINE]
    assert CARDS.decode({"weights": good, "threshold": 0}).weights[3] == Parabola(1, 2)
    with pytest.raises(InvalidArgument):
        CARDS.decode({"weights": good, "threshold": 0, "more": 1})
    with pytest.raises(NotExact):
        CARDS.decode({"weights": [1, [1, 2.5, 3], 3, SQUARE, LINE, LINE], "threshold": 0})


def test_they_are_never_listed() -> None:
    with pytest.raises(TooLarge, match="margin"):
        CARDS.cells(CARDS.domain(), np.ones(2880, dtype=np.int64))
    with pytest.raises(TooLarge, match="margin"):
        CARDS.draw(rng=Seeded(0))
    with pytest.raises(TooLarge, match="margin"):
        CARDS.dichotomies(CARDS.domain())
    with pytest.raises(TooLarge, match="margin"):
        CARDS.concepts()
    with pytest.raises(TooLarge, match="count"):
        _ = CARDS.size
    assert CARDS.largest_sample == 0
