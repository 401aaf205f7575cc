"""Points by tally: the law, the promise on the worst populations, the golden numbers."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.line.points import Point, Points
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.learners import CATALOGUE, GenericLearner, TallyPointLearner
from tacit.statistics import LabelCounts, Votes
from tacit.verify.enough.simulation import Population, alarm, failures
from tacit.workflows.planning.plan import plan
from tests.support.promises import kept, masses, needed

F = Fraction
GOAL = Accuracy("0.1", "0.05")
JUST = F(1001, 10000)


def _learner(bits: int, epsilon: F | int = 1) -> TallyPointLearner:
    return TallyPointLearner(Points(bits), epsilon=epsilon)


def _sample(rows: list[tuple[int, int]]) -> LabelCounts:
    return LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)


def _population(*weights: F | int, at: int = 0, size: int = 1 << 20) -> Population:
    points = np.linspace(0, size - 1, len(weights)).astype(np.int64)
    yes = tuple(F(int(i == at)) for i in range(len(weights)))
    return Population(points, masses(*weights), yes)


def test_the_law_is_that_of_the_tally_with_a_uniform_point_for_none() -> None:
    learner = _learner(3, 2)
    sample = _sample([(3, 1)] * 9 + [(1, 1)] * 2 + [(0, 0)] * 5 + [(3, 0)])
    tally = learner.tally(17)
    assert tally.voters == 32
    law, told = learner.law(sample), tally.law(Votes(17, switch=True, table={3: 9, 1: 2}))
    for z in range(8):
        assert law[Point(z)] == told[z] + told[None] / 8


def test_sampled_frequencies() -> None:
    """Each share is within 6.5 deviations of the law: false alarm below 1e-9."""
    learner, rng, runs = _learner(2), Seeded(3), 4000
    sample = _sample([(1, 1)] * 8 + [(2, 0)])
    drawn, law = [learner(sample, rng=rng) for _ in range(runs)], learner.law(sample)
    assert set(drawn) <= law.probabilities.keys()
    for hypothesis, p in law.probabilities.items():
        spread = (float(p * (1 - p)) / runs) ** 0.5
        assert abs(drawn.count(hypothesis) / runs - p) < 6.5 * spread


@given(st.lists(st.tuples(st.integers(-5, 300), st.integers(0, 1)), max_size=12), st.integers(0, 3))
def test_any_sample_gives_a_point(rows: list[tuple[int, int]], nulls: int) -> None:
    learner, counted = _learner(8, 3), _sample(rows)
    sample = LabelCounts(counted.n + nulls, 1, counted.points, counted.totals, counted.positives)
    found = learner(sample, rng=Seeded(1))
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found
    assert sum(learner.law(sample).probabilities.values()) == 1


def test_golden_sizes() -> None:
    sizes = [_learner(bits).sample_size(GOAL) for bits in (8, 16, 32, 64, 1024)]
    assert sizes == [220, 210, 338, 586, 7564]
    assert _learner(32, F(1, 4)).sample_size(GOAL) == 1195
    generic = [GenericLearner(Points(b), epsilon=1).sample_size(GOAL) for b in (8, 32, 64)]
    assert generic == [212, 626, 1179]


@pytest.mark.parametrize(("bits", "most"), [(32, 390), (64, 650)])
def test_the_planner_takes_it_where_it_needs_the_fewest_rows(bits: int, most: int) -> None:
    found = plan(f"points(bits={bits})", alpha="0.1", epsilon=1, proper=True)
    assert found.best is not None
    assert found.best.name == "tally-point"
    assert found.answer == found.best.n <= most
    small = plan("points(bits=8)", alpha="0.1", epsilon=1, proper=True)
    assert small.best is not None
    assert small.best.name == "generic"


@settings(max_examples=20)
@given(st.integers(60, 3000))
def test_accuracy_inverts_sample_size(n: int) -> None:
    learner = _learner(20)
    promised = learner.accuracy(n, "0.05")
    if promised is None:
        assert n < 100
    else:
        assert learner.suffices(n, promised)
        assert not learner.suffices(n, Accuracy(promised.alpha * F(99, 100), promised.beta))


def test_more_rows_are_enough_too() -> None:
    """Where another tally begins the promise is kept as well."""
    for bits in (10, 16):
        learner = _learner(bits)
        n = learner.sample_size(GOAL)
        assert not learner.suffices(n - 1, GOAL)
        later = [*range(n, n + 40), *(2**j + d for j in range(8, 20) for d in (0, 1) if 2**j > n)]
        assert all(learner.suffices(m, GOAL) for m in later)


def test_the_exact_failure_is_below_the_promise() -> None:
    """A target of any mass, and all else on one other point: summed over all samples."""
    learner, n, goal = _learner(4, 5), 12, Accuracy("1/2", "1/5")
    assert learner.suffices(n, goal)
    laws = [learner.law(_sample([(0, 1)] * k + [(1, 0)] * (n - k))) for k in range(n + 1)]
    for tenths in range(11):
        mass = F(tenths, 10)
        failed = F(0)
        for k, law in enumerate(laws):
            chance = comb(n, k) * mass**k * (1 - mass) ** (n - k)
            failed += chance * (1 - law[Point(0)] if mass > goal.alpha else law[Point(1)])
        assert failed <= goal.beta


POPULATIONS = {
    "one heavy negative": _population(JUST, 1 - JUST),
    "many negatives": _population(JUST, *[(1 - JUST) / 50] * 50),
    "negatives as heavy as the target": _population(*[JUST] * 9, 1 - 9 * JUST),
    "light target": _population(F(1, 20), F(19, 20)),
    "heavy target": _population(F(1, 2), F(1, 2)),
    "nothing but the target": _population(F(1)),
    "a target that never occurs": _population(*[1] * 20, at=99),
}


def test_the_promise() -> None:
    learner = _learner(20)
    n = kept(learner, POPULATIONS, GOAL)
    worst = needed(learner, POPULATIONS["many negatives"], GOAL, most=n)
    assert n / worst == pytest.approx(1.0, abs=0.1)


def test_the_promise_in_a_domain_just_large_enough() -> None:
    """In 256 points a uniform one often weighs something."""
    learner = _learner(8)
    n = learner.sample_size(GOAL)
    for light in (F(1, 50), F(1, 30), F(1, 20), F(7, 100)):
        many = int((1 - light) / (F(1, 10) - light) * F(99, 100))
        weights = [light, *[(1 - light) / many] * many]
        heavy = Population(
            np.arange(len(weights), dtype=np.int64), tuple(weights), (F(1), *[F(0)] * many)
        )
        failed = failures(learner, heavy, n=n, limit=GOAL.alpha, runs=400, rng=Seeded(5))
        assert failed < alarm(400, GOAL.beta)


def test_too_few_rows_set_off_the_alarm() -> None:
    hard, n = POPULATIONS["one heavy negative"], _learner(20).sample_size(GOAL)
    failed = failures(_learner(20), hard, n=n * 3 // 4, limit=GOAL.alpha, runs=300, rng=Seeded(6))
    assert failed >= alarm(300, GOAL.beta)


def test_requests_and_refusals() -> None:
    assert CATALOGUE["tally-point"].pure
    assert CATALOGUE["tally-point"].proper
    assert _learner(4).cost == Pure(1)
    with pytest.raises(InvalidArgument, match="epsilon"):
        _learner(4, 0)
    with pytest.raises(InvalidArgument, match="no n suffices"):
        _learner(4).sample_size(GOAL)
    with pytest.raises(TooLarge):
        _learner(40).law(_sample([(1, 1)]))
    with pytest.raises(TooLarge, match="budget"):
        _learner(32, F(1, 10**6)).sample_size(GOAL)
