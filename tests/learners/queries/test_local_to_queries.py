"""Reports simulated by queries: exact where answers are, else within the stated distance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from tacit.core.chance.law import Law, mixture
from tacit.core.chance.law import product as jointly
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.enclosures import exp_upper
from tacit.learners.queries.local_to_queries import Share, SimulatedReport
from tacit.mechanisms import RandomisedResponse

F = Fraction
ROWS = (0, 1, 2)
POPULATIONS = [
    (F(1, 3),) * 3,
    (F(1), F(0), F(0)),
    (F(1, 10), F(1, 5), F(7, 10)),
    (F(0), F(1), F(0)),
]


def _lumped(row: int) -> Law[str]:
    """Tell whether a row is 2, with the odds of randomised response among three values."""
    return RandomisedResponse(1, values=3).law(row).map(lambda w: "two" if w == 2 else "other")


def _distance(p: Law[Any], q: Law[Any]) -> Fraction:
    outcomes = p.probabilities.keys() | q.probabilities.keys()
    return sum((abs(p[w] - q[w]) for w in outcomes), F(0)) / 2


RANDOMISERS = [
    (RandomisedResponse(1, values=3).law, F(1)),
    (RandomisedResponse("1/2", values=3).law, F(1, 2)),
    (_lumped, F(1)),
]


@pytest.mark.parametrize(("randomiser", "epsilon"), RANDOMISERS)
@pytest.mark.parametrize("masses", POPULATIONS)
@pytest.mark.parametrize("reference", ROWS)
def test_reports_are_right_up_to_the_tolerance(
    randomiser: Callable[[int], Law[Any]],
    epsilon: Fraction,
    masses: tuple[Fraction, ...],
    reference: int,
) -> None:
    """All ways to move the answers by the tolerance; tolerance 0 gives the very law."""
    report = SimulatedReport(randomiser, reference, epsilon=epsilon)
    true = mixture(list(zip(masses, map(randomiser, ROWS), strict=True)))
    outcomes = list(randomiser(reference).probabilities)
    for tolerance in (F(0), F(1, 100), F(1, 10)):
        largest = F(0)
        for ways in product((-1, 0, 1), repeat=len(outcomes)):
            moves = iter(ways)

            def oracle(query: Share[int]) -> Fraction:
                values = [query(row) for row in ROWS]
                assert all(0 <= value <= 1 for value in values)
                mean = sum((m * v for m, v in zip(masses, values, strict=True)), F(0))
                return mean + next(moves) * tolerance  # noqa: B023

            largest = max(largest, _distance(report.report_law(oracle), true))
        assert largest <= report.distance(tolerance)
        assert (largest == 0) == (tolerance == 0)
        assert tolerance == 0 or largest > report.distance(tolerance) / 20


def test_several_reports_are_within_beta() -> None:
    """Two reports with all answers moved to one side: the joint law is within beta."""
    report, beta = SimulatedReport(RandomisedResponse(1, values=3).law, 0, epsilon=1), F(1, 5)
    tolerance = report.tolerance(2, beta)
    assert 2 * report.distance(tolerance) == beta
    masses = POPULATIONS[2]
    true = mixture([(m, RandomisedResponse(1, values=3).law(z)) for z, m in enumerate(masses)])

    def oracle(query: Share[int]) -> Fraction:
        return sum((m * query(z) for z, m in enumerate(masses)), F(0)) + tolerance

    one = report.report_law(oracle)
    assert 0 < _distance(jointly([one, one]), jointly([true, true])) <= beta


def test_the_sampler_follows_the_law() -> None:
    report, rng, runs = SimulatedReport(_lumped, 1, epsilon=1), Seeded(4), 3000
    asked: Counter[str] = Counter()

    def oracle(query: Share[int]) -> Fraction:
        asked["queries"] += 1
        return (query(0) + 3 * query(2)) / 4

    law = report.report_law(oracle)
    asked.clear()
    seen = Counter(report(oracle, rng=rng) for _ in range(runs))
    assert asked["queries"] <= 2 * runs
    names = sorted(law.probabilities)
    expected = [runs * float(law[w]) for w in names]
    assert chisquare([seen[w] for w in names], expected).pvalue > 1e-9


@given(st.fractions(F(1, 100), 5), st.fractions(-2, 3))
def test_wild_answers_are_clipped(epsilon: Fraction, answer: Fraction) -> None:
    report = SimulatedReport(RandomisedResponse(epsilon).law, 0, epsilon=epsilon)
    law = report.report_law(lambda _: answer)
    base = RandomisedResponse(epsilon).law(0)
    assert all(abs(law[w] / base[w] - 1) < report.growth**2 for w in (0, 1))
    assert report.growth >= exp_upper(epsilon)


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        SimulatedReport(_lumped, 0, epsilon=0)
    report = SimulatedReport(_lumped, 0, epsilon=1)
    with pytest.raises(InvalidArgument, match="tolerance"):
        report.distance(-1)
    with pytest.raises(InvalidArgument, match="reports"):
        report.tolerance(0, "0.1")
