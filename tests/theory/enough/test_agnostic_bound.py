"""Arbitrary labels: the bound holds where the failure can be computed, and never gets worse."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument
from tacit.learners import GenericLearner
from tacit.theory.enough.agnostic import AgnosticBound, deviation
from tacit.theory.enough.selection import representation

F = Fraction
sizes = st.integers(2, 1 << 70)
rates = st.fractions(min_value=F(1, 50), max_value=5)
alphas = st.fractions(min_value=F(1, 50), max_value=F(9, 10))


def _failure(n: int, many: int, *, worse: float, better: float, ratio: float) -> float:
    """Choose between one hypothesis and `many` equal ones that err more: the exact chance.

    A row speaks against the many with probability `worse`, for them with probability `better`.
    """
    total = 0.0
    for against in range(n + 1):
        for favour in range(n + 1 - against):
            ways = comb(n, against) * comb(n - against, favour)
            rest = (1 - worse - better) ** (n - against - favour)
            odds = many * ratio ** (against - favour)
            total += ways * worse**against * better**favour * rest * odds / (1 + odds)
    return total


@pytest.mark.parametrize("many", [1, 4, 30])
@pytest.mark.parametrize("rate", [F(1, 10), F(1, 2), F(4)])
@pytest.mark.parametrize("alpha", [F(1, 5), F(1, 2)])
def test_the_bound_is_above_the_exact_failure(many: int, rate: Fraction, alpha: Fraction) -> None:
    bound = AgnosticBound(many + 1, rate)
    for n in (1, 5, 20, 45):
        said = float(bound.failure(n, alpha))
        for better in (0.0, 0.1, float(1 - alpha) / 2):
            worse = float(alpha) + better
            found = _failure(n, many, worse=worse, better=better, ratio=exp(-rate))
            assert found <= said * (1 + 1e-9)


@pytest.mark.parametrize("n", [1, 2, 7, 30, 100, 1000])
def test_no_binomial_deviates_more(n: int) -> None:
    """The tail above mean + b jumps up at each k = n (p + b): all suprema are tried."""
    for b in (F(1, 50), F(1, 10), F(3, 10), F(7, 10)):
        said = float(deviation(n, b))
        worst = 0.0
        for k in range(1, n + 1):
            p = float(F(k, n) - b)
            if p > 0:
                worst = max(worst, float(binom.sf(k - 1, n, min(p, 1.0))))
        assert worst <= said * (1 + 1e-9)
    assert float(deviation(10_000, F(1, 100))) == pytest.approx(0.0239, rel=0.01)


@given(sizes, rates, alphas, st.integers(0, 3000), st.integers(1, 500))
def test_more_of_anything_never_hurts(
    size: int, rate: Fraction, alpha: Fraction, n: int, more: int
) -> None:
    tolerance = 1 + F(1, 10**12)
    here = AgnosticBound(size, rate).failure(n, alpha) * tolerance
    assert AgnosticBound(size, rate).failure(n + more, alpha) <= here
    assert AgnosticBound(size, rate * (1 + F(more, 100))).failure(n, alpha) <= here
    assert AgnosticBound(size, rate).failure(n, alpha + (1 - alpha) * F(more, 1000)) <= here


@pytest.mark.parametrize("alpha", ["0.02", "0.1", "0.4"])
@pytest.mark.parametrize("beta", ["0.001", "0.05", "0.4"])
@pytest.mark.parametrize("bits", [1, 4, 32])
def test_more_budget_never_needs_more_rows(bits: int, alpha: str, beta: str) -> None:
    goal = Accuracy(alpha, beta)
    budgets = [F(1, 20), F(1, 5), F(21, 100), F(2, 5), F(1), F(3), F(20), F(200)]
    needed = [
        GenericLearner(Thresholds(bits), epsilon=e, agnostic=True).sample_size(goal)
        for e in budgets
    ]
    assert needed == sorted(needed, reverse=True)
    enough = GenericLearner(Points(bits), epsilon=8 * goal.alpha, agnostic=True)
    spent = GenericLearner(Points(bits), epsilon=200, agnostic=True)
    assert enough.sample_size(goal) == spent.sample_size(goal)


@given(sizes, rates, alphas, st.fractions(min_value=F(1, 1000), max_value=F(9, 10)))
def test_the_least_sample_is_enough_and_one_less_is_not(
    size: int, rate: Fraction, alpha: Fraction, beta: Fraction
) -> None:
    bound = AgnosticBound(size, rate)
    n = bound.sample_size(alpha, beta)
    assert bound.failure(n, alpha) <= beta
    assert n == 0 or bound.failure(n - 1, alpha) > beta
    excess = bound.excess(n, beta)
    assert excess <= alpha + F(1, 1 << 23)
    assert excess == 1 or bound.failure(n, excess) <= beta


@pytest.mark.parametrize("epsilon", [F(1, 2), F(2), F(6), F(20)])
@pytest.mark.parametrize("near", [F(1, 20), F(3, 20), F(19, 100)])
def test_a_representation_serves_the_whole_budget(epsilon: Fraction, near: Fraction) -> None:
    """What is promised for a tempered ratio holds for e^(-epsilon / 2), the exact chance says."""
    alpha, many = F(1, 5), 3
    bound = representation(epsilon=epsilon, size=many + 1, alpha=alpha, approximation=near)
    for n in (10, 30, 60):
        said = float(bound.failure(n))
        if said > 1 / 2:
            continue
        for better in (0.0, float(near)):
            worse = float(alpha - near) + better
            found = _failure(n, many, worse=worse, better=better, ratio=exp(-epsilon / 2))
            assert found <= said * (1 + 1e-9)


def test_golden_sizes() -> None:
    half = AgnosticBound(1024, F(1, 2))
    assert half.sample_size("0.1", "0.05") == 1087
    assert AgnosticBound(1 << 32, F(1, 20)).sample_size("0.1", "0.05") == 6363
    assert AgnosticBound(1, F(1)).sample_size("0.1", "0.05") == 0
    assert half.excess(3, "0.05") == 1


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgument, match="size"):
        AgnosticBound(0, F(1))
    with pytest.raises(InvalidArgument, match="rate"):
        AgnosticBound(4, F(0))
    with pytest.raises(InvalidArgument, match="alpha"):
        AgnosticBound(4, F(1)).failure(10, 0)
    with pytest.raises(InvalidArgument, match="beta"):
        AgnosticBound(4, F(1)).sample_size("0.1", 1)
