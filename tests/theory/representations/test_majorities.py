"""Majorities: counted as if listed, and as near as boosting promises."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.contract.finite import Finite, Row
from tacit.concepts.contract.hypothesis_set import Listed
from tacit.concepts.line.points import Points
from tacit.concepts.outputs.majority_set import Majorities, Majority, MajoritySet
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.learners import RepresentationLearner
from tacit.statistics import LabelCounts
from tacit.theory.representations.drawn import Drawn, Fixed
from tacit.theory.representations.majorities import Voted, outvoted, votes_for
from tacit.theory.representations.representation import represents

F = Fraction


def test_golden_votes() -> None:
    goals = [F(1, 16), F(1, 24), F(1, 60), F(1, 100), F(1, 1000), F(1, 10**6)]
    assert [votes_for("1/4", goal) for goal in goals] == [9, 11, 17, 19, 33, 79]
    poor = Drawn((Points(3),), Points(3), approximation="1/4", failure="1/4")
    better = Voted.until(poor, approximation="1/24", failure="1/80")
    assert (better.votes, better.draws) == (11, 5)
    assert log(better.size) == pytest.approx(40.58, abs=0.01)
    assert better.failure <= F(1, 80)
    assert 1 - (1 - F(1, 4) ** 4) ** 11 > F(1, 80)
    with pytest.raises(InvalidArgument, match="1/2"):
        votes_for("1/2", "1/4")
    with pytest.raises(InvalidArgument, match="odd"):
        Voted(poor, 2, 1)


@given(st.integers(0, 12), st.fractions(min_value=0, max_value=F(99, 100)))
def test_outvoted_by_brute_force(half: int, error: Fraction) -> None:
    votes = 2 * half + 1
    if votes <= 9:
        brute = sum(
            error ** sum(wrong) * (1 - error) ** (votes - sum(wrong))
            for wrong in product((0, 1), repeat=votes)
            if 2 * sum(wrong) > votes
        )
        assert outvoted(votes, error) == brute


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 4), st.sampled_from([1, 3, 5]))
def test_cells_are_all_tuples(seed: int, points: int, votes: int) -> None:
    """Every tuple is the member of one (cell, rank), in a cell of its own gain."""
    rng = np.random.default_rng(seed)
    lists = []
    for _ in range(votes):
        rows = rng.integers(0, 2, (int(rng.integers(1, 4)), 5)).astype(bool)
        lists.append(Listed([Row(i, tuple(row.tolist())) for i, row in enumerate(rows)]))
    among = MajoritySet(tuple(lists))
    at, gains = rng.permutation(5)[:points], rng.integers(-3, 4, points)
    cells = among.cells(at, gains)
    found: Counter[Majority] = Counter()
    for cell, (gain, many) in enumerate(zip(cells.gains, cells.multiplicities, strict=True)):
        for rank in range(int(many)):
            member = cells.member(cell, rank)
            found[member] += 1
            assert int(gains[member(at)].sum()) == gain
    listed = Counter(Majority(chosen) for chosen in product(*(part.hypotheses for part in lists)))
    assert found == listed
    assert sum(map(int, cells.multiplicities)) == among.size


def test_more_majorities_than_can_be_listed() -> None:
    """Eleven lists of 40 hypotheses on three points: 4 * 10^17 tuples, exactly counted."""
    rng = np.random.default_rng(1)
    rows = [
        Listed([Row(i, tuple(bits.tolist())) for i, bits in enumerate(table)])
        for table in rng.integers(0, 2, (11, 40, 3)).astype(bool)
    ]
    among = MajoritySet(tuple(rows), domain_size=3)
    cells = among.cells(np.arange(3), np.array([1, 2, 4]))
    assert sum(map(int, cells.multiplicities)) == among.size == 40**11
    last = int(cells.multiplicities[3]) - 1
    member = cells.member(3, last)
    assert len(member.members) == 11
    assert int(np.array([1, 2, 4])[member(np.arange(3))].sum()) == cells.gains[3]
    with pytest.raises(TooLarge, match="majorities"):
        MajoritySet(tuple(rows))
    with pytest.raises(InvalidArgument, match="odd"):
        MajoritySet(tuple(rows[:2]))


def test_boosting_keeps_its_promise() -> None:
    """All functions on two points: the constants are within 1/2 of nothing, four rows within 1/4.

    The promise is certified by the exact game: `represents` solves it in rationals.
    """
    table = np.array([[0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=bool)
    points = np.eye(3, dtype=bool)
    few = Listed([Row(i, tuple(row.tolist())) for i, row in enumerate(table)])
    alpha0 = F(1, 4)
    assert represents(table, points, alpha0)
    voted = Voted(Fixed(few, Finite(table.astype(int).tolist()), alpha0), 3, 1)
    ((chance, among),) = list(voted.lottery())
    assert chance == 1
    assert isinstance(among, MajoritySet)
    cells = among.cells(np.arange(3), np.zeros(3, dtype=np.int64))
    labels = np.array(
        [cells.member(cell, 0)(np.arange(3)) for cell in range(len(cells.gains))], dtype=bool
    )
    assert represents(labels, points, voted.approximation)
    assert voted.approximation == F(5, 32)
    assert voted.failure == 0
    assert isinstance(voted.outputs, Majorities)


def test_boosting_by_majorities_helps() -> None:
    """Two hypotheses a point, each wrong at another one: only their majorities are right."""
    half = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 0, 0]], dtype=bool)
    target = np.array([[1, 1, 1]], dtype=bool)
    assert represents(half[:3], target, F(1, 3))
    assert not represents(half[:3], target, F(3, 10))
    outputs = Finite(half.astype(int).tolist())
    few = Fixed(
        Listed([Row(i, tuple(row.tolist())) for i, row in enumerate(half[:3])]), outputs, "1/3"
    )
    voted = Voted(few, 3, 1)
    learner = RepresentationLearner(voted, epsilon=20)
    sample = LabelCounts.of([(x, (1,)) for x in range(3)] * 60, labels=1)
    chosen = learner(sample, rng=Seeded(1))
    assert chosen(np.arange(3)).all()
    assert learner.hypotheses.decode(learner.hypotheses.encode(chosen)) == chosen
    assert voted.approximation == F(7, 27)
    assert learner.sample_size(Accuracy("0.4", "0.1")) > 0
    law = learner.law(LabelCounts.of([(x, (1,)) for x in range(3)], labels=1))
    assert len(law.probabilities) == 27
