"""Thresholds by the tree: penalties that one row moves by one, the crowd, the promise."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from tacit.concepts.line.thresholds import Direction, Threshold, Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.learners import CATALOGUE, GenericLearner, TreeThresholdLearner
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm, failures
from tests.support.promises import kept, masses

F = Fraction
GOAL = Accuracy("0.05", "0.05")
WIDE = Thresholds(32)


def _planned(line: Thresholds = WIDE, goal: Accuracy = GOAL) -> TreeThresholdLearner:
    return TreeThresholdLearner.planned(line, epsilon=1, accuracy=goal)


def _sample(rows: list[tuple[int, int]]) -> LabelCounts:
    return LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)


def _penalties(learner: TreeThresholdLearner, rows: list[tuple[int, int]]) -> list[int]:
    told = learner.penalties(_sample(rows))
    return [told.table.get(c, learner.choice.reach) for c in range(told.candidates)]


@pytest.mark.parametrize(
    ("values", "direction", "rows", "n"), [(5, "up", 2, 4), (4, "down", 1, 4), (3, "both", 2, 5)]
)
def test_penalties_on_all_samples(values: int, direction: Direction, rows: int, n: int) -> None:
    """One row moves each by 1 at most, no more are near than is said, and one is 0 if explained."""
    line = Thresholds(values=values, direction=direction)
    learner = TreeThresholdLearner(line, epsilon=1, rows=rows, none="1/10")
    records = list(product(range(values), (0, 1)))
    found = {
        held: _penalties(learner, [records[i] for i in held])
        for held in combinations_with_replacement(range(len(records)), n)
    }
    for held, penalties in found.items():
        for d, most in enumerate(learner.choice.crowd):
            assert sum(penalty <= d for penalty in penalties) <= most
        explained = any(
            all((x >= z) == (y == up) for x, y in (records[i] for i in held))
            for z in range(values)
            for up in line.ways
        )
        assert not explained or min(penalties) == 0
        for spot, other in product(range(n), range(len(records))):
            near = found[tuple(sorted((*held[:spot], other, *held[spot + 1 :])))]
            assert max(abs(a - b) for a, b in zip(penalties, near, strict=True)) <= 1


def test_golden_numbers() -> None:
    """The bar: at most 800 rows where the exponential mechanism takes 1,179."""
    assert _planned().sample_size(GOAL) == 768
    assert GenericLearner(WIDE, epsilon=1).sample_size(GOAL) == 1179
    assert _planned(Thresholds(64)).sample_size(GOAL) == 1052


def test_accuracy_is_what_the_rows_are_enough_for() -> None:
    learner = _planned()
    promised = learner.accuracy(768, GOAL.beta)
    assert promised is not None
    assert promised.alpha <= F(1, 20)
    assert learner.accuracy(767, GOAL.beta).alpha > F(1, 20)  # type: ignore[union-attr]
    assert learner.accuracy(10**6, F(1, 10**4)) is None
    assert learner.sample_size(Accuracy("0.1", "0.05")) < 400


def _population(*cells: tuple[int, F | int], at: int) -> Population:
    points = np.array([x for x, _ in cells], dtype=np.int64)
    return Population(
        points, masses(*(w for _, w in cells)), tuple(F(int(x >= at)) for x in points)
    )


JUST, MIDDLE, HALF = F(501, 10000), 0x5A5A5A5A, 1 << 31
POPULATIONS = {
    "heaps beside the target": _population(
        (MIDDLE - 1, JUST), (MIDDLE, JUST), ((1 << 32) - 1, 1 - 2 * JUST), at=MIDDLE
    ),
    "every scale": _population(
        *((HALF - (1 << j), 1) for j in range(31)),
        *((HALF + (1 << j), 1) for j in range(31)),
        (HALF, 1),
        at=HALF,
    ),
    "every scale beside a third": _population(
        *((MIDDLE + (1 << j), 1) for j in range(30)),
        *((MIDDLE - (1 << j), 1) for j in range(30)),
        (0, 30),
        at=MIDDLE,
    ),
    "nothing but yes": _population((0, 1), (7, 1), (HALF, 9), at=0),
    "evenly": _population(*((x << 22, 1) for x in range(1024)), at=HALF),
}


def test_the_promise() -> None:
    assert kept(_planned(), POPULATIONS, GOAL, runs=60) == 768


def test_too_few_rows_set_off_the_alarm() -> None:
    hard = POPULATIONS["heaps beside the target"]
    failed = failures(_planned(), hard, n=430, limit=GOAL.alpha, runs=200, rng=Seeded(6))
    assert failed >= alarm(200, GOAL.beta)


def test_long_lines_and_both_ways() -> None:
    rows = [(x << 120, int(x < 100)) for x in range(200)]
    learner = TreeThresholdLearner(Thresholds(128, "both"), epsilon=8, rows=10, none="1/1000")
    told = learner(_sample(rows), rng=Seeded(1))
    assert not told.up
    assert 80 <= told.at >> 120 <= 120
    alone = TreeThresholdLearner(Thresholds(4), epsilon=30, rows=1, none="1/1000")
    assert alone(_sample([(x, int(x >= 5)) for x in range(16)] * 9), rng=Seeded(0)) == Threshold(5)


def test_requests_and_refusals() -> None:
    entry = CATALOGUE["tree-threshold"]
    assert entry.pure
    assert entry.proper
    assert not entry.agnostic
    assert _planned().cost == Pure(1)
    with pytest.raises(InvalidArgument, match="rows"):
        TreeThresholdLearner(WIDE, epsilon=1, rows=0, none="1/10")
    with pytest.raises(InvalidArgument, match="planned"):
        _planned().sample_size(Accuracy("0.05", "0.001"))


@pytest.mark.parametrize("bits", [2, 32])
def test_too_small_an_epsilon_is_said_to_be_with_one_that_is_enough(bits: int) -> None:
    goal = Accuracy("0.1", "0.05")
    with pytest.raises(TooLarge, match="epsilon is too small for tree-threshold") as refused:
        TreeThresholdLearner.planned(Thresholds(bits), epsilon="1e-9", accuracy=goal)
    (enough,) = re.findall("an epsilon of (.*) for each label", str(refused.value))
    made = TreeThresholdLearner.planned(Thresholds(bits), epsilon=enough, accuracy=goal)
    assert made.rows <= 128
    most = TreeThresholdLearner.planned(Thresholds(bits), epsilon=1000, accuracy=goal)
    assert most.epsilon <= 500
