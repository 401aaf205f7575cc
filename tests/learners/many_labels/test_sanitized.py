"""Sanitize, then learn: its law, its pools, its promise in simulation."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.learners import CATALOGUE, Request, SanitizedLearner, SplitCover
from tacit.learners.many_labels.sanitized import points_of
from tacit.mechanisms import Exponential
from tacit.statistics import Counts, LabelCounts, ScoreProfile
from tacit.verify.enough.simulation import alarm

GOAL = Accuracy("0.1", "0.05")


def _learner(values: int = 3, *, depth: int = 1, share: str = "1/2") -> SanitizedLearner:
    cover = SplitCover(Thresholds(values=values), epsilon="1/2", depth=depth)
    return SanitizedLearner(cover, epsilon="1/2", share=share)


def test_the_law_is_the_covers_and_then_the_choices() -> None:
    learner, points = _learner(), Counts.of([0, 2])
    sample = LabelCounts.of([(1, (1,)), (2, (1,)), (0, (0,))], labels=1)
    law = learner.law_of_pools(points, sample)
    for chosen, mass in learner.cover.law(points).probabilities.items():
        scores = [sample.n - sample.mistakes(h) for h in chosen]
        expected = Exponential(Fraction(1, 2)).law(ScoreProfile.of(scores))
        for place, hypothesis in enumerate(chosen):
            assert law[chosen, hypothesis] == mass * expected[place]


def test_rows_are_dealt_to_both_pools_and_the_sampler_follows_the_law() -> None:
    learner, rng, runs = _learner(depth=2), Seeded(5), 500
    sample = LabelCounts.of([(0, (0,)), (1, (0,)), (1, (1,)), (2, (1,))], labels=1)
    law = learner.law(sample)
    drawn = Counter(learner(sample, rng=rng) for _ in range(runs))
    assert set(drawn) <= set(law.probabilities)
    squares = sum(
        (drawn[h] - runs * float(p)) ** 2 / (runs * float(p)) for h, p in law.probabilities.items()
    )
    assert squares < 70  # at most 6 degrees of freedom: a false alarm has probability below 1e-12


@pytest.mark.parametrize("agnostic", [False, True])
def test_labels_needed_do_not_grow_with_the_domain(agnostic: bool) -> None:
    planned = [
        SanitizedLearner.planned(Thresholds(bits), epsilon=1, accuracy=GOAL, agnostic=agnostic)
        for bits in (16, 64, 256)
    ]
    pools = [learner.pools(GOAL) for learner in planned]
    points, labels = zip(*pools, strict=True)
    assert len(set(labels)) == 1
    assert points[0] < points[1] < points[2] < 8 * points[0]
    for learner, both in zip(planned, pools, strict=True):
        assert learner.sample_size(GOAL) == sum(both)
        assert price(learner.cost).privacy == Privacy(1)


def test_no_row_is_in_both_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[tuple[Counts[int], LabelCounts]] = []

    def watch(_: object, points: Counts[int], labelled: LabelCounts, *, rng: Random) -> Threshold:
        pools.append((points, labelled))
        return Threshold(rng.below(1))

    monkeypatch.setattr(SanitizedLearner, "from_pools", watch)
    sample = LabelCounts.of([(x, (1,)) for x in range(8)], labels=1)
    _learner(8, share="3/4")(sample, rng=Seeded(1))
    ((points, labelled),) = pools
    assert (points.n, labelled.n) == (6, 2)
    assert sorted([*points.table, *labelled.points.tolist()]) == list(range(8))


def test_golden_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows that bounds in floats let pass are checked; one bound is for beta / (1 + beta)."""
    cover = SplitCover(Thresholds(16), epsilon=1, depth=6)
    wary, bold = (SanitizedLearner(cover, epsilon=each, share="1/2") for each in (1, 10))
    golden = {(wary, "0.05"): (1888, 940), (bold, "0.05"): (1888, 945), (bold, "0.9"): (1471, 609)}
    free = SanitizedLearner(cover, epsilon=1, share="1/2", agnostic=True)
    assert free.pools(GOAL) == (2537, 2758)
    for seen in (False, True):
        if seen:
            monkeypatch.setattr(SplitCover, "unseen_about", lambda *_: 0.0)
        for (learner, beta), pools in golden.items():
            assert learner.pools(Accuracy("0.1", beta)) == pools


def test_dear_labels_are_saved() -> None:
    rows = [
        SanitizedLearner.planned(Thresholds(64), epsilon=1, accuracy=GOAL, dear=dear).pools(
            GOAL, dear=dear
        )
        for dear in (1, 100)
    ]
    assert rows == [(15455, 1454), (38223, 404)]


