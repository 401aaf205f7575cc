"""Learners turned into representations and back; exact 3-satisfiability."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest

from tacit.concepts.contract.hypothesis_set import Listed
from tacit.concepts.contract.specification import parse
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.law import Law
from tacit.core.chance.law import product as joint
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import BoundedRange, Pure
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.learners import GenericLearner, OfLearner
from tacit.learners.every_class.converse import (
    OfAccurateLearner,
    hit_probability,
    least_spending,
    runs_for,
)
from tacit.learners.rules.three_satisfiability import ThreeSatisfiability
from tacit.statistics import Counts, LabelCounts
from tacit.theory.optimisation.satisfiability import assignments_for, even_assignments, satisfied
from tacit.theory.representations.accurate_converse import local_bound, local_hit, local_runs
from tacit.theory.representations.drawn import written_out
from tacit.theory.representations.fractional import covered_share
from tacit.theory.representations.sparsification import sparse_lists
from tacit.theory.solving.incidence import rows_of
from tacit.verify.enumeration import Case, verify

F = Fraction


def test_golden_sizes_of_the_local_converse() -> None:
    golden = {
        (200, "0.1", "0.05"): 5.817,
        (1000, "1", "0.01"): 41.896,
        (5000, "0.5", "0.01"): 101.944,
    }
    for (n, epsilon, alpha), nats in golden.items():
        hit = local_hit(n, epsilon=epsilon, alpha=alpha)
        size = math.log(2 * local_runs(hit)) if hit > 1e-12 else math.log(2 * math.log(4) / hit)
        assert size == pytest.approx(nats, abs=2e-3)
    assert local_bound(10**3, epsilon="0.1", alpha="0.05") == 254
    assert local_bound(10**6, epsilon=1, alpha="0.01") == 299
    slack = {"1e-7": 299, "1e-6": 296, "1e-5": 272}
    for delta, n in slack.items():
        assert local_bound(10**6, epsilon=1, alpha="0.01", delta=delta) == n


def test_the_local_hit_of_many_rows_falls_as_it_does_for_few() -> None:
    """A thousand million rows, a few of which differ: as likely as with as many of fewer rows."""
    many = [local_hit(10**k, epsilon=1, alpha=f"{5}e-{k}", coarse="1/2") for k in (4, 6, 9)]
    assert all(a == pytest.approx(b, rel=2e-3) for a, b in pairwise(many))


def test_the_local_hit_is_the_worst_case_of_a_chain() -> None:
    """Against the linear program over the probabilities after 0, ..., n replaced rows."""
    n, epsilon, share, beta = 4, 0.7, 0.4, 0.5
    chances = [math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]

    def success(a: float) -> float:
        return sum(p * min(1.0, a * math.exp(epsilon * k)) for k, p in enumerate(chances))

    found = local_hit(n, epsilon=str(epsilon), alpha="0.1", coarse="1/4", beta=str(beta))
    assert success(found) < 1 - beta < success(found * (1 + 1e-6))


def test_an_accurate_learner_is_a_small_representation() -> None:
    """Two thresholds: exactly, each concept is hit as often as promised on its own sample."""
    concepts = Thresholds(1)
    learner = GenericLearner(concepts, epsilon=1)
    goal = Accuracy("1/10", "1/2")
    of = OfAccurateLearner(learner, goal, 0, approximation="2/5", failure="3/4")
    hit = local_hit(of.n, epsilon=1, alpha="1/10", coarse="2/5", beta="1/2")
    laws = [learner.law(sample) for sample in of.samples]
    for concept in concepts.concepts():
        own = laws[int(concept(np.array([0]))[0])]
        assert float(own[concept]) >= hit
    assert of.size == 2
    assert written_out(of.lottery(), concepts).represents(rows_of(concepts), "2/5", "3/4")
    assert of.draw(rng=Seeded(1)).size <= of.size
    with pytest.raises(InvalidArgument, match="approximation"):
        OfAccurateLearner(learner, Accuracy("1/3", "1/2"), 0)
    with pytest.raises(TooLarge, match="runs"):
        OfAccurateLearner(GenericLearner(parse("thresholds(bits=32)"), epsilon=1), goal, 0)


def test_a_proper_learner_is_a_representation_by_concepts() -> None:
    """Three points: all lists of outputs are concepts, and under no distribution fail more often.

    So what is needed among concepts bounds proper learners from below, by the same numbers.
    """
    concepts, goal = parse("points(values=3)"), Accuracy("9/20", "9/20")
    learner = GenericLearner(concepts, epsilon="1/4")
    n = learner.sample_size(goal)
    public = LabelCounts.of([(1, (0,))] * n, labels=1)
    of = OfLearner(learner, goal, public, failure="95/100")
    assert learner.proper
    assert 1 < of.runs <= 8
    for _, listed in of.lottery():
        assert isinstance(listed, Listed)
        assert set(listed.hypotheses) <= set(concepts.concepts())
    rows, drawn = rows_of(concepts), written_out(of.lottery(), concepts)
    assert drawn.failure(rows[1], goal.alpha) <= of.failure  # the public rows speak against it
    needed, _ = covered_share(rows, "1/4", among=rows).sizes("1/10")
    assert needed == 3
    enough = F(1, 4) * learner.sample_size(Accuracy("1/4", "1/20"))
    assert 0 < least_spending(needed, beta="1/20", failure="1/10") <= enough


@pytest.mark.parametrize(("spec", "runs"), [("points(values=3)", 2), ("thresholds(values=3)", 5)])
def test_the_lottery_of_runs_against_all_lists(spec: str, runs: int) -> None:
    """Exactly for fewer runs than outputs; else below, and what is missing is at the full set."""
    concepts = parse(spec)
    learner = GenericLearner(concepts, epsilon="1/2")
    n = learner.sample_size(goal := Accuracy("2/5", "2/5"))
    public = LabelCounts.of([(0, (0,))] * n, labels=1)
    failure = (1 - hit_probability(learner.cost, n, goal.beta)) ** runs + F(1, 1 << 20)
    of = OfLearner(learner, goal, public, failure=failure)
    assert of.runs == runs
    lists = joint([learner.law(public)] * runs).map(frozenset)
    sets = {frozenset(among.hypotheses): p for p, among in of.lottery()}
    assert sum(sets.values()) == 1
    everything = frozenset(concepts.concepts())
    if runs < 3:
        assert sets == lists.probabilities
    for outputs, exactly in lists.probabilities.items():
        gain = sets[outputs] - exactly
        assert 0 <= gain < F(7, 1 << 64) if outputs == everything else -F(2, 1 << 64) < gain <= 0
    assert of.size == min(runs, 3)


def test_exact_hits_need_fewer_runs_and_keep_the_promise() -> None:
    for spec in ("points(values=4)", "thresholds(values=4)", "intervals(values=3)"):
        concepts, goal = parse(spec), Accuracy("2/5", "2/5")
        learner = GenericLearner(concepts, epsilon="1/4")
        public = LabelCounts.of([(0, (0,))] * learner.sample_size(goal), labels=1)
        of = OfLearner(learner, goal, public, failure="1/4", concepts=concepts)
        assert of.runs < runs_for(hit_probability(learner.cost, public.n, goal.beta), "1/4") / 10
        table = written_out(of.lottery(), concepts)
        exactly = max(table.failure(concept, goal.alpha) for concept in rows_of(concepts))
        assert of.failure - F(1, 1 << 50) <= exactly <= of.failure  # attained


def test_what_representations_ask_of_learners() -> None:
    """One run fewer than the size fails too often at just this product; one more does not."""
    for size, failure, beta in product((2, 4, 12, 1000), ("1/4", "9/10"), ("1/2", "1/10")):
        spent = least_spending(size, beta=beta, failure=failure)
        if spent:
            hit = hit_probability(Pure(spent), 1, beta)
            assert runs_for(hit * F(999, 1000), failure) >= size
            assert runs_for(hit * F(1001, 1000), failure) <= size - 1
    assert least_spending(1) == least_spending(3) == 0


def test_how_many_random_assignments_are_enough() -> None:
    golden = {("0.01", "0.01"): 60, ("0.02", "0.05"): 21, ("1/8", "0.01"): 7, ("1/4", "0.01"): 5}
    for (alpha, beta), count in golden.items():
        assert assignments_for(alpha, beta) == count
    seven = [c for c in product((1, -1), (2, -2), (3, -3)) if c != (-1, -2, -3)]
    bad = sum(
        sum(not satisfied(c, a) for c in seven) > (F(1, 8) + F(1, 100)) * len(seven)
        for a in product((False, True), repeat=3)
    )
    assert F(bad, 8) == F(7, 8)  # where the printed count promises at most 0.0741 for one
    assert F(7, 8) ** 60 <= F(1, 100) < F(7, 8) ** 2


@pytest.mark.parametrize("variables", [3, 8, 16, 21])
def test_every_clause_is_left_by_an_eighth_of_the_space(variables: int) -> None:
    problem, table = ThreeSatisfiability(variables, epsilon=1), even_assignments(variables)
    assert len(np.unique(table, axis=0)) == len(table) == problem.size <= 4 * variables
    for chosen in combinations(range(variables), 3):
        patterns = table[:, list(chosen)] @ np.array([1, 2, 4])
        assert (np.bincount(patterns, minlength=8) == problem.size // 8).all()


def test_rows_do_not_depend_on_the_variables() -> None:
    golden = {("0.1", "0.05", "1"): 60, ("0.05", "0.05", "1"): 120, ("0.1", "0.05", "0.2"): 300,
              ("0.01", "0.01", "0.5"): 1843}  # fmt: skip
    for (alpha, beta, epsilon), rows in golden.items():
        for variables in (3, 1000):
            problem = ThreeSatisfiability(variables, epsilon=epsilon)
            assert problem.rows(alpha, beta) == rows
            assert problem.failure(rows, alpha) <= F(beta) < problem.failure(rows - 1, alpha)


def test_the_exact_failure_is_below_the_bound() -> None:
    rng = np.random.default_rng(3)
    problem = ThreeSatisfiability(8, epsilon=1)
    for _ in range(20):
        clauses = [
            tuple(int(v) * int(s) for v, s in zip(
                rng.choice(np.arange(1, 9), 3, replace=False), rng.choice((-1, 1), 3), strict=True))
            for _ in range(24)
        ]  # fmt: skip
        law = problem.law(Counts.of(clauses))
        limit = (F(1, 8) + F(1, 10)) * 24
        failed = sum(
            (p for each, p in law.probabilities.items()
             if sum(not satisfied(c, each) for c in clauses) > limit),
            F(0),
        )  # fmt: skip
        assert failed <= problem.failure(24, "1/10")


CLAUSES = ((1, 2, 3), (-1, -2, 3), (1, -2, -3), (-1, 2, 3), "nonsense", None, (1, 1, 2), (9, 1, 2))


@pytest.mark.parametrize(("epsilon", "n"), [("1", 3), ("1/2", 2)])
def test_privacy_by_enumeration(epsilon: str, n: int) -> None:
    problem = ThreeSatisfiability(3, epsilon=epsilon)

    def law(database: tuple[Any, ...]) -> Law[Any]:
        return problem.law(Counts.of(database))

    claim = BoundedRange(epsilon)
    case = Case("three_satisfiability", f"n={n}", "learner", claim, CLAUSES, n, law)
    assert verify(case).verdict == "verified"
    doubled = Case("too much", f"n={n}", "learner", BoundedRange(F(epsilon) / 3), CLAUSES, n, law)
    assert verify(doubled).verdict == "refuted"


def test_assignments_are_drawn_and_read() -> None:
    problem = ThreeSatisfiability(5, epsilon=60)
    clauses = [(1, 2, -3), (1, -4, 5)] * 10
    chosen = problem(Counts.of(clauses), rng=Seeded(1))
    assert all(satisfied(c, chosen) for c in clauses)
    assert problem.cost == BoundedRange(60)
    with pytest.raises(InvalidArgument, match="variable"):
        satisfied((1, 2, 9), chosen)
    with pytest.raises(InvalidArgument, match="variables"):
        ThreeSatisfiability(2, epsilon=1)
    with pytest.raises(TooLarge):
        ThreeSatisfiability(1 << 20, epsilon=1)


def test_few_lists_stand_for_all() -> None:
    asked = {"points": 256, "concepts": 256, "near": ("1/16", "1/12"), "goal": ("1/4", "1/2")}
    assert sparse_lists(111, sample=126, mistakes=14, **asked) == 782
    surely = sparse_lists(111, sample=126, mistakes=14, miss="1e-6", **asked)
    assert surely > 782
    with pytest.raises(InvalidArgument, match="too small"):
        sparse_lists(111, sample=12, mistakes=1, **asked)
