"""The discrete Laplace mechanism: law, draws, utility, cases."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import opendp.prelude as dp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, chisquare

from tacit.core.chance.divergence import max_ratio
from tacit.core.chance.randomness import Seeded, System
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tests.support.replay import Replay

FALSE_ALARM = 1e-9
EPSILONS = st.fractions(Fraction(1, 20), 8, max_denominator=40)


@pytest.mark.parametrize("epsilon", ["1/10", "1", "5"])
@pytest.mark.parametrize("value", [-2, 0, 3])
def test_law_is_the_two_sided_geometric_one(epsilon: str, value: int) -> None:
    q = Decay.of(Fraction(epsilon)).ratio
    law = DiscreteLaplace(epsilon).law(value, low=-4, high=6)
    for z in range(-3, 6):
        assert law[z] == (1 - q) / (1 + q) * q ** abs(z - value)
    far = range(1, 4000)
    assert float(law[6]) == pytest.approx(
        sum(float((1 - q) / (1 + q)) * float(q) ** abs(6 + z - 1 - value) for z in far)
    )
    assert float(law[-4]) == pytest.approx(
        sum(float((1 - q) / (1 + q)) * float(q) ** abs(-4 - z + 1 - value) for z in far)
    )
    assert sum(law.probabilities.values()) == 1


@given(EPSILONS, st.integers(1, 3), st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 9))
def test_lumped_tails_lose_nothing(
    epsilon: Fraction, sensitivity: int, x: int, y: int, margin: int
) -> None:
    mechanism = DiscreteLaplace(epsilon, sensitivity)
    low, high = min(x, y), max(x, y) + 1
    narrow = max_ratio(*(mechanism.law(v, low=low, high=high) for v in (x, y))).upper
    wide = max_ratio(
        *(mechanism.law(v, low=low - margin, high=high + margin) for v in (x, y))
    ).upper
    q = Decay.of(epsilon / sensitivity).ratio
    assert narrow == wide == q ** -abs(x - y)


def test_a_vector_has_the_product_law() -> None:
    mechanism = DiscreteLaplace(1, 2)
    joint = mechanism.law([0, 2], low=0, high=3)
    first, second = (mechanism.law(v, low=0, high=3) for v in (0, 2))
    assert joint[1, 3] == first[1] * second[3]
    assert len(joint.probabilities) == 16


@pytest.mark.parametrize("seed", [1, 2])
def test_draws_follow_the_law(seed: int) -> None:
    mechanism = DiscreteLaplace("0.7", 2)
    draws = mechanism(np.full(60_000, 5), rng=Seeded(seed))
    law = mechanism.law(5, low=-7, high=17)
    counts = np.bincount(np.clip(draws, -7, 17) + 7, minlength=25)
    expected = np.array([float(law[z]) for z in range(-7, 18)]) * len(draws)
    assert chisquare(counts, expected).pvalue > FALSE_ALARM


def test_one_integer_is_drawn_like_a_vector_of_one() -> None:
    mechanism = DiscreteLaplace("0.1")
    for seed in range(20):
        alone = mechanism(9, rng=Seeded(seed))
        assert type(alone) is int
        assert mechanism([9], rng=Seeded(seed)).tolist() == [alone]


def test_the_sign_and_the_size_come_from_the_words() -> None:
    """With q just above 1/e: 0 below (1 - q) / (1 + q) = .462, then +, then - from .731 on."""
    one = 1 << 64
    words = [one // 3, one // 2, one * 9 // 10, 0, one * 7 // 10, one * 7 // 10]
    assert DiscreteLaplace(1)([0, 0, 0], rng=Replay(words)).tolist() == [0, 2, -2]


def test_opendp_draws_the_same_law() -> None:
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    zeros = np.zeros(20_000, dtype=np.int64)
    theirs = np.array(dp.m.make_laplace(*space, scale=2.0)(zeros))
    ours = DiscreteLaplace("1/2")(zeros, rng=System())
    table = [np.bincount(np.clip(draws, -9, 9) + 9, minlength=19) for draws in (theirs, ours)]
    assert chi2_contingency(np.array(table)).pvalue > FALSE_ALARM


def test_shapes_and_huge_values() -> None:
    mechanism = DiscreteLaplace(100)
    assert mechanism(np.zeros((2, 3), dtype=np.int64), rng=Seeded(0)).shape == (2, 3)
    assert mechanism(2**63, rng=Seeded(0)) == 2**63
    assert mechanism([2**63, 1], rng=Seeded(0)).tolist() == [2**63, 1]
    top = DiscreteLaplace(1)(np.full(50, 2**63 - 1), rng=Seeded(1))
    assert top.dtype == object
    assert max(top) > 2**63 - 1 > min(top)
    vast = DiscreteLaplace("1e-30")([0] * 20, rng=Seeded(1))
    assert max(abs(vast)) > 10**29


@pytest.mark.parametrize("epsilon", ["1e-9", "1e-3", "1", "20", "100"])
@pytest.mark.parametrize("beta", ["0.5", "0.01", "1e-12"])
def test_deviation_is_the_least(epsilon: str, beta: str) -> None:
    mechanism = DiscreteLaplace(epsilon, 3)
    deviation = mechanism.deviation(beta, size=7)
    assert mechanism.failure(deviation, size=7) <= Fraction(beta)
    assert mechanism.failure(deviation - 1, size=7) > Fraction(beta)


def test_failure_is_the_tail_of_the_law() -> None:
    mechanism = DiscreteLaplace("0.6")
    law = mechanism.law(0, low=-5, high=5)
    assert mechanism.failure(5) == law[5] + law[-5]
    assert mechanism.failure(3) == sum(law[z] for z in law.probabilities if abs(z) >= 3)
    assert mechanism.failure(0) == 1
    assert mechanism.failure(1, size=100) == 1


def test_cost() -> None:
    assert DiscreteLaplace(0.1, 4).cost == Pure(Fraction(1, 10))


@pytest.mark.parametrize(
    ("arguments", "error", "named"),
    [
        ((0,), InvalidArgument, "epsilon"),
        ((-1,), InvalidArgument, "epsilon"),
        ((None,), NotExact, "epsilon"),
        ((1, 0), InvalidArgument, "sensitivity"),
        ((1, 1.5), NotExact, "sensitivity"),
    ],
)
def test_bad_parameters(arguments: tuple[Any, ...], error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        DiscreteLaplace(*arguments)


def test_bad_inputs() -> None:
    mechanism = DiscreteLaplace(1)
    with pytest.raises(NotExact, match="integers only"):
        mechanism(1.5, rng=Seeded(0))  # type: ignore[call-overload]
    with pytest.raises(InvalidArgument, match="high"):
        mechanism.law(0, low=3, high=3)
    with pytest.raises(TooLarge, match="high - low"):
        mechanism.law(0, low=0, high=10**6)
    with pytest.raises(InvalidArgument, match="beta"):
        mechanism.deviation(1)
    with pytest.raises(InvalidArgument, match="deviation"):
        mechanism.failure(-1)
