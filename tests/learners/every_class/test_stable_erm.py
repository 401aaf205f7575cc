"""The standard optimal algorithm, and its votes: mistakes, law, totality, promises."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tacit.concepts import Conjunctions, Intervals, Points, Thresholds
from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.specification import parse_output
from tacit.concepts.outputs.point_sets import PointSet, Tables
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.learners import GenericLearner, StableErmLearner, named
from tacit.mechanisms import StableRelease
from tacit.statistics import LabelCounts, Votes
from tacit.theory.dimensions.littlestone import littlestone
from tacit.theory.dimensions.optimal_predictor import OptimalPredictor
from tacit.theory.enough.selection import realisable
from tacit.theory.enough.vote import badly_told
from tacit.theory.solving.incidence import Incidence
from tacit.verify.enough.simulation import Population, alarm, failures

F = Fraction
SMALL: list[ConceptClass[Any]] = [Thresholds(4), Points(4), Intervals(3), Conjunctions(3, 2)]


def _table(concepts: ConceptClass[Any]) -> NDArray[np.bool_]:
    domain = concepts.domain()
    return np.array([concept(domain) for concept in concepts.concepts()])


@pytest.mark.parametrize("concepts", SMALL, ids=str)
def test_the_dimension_is_the_one_of_the_search(concepts: ConceptClass[Any]) -> None:
    table = _table(concepts)
    optimal = OptimalPredictor(table)
    found = littlestone(Incidence.of(table))
    assert optimal.dimension(optimal.everything) == found.lower == found.upper
    assert optimal.dimension(0) == -1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 3), st.data())
def test_mistakes_are_at_most_the_dimension(which: int, data: st.DataObject) -> None:
    table = _table(SMALL[which])
    optimal = OptimalPredictor(table)
    target = data.draw(st.integers(0, len(table) - 1))
    space, mistakes = optimal.everything, 0
    for x in data.draw(st.lists(st.integers(0, table.shape[1] - 1), max_size=30)):
        label = bool(table[target, x])
        if bool(optimal.predictions(space)[x]) != label:
            agree = table[:, x] == label
            space &= sum(1 << int(i) for i in np.flatnonzero(agree))
            mistakes += 1
    assert mistakes <= optimal.dimension(optimal.everything)
    assert space >> target & 1


def test_what_is_learned_agrees_with_the_rows() -> None:
    optimal = OptimalPredictor(_table(Intervals(3)))
    rows = [(1, False), (3, True), (4, True), (6, False)]
    said = optimal.predictions(optimal.learned(rows))
    assert all(bool(said[x]) == label for x, label in rows)
    assert optimal.learned([(1, True), (3, False), (4, True)]) == 0
    assert optimal.learned([]) == optimal.everything


def test_the_law_averages_over_all_deals() -> None:
    """Three rows, three blocks of one: each deal is the same votes, in another order."""
    learner = StableErmLearner(Thresholds(1), epsilon=2, delta="1/5", blocks=3)
    sample = LabelCounts.of([(0, (0,)), (1, (1,)), (1, (1,))], labels=1)
    blocks = [LabelCounts.of([row], labels=1) for row in [(0, (0,)), (1, (1,)), (1, (1,))]]
    votes = [learner.vote(block) for block in blocks]
    law = learner.law(sample)
    assert law == learner.law_of_votes(votes, sample)
    told = StableRelease(1, "1/5").law(Votes.of(votes).lead())
    chosen = GenericLearner(Thresholds(1), epsilon=1).law(sample)
    for values in product((False, True), repeat=2):
        table = PointSet(tuple((x,) for x, yes in enumerate(values) if yes))
        second = sum(
            (p for h, p in chosen.probabilities.items() if (*h(np.array([0, 1])),) == values), F(0)
        )
        assert law[table] == told[table] + told[None] * second


def test_draws_follow_the_law() -> None:
    """One outcome's count within 6.5 standard deviations: a false alarm below 1e-9."""
    learner = StableErmLearner(Thresholds(2), epsilon=2, delta="1/5", blocks=2)
    sample = LabelCounts.of([(0, (0,)), (3, (1,)), (2, (1,)), (1, (0,))], labels=1)
    law, rng, runs = learner.law(sample), Seeded(3), 2000
    drawn = [learner(sample, rng=rng) for _ in range(runs)]
    assert set(drawn) <= set(law.probabilities)
    for outcome, p in law.probabilities.items():
        spread = max(float(runs * p * (1 - p)) ** 0.5, 1.0)
        assert abs(drawn.count(outcome) - float(runs * p)) <= 6.5 * spread


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-2, 20), st.booleans()), max_size=20),
    st.integers(0, 3),
    st.integers(0, 2**32),
)
def test_every_sample_gives_a_table(rows: list[tuple[int, bool]], nulls: int, seed: int) -> None:
    held = LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)
    sample = LabelCounts(held.n + nulls, 1, held.points, held.totals, held.positives)
    learner = StableErmLearner(Thresholds(3), epsilon=1, delta="1/10", blocks=3)
    found = learner(sample, rng=Seeded(seed))
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found


HARD = {
    "uniform": (list(range(16)), [F(1, 16)] * 16, 8),
    "two points": ([7, 8], [F(1, 2)] * 2, 8),
    "light edge": ([0, 7, 8, 15], [F(9, 20), F(1, 20), F(1, 20), F(9, 20)], 8),
    "one point": ([3], [F(1)], 8),
    "all yes": (list(range(16)), [F(1, 16)] * 16, 0),
    "spread": (list(range(8, 16)), [F(143, 10000)] * 7 + [F(8999, 10000)], 15),
}


