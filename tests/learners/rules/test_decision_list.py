"""Greedy decision lists: the law by brute force, totality, text forms, and what they find."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts import Boxes, Conjunctions, Thresholds
from tacit.concepts.contract.specification import parse_output
from tacit.concepts.rules.conjunctions import Conjunction
from tacit.concepts.rules.decision_lists import DecisionList, DecisionLists
from tacit.concepts.rules.literals import cuts
from tacit.concepts.rules.rules import Column, Rules
from tacit.core.accuracy import Accuracy
from tacit.core.chance.law import collect
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.cost import BoundedRange, Repeat
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.learners import DecisionListLearner, named
from tacit.statistics import LabelCounts

F = Fraction
OLD, FIT = Conjunction(((0, 1),)), Conjunction(((1, 1),))


def _brute(rows: list[tuple[int, int]], *, length: int, caution: int, epsilon: Fraction) -> Any:
    """Return the law over lists of thresholds on {0, 1}, straight from the definition."""
    concepts = list(Thresholds(1, "both").concepts())
    values = {h: h(np.array([0, 1])) for h in concepts}
    wide, narrow = Decay.of(epsilon / (2 * (1 + caution))), Decay.of(epsilon / 2)

    def grow(rules: tuple[Any, ...], left: list[tuple[int, int]]) -> list[tuple[Any, Fraction]]:
        ends = [sum(y == b for _, y in left) for b in (0, 1)]
        weights = [narrow.power(max(ends) - e) for e in ends]
        said = [(_cut(rules, b), w / sum(weights)) for b, w in enumerate(weights)]
        if len(rules) == length:
            return said
        steps: dict[Any, tuple[int, int]] = {None: (0, 10 * len(concepts))}
        for h, b in product(concepts, (0, 1)):
            inside = [y for x, y in left if values[h][x]]
            steps[h, b] = (inside.count(b) - caution * inside.count(1 - b), 1)
        top = max(score for score, _ in steps.values())
        mass = {step: m * wide.power(top - score) for step, (score, m) in steps.items()}
        found = []
        for step, weight in mass.items():
            rest = [(x, y) for x, y in left if step is None or not values[step[0]][x]]
            more = said if step is None else grow((*rules, step), rest)
            found += [(o, p * weight / sum(mass.values())) for o, p in more]
        return found

    return collect(grow((), rows))


def _cut(rules: tuple[Any, ...], otherwise: int) -> DecisionList:
    while rules and rules[-1][1] == otherwise:
        rules = rules[:-1]
    return DecisionList(rules, otherwise)


@pytest.mark.parametrize(("length", "caution"), [(1, 1), (2, 2), (2, 3)])
def test_the_law_is_the_definition(length: int, caution: int) -> None:
    rows = [(0, 1), (0, 0), (0, 1), (1, 0), (1, 0)]
    learner = DecisionListLearner(Thresholds(1, "both"), epsilon=1, length=length, caution=caution)
    law = learner.law(LabelCounts.of([(x, (y,)) for x, y in rows], labels=1))
    brute = _brute(rows, length=length, caution=caution, epsilon=F(1))
    assert law.probabilities == brute.probabilities
    assert sum(law.probabilities.values()) == 1


def test_the_sampler_follows_the_law() -> None:
    """Chi-square with 11 degrees of freedom or fewer: beyond 80 with probability below 1e-11."""
    sample = LabelCounts.of([((0,), (1,)), ((0,), (1,)), ((1,), (0,))], labels=1)
    learner = DecisionListLearner(Conjunctions(1, 1), epsilon=2, length=1)
    law, rng, runs = learner.law(sample), Seeded(7), 3000
    seen: dict[DecisionList, int] = {}
    for _ in range(runs):
        drawn = learner(sample, rng=rng)
        seen[drawn] = seen.get(drawn, 0) + 1
    assert seen.keys() <= law.probabilities.keys()
    expected = {h: float(p) * runs for h, p in law.probabilities.items()}
    assert sum((seen.get(h, 0) - e) ** 2 / e for h, e in expected.items()) < 80


def test_a_list_over_many_rows_is_found() -> None:
    floats = np.random.default_rng(1)
    points = floats.integers(0, 100, (100_000, 3))
    truth = np.where(points[:, 0] >= 80, 1, (points[:, 1] < 20) & (points[:, 2] >= 40))
    flipped = truth ^ (floats.random(len(truth)) < 0.05)
    ones = np.ones(len(points), dtype=np.int64)
    sample = LabelCounts(len(points), 1, points, ones, flipped[:, None].astype(np.int64))
    literals = [literal for column in range(3) for literal in cuts(column, [20, 40, 60, 80])]
    rules = Rules([Column(name, 0, 99) for name in "abc"], literals, 2)
    learner = DecisionListLearner.within(rules, Privacy("0.1", "1e-6"))
    found = learner(sample, rng=Seeded(1))
    assert np.mean(found(points) != truth) < 0.01
    assert "is at least 80" in found.rule(rules.names)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-3, 9), st.integers(-3, 9), st.booleans()), max_size=12),
    st.integers(0, 3),
    st.integers(0, 2**32),
)
def test_every_sample_gives_a_list(
    rows: list[tuple[int, int, bool]], nulls: int, seed: int
) -> None:
    held = LabelCounts.of([((a, b), (y,)) for a, b, y in rows], labels=1)
    sample = LabelCounts(held.n + nulls, 1, held.points, held.totals, held.positives)
    concepts = Boxes(2, 2)
    learner = DecisionListLearner(concepts, epsilon="1/3", length=3)
    found = learner(sample, rng=Seeded(seed))
    assert len(found.rules) <= 3
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found
    assert found(concepts.domain()).shape == (16,)


def test_huge_classes_are_no_obstacle() -> None:
    sample = LabelCounts.of([(x, (x >= 700,)) for x in range(1000)], labels=1)
    found = DecisionListLearner(Thresholds(1024), epsilon=3)(sample, rng=Seeded(0))
    assert sample.mistakes(found) < 500


def test_the_cost_and_the_split_of_a_budget() -> None:
    learner = DecisionListLearner(Conjunctions(2, 1), epsilon="1/5", length=4)
    assert learner.cost == Repeat(BoundedRange(F(1, 5)), 5)
    assert price(learner.cost).privacy == Privacy(1)
    split = DecisionListLearner.within(Conjunctions(2, 1), Privacy(1, "1e-6"), length=4)
    assert price(split.cost, "1e-6").privacy.epsilon <= 1
    assert split.epsilon > F(1, 5)


def test_sql_and_points_agree() -> None:
    listed = DecisionList(((OLD, 1), (FIT, 0)), 1)
    points = Conjunctions(2, 1).domain()
    table = ", ".join(f"({a}, {b})" for a, b in points.tolist())
    sql = f"SELECT {listed.sql(['a', 'b'])} FROM (VALUES {table}) t(a, b)"
    assert [row[0] for row in duckdb.sql(sql).fetchall()] == listed(points).tolist()
    assert DecisionList((), 1).sql([]) == "(1 = 1)"
    assert [DecisionList((), b).rule([]) for b in (0, 1)] == ["never", "always"]


def test_text_forms_come_back() -> None:
    lists = DecisionLists(Conjunctions(2, 1))
    assert parse_output(str(lists)) == lists
    assert lists.clip(np.array([[5, -1]])).tolist() == [[1, 0]]
    assert lists.features == 2
    listed = DecisionList(((OLD, 1), (FIT, 0)), 1)
    assert lists.decode(lists.encode(listed)) == listed
    one: dict[str, Any] = {"if": {"literals": []}}
    wrong: list[dict[str, Any]] = [
        {"rules": []},
        {"rules": [], "otherwise": 2},
        {"rules": [one], "otherwise": 1},
    ]
    for bad in wrong:
        with pytest.raises(InvalidArgument, match="is no"):
            lists.decode(bad)


def test_bad_requests() -> None:
    for wrong in ({"epsilon": 0}, {"epsilon": 1, "length": 0}, {"epsilon": 1, "caution": 0}):
        with pytest.raises(InvalidArgument):
            DecisionListLearner(Conjunctions(2, 1), **wrong)  # type: ignore[arg-type]
    learner = DecisionListLearner(Conjunctions(2, 1), epsilon=1)
    with pytest.raises(InvalidArgument, match="leave alpha out"):
        learner.sample_size(Accuracy("0.1", "0.1"))
    assert learner.accuracy(10**9, "0.05") is None
    assert not learner.proper
    assert named("decision-list").theorem == learner.theorem
