"""Learning by statistical queries: any valid answers, exact laws, samplers, sizes, promises."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from tacit.concepts.contract.specification import parse, parse_output
from tacit.concepts.line.points import Point, Points
from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.concepts.rules.conjunctions import Conjunction
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.learners import (
    LocalLearner,
    PrivateQueries,
    StatisticalQueryLearner,
    named,
)
from tacit.learners.contract.entry import Request
from tacit.learners.queries.query_oracle import some
from tacit.learners.queries.statistical_queries import (
    queries_for,
)
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm, failures

F = Fraction
MAKERS = [StatisticalQueryLearner, LocalLearner]


SPECS = [
    "thresholds(bits=4)",
    "thresholds(bits=3, direction=down)",
    "thresholds(bits=2, direction=both)",
    "points(bits=3)",
    "thresholds(values=5)",
    "points(values=6)",
    "conjunctions(dims=3, width=1)",
]
FALSE_ALARM = 1e-9


def test_golden_sizes() -> None:
    goal = Accuracy("0.1", "0.05")
    sizes = {
        "thresholds(bits=10)": (1360, 25660),
        "points(bits=8)": (1671, 46256),
        "conjunctions(dims=5, width=3)": (4835, 617380),
    }
    for spec, (central, local) in sizes.items():
        assert StatisticalQueryLearner(parse(spec), epsilon=1).sample_size(goal) == central
        assert LocalLearner(parse(spec), epsilon=1).sample_size(goal) == local


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("spec", SPECS)
def test_accuracy_inverts_sample_size(make: Any, spec: str) -> None:
    learner, goal = make(parse(spec), epsilon=2, beta="0.1"), Accuracy("0.2", "0.1")
    n = learner.sample_size(goal)
    promised = learner.accuracy(n, "0.1")
    assert promised is not None
    assert promised.alpha <= goal.alpha
    assert learner.sample_size(promised) <= n
    assert learner.accuracy(3 * n, "0.1").alpha < promised.alpha
    assert learner.accuracy(n, "0.5").beta == F(1, 2)
    assert learner.accuracy(n, "0.01") is None
    assert learner.accuracy(0, "0.1") is None
    with pytest.raises(InvalidArgument, match="made for"):
        learner.sample_size(Accuracy("0.2", "0.01"))


def _reference(learner: Any, rows: list[tuple[Any, int]]) -> dict[Any, Fraction]:
    """Return the law of thresholds over one bit by the formulas: one query, one count."""
    count = sum(1 for x, y in rows if x < 1 and y)
    q, cut = Decay.of(learner.epsilon).ratio, learner._test.cut(len(rows))
    if isinstance(learner, LocalLearner):
        flip = q / (1 + q)
        chances = {0: F(1)}
        for j in range(len(rows)):
            yes = 1 - flip if j < count else flip
            chances = {
                k: chances.get(k, F(0)) * (1 - yes) + chances.get(k - 1, F(0)) * yes
                for k in range(len(rows) + 1)
            }
        above = [sum(p for k, p in chances.items() if k >= cut.count + i) for i in (1, 2)]
    else:
        far = {z: (1 - q) / (1 + q) * q ** abs(z - count) for z in range(-300, 300)}
        above = [sum(p for k, p in far.items() if k >= cut.count + i) for i in (1, 2)]
    some = (1 - cut.share) * above[0] + cut.share * above[1]
    return {Threshold(0): some, Threshold(1): 1 - some}


@pytest.mark.parametrize("make", MAKERS)
def test_the_law_is_the_formula(make: Any) -> None:
    learner = make(Thresholds(1), epsilon=1, beta="1/5")
    for rows in ([(0, 1), (0, 1), (1, 1), (0, 0)], [(1, 0), (0, 1)], [(0, 1)] * 5):
        law = learner.law(LabelCounts.of([(x, (y,)) for x, y in rows], labels=1))
        for hypothesis, p in _reference(learner, rows).items():
            assert abs(law[hypothesis] - p) < F(1, 10**60)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("spec", "rows"),
    [
        ("thresholds(bits=2)", [(0, 1), (1, 0), (2, 1), (3, 1), (1, 1), (0, 1)]),
        ("thresholds(bits=1, direction=both)", [(0, 1), (1, 0), (1, 1), (0, 1), (0, 0)]),
        ("points(bits=1)", [(1, 1), (0, 0), (1, 1), (0, 1)]),
        ("conjunctions(dims=2, width=1)", [((0, 1), 1), ((1, 1), 1), ((1, 0), 0), ((0, 0), 1)]),
    ],
)
def test_samples_follow_the_law(make: Any, spec: str, rows: list[tuple[Any, int]]) -> None:
    learner, rng, runs = make(parse(spec), epsilon=1, beta="1/2"), Seeded(3), 1000
    sample = LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)
    law = learner.law(sample)
    seen: dict[Any, int] = dict.fromkeys(law.probabilities, 0)
    for _ in range(runs):
        seen[learner(sample, rng=rng)] += 1
    often = [h for h, p in law.probabilities.items() if p * runs > 5]
    rare = runs - sum(seen[h] for h in often), runs * float(1 - sum(law[h] for h in often))
    counts, expected = [seen[h] for h in often], [runs * float(law[h]) for h in often]
    if rare[1] > 5:
        counts, expected = [*counts, rare[0]], [*expected, rare[1]]
    else:
        assert rare[0] < 60
        expected = [e * sum(counts) / sum(expected) for e in expected]
    assert len(often) > 1
    assert chisquare(counts, expected).pvalue > FALSE_ALARM


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_any_sample_gives_a_hypothesis(make: Any, spec: str, data: st.DataObject) -> None:
    concepts = parse(spec)
    learner = make(concepts, epsilon=data.draw(st.sampled_from(["1/100", "1", "40"])))
    values = st.integers(-2, 20)
    point = values if concepts.features == 1 else st.tuples(*[values] * concepts.features)
    rows = data.draw(st.lists(st.tuples(point, st.tuples(st.integers(0, 1))), max_size=40))
    sample = LabelCounts.of(rows, labels=1)
    nulls = data.draw(st.integers(0, 3))
    shape = (0,) if concepts.features == 1 else (0, concepts.features)
    points = sample.points if rows else np.empty(shape, dtype=np.int64)
    sample = LabelCounts(sample.n + nulls, 1, points, sample.totals, sample.positives)
    hypothesis = learner(sample, rng=Seeded(data.draw(st.integers(0, 99))))
    outputs = parse_output(str(learner.hypotheses))
    assert outputs.decode(outputs.encode(hypothesis)) == hypothesis


def test_wide_numbers() -> None:
    z, rows = (1 << 199) + 12345, 40_000
    sample = LabelCounts.of([(z, (1,)), (z + 7, (0,))] * (rows // 2), labels=1)
    points = StatisticalQueryLearner(Points(200), epsilon=5)(sample, rng=Seeded(1))
    assert points == Point(z)
    thresholds = StatisticalQueryLearner(Thresholds(200, "down"), epsilon=20)
    assert z < thresholds(sample, rng=Seeded(1)).at <= z + 7


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("make", [*MAKERS, PrivateQueries])
def test_the_label_that_is_asked_for_is_learned(make: Any, label: int) -> None:
    rows = [(x, (x >= 6, x >= 3)) for x in range(8)] * 4000
    sample = LabelCounts.of(rows, labels=2)
    for spec, right in (("thresholds(bits=3)", Threshold([6, 3][label])), ("points(bits=3)", None)):
        concepts = parse(spec)
        if make is PrivateQueries:
            learner = make(queries_for(concepts), tolerance="1/20", epsilon=50)
        else:
            learner = make(concepts, epsilon=50)
        learned = learner(sample, label=label, rng=Seeded(2))
        assert right is None or learned == right


def _hard(spec: str, alpha: Fraction) -> dict[str, Population]:
    """Return populations whose bad events have probability just above what may be missed."""
    over, concepts = alpha * F(1001, 1000), parse(spec)
    family, domain = spec.partition("(")[0], concepts.domain()

    def of(target: Any, masses: dict[Any, Fraction]) -> Population:
        points = np.array(list(masses))
        truth = tuple(F(int(yes)) for yes in target(points))
        return Population(points, tuple(masses.values()), truth)

    rest, size = 1 - over, len(domain)
    if family == "thresholds":
        top, up = size - 1, Thresholds(1, concepts.direction).ways[0]

        def at(z: int) -> Threshold:
            return Threshold(z, up)

        return {
            "all on one side": of(at(0), {0: over, top: rest}),
            "nothing below": of(at(top), dict.fromkeys(range(size), F(1, size))),
            "a step": of(at(size // 2), {size // 2: over, 0: rest / 2, top: rest / 2}),
            "a step in parts": of(
                at(size // 2), {size // 2: over / 2, size // 2 + 1: over / 2, 0: rest}
            ),
            "uniform": of(at(size // 3), dict.fromkeys(range(size), F(1, size))),
        }
    if family == "points":
        return {
            "all digits 1": of(Point(size - 1), {size - 1: over, 0: rest}),
            "all digits 0": of(Point(0), {0: over, size - 1: rest}),
            "a half": of(Point(size - 1), {size - 1: F(1, 2), size - 2: F(1, 2)}),
            "rare": of(Point(1), {1: over / 10, 0: 1 - over / 10}),
            "uniform": of(Point(2), dict.fromkeys(range(size), F(1, size))),
        }
    d = concepts.dims
    whole, none = tuple([1] * d), tuple([0] * d)
    flips = [tuple(int(i != j) for i in range(d)) for j in range(d)]
    spread = dict.fromkeys(flips, over / d)
    return {
        "each literal a little": of(Conjunction(()), {**spread, whole: rest}),
        "one literal": of(Conjunction(()), {flips[0]: over, whole: rest}),
        "all literals at once": of(Conjunction(()), {none: over, whole: rest}),
        "no literal may go": of(
            Conjunction(tuple((j, 1) for j in range(d))),
            {whole: over, **dict.fromkeys(flips, rest / d)},
        ),
        "each literal is needed": of(
            Conjunction(tuple((j, 1) for j in range(d))),
            {whole: 1 - d * over, **dict.fromkeys(flips, over)},
        ),
        "half a target": of(Conjunction(((0, 0),)), {none: over, whole: rest}),
    }


RATIOS = {
    (StatisticalQueryLearner, "thresholds(bits=5)"): "all on one side",
    (StatisticalQueryLearner, "thresholds(bits=3, direction=both)"): "a step",
    (StatisticalQueryLearner, "points(bits=4)"): "all digits 1",
    (StatisticalQueryLearner, "conjunctions(dims=3, width=3)"): "each literal a little",
    (LocalLearner, "thresholds(bits=5)"): "all on one side",
    (LocalLearner, "points(bits=4)"): "all digits 1",
    (LocalLearner, "conjunctions(dims=2, width=1)"): "each literal a little",
}
"""The hardest of the populations."""


@pytest.mark.parametrize(("make", "spec"), RATIOS)
def test_the_promise_is_kept_and_not_wasteful(make: Any, spec: str) -> None:
    goal, runs, rng = Accuracy("0.25", "0.1"), 200, Seeded(7)
    learner = make(parse(spec), epsilon=2 if make is LocalLearner else 1, beta=goal.beta)
    n, hard = learner.sample_size(goal), _hard(spec, goal.alpha)
    assert len(hard) >= 5
    for name, population in hard.items():
        failed = failures(learner, population, n=n, limit=goal.alpha, runs=runs, rng=rng)
        assert failed < alarm(runs, goal.beta), name
    worst = hard[RATIOS[make, spec]]
    few = failures(learner, worst, n=n // 4, limit=goal.alpha, runs=3 * runs, rng=rng)
    assert few >= alarm(3 * runs, goal.beta), "a quarter of the rows would do"


def test_the_coin_at_the_cut_is_exact() -> None:
    class Coin:
        def __init__(self, value: int) -> None:
            self.value = value

        def bits(self, count: int, /) -> int:
            assert count == 192
            return self.value

    from_cut = StatisticalQueryLearner(Thresholds(1), epsilon=1, beta="1/5")._test.cut(0)
    edge = int(from_cut.share * 2**192)
    at = from_cut.count + 1
    assert 0 < edge < 2**192
    assert some(at, from_cut, rng=Coin(edge - 1)) == 0
    assert some(at, from_cut, rng=Coin(edge)) == 1
    assert some(at + 1, from_cut, rng=Coin(edge - 1)) == 1
    assert some(at - 1, from_cut, rng=Coin(edge)) == 0


def test_offered_by_name() -> None:
    for name, made in (("statistical-query", StatisticalQueryLearner), ("local", LocalLearner)):
        request = Request(Thresholds(5), Privacy(1), 100, None, F(1, 10), agnostic=False)
        learner = named(name)(request).learner
        assert isinstance(learner, made)
        assert (learner.epsilon, learner.beta, learner.proper) == (1, F(1, 10), True)
        assert not made(Points(3), epsilon=1).proper
        assert not learner.agnostic
        with pytest.raises(InvalidArgument, match="for conjunctions, points, thresholds"):
            named(name)(
                Request(parse("parities(dims=3)"), Privacy(1), 9, None, F(1, 10), agnostic=False)
            )


def test_bad_requests() -> None:
    for make in MAKERS:
        with pytest.raises(InvalidArgument, match="epsilon"):
            make(Points(3), epsilon=0)
        with pytest.raises(InvalidArgument, match="beta"):
            make(Points(3), epsilon=1, beta=1)
        with pytest.raises(InvalidArgument, match="2\\^-150"):
            make(Points(3), epsilon=1, beta="1e-60")
        with pytest.raises(InvalidArgument, match="no algorithm"):
            make(parse("parities(dims=3)"), epsilon=1)
    with pytest.raises(TooLarge, match="12 rows"):
        LocalLearner(Points(3), epsilon=1).law(LabelCounts.of([(1, (1,))] * 13, labels=1))