@pytest.mark.parametrize("name", HARD)
def test_the_promise_is_kept(name: str) -> None:
    points, masses, at = HARD[name]
    learner = StableErmLearner(Thresholds(4), epsilon=1, delta="1e-6")
    goal = Accuracy("0.1", "0.05")
    n, runs = learner.sample_size(goal), 150
    marks = tuple(F(int(x >= at)) for x in points)
    population = Population(np.array(points), tuple(masses), marks)
    failed = failures(learner, population, n=n, limit=goal.alpha, runs=runs, rng=Seeded(1))
    assert failed < alarm(runs, goal.beta)


def test_the_promise_is_within_four_of_what_is_needed() -> None:
    """Blocks that saw none of a tenth of the rows agree on a bad function, the others differ.

    A third of the printed rows, two a block, fail too often; 272, four a block, are enough.
    """
    points, masses, at = HARD["spread"]
    learner = StableErmLearner(Thresholds(4), epsilon=1, delta="1e-6")
    goal, runs = Accuracy("0.1", "0.05"), 150
    assert learner.sample_size(goal) == 408
    marks = tuple(F(int(x >= at)) for x in points)
    population = Population(np.array(points), tuple(masses), marks)
    few, enough = (
        failures(learner, population, n=n, limit=goal.alpha, runs=runs, rng=Seeded(2))
        for n in (136, 272)
    )
    assert few >= alarm(runs, goal.beta) > enough


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.fractions(0, 1, max_denominator=20), min_size=1, max_size=6),
    st.lists(st.integers(0, 9), min_size=1, max_size=4),
    st.fractions(0, 1, max_denominator=20),
)
def test_what_is_badly_told_is_bounded(
    rises: list[Fraction], parts: list[int], free: Fraction
) -> None:
    """Against the sum over candidates, each voted for with its own chance, term by term."""
    told = [F(0), *sorted(rises)]
    voters, whole = len(rises), max(1, sum(parts))
    chances = [(1 - free) * F(part, whole) for part in parts]
    truth = sum(
        told[v] * comb(voters, v) * p**v * (1 - p) ** (voters - v)
        for p in chances
        for v in range(voters + 1)
    )
    assert badly_told(max(chances), told) >= min(F(1), truth)


def test_blocks_that_agree_are_told_without_noise() -> None:
    """Two points decide a threshold up to what is between: every block finds one function."""
    rows = [(x, (x >= 8,)) for x in (7, 8)] * 400
    learner = StableErmLearner(Thresholds(4), epsilon=2, delta="1e-6")
    sample = LabelCounts.of(rows, labels=1)
    found = {learner(sample, rng=Seeded(seed)) for seed in range(10)}
    assert len(found) == 1


def test_the_vote_may_fail_and_the_choice() -> None:
    learner, alpha = StableErmLearner(Thresholds(2), epsilon=1, delta="1/100"), F(1, 10)
    choice = realisable(Decay.of(F(1, 4)), size=4, alpha=alpha)
    for n in (300, 400):
        told = learner._badly_told(n // learner.blocks, alpha)
        assert max(told, choice.failure(n)) < learner.failure(n, alpha) == choice.failure(n) + told


def test_sizes_and_accuracies() -> None:
    learner = StableErmLearner(Thresholds(4), epsilon=1, delta="1e-6")
    n = learner.sample_size(Accuracy("0.1", "0.05"))
    assert learner.failure(n, "0.1") <= F(1, 20) < learner.failure(n - 1, "0.1")
    promised = learner.accuracy(n, "0.05")
    assert promised is not None
    assert F(9, 100) < promised.alpha <= F(1, 10)
    assert learner.accuracy(10, "0.05") is None
    assert price(learner.cost, "1e-6").privacy.epsilon <= 1
    generic = GenericLearner(Thresholds(4), epsilon=1)
    assert generic.sample_size(Accuracy("0.1", "0.05")) < n


def test_tables_of_functions() -> None:
    tables = Tables(Conjunctions(2, 1))
    assert parse_output(str(tables)) == tables
    table = PointSet(((0, 1), (1, 1)))
    assert tables.decode(tables.encode(table)) == table
    points = Conjunctions(2, 1).domain()
    values = ", ".join(f"({a}, {b})" for a, b in points.tolist())
    sql = f"SELECT {table.sql(['a', 'b'])} FROM (VALUES {values}) t(a, b)"
    assert [row[0] for row in duckdb.sql(sql).fetchall()] == table(points).tolist()
    assert (PointSet(()).rule(["a"]), PointSet(()).sql(["a"])) == ("never", "(1 = 0)")
    wrong: list[dict[str, Any]] = [
        {},
        {"yes": [[1]]},
        {"yes": [[1, 1], [0, 1]]},
        {"yes": [[1, "0"]]},
    ]
    for bad in wrong:
        with pytest.raises(InvalidArgument, match="no hypothesis"):
            tables.decode(bad)


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="too large"):
        StableErmLearner(Thresholds(10), epsilon=1, delta="0.1")
    with pytest.raises(TooLarge):
        OptimalPredictor(np.zeros((100, 100), dtype=np.bool_))
    late = OptimalPredictor(np.eye(8, dtype=np.bool_), time_limit=0)
    with pytest.raises(TooLarge, match="stopped after 0 s"):
        late.dimension(late.everything)
    for wrong in ({"epsilon": 0, "delta": "0.1"}, {"epsilon": 1, "delta": 0}):
        with pytest.raises(InvalidArgument):
            StableErmLearner(Thresholds(2), **wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="blocks"):
        StableErmLearner(Thresholds(2), epsilon=1, delta="0.1", blocks=0)
    assert named("stable-erm").theorem == "BLM20"
