"""Buckets by tally: the law, the promise on the worst populations, the golden numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.line.points import Points
from tacit.concepts.outputs.bucket import Bucket
from tacit.concepts.outputs.never import NEVER, Never
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.learners import CATALOGUE, HashedTallyLearner, Request
from tacit.statistics import LabelCounts, Votes
from tacit.verify.enough.simulation import alarm, failures
from tacit.workflows.planning.plan import plan
from tests.learners.points.test_tally_point import POPULATIONS
from tests.support.promises import kept

F = Fraction
GOAL = Accuracy("0.1", "0.05")


def _planned(bits: int, epsilon: F | int = 1, goal: Accuracy = GOAL) -> HashedTallyLearner:
    return HashedTallyLearner.planned(Points(bits), epsilon=epsilon, accuracy=goal)


def _sample(rows: list[tuple[int, int]]) -> LabelCounts:
    return LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)


def test_given_a_hash_the_law_is_that_of_the_tally() -> None:
    learner = HashedTallyLearner(Points(4), epsilon=2, buckets=4)
    drawn = learner.outputs.draw(rng=Seeded(3))
    sample = _sample([(3, 1)] * 9 + [(5, 1)] * 2 + [(0, 0)] * 5)
    table: dict[int, int] = {}
    for x, votes in ((3, 9), (5, 2)):
        value = (drawn.multiplier * x + drawn.shift) % drawn.prime % 4
        table[value] = table.get(value, 0) + votes
    told = learner.tally(16).law(Votes(16, switch=True, table=table))
    law = learner.given(drawn, sample)
    assert law[NEVER] == told[None]
    assert all(law[Bucket(drawn, v)] == told[v] for v in range(4))


@given(st.lists(st.tuples(st.integers(-5, 300), st.integers(0, 1)), max_size=12), st.integers(0, 3))
def test_any_sample_gives_a_hypothesis(rows: list[tuple[int, int]], nulls: int) -> None:
    learner, counted = HashedTallyLearner(Points(8), epsilon=3, buckets=8), _sample(rows)
    sample = LabelCounts(counted.n + nulls, 1, counted.points, counted.totals, counted.positives)
    found = learner(sample, rng=Seeded(1))
    assert isinstance(found, Bucket | Never)
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found


def test_golden_sizes() -> None:
    assert [_planned(bits).sample_size(GOAL) for bits in (8, 32, 1024)] == [175, 176, 176]
    assert _planned(32).buckets == 2048
    assert _planned(32, 8).sample_size(GOAL) == 76


def test_the_planner_takes_it_where_it_needs_the_fewest_rows() -> None:
    found = plan("points(bits=32)", alpha="0.1", epsilon=1)
    assert found.best is not None
    assert (found.best.name, found.answer) == ("hashed-tally", 176)


def test_the_promise() -> None:
    learner = _planned(20)
    n = kept(learner, POPULATIONS, GOAL)
    hard = POPULATIONS["one heavy negative"]
    failed = failures(learner, hard, n=n * 3 // 4, limit=GOAL.alpha, runs=300, rng=Seeded(6))
    assert failed >= alarm(300, GOAL.beta), "three quarters of the rows are not enough"


@settings(max_examples=20)
@given(st.integers(60, 3000))
def test_accuracy_inverts_suffices(n: int) -> None:
    learner = HashedTallyLearner(Points(20), epsilon=1, buckets=4096)
    promised = learner.accuracy(n, "0.05")
    if promised is not None:
        assert learner.suffices(n, promised)
        assert not learner.suffices(n, Accuracy(promised.alpha * F(99, 100), promised.beta))


def test_requests_and_refusals() -> None:
    learner = HashedTallyLearner(Points(20), epsilon=1, buckets=128)
    assert learner.cost == Pure(1)
    with pytest.raises(InvalidArgument, match="too few"):
        learner.sample_size(GOAL)
    request = Request(Points(20), Privacy(1), 400, None, F(1, 20), agnostic=False)
    made = CATALOGUE["hashed-tally"](request)
    assert made.accuracy(400, "0.05") is not None
    with pytest.raises(InvalidArgument, match="buckets"):
        _planned(20, 1, Accuracy("1e-9", "1e-15"))
