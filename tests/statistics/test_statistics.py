"""Sensitivities as declared, contracts as promised, and nothing private in a representation."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, NotExact
from tacit.statistics import (
    Counts,
    JointCounts,
    LabelCounts,
    ScoreProfile,
    Stable,
    Votes,
)
from tacit.verify.enumeration import databases, neighbours

VOTES = ("a", "b", "c", None)


def test_counts_move_by_what_they_declare() -> None:
    universe = ("a", "b", "c")
    for database in databases(universe, 3, symmetric=True):
        for other in neighbours(database, universe, symmetric=True):
            one, two = Counts.of(database), Counts.of(other)
            moved = sum(abs(one[key] - two[key]) for key in universe)
            assert moved == 2
            assert one.n == two.n == 3


def test_mistakes_have_sensitivity_one() -> None:
    universe = tuple(product((0, 1), product((0, 1), repeat=2)))
    hypotheses = [lambda x: x < 0, lambda x: x >= 0, lambda x: x == 1]
    for database in databases(universe, 2, symmetric=True):
        for other in neighbours(database, universe, symmetric=True):
            one, two = (LabelCounts.of(rows, labels=2) for rows in (database, other))
            for h, label in product(hypotheses, (0, 1)):
                assert abs(one.mistakes(h, label=label) - two.mistakes(h, label=label)) <= 1


@given(st.lists(st.tuples(st.integers(0, 3), st.tuples(st.booleans(), st.booleans())), max_size=20))
def test_label_counts_equal_a_row_by_row_count(rows: list[tuple[int, tuple[bool, bool]]]) -> None:
    sample = LabelCounts.of(rows, labels=2)
    assert sample.n == len(rows)
    for label in (0, 1):
        expected = sum((x >= 2) != marks[label] for x, marks in rows)
        assert sample.negatives(label) == sum(not marks[label] for _, marks in rows)
        assert sample.gains(label).sum() == len(rows) - 2 * sample.negatives(label)
        assert sample.mistakes(lambda x: x >= 2, label=label) == expected


def _may_follow(vote: str | None, other: str | None, *, switch: bool) -> bool:
    return switch or vote is None or other is None


@pytest.mark.parametrize("switch", [True, False])
def test_the_lead_keeps_its_contract(switch: bool) -> None:
    for database in product(VOTES, repeat=5):
        lead = Votes.of(database, switch=switch).lead()
        for i, other in product(range(5), VOTES):
            if other == database[i] or not _may_follow(database[i], other, switch=switch):
                continue
            changed = (*database[:i], other, *database[i + 1 :])
            near = Votes.of(changed, switch=switch).lead()
            if near.value == lead.value:
                assert abs(near.distance - lead.distance) <= 1
            else:
                assert max(near.distance, lead.distance) <= 1


def test_a_lone_candidate_is_no_nearer_to_certainty_than_its_votes() -> None:
    assert Votes.of(["a"]).lead().distance == 1
    assert Votes.of(["a"] * 4).lead().distance == 2
    assert Votes.of(["a"] * 4, switch=False).lead().distance == 4
    assert Votes.of([]).lead() == Votes.of([None, None]).lead()
    assert Votes.of([]).lead().value is None


SECRET = "31415926"
STATISTICS = (
    Counts.of([SECRET] * 3),
    LabelCounts.of([(31415926, (1,))], labels=1),
    ScoreProfile([31415926], [31415926], lambda cell, rank: SECRET),
    Votes.of([SECRET]),
    Stable(SECRET, 31415926),
)


@pytest.mark.parametrize("statistic", STATISTICS, ids=lambda s: type(s).__name__)
def test_nothing_private_is_represented(statistic: object) -> None:
    for shown in (repr(statistic), str(statistic), f"{statistic}"):
        assert SECRET not in shown
        assert "<private>" in shown


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ScoreProfile.of([]), "at least one hypothesis"),
        (lambda: ScoreProfile([1], [0], lambda c, r: c), "at least one hypothesis"),
        (lambda: ScoreProfile([1, 2], [1], lambda c, r: c), "one entry a cell"),
        (lambda: ScoreProfile([1], [-1], lambda c, r: c), "at least 0"),
        (lambda: ScoreProfile([1 << 63], [1], lambda c, r: c), "below 2\\^60"),
        (lambda: ScoreProfile.of([1], sensitivity=0), "sensitivity"),
        (lambda: Counts(1, {"a": 2}), "more than n"),
        (lambda: Counts(1, {"a": -1}), "count must be at least 0"),
        (lambda: Votes(1, True, {"a": 2}), "more votes"),
        (lambda: Stable("a", -1), "distance"),
        (
            lambda: LabelCounts(3, 0, np.zeros(0, int), np.zeros(0, int), np.zeros((0, 0), int)),
            "labels",
        ),
        (
            lambda: LabelCounts(3, 1, np.array([7]), np.array([1]), np.array([[2]])),
            "between 0 and totals",
        ),
        (lambda: LabelCounts.of([], labels=-1), "labels must be at least 1"),
        (lambda: LabelCounts(3, 1, np.array([7]), np.array([1]), np.array([2])), "shapes"),
        (lambda: LabelCounts(0, 1, np.array([7]), np.array([1]), np.array([[0]])), "more than n"),
        (lambda: LabelCounts(3, 1, np.array([7]), np.array([1.0]), np.array([[0]])), "integers"),
    ],
)
def test_a_malformed_statistic_is_refused(make: object, words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(
    "scores",
    [[0.5], np.array([0.5]), np.array([[1]]), np.array([1], dtype=np.uint64), ["1"], [True]],
)
def test_scores_are_signed_integers(scores: object) -> None:
    with pytest.raises(NotExact, match="scores"):
        ScoreProfile.of(scores)  # type: ignore[arg-type]


def test_big_multiplicities_are_kept_exactly() -> None:
    profile = ScoreProfile([0, 1], [1 << 1000, 1], lambda cell, rank: (cell, rank))
    assert profile.size == (1 << 1000) + 1


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (1, True),
        (1, np.True_),
        (1, 1.0),
        (0.0, -0.0),
        (0.5, Fraction(1, 2)),
        (Decimal("1.0"), Decimal("1.00")),
        ((1, "a"), (1.0, "a")),
    ],
)
def test_equal_keys_do_not_tell_which_came_first(first: Any, other: Any) -> None:
    for records in ([first, other, other], [other, other, other]):
        (kept,) = Counts.of(records).table
        assert repr(kept) == repr(next(iter(Counts.of([other]).table)))
        assert repr(Votes.of(records).lead().value) == repr(kept)
    assert Counts.of([math.nan, float("nan")]).table == {"nan": 2}


def test_small_integer_types_do_not_wrap() -> None:
    assert Votes(101, True, {"a": np.uint32(51), "b": np.uint32(50)}).lead().distance == 1
    assert type(Stable("a", np.uint8(3)).distance) is int
    assert type(Counts(9, {"a": np.uint8(3)}).table["a"]) is int
    small = (np.array([3], dtype=np.int8), np.array([[1]], dtype=np.int8))
    assert LabelCounts(3, 1, np.array([7]), *small).gains().tolist() == [-1]
    with pytest.raises(InvalidArgument, match="signed integers"):
        LabelCounts(3, 1, np.array([7]), small[0].astype(np.uint32), small[1])
    with pytest.raises(InvalidArgument, match="2\\^60"):
        ScoreProfile.of(np.array([-(2**63), 0]))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Counts(3, {"a": -31415926}),
        lambda: Votes(3, True, {"a": -31415926}),
        lambda: Stable("a", -31415926),
    ],
)
def test_a_refusal_does_not_repeat_the_value(make: Any) -> None:
    with pytest.raises((InvalidArgument, NotExact)) as refused:
        make()
    assert SECRET not in str(refused.value)


def test_points_may_be_numpy_integers() -> None:
    assert LabelCounts.of([(np.int64(3), (1,)), (3, (0,))], labels=1).totals.tolist() == [2]


def test_rows_are_dealt_out_whole_and_in_a_uniform_order() -> None:
    sample = LabelCounts(5, 1, np.array([3, 8]), np.array([2, 2]), np.array([[1], [2]]))
    seen: dict[tuple[int, ...], int] = {}
    rng = Seeded(11)
    for _ in range(4000):
        first, second = sample.split([1, 4], rng=rng)
        held = (*first.points.tolist(), *first.positives[:, 0].tolist())
        seen[held] = seen.get(held, 0) + 1
        totals = dict(zip(second.points.tolist(), second.totals.tolist(), strict=True))
        for x in first.points.tolist():
            totals[x] = totals.get(x, 0) + 1
        assert totals == {3: 2, 8: 2}
        assert int(first.positives.sum() + second.positives.sum()) == 3
    # a row of each kind, the null row included: (3, 1), (3, 0), (8, 1) twice, and null
    assert set(seen) == {(3, 1), (3, 0), (8, 1), ()}
    expected = {(3, 1): 800, (3, 0): 800, (8, 1): 1600, (): 800}
    assert sum((seen[k] - e) ** 2 / e for k, e in expected.items()) < 45  # chi-square, 1e-9


def test_blocks_larger_than_the_sample_are_refused() -> None:
    sample = LabelCounts.of([(3, (1,))], labels=1)
    with pytest.raises(InvalidArgument, match="dealt"):
        sample.split([2], rng=Seeded(0))
    assert sample.split([], rng=Seeded(0)) == ()
    (empty,) = sample.split([0], rng=Seeded(0))
    assert empty.n == 0
    assert len(empty.points) == 0


RECORDS = st.lists(
    st.tuples(st.integers(-2, 3), st.tuples(st.integers(0, 1), st.integers(0, 1))), max_size=12
)


@given(RECORDS)
def test_joint_counts_have_the_same_margins(rows: list[tuple[int, tuple[int, int]]]) -> None:
    joint, each = JointCounts.of(rows, labels=2).marginal(), LabelCounts.of(rows, labels=2)
    assert (joint.n, joint.labels) == (each.n, each.labels)
    order = np.argsort(each.points, kind="stable")
    for name in ("points", "totals", "positives"):
        assert getattr(joint, name).tolist() == getattr(each, name)[order].tolist()


@given(RECORDS, st.integers(0, 12))
def test_joint_counts_are_dealt_out_whole(
    rows: list[tuple[int, tuple[int, int]]], size: int
) -> None:
    sample = JointCounts.of(rows, labels=2)
    size = min(size, sample.n)
    blocks = sample.split([size, sample.n - size], rng=Seeded(5))
    assert [block.n for block in blocks] == [size, sample.n - size]
    seen = [
        (x, tuple(marks))
        for block in blocks
        for x, marks, total in zip(
            block.points.tolist(), block.marks.tolist(), block.totals.tolist(), strict=True
        )
        for _ in range(total)
    ]
    assert sorted(seen) == sorted((x, (bool(a), bool(b))) for x, (a, b) in rows)


def test_joint_counts_of_long_vectors_and_bad_shapes() -> None:
    sample = JointCounts.of([((1 << 70, 2), (1,)), ((1 << 70, 2), (0,))], labels=1)
    assert sample.marginal().totals.tolist() == [2]
    with pytest.raises(InvalidArgument, match="shapes"):
        JointCounts(1, 2, np.array([1]), np.array([[True]]), np.array([1]))
    with pytest.raises(InvalidArgument, match="truth values"):
        JointCounts(1, 1, np.array([1]), np.array([[1]]), np.array([1]))
    with pytest.raises(InvalidArgument, match="at most n"):
        JointCounts(1, 1, np.array([1]), np.array([[True]]), np.array([2]))
    with pytest.raises(InvalidArgument, match="dealt"):
        sample.split([3], rng=Seeded(0))


def test_only_what_nobody_can_write_to_is_shared() -> None:
    """A profile is a value: what its maker does to the arrays afterwards does not reach it."""
    scores, many = np.array([3, 1, 2]), np.array([1, 1, 1])
    profile = ScoreProfile(scores, many, lambda cell, _: cell)
    frozen = np.array([3, 1, 2])
    frozen.flags.writeable = False
    seen = scores.view()
    seen.flags.writeable = False
    scores[0] = 9
    assert profile.scores.tolist() == [3, 1, 2]
    assert ScoreProfile(frozen, many, lambda cell, _: cell).scores is frozen
    assert ScoreProfile(seen, many, lambda cell, _: cell).scores is not seen
