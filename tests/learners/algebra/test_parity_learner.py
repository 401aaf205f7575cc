"""The parity learner: golden sizes, exact law, sampler, promises in simulation, totality."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.concepts.algebra.parities import Parities, Parity
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import growth
from tacit.core.privacy import Privacy
from tacit.learners import ParityLearner, named
from tacit.learners.algebra.parity_odds import ParityOdds
from tacit.learners.contract.entry import Request
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm, failures

F = Fraction
GOLDEN = [
    (10, "1", "0.1", "0.05", 325, 516, 2),
    (64, "1", "0.1", "0.05", 1527, 2098, 2),
    (64, "0.1", "0.1", "0.05", 14309, 28998, 3),
    (20, "0.5", "0.05", "0.01", 2714, 6264, 4),
]
Equations = list[tuple[int, bool, int]]


@pytest.mark.parametrize(("dims", "epsilon", "alpha", "beta", "many", "one", "blocks"), GOLDEN)
def test_golden_sizes(
    dims: int, epsilon: str, alpha: str, beta: str, many: int, one: int, blocks: int
) -> None:
    concepts, goal = Parities(dims), Accuracy(alpha, beta)
    best = ParityLearner(concepts, epsilon=epsilon)
    assert best.failure(many, alpha) <= goal.beta < best.failure(many - 1, alpha)
    assert best.sample_size(goal) == many
    base = ParityLearner(concepts, epsilon=epsilon, attempts=1, blocks=blocks)
    assert base.failure(one, alpha) <= goal.beta
    assert base.sample_size(goal) == one
    assert ParityLearner.planned(concepts, epsilon=epsilon, accuracy=goal).sample_size(goal) <= many


@pytest.mark.parametrize("attempts", [1, 2, 7, 24])
@pytest.mark.parametrize("epsilon", ["1/100", "1", "6"])
def test_the_odds_are_the_largest_and_least_that_privacy_allows(
    epsilon: str, attempts: int
) -> None:
    odds, factor = ParityOdds.of(F(epsilon), attempts), growth(F(epsilon))
    p, b, t = odds.keep, odds.bottom, attempts
    for keep, allowed in ((p, True), (p + F(1, 2**64), False)):
        ratio = (1 + keep) / (1 - keep) * sum(keep**j for j in range(t))
        assert (ratio <= factor) == allowed
    for i in range(401):
        y = F(i, 400)
        silent, other = b + (1 - b) * (p + (1 - p) * y) ** t, b + (1 - b) * y**t
        assert silent <= factor * other
    if t == 1:
        assert b == pytest.approx(1 / (2 + float(factor)))


def _patterns(odds: ParityOdds, rows: list[tuple[int, int]], dims: int) -> dict[int | None, F]:
    """Compute the law by listing every subset of the rows in every attempt."""
    explained: dict[frozenset[int], F] = {}
    for kept in product((False, True), repeat=len(rows)):
        chance = F(1)
        for keep in kept:
            chance *= odds.keep if keep else 1 - odds.keep
        solutions = frozenset(
            c
            for c in range(1 << dims)
            if all((c & x).bit_count() % 2 == y for (x, y), k in zip(rows, kept, strict=True) if k)
        )
        explained[solutions] = explained.get(solutions, F(0)) + chance
    law: dict[int | None, F] = dict.fromkeys(range(1 << dims), F(0))
    going = 1 - odds.bottom
    for _ in range(odds.attempts):
        for solutions, chance in explained.items():
            for c in solutions:
                law[c] += going * chance / len(solutions)
        going *= explained.get(frozenset(), F(0))
    law[None] = odds.bottom + going
    return law


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), max_size=5),
    st.sampled_from([1, 2, 5]),
)
@settings(max_examples=40)
def test_the_law_is_the_one_over_all_subsets(rows: list[tuple[int, int]], attempts: int) -> None:
    odds = ParityOdds(F(2, 5), F(1, 7), attempts)
    counted = Counter(rows)
    equations = [(x, bool(y), count) for (x, y), count in counted.items()]
    assert odds.outcomes(equations, 2).probabilities == _patterns(odds, rows, 2)


ROWS = [((0, 1), (1,)), ((0, 1), (1,)), ((1, 1), (0,)), ((1, 0), (0,)), ((0, 0), (0,))]


@pytest.mark.parametrize(("attempts", "blocks"), [(1, 1), (3, 1), (1, 2), (2, 2)])
def test_the_sampler_follows_the_law(attempts: int, blocks: int) -> None:
    learner = ParityLearner(Parities(2), epsilon=2, attempts=attempts, blocks=blocks)
    sample = LabelCounts.of(ROWS, labels=1)
    law, rng, runs = learner.law(sample), Seeded(attempts * 10 + blocks), 3000
    seen = Counter(learner(sample, rng=rng) for _ in range(runs))
    expected = {parity: float(p) * runs for parity, p in law.probabilities.items()}
    assert set(seen) <= set(expected)
    statistic = sum((seen[h] - e) ** 2 / e for h, e in expected.items())
    assert statistic < chi2.isf(1e-9, len(expected) - 1)


def test_null_rows_say_nothing() -> None:
    held = LabelCounts.of(ROWS, labels=1)
    more = LabelCounts(9, 1, held.points, held.totals, held.positives)
    learner = ParityLearner(Parities(2), epsilon=1)
    assert learner.law(more) == learner.law(held)
    halves = ParityLearner(Parities(2), epsilon=1, blocks=2)
    assert halves.law(more) != halves.law(held)


@given(
    st.lists(st.tuples(st.tuples(*[st.integers(-3, 5)] * 3), st.tuples(st.integers(0, 1)))),
    st.integers(1, 4),
    st.integers(0, 2**32),
)
@settings(max_examples=60)
def test_any_sample_gives_a_parity(
    rows: list[tuple[tuple[int, int, int], tuple[int]]], blocks: int, seed: int
) -> None:
    learner = ParityLearner(Parities(3), epsilon=1, attempts=3, blocks=blocks)
    assert learner(LabelCounts.of(rows, labels=1), rng=Seeded(seed)).mask < 8


def _spread(dims: int, target: Parity, masses: dict[int, F]) -> Population:
    """Return a population on some points, given as integers; what is left is on the origin."""
    masses = {0: 1 - sum(masses.values()) + masses.get(0, F(0))} | {
        x: m for x, m in masses.items() if x
    }
    points = np.array([[x >> i & 1 for i in range(dims)] for x in masses])
    said = target(points).tolist()
    return Population(points, tuple(masses.values()), tuple(F(int(yes)) for yes in said))


@cache
def _populations(dims: int, alpha: Fraction) -> dict[str, Population]:
    target, over = Parity((1 << dims) - 2), alpha * F(1001, 1000)
    units = [1 << i for i in range(dims)]
    few = units[: min(dims, int(1 / over))]
    return {
        "unit vectors": _spread(dims, target, dict.fromkeys(few, over)),
        "one unit vector rare": _spread(
            dims, target, {2: over} | dict.fromkeys([1, *units[2:]], (1 - over) / (dims - 1))
        ),
        "every wrong parity just bad": _spread(
            dims, target, dict.fromkeys(range(1 << dims), 2 * over / (1 << dims))
        ),
        "uniform": _spread(dims, target, dict.fromkeys(range(1 << dims), F(1, 1 << dims))),
        "a subspace": _spread(
            dims, target, dict.fromkeys(range(0, 1 << dims, 4), 2 * over / (1 << (dims - 2)))
        ),
    }


@pytest.mark.parametrize(("attempts", "blocks"), [(24, 1), (1, 2)])
@pytest.mark.parametrize("dims", [4, 7])
def test_the_promise_is_kept_and_not_wasteful(dims: int, attempts: int, blocks: int) -> None:
    goal, runs = Accuracy("0.1", "0.05"), 300
    learner = ParityLearner(Parities(dims), epsilon=1, attempts=attempts, blocks=blocks)
    n, rng = learner.sample_size(goal), Seeded(dims)
    few = {}
    for name, population in _populations(dims, goal.alpha).items():
        rest = {"limit": goal.alpha, "runs": runs, "rng": rng}
        assert failures(learner, population, n=n, **rest) < alarm(runs, goal.beta), name
        few[name] = failures(learner, population, n=n // 2, **rest)
    assert max(few, key=lambda name: few[name]) == "every wrong parity just bad"
    assert max(few.values()) >= alarm(runs, goal.beta), "half the rows are not enough"


@given(st.integers(1, 5000), st.sampled_from(["1/10", "1", "5"]), st.integers(1, 3))
@settings(max_examples=40)
def test_accuracy_inverts_sample_size(n: int, epsilon: str, blocks: int) -> None:
    learner = ParityLearner(Parities(16), epsilon=epsilon, blocks=blocks)
    promised = learner.accuracy(n, "0.05")
    if promised is None:
        assert learner.sample_size(Accuracy("0.999", "0.05")) > n
    else:
        assert learner.failure(n, promised.alpha) <= F(1, 20)
        assert learner.sample_size(promised) <= n
        better = Accuracy(promised.alpha * F(999, 1000), promised.beta)
        assert learner.sample_size(better) > n - blocks


def test_the_catalogue_offers_it() -> None:
    request = Request(Parities(20), Privacy(1), 1000, None, F(1, 20), agnostic=False)
    learner = named("parity")(request).learner
    goal = Accuracy("0.1", "0.05")
    assert learner.sample_size(goal) <= ParityLearner(Parities(20), epsilon=1).sample_size(goal)
    assert learner.hypotheses == Parities(20)
    assert learner.proper
    assert not learner.agnostic
    assert learner.largest_sample is None
    assert learner.theorem == "KLNRS11"
    hard = Request(Parities(20), Privacy("0.01"), 1000, F(1, 10), F(1, 10**30), agnostic=False)
    assert named("parity")(hard).learner.silent < F(1, 10**12)


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="attempts"):
        ParityLearner(Parities(4), epsilon=1, attempts=0)
    with pytest.raises(InvalidArgument, match="2\\^-60"):
        ParityLearner(Parities(4), epsilon=F(1, 2**70))
    with pytest.raises(InvalidArgument, match="planned"):
        ParityLearner(Parities(4), epsilon=1, attempts=1).sample_size(Accuracy("0.1", "0.05"))
    with pytest.raises(InvalidArgument, match="beta"):
        ParityLearner.planned(Parities(4), epsilon="0.01", accuracy=Accuracy("0.1", "1e-30"))
    with pytest.raises(TooLarge, match="law"):
        ParityLearner(Parities(64), epsilon=1).law(LabelCounts.of([], labels=1))
    with pytest.raises(TooLarge, match="deal rows"):
        ParityLearner(Parities(2), epsilon=1, blocks=2).law(LabelCounts.of(ROWS * 3, labels=1))
    assert ParityLearner(Parities(4), epsilon=1).accuracy(0, "0.5") is None
    assert ParityLearner(Parities(4), epsilon=1).accuracy(9, "0.01") is None
