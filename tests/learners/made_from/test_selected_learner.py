"""The best of several learners on fresh rows."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.concepts.contract.specification import parse_output
from tacit.concepts.line.intervals import Intervals
from tacit.concepts.line.points import Point, Points
from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.concepts.outputs.one_of import Member, OneOf
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.composition.pricing import price
from tacit.core.errors import InvalidArgument
from tacit.learners import GenericLearner, SelectedLearner, StablePointLearner
from tacit.mechanisms import Exponential
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.verify.enough.simulation import Population, alarm, failures
from tests.support.promises import kept, masses, needed

F = Fraction
GOAL = Accuracy("0.2", "0.1")


def _sample(rows: list[tuple[int, int]]) -> LabelCounts:
    return LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)


def _search(agnostic: bool = False) -> SelectedLearner:
    classes = (Points(6), Thresholds(6), Intervals(6))
    candidates = [GenericLearner(c, epsilon=1, agnostic=agnostic) for c in classes]
    return SelectedLearner.planned(candidates, epsilon=1, accuracy=GOAL)


def test_a_search_costs_what_one_candidate_costs() -> None:
    search = _search()
    assert price(search.cost).privacy.epsilon == 1
    mixed = SelectedLearner(
        [
            GenericLearner(Points(4), epsilon="1/2"),
            StablePointLearner(Points(4), epsilon=2, delta="1e-6"),
        ],
        sizes=(5, 5),
        epsilon=1,
    )
    assert price(mixed.cost, "1e-6").privacy.epsilon == 2


def test_the_transcript_is_the_description() -> None:
    candidates = [GenericLearner(Points(1), epsilon=1), GenericLearner(Thresholds(1), epsilon=2)]
    search = SelectedLearner(candidates, sizes=(1, 2), epsilon=3)
    first, second, rest = (
        _sample([(0, 1)]),
        _sample([(1, 1), (0, 0)]),
        _sample([(0, 0), (1, 1), (1, 1)]),
    )
    found = search.transcript([first, second, rest])
    for a, p in candidates[0].law(first).probabilities.items():
        for b, q in candidates[1].law(second).probabilities.items():
            scores = [3 - rest.mistakes(a), 3 - rest.mistakes(b)]
            choice = Exponential(3).law(ScoreProfile.of(scores))
            for place, r in choice.probabilities.items():
                assert found[(a, b), Member(place, (a, b)[place])] == p * q * r


def test_the_sampler_has_the_law() -> None:
    """Each share is within 6.5 deviations of the law: false alarm below 1e-8."""
    candidates = [GenericLearner(c, epsilon=2) for c in (Points(1), Thresholds(1))]
    search = SelectedLearner(candidates, sizes=(1, 2), epsilon=2)
    sample = _sample([(0, 0), (1, 1), (1, 1), (0, 1), (1, 0)])
    rng, runs = Seeded(1), 800
    drawn, law = Counter(search(sample, rng=rng) for _ in range(runs)), search.law(sample)
    assert drawn.keys() <= law.probabilities.keys()
    for chosen, p in law.probabilities.items():
        assert abs(drawn[chosen] / runs - p) <= 6.5 * (float(p * (1 - p)) / runs) ** 0.5


@given(st.lists(st.tuples(st.integers(-3, 70), st.integers(0, 1)), max_size=12), st.integers(0, 3))
def test_any_sample_gives_a_hypothesis(rows: list[tuple[int, int]], nulls: int) -> None:
    counted = _sample(rows)
    sample = LabelCounts(counted.n + nulls, 1, counted.points, counted.totals, counted.positives)
    search = SelectedLearner(
        [
            GenericLearner(Thresholds(6), epsilon=1),
            StablePointLearner(Points(6), epsilon=1, delta="1/10"),
        ],
        sizes=(3, 4),
        epsilon=1,
    )
    found = search(sample, rng=Seeded(len(rows)))
    outputs = parse_output(str(search.hypotheses))
    assert outputs == search.hypotheses
    assert outputs.decode(outputs.encode(found)) == found


def _population(points: list[int], weights: list[F | int], yes: list[int]) -> Population:
    return Population(np.array(points), masses(*weights), tuple(map(F, yes)))


JUST = F(2001, 10000)
POPULATIONS = {
    "a point": _population([5, 20, 40], [JUST, F(1, 2), 1 - JUST - F(1, 2)], [1, 0, 0]),
    "a threshold": _population(
        [1, 30, 31, 60], [F(1, 2) - JUST, JUST, JUST, F(1, 2) - JUST], [0, 0, 1, 1]
    ),
    "an interval": _population([1, 20, 25, 60], [1, 1, 1, 1], [0, 1, 1, 0]),
    "an interval among many": _population(
        [*range(0, 64, 4)], [1] * 16, [int(4 <= i < 9) for i in range(16)]
    ),
    "all of them": _population([63], [1], [1]),
}


def test_the_promise() -> None:
    """Whichever class explains the labels, the search finds a good hypothesis."""
    search = _search()
    n = kept(search, POPULATIONS, GOAL, runs=80)
    worst = max(
        needed(search, POPULATIONS[name], GOAL, most=n, runs=40) for name in list(POPULATIONS)[:3]
    )
    assert n / worst < 4


def test_the_agnostic_promise() -> None:
    search, flipped = _search(agnostic=True), F(1, 5)
    assert search.agnostic
    n = search.sample_size(GOAL)
    for population in POPULATIONS.values():
        noisy = tuple(flipped + (1 - 2 * flipped) * p for p in population.positive)
        shaken = Population(population.points, population.masses, noisy)
        failed = failures(search, shaken, n=n, limit=flipped + GOAL.alpha, runs=30, rng=Seeded(2))
        assert failed < alarm(30, GOAL.beta)


def test_the_right_class_is_found() -> None:
    search, rng = _search(), Seeded(5)
    population = POPULATIONS["an interval"]
    places = Counter(search(population.draw(3000, rng=rng), rng=rng).place for _ in range(20))
    assert places[2] > 15


def test_sizes_and_accuracy_agree() -> None:
    search = _search()
    n = search.sample_size(GOAL)
    promised = search.accuracy(n, GOAL.beta)
    assert promised is not None
    assert promised.alpha <= GOAL.alpha
    assert search.sample_size(promised) <= n
    assert search.accuracy(sum(search.sizes), GOAL.beta) is None
    worse = search.accuracy(n - 50, GOAL.beta)
    assert worse is None or worse.alpha > promised.alpha


def test_bad_arguments() -> None:
    one = GenericLearner(Points(4), epsilon=1)
    with pytest.raises(InvalidArgument, match="one size for each"):
        SelectedLearner([one], sizes=(1, 2), epsilon=1)
    with pytest.raises(InvalidArgument, match="at least one candidate"):
        SelectedLearner([], sizes=(), epsilon=1)
    with pytest.raises(InvalidArgument, match="too small"):
        SelectedLearner([one], sizes=(3,), epsilon=1).sample_size(GOAL)
    with pytest.raises(InvalidArgument, match="same number of columns"):
        OneOf((Points(4), parse_output("boxes(bits=2, dims=2)")))
    with pytest.raises(InvalidArgument, match="cannot hold"):
        OneOf((OneOf((Points(4), Thresholds(4))), Points(4)))
    outputs = OneOf((Points(4), Thresholds(4)))
    for broken in ({"place": 2, "hypothesis": {"at": 1}}, {"place": True, "hypothesis": {}}, {}):
        with pytest.raises(InvalidArgument, match="no hypothesis"):
            outputs.decode(broken)
    assert Member(0, Point(3)).sql(["a"]) == '("a" = 3)'
    assert Member(1, Threshold(3))(np.array([2, 3])).tolist() == [False, True]
