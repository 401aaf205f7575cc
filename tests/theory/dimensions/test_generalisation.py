"""From the rows to the population: printed bounds, ours, and what is drawn."""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest

from tacit.concepts import Halfspaces, Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.theory.dimensions.generalisation import on_population, textbook


@pytest.mark.parametrize(
    ("vc", "golden"), [(1, (7384, 58685)), (2, (11519, 84889)), (5, (23925, 163501))]
)
def test_printed_numbers(vc: int, golden: tuple[int, int]) -> None:
    goal = Accuracy("0.1", "0.05")
    assert tuple(textbook(vc, goal, agnostic=a) for a in (False, True)) == golden


def test_ours_is_sharper_and_free_of_the_labels() -> None:
    concepts = Halfspaces(2, 2)
    kept = Accuracy("0.05", "0.05")
    rows = textbook(concepts.vc.upper, Accuracy("0.1", "0.05"))
    few = [
        on_population(concepts, kept, rows // 8, labels=k, agnostic=False) for k in (10**3, 10**9)
    ]
    assert few[0] == few[1] <= Fraction(1, 10)
    many = [on_population(concepts, kept, 10**4, labels=k, agnostic=True) for k in (1, 10**9)]
    assert many[0] < many[1]  # arbitrary labels may each mislead anew


def test_arbitrary_labels_by_the_formula() -> None:
    """All concepts must not look too good, and the best one not too bad: beta is for both."""
    concepts, kept, n = Halfspaces(2, 2), Accuracy("0.05", "0.05"), 10**4
    whole = 500 + sqrt(n * log(2 * 10 * concepts.size / 0.05) / 2) + sqrt(n * log(20 / 0.05) / 2)
    found = on_population(concepts, kept, n, labels=10, agnostic=True)
    assert float(n * found) == pytest.approx(whole, rel=1e-9)


@pytest.mark.parametrize("agnostic", [False, True])
def test_what_is_drawn_keeps_it(agnostic: bool) -> None:
    """The worst concept whose mistakes on the rows are few, over uniform points."""
    concepts, n, rng = Thresholds(6), 200, Seeded(4)
    domain = concepts.domain()
    said = np.array([c(domain) for c in concepts.concepts()])
    truth = domain >= 20
    limit = on_population(concepts, Accuracy("0.05", "0.05"), n, labels=1, agnostic=agnostic)
    failed = 0
    for _ in range(200):
        at = (rng.words(n) % np.uint64(64)).astype(np.int64)
        noise = (rng.words(n) % np.uint64(4) == 0) if agnostic else np.zeros(n, dtype=np.bool_)
        wrong = (said[:, at] != (truth[at] ^ noise)).sum(axis=1)
        near = wrong <= wrong.min() + 10 if agnostic else wrong <= 10
        excess = (said != truth).mean(axis=1) * (0.5 if agnostic else 1)
        failed += bool((excess[near] > float(limit)).any())
    assert failed < 30
