"""Boxes side by side: the profile by brute force, the law, and the promise in simulation."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.concepts.grid.boxes import Box, Boxes
from tacit.concepts.line.intervals import EMPTY, Interval
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.learners import GenericLearner, PerSideBoxLearner, named
from tacit.learners.boxes.per_side_box import side_profile
from tacit.learners.contract.entry import Request
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm, failures

F = Fraction
GOAL = Accuracy("0.1", "0.1")
RUNS = 200
BITS, DIMS = 8, 2
SIDE = 1 << BITS
points = st.tuples(st.integers(-2, 9), st.integers(0, 4))
rows = st.lists(st.tuples(points, st.tuples(st.integers(0, 1))), max_size=9)


def _loss(positives: list[int], z: int, rank: int) -> int:
    below = sum(x < z for x in positives)
    up_to = sum(x <= z for x in positives)
    return max(below - rank, rank - up_to, 0)


@given(st.lists(st.integers(0, 11), max_size=12), st.integers(1, 5))
def test_the_profile_is_the_loss_of_every_place(positives: list[int], rank: int) -> None:
    values, counts = np.unique(np.array(positives, dtype=np.int64), return_counts=True)
    profile = side_profile(values, counts, 12, rank)
    scores: dict[Any, int] = {}
    for cell, many in enumerate(profile.multiplicities.tolist()):
        for place in range(many):
            scores[profile.member(cell, place)] = int(profile.scores[cell])
    expected: dict[Any, int] = {z: -_loss(positives, z, rank) for z in range(12)}
    expected[None] = -max(len(positives) - rank, 0)
    assert scores == expected
    assert profile.size == 13
    assert max(scores.values()) == 0


@given(
    st.lists(st.integers(0, 11), min_size=1, max_size=9),
    st.one_of(st.none(), st.integers(0, 11)),
    st.integers(1, 5),
)
def test_a_replaced_row_moves_a_loss_by_one(
    positives: list[int], other: int | None, rank: int
) -> None:
    changed = positives[1:] if other is None else [other, *positives[1:]]
    for z in range(12):
        assert abs(_loss(positives, z, rank) - _loss(changed, z, rank)) <= 1


def test_the_sampler_has_the_law() -> None:
    """Chi-square; a true law fails with probability 1e-9."""
    learner = PerSideBoxLearner(Boxes(values="4x2"), epsilon=2, rank=1)
    sample = LabelCounts.of([((1, 0), (1,)), ((2, 0), (1,)), ((0, 1), (0,))], labels=1)
    law, count, rng = learner.law(sample), 2000, Seeded(2)
    drawn = [learner(sample, rng=rng) for _ in range(count)]
    often = {box: float(p) for box, p in law.probabilities.items() if p * count >= 20}
    assert len(often) >= 6
    found = sum((drawn.count(b) - count * p) ** 2 / (count * p) for b, p in often.items())
    rest = 1 - sum(often.values())
    others = sum(box not in often for box in drawn)
    found += (others - count * rest) ** 2 / (count * rest)
    assert found < chi2.isf(1e-9, len(often))
    assert set(drawn) <= set(law.probabilities)


@settings(max_examples=60)
@given(rows, st.integers(0, 3), st.integers(0, 10**6))
def test_any_sample_gives_a_box(found: list[Any], null: int, seed: int) -> None:
    learner = PerSideBoxLearner(Boxes(values="7x5"), epsilon="1/2", rank=2)
    counted = LabelCounts.of(found, labels=1)
    shaped = counted.points.reshape(len(counted.points), 2)
    sample = LabelCounts(counted.n + null, 1, shaped, counted.totals, counted.positives)
    box = learner(sample, rng=Seeded(seed))
    assert learner.hypotheses.decode(learner.hypotheses.encode(box)) == box


def test_huge_columns_and_many_rows() -> None:
    learner = PerSideBoxLearner.within(Boxes(100, 2), Privacy(2), beta="0.05")
    floats = np.random.default_rng(1)
    codes = floats.integers(0, 1 << 40, (20_000, 2))
    inside = ((codes > 1 << 37) & (codes < 1 << 39)).all(axis=1)
    big = codes.astype(object) << 60
    sample = LabelCounts.of(
        [(tuple(x), (y,)) for x, y in zip(big.tolist(), inside.tolist(), strict=True)], labels=1
    )
    box = learner(sample, rng=Seeded(1))
    promised = learner.accuracy(20_000, "0.05")
    assert promised is not None
    assert np.mean(box(big) != inside) <= promised.alpha


def _population(places: list[tuple[list[int], Fraction, int]]) -> Population:
    return Population(
        np.array([x for x, _, _ in places]),
        tuple(m for _, m, _ in places),
        tuple(F(y) for _, _, y in places),
    )


def _slabs(alpha: Fraction) -> Population:
    """Put just too much mass at the far end of every side of a full box."""
    over, middle = alpha * F(1001, 1000) / (2 * DIMS), SIDE // 2
    ends = [(j, v) for j in range(DIMS) for v in (0, SIDE - 1)]
    far = [([v if i == j else middle for i in range(DIMS)], over, 1) for j, v in ends]
    return _population([([middle] * DIMS, 1 - 2 * DIMS * over, 1), *far])


def _populations(alpha: Fraction) -> dict[str, Population]:
    over, last = alpha * F(1001, 1000), SIDE - 1
    rest = [([x, x], (1 - over) / 8, 0) for x in range(8)]
    uniform = [
        ([x, y], F(1, 64), x <= 100 and y >= 60)
        for x in range(0, 256, 32)
        for y in range(0, 256, 32)
    ]
    return {
        "every side": _slabs(alpha),
        "one side": _population([([0, last], over, 1), ([last, last], 1 - over, 1)]),
        "nothing": _population([([x, x], F(1, 8), 0) for x in range(0, 256, 32)]),
        "a rare corner": _population([([last, last], over, 1), *rest]),
        "a rarer corner": _population([([last, last], alpha / 4, 1), ([0, 0], 1 - alpha / 4, 0)]),
        "all": _population([([x, last - x], F(1, 8), 1) for x in range(0, 256, 32)]),
        "uniform": _population(uniform),
    }


@pytest.mark.parametrize("epsilon", ["1", "0.25"])
def test_the_promise_is_kept(epsilon: str) -> None:
    learner = PerSideBoxLearner.within(Boxes(BITS, DIMS), Privacy(epsilon), beta=GOAL.beta)
    n, rng = learner.sample_size(GOAL), Seeded(4)
    for name, population in _populations(GOAL.alpha).items():
        failed = failures(learner, population, n=n, limit=GOAL.alpha, runs=RUNS, rng=rng)
        assert failed < alarm(RUNS, GOAL.beta), name


def test_the_promise_is_not_wasteful() -> None:
    """Of the promised rows 7/10 are about what is needed, and half are certainly too few."""
    learner = PerSideBoxLearner.within(Boxes(BITS, DIMS), Privacy(1), beta=GOAL.beta)
    n, hard, rng = learner.sample_size(GOAL), _slabs(GOAL.alpha), Seeded(5)
    assert n == 6284
    limit = alarm(RUNS, GOAL.beta)
    few = failures(learner, hard, n=n // 2, limit=GOAL.alpha, runs=RUNS, rng=rng)
    assert few >= limit
    enough = failures(learner, hard, n=n * 4 // 5, limit=GOAL.alpha, runs=RUNS, rng=rng)
    assert enough < limit


def test_beside_the_exact_exponential_mechanism() -> None:
    """Where boxes can be counted, the generic learner needs far fewer rows; here is how many."""
    goal = Accuracy("0.1", "0.1")
    sizes = []
    for dims in (1, 2, 3):
        concepts = Boxes(8, dims)
        sides = PerSideBoxLearner.within(concepts, Privacy(1), beta=goal.beta)
        sizes.append(
            (sides.sample_size(goal), GenericLearner(concepts, epsilon=1).sample_size(goal))
        )
    assert sizes == [(1555, 314), (6284, 573), (14479, 833)]


@pytest.mark.parametrize(("n", "alpha"), [(12, F(1, 2)), (40, F(1, 2)), (80, F(1, 5))])
def test_the_bound_is_the_formula(n: int, alpha: Fraction) -> None:
    """Sides too far out or in, of all values, and an empty box from each of the sides."""
    learner = PerSideBoxLearner(Boxes(1, 1), epsilon=4, rank=2)
    q = math.exp(-2)
    cut, gone = (q**-2 * (1 - float(alpha) * part * (1 - q)) ** n for part in (1 / 2, 1))
    formula = min(1.0, 4 * max(q**2, cut) + 2 * gone)
    assert float(learner.failure(n, alpha)) == pytest.approx(formula, rel=1e-12)


@given(st.integers(1, 10**6), st.sampled_from(["0.2", "0.05"]))
def test_accuracy_inverts_sample_size(n: int, beta: str) -> None:
    learner = PerSideBoxLearner.within(Boxes(8, 2), Privacy(1), beta="0.05")
    promised = learner.accuracy(n, beta)
    if promised is None:
        assert learner.sample_size(Accuracy("0.999", beta)) > n
    else:
        assert learner.sample_size(promised) <= n
        finer = promised.alpha - F(1, 10**7)
        assert finer == 0 or learner.sample_size(Accuracy(finer, beta)) > n


def test_the_budget_is_spent() -> None:
    for privacy in (Privacy(1), Privacy(1, "1e-6")):
        learner = PerSideBoxLearner.within(Boxes(8, 5), privacy, beta="0.1")
        spent = price(learner.cost, privacy.delta).privacy.epsilon
        assert F(999, 1000) <= spent <= 1
    pure, approximate = (
        PerSideBoxLearner.within(Boxes(8, 10), p, beta="0.1").sample_size(GOAL)
        for p in (Privacy(1), Privacy(1, "1e-6"))
    )
    assert approximate < pure


def test_crossing_sides_and_empty_ones() -> None:
    learner = PerSideBoxLearner(Boxes(values="9x9"), epsilon=1, rank=1)
    empty = Box((EMPTY, EMPTY))
    assert learner._box([2, 3, 0, 0]) == Box((Interval(2, 5), Interval(0, 8)))
    assert learner._box([5, 4, 0, 0]) == empty
    assert learner._box([4, 4, 0, None]) == empty


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="rank"):
        PerSideBoxLearner(Boxes(4, 2), epsilon=1, rank=0)
    with pytest.raises(InvalidArgument, match="epsilon"):
        PerSideBoxLearner(Boxes(4, 2), epsilon=0, rank=1)
    learner = PerSideBoxLearner(Boxes(4, 2), epsilon=1, rank=1)
    with pytest.raises(InvalidArgument, match="rank=1 is too small"):
        learner.sample_size(GOAL)
    assert learner.accuracy(10**9, "0.1") is None
    assert not named("per-side-box").agnostic


@pytest.mark.parametrize("delta", ["0", "1e-6"])
def test_all_sides_of_all_labels_share_the_budget(delta: str) -> None:
    total = Privacy("0.7", delta)
    request = Request(
        Boxes(8, 2), total, 1, Fraction(1, 10), Fraction(3, 10), agnostic=False, labels=30
    )
    learner = named("per-side-box")(request)
    assert learner.labels == 30
    spent = price(learner.cost, delta).privacy.epsilon
    assert total.epsilon * Fraction(999, 1000) <= spent <= total.epsilon
