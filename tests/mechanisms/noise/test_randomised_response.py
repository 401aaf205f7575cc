"""Randomised response: law, coins, estimates, cases."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, NotExact
from tacit.core.numbers.enclosures import exp_lower
from tacit.mechanisms.noise import randomised_response
from tacit.mechanisms.noise.randomised_response import RandomisedResponse
from tests.support.replay import Replay

FALSE_ALARM = 1e-9
FULL = 1 << 64


@pytest.mark.parametrize("epsilon", ["1e-9", "1/2", "1", "30"])
@pytest.mark.parametrize("values", [2, 3, 10])
def test_law_has_the_odds(epsilon: str, values: int) -> None:
    mechanism = RandomisedResponse(epsilon, values)
    E = exp_lower(Fraction(epsilon), 300)
    for record in range(values):
        law = mechanism.law(record)
        others = {law[v] for v in range(values) if v != record}
        assert len(others) == 1
        odds = law[record] / others.pop()
        assert E * (1 - Fraction(1, 1 << 62)) < odds <= E
        assert abs(law[record] - E / (E + values - 1)) < Fraction(1, 1 << 62)


def test_one_record_follows_the_law() -> None:
    mechanism, rng = RandomisedResponse(1, 4), Seeded(1)
    counts = np.bincount([mechanism(2, rng=rng) for _ in range(4000)], minlength=4)
    expected = [float(mechanism.law(2)[v]) * 4000 for v in range(4)]
    assert chisquare(counts, expected).pvalue > FALSE_ALARM


def test_many_records_follow_the_product_law() -> None:
    mechanism = RandomisedResponse("1/2", 3)
    answers = mechanism(np.tile([0, 2], 20_000), rng=Seeded(2)).reshape(-1, 2)
    counts = np.bincount(answers[:, 0] * 3 + answers[:, 1], minlength=9)
    law = mechanism.law((0, 2))
    expected = [float(law[a, b]) * len(answers) for a in range(3) for b in range(3)]
    assert chisquare(counts, expected).pvalue > FALSE_ALARM


def test_the_coins_are_exact() -> None:
    """Kept below floor(2^64 keep); at that word, more bits of the same uniform decide."""
    mechanism = RandomisedResponse(1, 3)
    keep = mechanism.keep
    edge = keep.numerator * FULL // keep.denominator
    rest = keep.numerator * FULL**2 // keep.denominator - edge * FULL
    assert mechanism(1, rng=Replay([edge - 1])) == 1
    assert mechanism(1, rng=Replay([edge + 1, 0])) == 2
    assert mechanism(1, rng=Replay([edge + 1, 1])) == 0
    assert mechanism(1, rng=Replay([edge, rest - 1])) == 1
    assert mechanism(1, rng=Replay([edge, rest + 1, 0])) == 2


def test_incomplete_rounds_are_redrawn() -> None:
    mechanism = RandomisedResponse(1, 4)
    last_round = FULL - FULL % 3
    assert mechanism(0, rng=Replay([FULL - 1, last_round, 5])) == 3
    assert mechanism(0, rng=Replay([FULL - 1, last_round - 1])) == 3


def test_records_outside_are_clipped_and_never_refused() -> None:
    mechanism = RandomisedResponse(60, 3)
    assert mechanism([-5, 7, 1 << 80], rng=Seeded(0)).tolist() == [0, 2, 2]
    assert mechanism.law(9) == mechanism.law(2)
    assert mechanism(np.zeros((2, 2), dtype=np.int8), rng=Seeded(0)).shape == (2, 2)


@given(
    st.fractions(Fraction(1, 10), 5, max_denominator=20),
    st.lists(st.integers(0, 2), min_size=1, max_size=4),
    st.integers(0, 2),
)
def test_the_estimate_is_unbiased(epsilon: Fraction, records: list[int], value: int) -> None:
    mechanism = RandomisedResponse(epsilon, 3)
    law = mechanism.law(records)
    mean = sum(p * mechanism.estimate(told, value) for told, p in law.probabilities.items())
    assert mean == Fraction(records.count(value), len(records))


@pytest.mark.parametrize("values", [2, 3])
@pytest.mark.parametrize("deviation", ["0.2", "0.5", "1", "3"])
def test_failure_is_the_largest_over_all_databases(values: int, deviation: str) -> None:
    mechanism, n = RandomisedResponse("0.8", values), 3
    worst = Fraction(0)
    for records in product(range(values), repeat=n):
        share = Fraction(records.count(0), n)
        law = mechanism.law(records)
        far = sum(
            (
                p
                for told, p in law.probabilities.items()
                if abs(mechanism.estimate(told, 0) - share) >= Fraction(deviation)
            ),
            Fraction(0),
        )
        worst = max(worst, far)
    assert worst <= mechanism.failure(deviation, n) <= worst + Fraction(1, 1 << 100)


def test_hoeffding_is_above_the_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = RandomisedResponse(1)
    summed = mechanism.failure("0.3", 60)
    monkeypatch.setattr(randomised_response, "SUMMED", 10)
    bound = mechanism.failure("0.3", 60)
    assert summed < bound < 1
    assert mechanism.failure("0.3", 10**6) < Fraction(1, 10**100)


def test_cost() -> None:
    assert RandomisedResponse("1/3", 5).cost == Pure("1/3")


@pytest.mark.parametrize(
    ("arguments", "error", "named"),
    [
        ((0,), InvalidArgument, "epsilon"),
        ((1, 1), InvalidArgument, "values"),
        ((1, 1 << 63), InvalidArgument, "values"),
        ((1, 2.0), NotExact, "values"),
    ],
)
def test_bad_parameters(arguments: tuple[Any, ...], error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        RandomisedResponse(*arguments)


def test_bad_inputs() -> None:
    with pytest.raises(InvalidArgument, match="answers"):
        RandomisedResponse(1).estimate([], 0)
    with pytest.raises(InvalidArgument, match="deviation"):
        RandomisedResponse(1).failure(0, 5)
    with pytest.raises(NotExact, match="integers only"):
        RandomisedResponse(1)(["yes"], rng=Seeded(0))  # type: ignore[list-item]
