"""Recursion on the scale: its law, its promise, its golden numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.line.thresholds import Direction, Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.law import Law, collect, proportional
from tacit.core.chance.randomness import Seeded
from tacit.core.composition.pricing import price
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.learners import CATALOGUE, PrefixThresholdLearner, RecConcaveThresholdLearner, Request
from tacit.mechanisms import Exponential, RecConcave, StableRelease
from tacit.statistics import LabelCounts, LineCounts, QuasiConcave
from tacit.statistics.quasi_concave import depths
from tacit.verify.enough.simulation import Population, alarm
from tests.support.promises import kept, masses, needed

F = Fraction
GOAL = Accuracy("0.1", "0.05")
BITS = 1024
MIDDLE = 1 << (BITS - 1)


def _tiny(bits: int, promise: int) -> RecConcave:
    return RecConcave(bits, promise, 2, 1, F(1), F(1, 20), F(1, 2), Exponential(F(1, 2)))


def _windows(values: list[int], width: int) -> int:
    return max(min(values[i : i + width]) for i in range(len(values) - width + 1))


def _reference(plan: RecConcave, values: list[int]) -> Law[tuple[int, tuple[int | None, ...], int]]:
    """The law written down from the description, point by point."""
    size, low = len(values), plan.promise - plan.loss
    tallest = [_windows(values, 1 << j) for j in range(plan.bits + 1)] + [low]
    scores = [
        max(min(tallest[j] - low, plan.promise - tallest[j + 1]), -plan.loss)
        for j in range(plan.bits + 1)
    ]
    assert isinstance(plan.inner, Exponential)
    q = Decay.of(plan.inner.epsilon / 2).ratio
    scales = proportional({j: q ** (max(scores) - s) for j, s in enumerate(scores)})

    def one(scale: int, shift: int) -> Law[int | None]:
        width = 8 << scale
        best: dict[int, int] = {}
        for y, value in enumerate(values):
            place = (y + shift) // width
            best[place] = max(best.get(place, value), value)
        if len(best) == 1:
            return Law({next(iter(best)): F(1)})
        (winner, top), (_, second) = Counter(best).most_common(2)
        told = 1 - StableRelease(plan.select, plan.delta).failure(-(-(top - second) // 2))
        return collect([(winner, told), (None, 1 - told)])

    def intervals(scale: int) -> Law[tuple[int, tuple[int | None, ...]]]:
        return one(scale, 0).then(lambda a: one(scale, 4 << scale).map(lambda b: (scale, (a, b))))

    def points(
        told: tuple[int, tuple[int | None, ...]],
    ) -> Law[tuple[int, tuple[int | None, ...], int]]:
        scale, places = told
        found = {
            min(max((8 * place + i << scale) - shift, 0), size - 1)
            for place, shift in zip(places, (0, 4 << scale), strict=True)
            if place is not None
            for i in range(8)
        } or {size // 2}
        q = Decay.of(plan.final / 2).ratio
        top = max(values[y] for y in found)
        return proportional({(*told, y): q ** (top - values[y]) for y in found})

    return scales.then(intervals).then(points)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 31), max_size=8), st.integers(-1, 4))
def test_the_law_is_the_description(records: list[int], promise: int) -> None:
    plan, scores = _tiny(5, promise), depths(LineCounts.of(records, bits=5))
    values = [scores.at(y) for y in range(32)]
    found = plan.transcript(scores).probabilities
    expected = _reference(plan, values).probabilities
    assert {o: p for o, p in found.items() if p} == {o: p for o, p in expected.items() if p}


@given(st.lists(st.integers(0, 31), max_size=8), st.integers(0, 31), st.integers(1, 32))
def test_scores_of_depth(records: list[int], first: int, width: int) -> None:
    scores = depths(LineCounts.of(records, bits=5))
    values = [min(sum(x <= y for x in records), sum(x >= y for x in records)) for y in range(32)]
    assert [scores.at(y) for y in range(32)] == values
    assert scores.tallest().tolist() == [_windows(values, 1 << j) for j in range(6)]
    end = min(first + width, 32)
    assert scores.most(first, end) == max(values[first:end])


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-2, 40), st.integers(0, 1)), max_size=9),
    st.sampled_from(["up", "down"]),
    st.sampled_from([19, 32]),
)
def test_scores_of_thresholds(
    rows: list[tuple[int, int]], direction: Direction, values: int
) -> None:
    concepts = Thresholds(direction=direction, values=values)
    learner = RecConcaveThresholdLearner(concepts, epsilon=1, delta="1/10")
    sample = LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)
    scores = learner.scores(sample)
    inside = [(min(max(x, 0), values - 1), bool(y) == (direction == "up")) for x, y in rows]
    for z in range(32):
        missed = sum(x < z for x, yes in inside if yes)
        false = sum(x >= z for x, yes in inside if not yes)
        assert scores.at(z) == -max(missed, false)
    found = learner(sample, rng=Seeded(len(rows)))
    assert concepts.decode(concepts.encode(found)) == found


def test_the_sampler_has_the_law() -> None:
    """Each share is within 6.5 deviations of the law: false alarm below 1e-8."""
    plan, scores = _tiny(5, 3), depths(LineCounts.of([9, 10, 12, 13, 13, 20], bits=5))
    rng, runs, law = Seeded(1), 1500, plan.law(scores)
    drawn = Counter(plan(scores, rng=rng) for _ in range(runs))
    assert drawn.keys() <= law.probabilities.keys()
    for y, p in law.probabilities.items():
        assert abs(drawn[y] / runs - p) <= 6.5 * (float(p * (1 - p)) / runs) ** 0.5


def test_golden_loss() -> None:
    """Records for an interior point: the reference has 627 ... 871 +-5 %, and 3000 for 2 levels."""
    reference = {16: 627, 32: 643, 64: 699, 128: 715, 256: 691, 1024: 723, 1 << 16: 823}
    for bits, records in reference.items():
        plan = RecConcave.planned(bits, promise=0, epsilon=1, delta="1e-6")
        assert 2 * plan.loss + 1 == pytest.approx(records, rel=0.06)
        assert plan.failure() <= F(1, 20)
    two = RecConcave.planned(1024, promise=0, epsilon=1, delta="1e-6", levels=2)
    assert 2 * two.loss + 1 == pytest.approx(2951, rel=0.05)
    assert two.failure() <= F(1, 20)


def test_the_prefix_learner_needs_fewer_rows_everywhere() -> None:
    for bits in (8, 64, 1024, 1 << 20):
        concepts = Thresholds(bits)
        here = RecConcaveThresholdLearner(concepts, epsilon=1, delta="1e-6").sample_size(GOAL)
        prefix = PrefixThresholdLearner(concepts, epsilon=1, delta="1e-6").sample_size(GOAL)
        assert 1.3 < here / prefix < 1.9


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_what_is_spent_is_what_is_claimed(levels: int) -> None:
    plan = RecConcave.planned(100, promise=0, epsilon="1/2", delta="1e-6", levels=levels)
    spent, level = F(0), plan
    for _ in range(levels - 1):
        spent += 2 * level.select + level.final
        assert isinstance(level.inner, RecConcave)
        assert level.inner.promise == level.slack + level.gap
        assert level.slack == level.inner.loss
        assert 1 << level.inner.bits > level.bits
        level = level.inner
    assert isinstance(level.inner, Exponential)
    assert spent + 2 * level.select + level.final + level.inner.epsilon == F(1, 2)
    assert price(plan.cost, "1e-6").privacy.implies(Privacy("1/2", "1e-6"))


def test_exact_failure_on_all_small_samples() -> None:
    """With much epsilon the bound is below 1, and no sample of the promised kind exceeds it."""
    promise = 3
    plan = RecConcave(4, promise, 1, 0, F(9), F(1, 2), F(9), Exponential(F(12)))
    worst = F(0)
    for records in combinations_with_replacement((1, 6, 7, 8, 14), 2 * promise - 1):
        scores = depths(LineCounts.of(records, bits=4))
        assert scores.most(0, 16) >= promise
        law = plan.law(scores).probabilities
        low = (p for y, p in law.items() if scores.at(y) < promise - plan.loss)
        worst = max(worst, sum(low, F(0)))
    assert 0 < worst <= plan.failure() < 1


SHAPES: dict[str, Callable[[int], int]] = {
    "one value": lambda i: MIDDLE // 3,
    "two neighbours across the middle": lambda i: MIDDLE - i % 2,
    "spread": lambda i: i * (MIDDLE // 500),
    "a ladder": lambda i: MIDDLE // 7 + (1 << (i * 7 % 1000)),
    "close together": lambda i: MIDDLE // 5 + i,
    "far ends": lambda i: (2 * MIDDLE - 1) * (i % 2),
}


@pytest.mark.parametrize("levels", [1, 2])
def test_interior_points(levels: int) -> None:
    loss = RecConcave.planned(BITS, promise=0, epsilon=1, delta="1e-6", levels=levels).loss
    plan = RecConcave.planned(BITS, promise=loss + 1, epsilon=1, delta="1e-6", levels=levels)
    for name, shape in SHAPES.items():
        values = [shape(i) for i in range(2 * loss + 1)]
        scores, rng = depths(LineCounts.of(values, bits=BITS)), Seeded(1)
        missed = sum(scores.at(plan(scores, rng=rng)) < 1 for _ in range(60))
        assert missed < alarm(60, F(1, 20)), name


def _population(points: list[int], weights: list[F | int], at: int) -> Population:
    yes = tuple(F(int(x >= at)) for x in points)
    return Population(np.array(points, dtype=object), masses(*weights), yes)


JUST, ODD = F(1001, 10000), MIDDLE + (MIDDLE >> 3) + 5
POPULATIONS = {
    "two neighbours": _population([ODD - 1, ODD], [1, 1], ODD),
    "just bad on both sides": _population(
        [0, ODD - 1, ODD, 2 * MIDDLE - 1], [F(1, 2) - JUST, JUST, JUST, F(1, 2) - JUST], ODD
    ),
    "uniform": _population([i * (MIDDLE // 50) for i in range(100)], [1] * 100, MIDDLE // 2),
    "a ladder": _population(
        [MIDDLE // 3 + (1 << s) for s in range(0, 1000, 20)], [1] * 50, MIDDLE // 3 + (1 << 500)
    ),
    "one label": _population([7, 9, 1 << 1000], [1, 1, 1], 0),
}


def test_the_promise() -> None:
    learner = RecConcaveThresholdLearner(Thresholds(BITS), epsilon=1, delta="1e-6")
    n = kept(learner, POPULATIONS, GOAL, runs=50)
    worst = max(
        needed(learner, POPULATIONS[name], GOAL, most=n, runs=30)
        for name in ("just bad on both sides", "uniform", "a ladder")
    )
    assert n / worst < 4


def test_bad_requests() -> None:
    request = Request(Thresholds(40), Privacy(1, "1e-6"), 400, None, F(1, 20), agnostic=False)
    made = CATALOGUE["rec-concave-threshold"](request)
    promised = made.accuracy(9000, "0.05")
    assert promised is not None
    assert made.sample_size(promised) <= 9000
    with pytest.raises(InvalidArgument, match="direction"):
        RecConcaveThresholdLearner(Thresholds(4, "both"), epsilon=1, delta="1e-6")
    learner = RecConcaveThresholdLearner(Thresholds(4), epsilon=1, delta="1e-6")
    with pytest.raises(InvalidArgument, match="make the learner"):
        learner.sample_size(Accuracy("0.1", "0.001"))
    assert learner.accuracy(10**6, "0.001") is None
    with pytest.raises(InvalidArgument, match="levels"):
        RecConcave.planned(4, promise=1, epsilon=1, delta="1e-6", levels=0)
    with pytest.raises(InvalidArgument, match="bits=5"):
        _tiny(5, 1)(depths(LineCounts.of([1], bits=4)), rng=Seeded(0))
    with pytest.raises(InvalidArgument, match="start at 0"):
        QuasiConcave(3, [1], np.array([0]))
