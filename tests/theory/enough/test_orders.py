"""Bounds along orders: golden numbers, monotone, and true of the exact law on small classes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

from tacit.concepts.contract.specification import parse
from tacit.core.accuracy import Accuracy
from tacit.core.numbers.decay import Decay
from tacit.learners import GenericLearner
from tacit.statistics import LabelCounts
from tacit.theory.enough.agnostic import AgnosticBound
from tacit.theory.enough.brackets import BracketBound
from tacit.theory.enough.chain import AgnosticChainBound
from tacit.theory.enough.without_privacy import without_privacy

HALF = Decay.of(Fraction(1, 2))


@pytest.mark.parametrize(
    ("bits", "alpha", "most"), [(32, "0.02", 27_500), (64, "0.01", 107_500), (64, "0.1", 2_490)]
)
def test_thresholds_of_arbitrary_labels(bits: int, alpha: str, most: int) -> None:
    bound = AgnosticChainBound(1 << bits, 2, HALF)
    n = bound.sample_size(alpha, "0.05")
    assert n <= most
    assert bound.failure(n, alpha) <= Fraction(1, 20) < bound.failure(n - 1, alpha)
    assert bound.error(n, "0.05") <= Fraction(alpha) < bound.error(n - 10, "0.05")


@pytest.mark.parametrize(
    ("size", "columns", "alpha"), [(2**63, 1, "0.02"), (2**127, 1, "0.1"), (2**62, 2, "0.05")]
)
def test_brackets_are_fewer_than_concepts(size: int, columns: int, alpha: str) -> None:
    bound, union = BracketBound(size, columns, Fraction(1, 2)), AgnosticBound(size, Fraction(1, 2))
    n = bound.sample_size(alpha, "0.05")
    assert n < union.sample_size(alpha, "0.05")
    assert bound.failure(n, alpha) <= Fraction(1, 20)
    assert bound.error(n, "0.05") <= Fraction(alpha)


@pytest.mark.parametrize("bound", [AgnosticChainBound, BracketBound])
def test_more_rows_more_room_and_more_budget_fail_less(bound: Any) -> None:
    def made(size: int, rate: Fraction) -> Any:
        return bound(size, 2, Decay.of(rate) if bound is AgnosticChainBound else rate)

    sizes = [made(2**40, Fraction(1, r)).sample_size("0.05", "0.05") for r in (1, 2, 4, 20)]
    assert sizes == sorted(sizes)
    accuracies = ("0.3", "0.1", "0.05", "0.01")
    rows = [made(2**40, Fraction(1, 2)).sample_size(a, "0.05") for a in accuracies]
    assert rows == sorted(rows)
    classes = [made(2**b, Fraction(1, 2)).sample_size("0.05", "0.05") for b in (4, 16, 64, 256)]
    assert classes == sorted(classes)
    small = made(1, Fraction(1, 2))
    assert (small.sample_size("0.1", "0.05"), small.failure(5, "0.1")) == (0, 0)
    assert made(8, Fraction(1, 2)).failure(0, "0.1") == 1


POPULATIONS = (
    (Fraction(1, 5), Fraction(2, 5), Fraction(3, 10), Fraction(1, 10)),
    (Fraction(1, 2), Fraction(1, 10), Fraction(1, 10), Fraction(3, 10)),
    (Fraction(1, 10), Fraction(1, 2), Fraction(1, 10), Fraction(3, 10)),
)
"""Masses of the records (0, no), (0, yes), (1, no), (1, yes)."""


@pytest.mark.parametrize("masses", POPULATIONS)
@pytest.mark.parametrize(
    "spec", ["thresholds(values=2)", "thresholds(values=2, direction=both)", "intervals(values=2)"]
)
def test_the_exact_law_fails_no_more_often_than_is_proved(
    spec: str, masses: tuple[Fraction, ...]
) -> None:
    concepts, n, alpha = parse(spec), 12, Fraction(1, 10)
    learner = GenericLearner(concepts, epsilon=4, agnostic=True)
    records = [(x, (bool(y),)) for x in (0, 1) for y in (0, 1)]

    def error(h: Any) -> Fraction:
        wrong = (
            m for (x, (y,)), m in zip(records, masses, strict=True) if h(np.array([x]))[0] != y
        )
        return sum(wrong, Fraction(0))

    best = min(error(h) for h in concepts.concepts())
    fails = Fraction(0)
    for counts in product(range(n + 1), repeat=3):
        if sum(counts) > n:
            continue
        drawn = (*counts, n - sum(counts))
        chance = factorial(n) * prod(
            (m**c / factorial(c) for m, c in zip(masses, drawn, strict=True)), start=Fraction(1)
        )
        rows = [r for r, c in zip(records, drawn, strict=True) for _ in range(c)]
        law = learner.law(LabelCounts.of(rows, labels=1))
        fails += chance * sum(p for h, p in law.probabilities.items() if error(h) > best + alpha)
    decay = Decay.of(Fraction(2))
    chained = AgnosticChainBound(concepts.size, 2, decay).failure(n, alpha)
    assert fails <= (chained if concepts.chains else 1)
    assert fails <= BracketBound(concepts.size, 1, Fraction(2)).failure(n, alpha)
    assert fails > 0


@pytest.mark.parametrize("spec", ["thresholds(bits=32)", "intervals(bits=16)", "points(bits=8)"])
def test_more_labels_of_concepts_need_no_more_rows_without_privacy(spec: str) -> None:
    goal = Accuracy("0.05", "0.05")
    sizes = [without_privacy(parse(spec), goal, labels=10**i) for i in (0, 3, 12, 30, 60)]
    assert sizes == sorted(sizes)
    assert sizes[-2] == sizes[-1] < 6 * without_privacy(parse(spec), goal, labels=10)


def test_pairs_of_concepts_are_enough_for_any_number_of_labels() -> None:
    """Two thresholds over two points: at most 2^2 / 2 pairs that the rows must tell apart."""
    n = without_privacy(parse("thresholds(values=2)"), Accuracy("0.3", "0.1"), labels=10**6)
    assert 2 * Fraction(7, 10) ** n <= Fraction(1, 10) < 2 * Fraction(7, 10) ** (n - 1)
