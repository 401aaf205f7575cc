"""Boxes column by column: the profile and the law by brute force, totality, noisy tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.grid.boxes import Box, Boxes
from tacit.concepts.line.intervals import Interval
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.learners import BoxAscentLearner, PerSideBoxLearner, named
from tacit.statistics import LabelCounts

F = Fraction
points = st.tuples(st.integers(-1, 4), st.integers(0, 3))
rows = st.lists(st.tuples(points, st.tuples(st.integers(0, 1))), max_size=8)


@given(rows, st.integers(0, 1), st.integers(0, 3), st.integers(0, 3))
def test_the_score_is_the_gain_of_the_box(
    found: list[Any], column: int, low: int, high: int
) -> None:
    learner = BoxAscentLearner(Boxes(values="4x4"), epsilon=1)
    counted = LabelCounts.of(found, labels=1)
    shaped = counted.points.reshape(len(counted.points), 2)
    sample = LabelCounts(counted.n, 1, shaped, counted.totals, counted.positives)
    other = Interval(min(low, high), max(low, high))
    sides = (other, other)
    profile = learner._profile(sample, learner._gains(sample, 0, 5, 2), sides, column)
    for cell, many in enumerate(profile.multiplicities.tolist()):
        for rank in range(many):
            chosen = profile.member(cell, rank)
            box = Box((chosen, other) if column == 0 else (other, chosen))
            inside = [(tuple(min(max(v, 0), 3) for v in x), y) for x, (y,) in found]
            gain = sum((2 * y - 1) * bool(box(np.array([x]))[0]) for x, y in inside)
            assert profile.scores[cell] == gain
    assert profile.size == 11


def test_the_law_by_hand() -> None:
    """One pass over two columns of two values, against sums over all paths."""
    learner = BoxAscentLearner(Boxes(1, 2), epsilon=1, passes=1)
    database = [((0, 0), 1), ((0, 1), 0), ((1, 1), 1), ((1, 1), 1)]
    law = learner.law(LabelCounts.of([(x, (y,)) for x, y in database], labels=1))
    q, fine = Decay.of(F(1, 2)).ratio, Decay.of(F(1, 32)).ratio
    lines = [Interval(0, 0), Interval(0, 1), Interval(1, 1), None]

    def gain(first: Interval | None, second: Interval | None, weight: int) -> int:
        if first is None or second is None:
            return 0
        box = Box((first, second))
        held = [y for x, y in database if box(np.array([x]))[0]]
        return sum(weight if y else weight - 16 for y in held)

    balance = {w: q ** abs(3 - 4 * (16 - w) // 16) for w in range(1, 16)}
    total: dict[Any, Fraction] = {}
    for w, a, b in product(balance, lines, lines):
        firsts = sum((fine ** -gain(c, Interval(0, 1), w) for c in lines), F(0))
        seconds = sum((fine ** -gain(a, c, w) for c in lines), F(0))
        weight = fine ** -gain(a, Interval(0, 1), w) / firsts * fine ** -gain(a, b, w) / seconds
        name = None if a is None or b is None else Box((a, b))
        share = balance[w] / sum(balance.values(), F(0))
        total[name] = total.get(name, F(0)) + share * weight
    assert {None if box.empty else box: p for box, p in law.probabilities.items()} == total


@settings(max_examples=40, deadline=None)
@given(rows, st.integers(0, 3), st.integers(0, 10**6))
def test_any_sample_gives_a_box(found: list[Any], null: int, seed: int) -> None:
    learner = BoxAscentLearner(Boxes(values="4x4"), epsilon=1)
    counted = LabelCounts.of(found, labels=1)
    shaped = counted.points.reshape(len(counted.points), 2)
    sample = LabelCounts(counted.n + null, 1, shaped, counted.totals, counted.positives)
    box = learner(sample, rng=Seeded(seed))
    assert learner.hypotheses.decode(learner.hypotheses.encode(box)) == box


def test_noisy_labels_over_many_values() -> None:
    """A tenth of the labels is wrong: side by side fails, column by column does not."""
    floats = np.random.default_rng(1)
    codes = floats.integers(0, 1 << 16, (9000, 2))
    inside = ((codes >= 24_000) & (codes < 44_000)).all(axis=1)
    marks = inside ^ (floats.random(9000) < 0.1)
    listed = zip(codes.tolist(), marks.tolist(), strict=True)
    sample = LabelCounts.of([(tuple(x), (y,)) for x, y in listed], labels=1)
    learner = BoxAscentLearner(Boxes(16, 2), epsilon=F(1, 5))
    assert price(learner.cost).privacy.epsilon == 1
    errors = [float(np.mean(learner(sample, rng=Seeded(s))(codes) != inside)) for s in range(3)]
    assert max(errors) < 0.03
    sides = PerSideBoxLearner.within(Boxes(16, 2), Privacy(1), beta="0.1")
    assert np.mean(sides(sample, rng=Seeded(1))(codes) != inside) > 0.3


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="passes"):
        BoxAscentLearner(Boxes(4, 2), epsilon=1, passes=0)
    with pytest.raises(InvalidArgument, match="epsilon"):
        BoxAscentLearner(Boxes(4, 2), epsilon=0)
    learner = BoxAscentLearner(Boxes(4, 2), epsilon=1)
    with pytest.raises(InvalidArgument, match="promises nothing"):
        learner.sample_size(Accuracy("0.1", "0.1"))
    assert learner.accuracy(10**6, "0.1") is None
    assert named("box-ascent").agnostic
