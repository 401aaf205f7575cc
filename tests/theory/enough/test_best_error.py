"""Promises from the best error: golden numbers, monotone, and true of the exact law."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom

from tacit.concepts.contract.specification import parse
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument
from tacit.learners import GenericLearner
from tacit.statistics import LabelCounts
from tacit.theory.enough.best_error import BestErrorBound
from tacit.workflows.planning.plan import plan

HALF, STATED = Fraction(1, 2), Fraction(1, 20)


@pytest.mark.parametrize(("n", "most"), [(500, "0.098"), (2000, "0.042")])
def test_thresholds_promise_what_a_best_error_of_one_in_twenty_allows(n: int, most: str) -> None:
    learner = GenericLearner(
        parse("thresholds(bits=14)"), epsilon=1, agnostic=True, best_error=STATED
    )
    promised = learner.accuracy(n, "0.05")
    assert promised is not None
    assert promised.alpha <= Fraction(most)
    assert learner.sample_size(promised) <= n


@pytest.mark.parametrize("orders", [{}, {"chains": 2}, {"columns": 1}, {"columns": 3}])
def test_more_rows_room_budget_and_a_better_best_rule_fail_less(orders: dict[str, int]) -> None:
    def rows(size: int = 2**40, rate: str = "1/2", stated: str = "1/20", alpha: str = "0.1") -> int:
        bound = BestErrorBound(size, Fraction(rate), Fraction(stated), **orders)
        n = bound.sample_size(alpha, "0.05")
        assert bound.failure(n, alpha) <= Fraction(1, 20) < bound.failure(n - 1, alpha)
        assert bound.error(n, "0.05") <= Fraction(alpha) < bound.error(n - 10, "0.05")
        return n

    for changed in (
        [rows(stated=e) for e in ("0", "1/1000", "1/100", "1/20", "1/5", "49/100")],
        [rows(rate=r) for r in ("1000", "4", "1", "1/2", "1/4", "1/20")],
        [rows(alpha=a) for a in ("0.4", "0.1", "0.05", "0.01")],
        [rows(size=1 << b) for b in (4, 16, 64, 256)],
    ):
        assert changed == sorted(changed)
        assert changed[0] < changed[-1]
    alone = BestErrorBound(1, HALF, STATED, **orders)
    assert (alone.sample_size("0.1", "0.05"), alone.failure(5, "0.1")) == (0, 0)
    assert BestErrorBound(8, HALF, STATED, **orders).failure(0, "0.1") == 1


POPULATIONS = (
    (Fraction(1, 20), Fraction(2, 5), Fraction(1, 2), Fraction(1, 20)),
    (Fraction(9, 20), Fraction(1, 20), Fraction(1, 20), Fraction(9, 20)),
    (Fraction(3, 20), Fraction(1, 20), Fraction(0), Fraction(4, 5)),
)
"""Masses of the records (0, no), (0, yes), (1, no), (1, yes)."""


@pytest.mark.parametrize("masses", POPULATIONS)
@pytest.mark.parametrize(
    "spec", ["thresholds(values=2)", "thresholds(values=2, direction=both)", "intervals(values=2)"]
)
@pytest.mark.parametrize("epsilon", [1, 4])
def test_the_exact_law_fails_no_more_often_than_is_proved(
    spec: str, masses: tuple[Fraction, ...], epsilon: int
) -> None:
    concepts, n = parse(spec), 12
    learner = GenericLearner(concepts, epsilon=epsilon, agnostic=True)
    records = [(x, (bool(y),)) for x in (0, 1) for y in (0, 1)]

    def error(h: Any) -> Fraction:
        wrong = (
            m for (x, (y,)), m in zip(records, masses, strict=True) if h(np.array([x]))[0] != y
        )
        return sum(wrong, Fraction(0))

    errors = {error(h) for h in concepts.concepts()}
    best = min(errors)
    wrong = dict.fromkeys(errors, Fraction(0))
    for counts in product(range(n + 1), repeat=3):
        if sum(counts) > n:
            continue
        drawn = (*counts, n - sum(counts))
        chance = factorial(n) * prod(
            (m**c / factorial(c) for m, c in zip(masses, drawn, strict=True)), start=Fraction(1)
        )
        rows = [r for r, c in zip(records, drawn, strict=True) for _ in range(c)]
        for h, p in learner.law(LabelCounts.of(rows, labels=1)).probabilities.items():
            wrong[error(h)] += chance * p
    rate = Fraction(epsilon, 2)
    told = 0
    for least in sorted(errors - {best}):
        alpha = least - best - Fraction(1, 10**6)  # whoever errs as much is bad
        fails = sum(p for each, p in wrong.items() if each >= least)
        for orders in ({}, {"chains": concepts.chains, "columns": concepts.interval_columns}):
            failure = BestErrorBound(concepts.size, rate, best, **orders).failure(n, alpha)
            assert fails <= failure
            told += failure < 1
    assert told or epsilon == 1


@pytest.mark.parametrize("n", [500, 2000])
@pytest.mark.parametrize("bits", [8, 14, 32])
def test_the_promise_is_less_than_twice_what_a_hard_population_needs(bits: int, n: int) -> None:
    """All labels are yes but for the least value, where the best threshold errs 1/20.

    All others err there `gap` more, so that one of them is chosen with the odds of all together.
    """
    concepts = parse(f"thresholds(bits={bits})")
    learner = GenericLearner(concepts, epsilon=1, agnostic=True, best_error=STATED)
    promised = learner.accuracy(n, "0.05")
    assert promised is not None
    gap = float(promised.alpha) / 2
    fails = 0.0
    for told in range(n + 1):
        right = np.arange(told + 1)
        log_odds = math.log(concepts.size - 1) - (2 * right - told) / 2
        chances = binom.pmf(right, told, (0.05 + gap) / (0.1 + gap)) * expit(log_odds)
        fails += binom.pmf(told, n, 0.1 + gap) * chances.sum()
    assert fails > 0.05


def test_plans_hold_if_the_best_rule_errs_as_is_said() -> None:
    asked = {"alpha": "0.05", "epsilon": 1}
    free = plan("intervals(bits=16)", **asked, agnostic=True)
    found = [plan("intervals(bits=16)", **asked, best_error=e) for e in ("0", "0.01", "0.1")]
    rows = [each.answer or 0 for each in (*found, free)]
    assert rows == sorted(rows)
    assert all(each.goal.agnostic and each.nonprivate_n <= (each.answer or 0) for each in found)
    assert not any(bound.agnostic for each in found for bound in each.lower_bounds)


def test_a_best_error_is_read_as_such() -> None:
    for given in ("0.5", "-0.1"):
        with pytest.raises(InvalidArgument, match="best_error"):
            plan("points(bits=8)", alpha="0.1", epsilon=1, best_error=given)
    with pytest.raises(InvalidArgument, match="agnostic=True"):
        GenericLearner(parse("points(bits=8)"), epsilon=1, best_error="0.1")
    several = plan("points(bits=8)", alpha="0.1", epsilon=1, best_error="0.1", labels=3)
    single = plan("points(bits=8)", alpha="0.1", epsilon=1, best_error="0.1")
    assert (single.answer or 0) < (several.answer or 0)
    said = GenericLearner(parse("points(bits=8)"), epsilon=1, agnostic=True, best_error="0.1")
    assert said.sample_size(Accuracy("0.1", "0.05")) == single.answer
