"""The envelope bound: golden sizes, against a fine grid, and against exact failures."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.theory.enough.envelope import EnvelopeBound

F = Fraction


def _envelope(bound: EnvelopeBound, n: int, grid: int = 200_000) -> float:
    """Return the concave envelope at the mean, by two-point mixtures on a fine grid of floats."""
    q, alpha, eta = float(bound.decay.ratio), float(bound.alpha), float(bound.mean)
    e = np.linspace(0, 1.0001 * alpha * q, grid)
    factor = 1 - alpha * (1 - q) + e * (1 / q - 1)
    odds = np.exp(np.minimum(math.log(bound.size - 1) + n * np.log(factor), 700))
    g = np.where(factor >= 1, 1.0, odds / (1 + odds))
    right = e > eta
    share = eta / e[right]
    return float(np.max((1 - share) * g[0] + share * g[right]))


@pytest.mark.parametrize(
    ("epsilon", "alpha", "beta", "buckets", "n", "coarse"),
    [("1", "0.1", "0.05", 1024, 266, 271), ("1/4", "1/4", "1/4", 32, 194, 195)],
)
def test_golden_sizes(
    epsilon: str, alpha: str, beta: str, buckets: int, n: int, coarse: int
) -> None:
    """A coarse grid of two-point mixtures is also sound, and says a few rows more."""
    bound = EnvelopeBound(buckets + 1, alpha, F(1, buckets), Decay.of(F(epsilon) / 2))
    assert bound.sample_size(beta) == n <= coarse
    assert _envelope(bound, n) <= float(F(beta)) < _envelope(bound, n - 1)
    assert bound.failure(n) <= F(beta) < bound.failure(n - 1)


@settings(max_examples=60, deadline=None)
@example(2, F(97, 300), F(48893, 147000), F(97, 20), F(1, 10**6))
@given(
    st.integers(2, 1 << 60),
    st.fractions(min_value=F(1, 200), max_value=F(3, 4)),
    st.fractions(min_value=F(1, 200), max_value=F(1, 3)),
    st.fractions(min_value=F(1, 20), max_value=F(8)),
    st.fractions(min_value=F(1, 10**6), max_value=F(9, 10)),
)
def test_the_certificate_is_the_envelope(
    size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, share: Fraction
) -> None:
    decay = Decay.of(epsilon / 2)
    bound = EnvelopeBound(size, alpha, share * beta * alpha * decay.ratio, decay)
    n = bound.sample_size(beta)
    assert _envelope(bound, n) <= float(beta) * (1 + 1e-6)
    if n > 1:
        assert _envelope(bound, n - 1) >= float(beta) * (1 - 1e-3)


def test_nothing_above_the_envelope_is_certified() -> None:
    """Any number of rows, any beta: where the certificate says yes, the envelope does."""
    rng, said = np.random.default_rng(7), Counter[bool]()
    for _ in range(2000):
        size, n = int(2 ** rng.uniform(1, 20)), int(2 ** rng.uniform(0, 9))
        alpha, beta = (F(int(rng.integers(1, 40)), 60) for _ in range(2))
        decay = Decay.of(F(int(rng.integers(1, 60)), 20))
        mean = F(int(rng.integers(1, 100)), 100) ** 2 * beta * alpha
        bound = EnvelopeBound(size, alpha, mean, decay)
        certain = bound.suffices(n, beta)
        said[certain] += 1
        assert not certain or bound.possible(beta)
        assert not certain or _envelope(bound, n, grid=20_000) <= float(beta) * (1 + 1e-6)
    assert min(said[True], said[False]) > 100


def test_exact_failure_is_below_the_bound() -> None:
    """Three hypotheses, two equally likely coins, all samples of five rows: an exact failure.

    The good hypothesis errs with probability 0 or 1/10 by the coins, the other two with 1/2.
    """
    n, alpha, decay = 5, F(2, 5), Decay(F(1, 2))
    failure = F(0)
    for near in (F(0), F(1, 10)):
        for rows in product(range(4), repeat=n):
            chance, errors = F(1), [0, 0]
            for row in rows:
                good, bad = divmod(row, 2)
                chance *= (near if good else 1 - near) * F(1, 2)
                errors = [errors[0] + good, errors[1] + bad]
            weights = [decay.power(errors[0]), 2 * decay.power(errors[1])]
            failure += chance * F(1, 2) * weights[1] / sum(weights)
    bound = EnvelopeBound(3, alpha, F(1, 20), decay)
    assert failure <= bound.failure(n) < 1


def test_few_cases_at_the_edge() -> None:
    decay = Decay.of(F(1, 2))
    assert EnvelopeBound(5, "0.1", 0, decay).sample_size("0.05") > 0
    assert EnvelopeBound(1, "0.1", F(1, 1000), decay).sample_size("0.05") == 0
    with pytest.raises(InvalidArgument, match="no n suffices"):
        EnvelopeBound(5, "0.1", F(1, 100), decay).sample_size("0.05")
    with pytest.raises(InvalidArgument, match="alpha"):
        EnvelopeBound(5, 1, 0, decay)
    with pytest.raises(InvalidArgument, match="size"):
        EnvelopeBound(0, "0.1", 0, decay)
