"""The prefix learner of thresholds: its steps, its law, its promise."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.line.thresholds import Direction, Threshold, Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.law import Law, collect, proportional
from tacit.core.chance.randomness import Seeded
from tacit.core.composition.pricing import price
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.learners import CATALOGUE, GenericLearner, PrefixThresholdLearner, Request
from tacit.mechanisms import StableRelease
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm, failures
from tests.support.promises import kept, masses, needed

F = Fraction
GOAL = Accuracy("0.1", "0.05")
BITS = 1024


def _sample(rows: list[tuple[int, int]]) -> LabelCounts:
    return LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)


def _reference(
    learner: PrefixThresholdLearner, rows: list[tuple[int, int]]
) -> Law[tuple[int, int | None, Threshold]]:
    """The law written down from the description, prefix by prefix."""
    bits, (low, high) = learner.concepts.bits, learner.bars

    def weights(length: int) -> Counter[int]:
        sides = [Counter(x >> (bits - length) for x, y in rows if y == label) for label in (0, 1)]
        return Counter({p: min(sides[0][p], sides[1][p]) for p in sides[0]})

    heaviest = [max(weights(length).values(), default=0) for length in range(bits + 1)]
    scores = {
        d: high - heaviest[1] if d == 0 else min(heaviest[d] - low, high - heaviest[d + 1])
        for d in range(bits)
    }
    first, second, third = learner.parts
    lengths = proportional(
        {d: Decay.of(first / 2).ratio ** (max(scores.values()) - s) for d, s in scores.items()}
    )

    def prefix(length: int) -> Law[tuple[int, int | None]]:
        if length == 0:
            return Law({(0, 0): F(1)})
        ranked = [*weights(length).most_common(2), (0, 0), (0, 0)]
        lead = ranked[0][1] - ranked[1][1]
        told = 1 - StableRelease(second, learner.delta).failure(-(-lead // 2))
        return collect([((length, ranked[0][0]), told), ((length, None), 1 - told)])

    def cut(chosen: tuple[int, int | None]) -> Law[tuple[int, int | None, Threshold]]:
        length, told = chosen if chosen[1] is not None else (0, 0)
        width = 1 << (bits - length)
        start = (told or 0) * width
        places = {min(z, (1 << bits) - 1) for z in (start, start + width // 2, start + width)}
        ways = {"up": [True], "down": [False], "both": [True, False]}[learner.concepts.direction]
        found = [Threshold(z, up) for z in places for up in ways]
        errors = [sum(bool(h(np.array([x]))[0]) != y for x, y in rows) for h in found]
        q = Decay.of(third / 2).ratio
        return proportional(
            {(*chosen, h): q ** (e - min(errors)) for h, e in zip(found, errors, strict=True)}
        )

    return lengths.then(prefix).then(cut)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 1)), max_size=9),
    st.sampled_from(["up", "down", "both"]),
    st.sampled_from([(1, 1), (1, 0), (2, 3), (3, 2)]),
)
def test_the_law_is_the_description(
    rows: list[tuple[int, int]], direction: Direction, bars: tuple[int, int]
) -> None:
    learner = PrefixThresholdLearner(Thresholds(3, direction), epsilon=2, delta="1/20", bars=bars)
    found = learner.transcript(_sample(rows)).probabilities
    assert {o: p for o, p in found.items() if p} == {
        o: p for o, p in _reference(learner, rows).probabilities.items() if p
    }


def test_the_sampler_has_the_law() -> None:
    """Each share is within 6.5 deviations of the law: false alarm below 1e-8 in all."""
    learner = PrefixThresholdLearner(Thresholds(3, "both"), epsilon=4, delta="1/5", bars=(2, 2))
    sample = _sample([(1, 0), (2, 0), (2, 0), (3, 1), (3, 1), (5, 1), (6, 0)])
    rng, runs = Seeded(3), 1200
    drawn = Counter(learner(sample, rng=rng) for _ in range(runs))
    law = learner.law(sample).probabilities
    assert set(drawn) <= set(law)
    for hypothesis, p in law.items():
        spread = (float(p * (1 - p)) / runs) ** 0.5
        assert abs(drawn[hypothesis] / runs - p) <= 6.5 * spread


@given(
    st.lists(
        st.tuples(st.integers(-3, 70) | st.integers(0, 1 << 80), st.integers(0, 1)), max_size=9
    ),
    st.sampled_from(["up", "down", "both"]),
    st.sampled_from([2, 5, 64, 100, 1 << 70, 3 << 69]),
    st.integers(0, 2),
)
def test_any_sample_gives_a_threshold(
    rows: list[tuple[int, int]], direction: Direction, values: int, nulls: int
) -> None:
    concepts = Thresholds(direction=direction, values=values)
    learner = PrefixThresholdLearner(concepts, epsilon=9, delta="1/5", bars=(1, 1))
    counted = _sample(rows)
    sample = LabelCounts(counted.n + nulls, 1, counted.points, counted.totals, counted.positives)
    found = learner(sample, rng=Seeded(len(rows)))
    assert concepts.decode(concepts.encode(found)) == found


@settings(max_examples=40)
@given(st.integers(2, 400), st.integers(0, 9), st.integers(0, 10**6))
def test_mistakes_are_bounded_as_promised(bits: int, spread: int, seed: int) -> None:
    """Where no step fails, at most high + extra mistakes: with much epsilon, always."""
    rng = Seeded(seed)
    size = 2 + rng.below(1 << bits)
    at = rng.below(size)
    concepts = Thresholds(values=size)
    learner = PrefixThresholdLearner(concepts, epsilon=3000, delta="1/2", bars=(3, 6))
    rows = []
    for _ in range(40):
        x = at + (1 << rng.below(max(bits - spread, 1))) * (1 - 2 * rng.below(2))
        x = min(max(x, 0), size - 1)
        rows.append((x, int(x >= at)))
    found = learner(_sample(rows), rng=rng)
    assert learner.failure(6) < F(1, 10**9)
    assert _sample(rows).mistakes(found) <= 6


def test_golden_sizes() -> None:
    """Rows at alpha=0.1, beta=0.05, epsilon=1, delta=1e-6; the generic learner for comparison."""
    sizes = {
        bits: PrefixThresholdLearner(Thresholds(bits), epsilon=1, delta="1e-6").sample_size(GOAL)
        for bits in (16, 64, 256, 1024, 1 << 16)
    }
    assert sizes == {16: 2314, 64: 2479, 256: 2627, 1024: 2759, 1 << 16: 3149}
    generic = [GenericLearner(Thresholds(b), epsilon=1).sample_size(GOAL) for b in (150, 180)]
    prefix = [
        PrefixThresholdLearner(Thresholds(b), epsilon=1, delta="1e-6").sample_size(GOAL)
        for b in (140, 150)
    ]
    assert generic[0] < prefix[0]
    assert generic[1] > prefix[1]


def test_what_is_spent_is_what_is_claimed() -> None:
    for bits, epsilon, delta in ((2, "1/10", "1e-9"), (1024, "1", "1e-6"), (64, "7", "1/3")):
        learner = PrefixThresholdLearner(Thresholds(bits), epsilon=epsilon, delta=delta)
        assert sum(learner.parts) == F(epsilon)
        assert all(part > 0 for part in learner.parts)
        assert price(learner.cost, delta).privacy.implies(Privacy(epsilon, delta))


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 20_000), st.sampled_from(["up", "both"]))
def test_accuracy_inverts_sample_size(n: int, direction: Direction) -> None:
    learner = PrefixThresholdLearner(Thresholds(128, direction), epsilon=1, delta="1e-6")
    promised = learner.accuracy(n, "0.05")
    if promised is None:
        assert n < 300
    else:
        assert learner.sample_size(promised) <= n
        assert learner.sample_size(Accuracy(promised.alpha * F(99, 100), "0.05")) > n


MIDDLE = 1 << (BITS - 1)
JUST = F(1001, 10000)


def _population(points: list[int], weights: list[F | int], at: int) -> Population:
    yes = tuple(F(int(x >= at)) for x in points)
    return Population(np.array(points, dtype=object), masses(*weights), yes)


def _ladder(at: int, steps: list[int]) -> Population:
    """Points at distances 2^s on both sides, equally heavy: halving a block removes few rows."""
    points = [at - (1 << s) for s in reversed(steps)] + [at + (1 << s) for s in steps]
    return _population(points, [1] * len(points), at)


ODD = MIDDLE + (MIDDLE >> 3) + 5
POPULATIONS = {
    "two neighbours across the middle": _population([MIDDLE - 1, MIDDLE], [1, 1], MIDDLE),
    "two neighbours elsewhere": _population([ODD - 1, ODD], [1, 1], ODD),
    "just bad on both sides": _population(
        [0, ODD - 1, ODD, 2 * MIDDLE - 1], [F(1, 2) - JUST, JUST, JUST, F(1, 2) - JUST], ODD
    ),
    "uniform": _population(
        [i * (MIDDLE // 50) for i in range(100)], [1] * 100, 37 * (MIDDLE // 50)
    ),
    "a ladder": _ladder(MIDDLE, [*range(10, 1010, 20)]),
    "a ladder elsewhere": _ladder(MIDDLE // 3, [*range(0, 1000, 25)]),
    "one label": _population([7, 9, 1 << 1000], [1, 1, 1], 0),
    "few of one label": _population([MIDDLE // 7, MIDDLE // 5], [JUST, 1 - JUST], MIDDLE // 6),
}


def test_the_promise() -> None:
    learner = PrefixThresholdLearner(Thresholds(BITS), epsilon=1, delta="1e-6")
    n = kept(learner, POPULATIONS, GOAL, runs=150)
    worst = max(
        (needed(learner, POPULATIONS[name], GOAL, most=n, runs=60), name)
        for name in ("a ladder", "a ladder elsewhere", "just bad on both sides")
    )
    assert n / worst[0] < 4, worst


def test_the_generic_learner_fails_with_so_few_rows() -> None:
    learner = GenericLearner(Thresholds(BITS), epsilon=1)
    hard = POPULATIONS["two neighbours elsewhere"]
    failed = failures(learner, hard, n=2759, limit=GOAL.alpha, runs=40, rng=Seeded(0))
    assert failed == 40


def test_too_few_rows_set_off_the_alarm() -> None:
    learner = PrefixThresholdLearner(Thresholds(BITS), epsilon=1, delta="1e-6")
    hard = POPULATIONS["two neighbours elsewhere"]
    failed = failures(learner, hard, n=100, limit=GOAL.alpha, runs=100, rng=Seeded(1))
    assert failed >= alarm(100, GOAL.beta)


@pytest.mark.parametrize(("epsilon", "bars"), [(12, (1, 1)), (30, (1, 2)), (30, (3, 4))])
def test_exact_failure_on_all_small_samples(epsilon: int, bars: tuple[int, int]) -> None:
    """On all samples of 6 rows that a threshold explains, mistakes are as rare as promised."""
    learner = PrefixThresholdLearner(Thresholds(2), epsilon=epsilon, delta="1/2", bars=bars)
    largest = dict.fromkeys(range(7), F(0))
    for at in range(4):
        for points in combinations_with_replacement(range(4), 6):
            sample = _sample([(x, int(x >= at)) for x in points])
            law = learner.law(sample).probabilities
            for mistakes in largest:
                more = sum((p for h, p in law.items() if sample.mistakes(h) > mistakes), F(0))
                largest[mistakes] = max(largest[mistakes], more)
    assert all(largest[m] <= learner.failure(m) for m in largest)
    assert largest[bars[1]] > 0
    assert learner.failure(bars[1]) < 1


def test_bad_requests() -> None:
    request = Request(Thresholds(200), Privacy(1, "1e-6"), 400, None, F(1, 20), agnostic=False)
    made = CATALOGUE["prefix-threshold"](request)
    assert made.sample_size(GOAL) < 2700
    with pytest.raises(InvalidArgument, match="delta"):
        PrefixThresholdLearner(Thresholds(4), epsilon=1, delta=0)
    with pytest.raises(InvalidArgument, match="high"):
        PrefixThresholdLearner(Thresholds(4), epsilon=1, delta="1e-6", bars=(5, 3))
    with pytest.raises(InvalidArgument, match="make the learner with beta"):
        PrefixThresholdLearner(Thresholds(4), epsilon=1, delta="1e-6").sample_size(
            Accuracy("0.1", "0.001")
        )
