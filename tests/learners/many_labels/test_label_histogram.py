"""k labels of any class from points told with their labels: its law, its promise, its plan."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tacit.concepts import Boxes, Intervals, parse
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import TooLarge
from tacit.core.privacy import Privacy
from tacit.learners import LabelHistogramLearner
from tacit.learners.many_labels.label_histogram import _moments
from tacit.mechanisms import StabilitySelection
from tacit.statistics import Counts, JointCounts
from tacit.verify.enough.simulation import alarm
from tacit.workflows.planning.plan import plan

GOAL, TOTAL = Accuracy("0.1", "0.05"), Privacy(1, "1e-6")
THREE = "halfspaces(bits=2, dims=2)", "conjunctions(dims=8, width=2)", "boxes(bits=2, dims=2)"


def _learner(spec: str, labels: int) -> LabelHistogramLearner:
    return LabelHistogramLearner(parse(spec), labels=labels, epsilon=1, delta="1e-6")


def test_the_law_is_that_of_the_selection() -> None:
    """Each label's first concept with the fewest mistakes, by hand, over all told sets."""
    square = Boxes(1, 2)
    learner = LabelHistogramLearner(square, labels=2, epsilon=3, delta="1/10")
    rows = [((0, 0), (0, 1)), ((0, 1), (1, 1)), ((0, 1), (1, 1)), ((1, 1), (1, 0))]
    law = learner.law(JointCounts.of(rows, labels=2))
    expected: dict[object, object] = {}
    selection = StabilitySelection(3, "1/10").law(Counts.of(rows))
    for told, mass in selection.probabilities.items():
        chosen = []
        for j in range(2):
            mistakes = [
                sum(bool(c(np.array([x]))[0]) != y[j] for x, y in told) for c in square.concepts()
            ]
            chosen.append(square.nth(mistakes.index(min(mistakes))))
        expected[tuple(chosen)] = expected.get(tuple(chosen), 0) + mass  # type: ignore[operator]
    assert law.probabilities == expected


def test_rows_do_not_grow_with_the_labels() -> None:
    assert {_learner(THREE[0], k).sample_size(GOAL) for k in (1, 100, 10**6)} == {3717}
    assert _learner(THREE[1], 5).sample_size(GOAL) == 50_621


@pytest.mark.parametrize(("spec", "first"), [(THREE[0], 52), (THREE[2], 57)])
def test_it_beats_one_by_one_from_the_k_that_the_plan_says_on(spec: str, first: int) -> None:
    def best(labels: int) -> str:
        found = plan(spec, alpha="0.1", epsilon=1, delta="1e-6", labels=labels, proper=True).best
        assert found is not None
        return found.name

    assert best(first - 1) != "label-histogram"
    assert [best(k) for k in (first, 1000)] == ["label-histogram"] * 2


def test_accuracy_turns_sample_size_around() -> None:
    learner = _learner(THREE[2], 10)
    n = learner.sample_size(GOAL)
    promised, before = learner.accuracy(n, "0.05"), learner.accuracy(n * 99 // 100, "0.05")
    assert promised is not None
    assert before is not None
    assert promised.alpha <= GOAL.alpha < before.alpha
    assert learner.accuracy(0, "0.05") is None
    assert learner.accuracy(100, "0.05") is None


@pytest.mark.parametrize("n", [5, 40, 3000])
def test_moments_bound_every_mass(n: int) -> None:
    """Against sums over all counts, for expected counts beside the places of the grid."""
    selection = StabilitySelection(2, "1/100")
    missed = [float(m) for m in selection.table.failures(each=1)]
    for rate, log in _moments(selection, n):
        for mean in np.linspace(0.01, min(n, 4 * len(missed)), 97):
            p = mean / n
            masses = [(1 - p) ** n]
            for c in range(1, min(n + 1, len(missed))):
                masses.append(masses[-1] * p / (1 - p) * (n - c + 1) / c if p < 1 else 0.0)
            chance = sum(m * f for m, f in zip(masses, missed, strict=False))
            assert np.log1p(chance * np.expm1(rate * mean)) <= log + 1e-9


@pytest.mark.parametrize(("spec", "labels"), [*product(THREE[::2], (1, 100)), (THREE[1], 10)])
def test_failures_stay_below_beta(spec: str, labels: int) -> None:
    """At points with just so many rows that each is left out half of the time, and one with all."""
    learner, rng, runs = _learner(spec, labels), Seeded(7), 30
    n, failed = learner.sample_size(GOAL), 0
    domain, concepts = learner.concepts.domain(), learner.concepts
    targets = [concepts.nth(concepts.size * (2 * j + 1) // (2 * labels)) for j in range(labels)]
    truth = np.array([c(domain) for c in targets])
    mass = np.full(len(domain), 27 / n)
    mass[0] = 1 - mass[1:].sum()
    assert mass[0] > 0
    for _ in range(runs):
        at = np.searchsorted(np.cumsum(mass), rng.words(n) / 2.0**64).clip(max=len(domain) - 1)
        totals = np.bincount(at, minlength=len(domain))
        seen = totals > 0
        sample = JointCounts(n, labels, domain[seen], truth.T[seen], totals[seen])
        wrong = np.array([h(domain) for h in learner(sample, rng=rng)]) != truth
        failed += bool((wrong @ mass > float(GOAL.alpha)).any())
    assert failed < alarm(runs, GOAL.beta)


def test_every_sample_gives_hypotheses() -> None:
    """Also labels that no concept explains, points outside, and no rows."""
    learner = LabelHistogramLearner(Intervals(values=3), labels=9, epsilon=6, delta="1/5")
    rows = [(x, tuple((x * j) % 2 for j in range(9))) for x in (-3, 0, 0, 1, 2, 9)]
    for some in (rows, []):
        learned = learner(JointCounts.of(some, labels=9), rng=Seeded(0))
        assert [learner.concepts.decode(learner.concepts.encode(h)) for h in learned] == [*learned]


def test_what_is_refused() -> None:
    with pytest.raises(TooLarge, match="values of all concepts"):
        _learner("halfspaces(bits=8, dims=2)", 2)