def test_accuracy_turns_sample_size_around() -> None:
    learner = SanitizedLearner.planned(Thresholds(16), epsilon=1, accuracy=GOAL)
    n = learner.sample_size(GOAL)
    promised = learner.accuracy(n, "0.05")
    assert promised is not None
    assert promised.alpha <= GOAL.alpha
    assert learner.sample_size(promised) <= n
    assert learner.accuracy(10, "0.05") is None


def test_what_is_too_fine_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="take a greater depth"):
        _learner().sample_size(GOAL)
    with pytest.raises(InvalidArgument, match="take a greater depth"):
        _learner().pools(GOAL)
    with pytest.raises(InvalidArgument, match="alpha must be above"):
        SanitizedLearner.planned(Thresholds(16), epsilon=1, accuracy=Accuracy("1e-6", "0.05"))
    with pytest.raises(InvalidArgument, match="share"):
        _learner(share="1")


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-2, 9), st.tuples(st.integers(0, 1))), max_size=12),
    st.integers(0, 5),
)
def test_every_sample_gives_a_threshold(rows: list[tuple[int, tuple[int]]], nulls: int) -> None:
    learner = _learner(8, depth=3)
    held = LabelCounts.of(rows, labels=1)
    sample = LabelCounts(held.n + nulls, 1, held.points, held.totals, held.positives)
    hypothesis = learner(sample, rng=Seeded(0))
    assert learner.concepts.decode(learner.concepts.encode(hypothesis)) == hypothesis


def test_the_name_makes_the_learner() -> None:
    request = Request(Thresholds(16), Privacy(1), 20_000, GOAL.alpha, GOAL.beta, agnostic=False)
    made = CATALOGUE["sanitized"](request)
    assert made.sample_size(GOAL) == 8933
    free = Request(Thresholds(16), Privacy(1), 20_000, None, GOAL.beta, agnostic=False)
    promised = CATALOGUE["sanitized"](free).accuracy(20_000, GOAL.beta)
    assert promised is not None
    assert promised.alpha < Fraction(1, 8)


def _masses(shape: str, size: int) -> NDArray[np.float64]:
    """Return a distribution over points; the target is at the middle."""
    place = np.arange(size)
    masses = {
        "even": np.ones(size),
        "far from the target": np.where(abs(place - size // 2) > size // 4, 1.0, 1e-9),
        "steep": 0.9 ** abs(place - size // 2).astype(float),
        "two points": np.isin(place, (size // 2 - 1, size // 2)).astype(float),
        "just bad enough": np.where(place == size // 2, 0.1001, 0.8999 * (place == 0)),
    }[shape]
    total: NDArray[np.float64] = masses / masses.sum()
    return total


@pytest.mark.parametrize(
    "shape", ["even", "far from the target", "steep", "two points", "just bad enough"]
)
def test_errors_stay_below_alpha(shape: str) -> None:
    size, runs, failed = 1 << 10, 12, 0
    learner = SanitizedLearner.planned(Thresholds(10), epsilon=1, accuracy=GOAL)
    target, masses = Threshold(size // 2), _masses(shape, size)
    floats = np.random.default_rng(7)
    for run in range(runs):
        pools = []
        for n in learner.pools(GOAL):
            totals = floats.multinomial(n, masses)
            held = np.flatnonzero(totals)
            positives = np.where(target(held), totals[held], 0)[:, None]
            pools.append(LabelCounts(n, 1, held, totals[held], positives))
        hypothesis = learner.from_pools(points_of(pools[0]), pools[1], rng=Seeded(run))
        points = np.arange(size)
        failed += masses[hypothesis(points) != target(points)].sum() > 0.1
    assert failed < alarm(runs, GOAL.beta)


def test_few_labels_do_fail() -> None:
    """With a tenth of the labels it does: the promise is within a factor of ten of the need."""
    learner = SanitizedLearner.planned(Thresholds(10), epsilon=1, accuracy=GOAL, dear=100)
    first, second = learner.pools(GOAL, dear=100)
    points = Counts(first, dict.fromkeys(range(1024), first // 1024))
    floats, failed, runs = np.random.default_rng(8), 0, 24
    for run in range(runs):
        drawn = floats.integers(0, 1024, second // 10)
        sample = LabelCounts.of([(int(x), (int(x >= 512),)) for x in drawn], labels=1)
        failed += abs(learner.from_pools(points, sample, rng=Seeded(run)).at - 512) > 102
    assert failed > runs * GOAL.beta
