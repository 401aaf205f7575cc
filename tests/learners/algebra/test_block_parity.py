"""k parities from votes of blocks: golden numbers, the rank formula, totality, simulation."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.algebra.parities import Parities, Parity
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import TooLarge
from tacit.learners import BlockParityLearner
from tacit.statistics import JointCounts
from tacit.theory.enough.random_bits import pinned
from tacit.verify.enough.simulation import alarm
from tacit.verify.enumeration import databases, neighbours


def _rank(rows: list[int]) -> int:
    basis: list[int] = []
    for row in rows:
        for b in basis:
            row = min(row, row ^ b)
        if row:
            basis.append(row)
    return len(basis)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 1), (3, 1), (3, 2), (5, 2), (4, 3)])
def test_the_rank_formula_against_all_matrices(rows: int, columns: int) -> None:
    kept = 0
    for matrix in product(range(1 << columns), repeat=rows):
        without = [_rank([*matrix[:i], *matrix[i + 1 :]]) for i in range(rows)]
        kept += min(without) == columns
    assert pinned(rows, columns) == Fraction(kept, 1 << rows * columns)


@pytest.mark.parametrize(
    ("dims", "epsilon", "delta", "beta", "rows", "plan"),
    [
        (8, 1, "1e-6", "0.05", 288, (16, 18)),
        (32, 1, "1e-6", "0.05", 714, (42, 17)),
        (128, 1, "1e-6", "0.05", 2288, (143, 16)),
        (32, "0.1", "1e-6", "0.05", 5796, (42, 138)),
        (32, 1, "1e-9", "0.01", 1100, (44, 25)),
    ],
)
def test_golden_numbers(
    dims: int, epsilon: str, delta: str, beta: str, rows: int, plan: tuple[int, int]
) -> None:
    for labels in (1, 10**4):
        learner = BlockParityLearner(Parities(dims), labels=labels, epsilon=epsilon, delta=delta)
        assert learner.sample_size(Accuracy("0.1", beta)) == rows
        assert learner.plan(rows) == plan
        assert learner.accuracy(rows, beta) is not None
        assert learner.accuracy(rows // 2, beta) is None


def _uniform_rows(dims: int, masks: list[int], n: int, rng: Seeded) -> JointCounts:
    points = (rng.words(n)[:, None] >> np.arange(dims, dtype=np.uint64) & np.uint64(1)).astype(int)
    marks = np.column_stack([Parity(mask)(points) for mask in masks])
    return JointCounts(n, len(masks), points, marks, np.ones(n, dtype=np.int64))


def test_failures_stay_below_beta_and_what_is_told_is_right() -> None:
    masks, runs, rng = [0b10110001, 0, 0b11111111], 150, Seeded(2)
    learner = BlockParityLearner(Parities(8), labels=3, epsilon=1, delta="1e-6")
    failed = 0
    for _ in range(runs):
        told = learner(_uniform_rows(8, masks, 288, rng), rng=rng)
        assert told in (tuple(map(Parity, masks)), (Parity(0),) * 3)
        failed += told == (Parity(0),) * 3
    assert 0 < failed < alarm(runs, Fraction(1, 20))
    few = sum(
        learner(_uniform_rows(8, masks, 200, rng), rng=rng) != tuple(map(Parity, masks))
        for _ in range(50)
    )
    assert few >= alarm(50, Fraction(1, 20)), "seven tenths of the rows are not enough"


def test_without_a_delta_rows_grow_with_the_labels_and_failures_stay_below_beta() -> None:
    """Promised rows are enough in simulation; more rows never promise less."""
    goal, rng, runs = Accuracy("0.1", "0.05"), Seeded(4), 150
    sizes = {}
    for dims, labels, epsilon in ((8, 1, 1), (8, 1, 4), (16, 1, 1), (16, 10, 1), (32, 1, 1)):
        made = BlockParityLearner(Parities(dims), labels=labels, epsilon=epsilon, delta=0)
        sizes[dims, labels, epsilon] = made.sample_size(goal)
        assert made.cost == Pure(epsilon)
    assert list(sizes.values()) == [176, 57, 400, 3100, 1144]
    masks, n = [0b10110001], sizes[8, 1, 1]
    learner = BlockParityLearner(Parities(8), labels=1, epsilon=1, delta=0)
    failed = sum(
        learner(_uniform_rows(8, masks, n, rng), rng=rng) != (Parity(masks[0]),)
        for _ in range(runs)
    )
    assert failed < alarm(runs, goal.beta)
    assert all(learner.failure(*learner.plan(m)) <= goal.beta for m in (n, n + 1, 250, 257, 600))
    with pytest.raises(TooLarge, match="without a delta"):
        BlockParityLearner(Parities(1000), labels=1000, epsilon=1, delta=0)


def test_without_a_delta_votes_of_several_labels_are_told_apart() -> None:
    rng, masks = Seeded(8), [0b001, 0b110, 0b011]
    learner = BlockParityLearner(Parities(3), labels=3, epsilon=8, delta=0)
    n = learner.sample_size(Accuracy("0.1", "0.0001"))
    assert learner(_uniform_rows(3, masks, n, rng), rng=rng) == tuple(map(Parity, masks))
    law = learner.law_of_votes([(1, 6, 3)] * 9 + [None])
    assert law[tuple(map(Parity, masks))] > Fraction(99, 100)
    assert sum(law.probabilities.values()) == 1


def test_many_labels_and_dimensions() -> None:
    rng = Seeded(8)
    masks = [rng.bits(60) for _ in range(200)]
    learner = BlockParityLearner(Parities(60), labels=200, epsilon=4, delta="1e-6")
    n = learner.sample_size(Accuracy("0.1", "0.001"))
    assert learner(_uniform_rows(60, masks, n, rng), rng=rng) == tuple(map(Parity, masks))


ROWS = st.lists(
    st.tuples(
        st.tuples(st.integers(-1, 2), st.integers(0, 1)),
        st.tuples(st.integers(0, 1), st.integers(0, 1)),
    ),
    max_size=60,
)


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_every_sample_gives_parities(
    rows: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    learner = BlockParityLearner(Parities(2), labels=2, epsilon=4, delta="0.1")
    told = learner(JointCounts.of(rows, labels=2), rng=Seeded(0))
    assert len(told) == 2
    assert all(learner.hypotheses.decode(learner.hypotheses.encode(h)) == h for h in told)


def test_a_vote_outlives_every_row() -> None:
    """All blocks of three rows: a vote if any two of them fix the parity, and all three agree."""
    learner = BlockParityLearner(Parities(2), labels=1, epsilon=1, delta="0.1")
    universe = tuple(product(product((0, 1), repeat=2), ((0,), (1,))))
    votes: dict[Any, Any] = {}
    for block in databases(universe, 3, symmetric=True):
        kept = [
            {
                mask
                for mask in range(4)
                if all(Parity(mask)(np.array([x]))[0] == bool(y) for x, (y,) in part)
            }
            for part in (block, *combinations(block, 2))
        ]
        sure = kept[0] and all(len(masks) == 1 for masks in kept)
        votes[block] = learner.vote(JointCounts.of(block, labels=1))
        assert votes[block] == (tuple(kept[0]) if sure else None)
    assert len(set(votes.values())) == 5
    for block, vote in votes.items():
        near = {votes[other] for other in neighbours(block, universe, symmetric=True)}
        assert vote is None or near <= {vote, None}


def test_null_rows_silence_a_block() -> None:
    learner = BlockParityLearner(Parities(1), labels=1, epsilon=1, delta="0.1")
    full = JointCounts.of([((1,), (1,))] * 3, labels=1)
    short = JointCounts(4, 1, full.points, full.marks, full.totals)
    assert learner.vote(full) == (1,)
    assert learner.vote(short) is None


def test_the_law_is_that_of_the_draws() -> None:
    learner = BlockParityLearner(Parities(1), labels=1, epsilon=2, delta="0.3")
    sample = JointCounts.of([((1,), (1,))] * 3 + [((0,), (0,))], labels=1)
    law, rng, runs = learner.law(sample), Seeded(6), 600
    drawn = [learner(sample, rng=rng) for _ in range(runs)]
    for told, p in law.probabilities.items():
        spread = 6.5 * float(runs * p * (1 - p)) ** 0.5
        assert abs(drawn.count(told) - float(runs * p)) <= spread + 1
    assert len(law.probabilities) == 2
