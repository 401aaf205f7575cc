"""The exponential mechanism: its exact loss, its utility bound, its refusals."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.chance.divergence import max_ratio
from tacit.core.chance.law import Law, proportional
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import BoundedRange
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.choice.exponential import Exponential
from tacit.statistics import ScoreProfile
from tacit.verify.enumeration import databases, neighbours

F = Fraction
CONSTANTS = [(0,), (1,)]
FUNCTIONS = list(product((0, 1), repeat=2))
POINTS = [tuple(int(x == z) for x in range(3)) for z in range(3)]
THRESHOLDS = [tuple(int(x >= z) for x in range(3)) for z in range(4)]


def _worst_ratio(hypotheses: list[tuple[int, ...]], n: int) -> Fraction:
    rows = tuple(product(range(len(hypotheses[0])), (0, 1)))

    def law(database: tuple[tuple[int, int], ...]) -> Law[int]:
        half = Decay(F(1, 2))
        return proportional(
            {i: half.power(sum(h[x] != y for x, y in database)) for i, h in enumerate(hypotheses)}
        )

    laws = {database: law(database) for database in databases(rows, n, symmetric=True)}
    ratios = (
        max_ratio(laws[d], laws[other]).upper
        for d in laws
        for other in neighbours(d, rows, symmetric=True)
    )
    return max(ratio for ratio in ratios if ratio is not None)


@pytest.mark.parametrize(
    ("hypotheses", "ratios"),
    [
        (CONSTANTS, [F(2), F(5, 2), F(3), F(17, 5)]),
        (FUNCTIONS, [F(2), F(5, 2), F(3), F(17, 5)]),
        (POINTS, [F(5, 2), F(3), F(17, 5)]),
        (THRESHOLDS, [F(14, 5), F(13, 4), F(25, 7)]),
    ],
)
def test_golden_losses_at_ratio_one_half(
    hypotheses: list[tuple[int, ...]], ratios: list[Fraction]
) -> None:
    """The exact worst ratios for weights 2^-mistakes, all below the promised 4."""
    assert [_worst_ratio(hypotheses, n) for n in range(1, len(ratios) + 1)] == ratios


@given(
    st.lists(st.integers(-6, 0), min_size=2, max_size=7),
    st.integers(1, 6),
    st.sampled_from(["1/3", "1", "3"]),
)
def test_the_failure_bound_holds(gaps: list[int], shortfall: int, epsilon: str) -> None:
    mechanism = Exponential(epsilon)
    best, optimal = max(gaps), gaps.count(max(gaps))
    law = mechanism.law(ScoreProfile.of(gaps))
    missed = sum((law[i] for i, gap in enumerate(gaps) if best - gap >= shortfall), F(0))
    assert missed <= mechanism.failure(shortfall, size=len(gaps), optimal=optimal)


def test_the_failure_bound_is_attained() -> None:
    mechanism = Exponential(1)
    law = mechanism.law(ScoreProfile.of([0, 0, -5, -5, -5]))
    assert law[2] + law[3] + law[4] == mechanism.failure(5, size=5, optimal=2)


@given(
    st.integers(2, 10**9),
    st.sampled_from([0.5, 0.05, 1e-6]),
    st.sampled_from(["1/10", "1", "7"]),
    st.integers(1, 3),
)
def test_the_shortfall_inverts_the_failure(
    size: int, beta: float, epsilon: str, sensitivity: int
) -> None:
    mechanism = Exponential(epsilon)
    g = mechanism.shortfall(beta, size=size, sensitivity=sensitivity)
    assert mechanism.failure(g, size=size, sensitivity=sensitivity) <= F(repr(beta))
    assert g == 1 or mechanism.failure(g - 1, size=size, sensitivity=sensitivity) > F(repr(beta))


def test_sensitivity_scales_the_noise() -> None:
    scores = [0, 4, 6]
    coarse = ScoreProfile.of([2 * s for s in scores], sensitivity=2)
    fine, wide = Exponential(1).law(ScoreProfile.of(scores)), Exponential(1).law(coarse)
    assert all(float(fine[i]) == pytest.approx(float(wide[i]), rel=1e-15) for i in range(3))


def test_thresholds_over_a_vast_domain() -> None:
    """2^1024 hypotheses in three cells: the sampler never lists them."""
    size = 1 << 1024
    cells = [size // 2 - 10, 20, size - size // 2 - 10]
    profile = ScoreProfile([0, 4000, 0], cells, lambda cell, rank: sum(cells[:cell]) + rank)
    chosen = Exponential(1)(profile, rng=Seeded(2))
    assert size // 2 - 10 <= chosen < size // 2 + 10
    assert profile.size == size


def test_its_cost_is_its_range() -> None:
    assert Exponential("1/2").cost == BoundedRange(F(1, 2))


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf, "zero"])
def test_bad_epsilon(bad: object) -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        Exponential(bad)  # type: ignore[arg-type]


def test_bad_questions() -> None:
    mechanism = Exponential(1)
    with pytest.raises(InvalidArgument, match="shortfall"):
        mechanism.failure(0, size=5)
    with pytest.raises(InvalidArgument, match="size"):
        mechanism.failure(1, size=1, optimal=2)
    with pytest.raises(InvalidArgument, match="optimal"):
        mechanism.failure(1, size=1, optimal=0)
    with pytest.raises(InvalidArgument, match="beta"):
        mechanism.shortfall(0, size=5)
    with pytest.raises(TooLarge, match="too long to list"):
        mechanism.law(ScoreProfile([0], [10**6], lambda cell, rank: rank))


def test_scores_as_far_apart_as_allowed() -> None:
    far = 1 << 60
    profile = ScoreProfile.of([far, -far])
    assert {Exponential(1)(profile, rng=Seeded(seed)) for seed in range(50)} == {0}
