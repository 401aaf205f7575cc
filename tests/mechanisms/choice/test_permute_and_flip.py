"""Permute-and-flip: its law by brute force, its sampler at any size, its price and its worth."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb, factorial

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.core.chance.divergence import max_ratio, ratio_range
from tacit.core.chance.randomness import Seeded
from tacit.core.chance.uniform import Uniform
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import exp_upper
from tacit.mechanisms.choice.earliest import Group, earliest, first_time
from tacit.mechanisms.choice.exponential import Exponential
from tacit.mechanisms.choice.permute_and_flip import PermuteAndFlip
from tacit.statistics import ScoreProfile
from tests.support.replay import Replay

Expected = dict[object, float]
SMALL = st.lists(st.integers(-4, 4), min_size=1, max_size=5)
EPSILONS = st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(5)])
FALSE_ALARM = 1e-9
ALMOST_ONE = 1 + Fraction(1, 2**100)  # bounds are rounded up to 128 bits


def _visit_all_orders(scores: list[int], ratio: Fraction) -> list[Fraction]:
    """Play permute-and-flip on every order: no integral, no noise."""
    wins = [Fraction(0)] * len(scores)
    for order in permutations(range(len(scores))):
        left = Fraction(1)
        for i in order:
            stop = ratio ** (max(scores) - scores[i])
            wins[i] += left * stop
            left *= 1 - stop
        assert left == 0
    return [win / factorial(len(scores)) for win in wins]


@given(SMALL, EPSILONS, st.integers(1, 3))
def test_the_law_equals_a_play_of_all_orders(
    scores: list[int], epsilon: Fraction, sensitivity: int
) -> None:
    law = PermuteAndFlip(epsilon).law(ScoreProfile.of(scores, sensitivity=sensitivity))
    ratio = Decay.of(epsilon / (2 * sensitivity)).ratio
    assert [law[i] for i in range(len(scores))] == _visit_all_orders(scores, ratio)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=4).filter(
        lambda cells: any(m for _, m in cells)
    )
)
def test_cells_are_only_a_way_to_write_a_class(cells: list[tuple[int, int]]) -> None:
    profile = ScoreProfile(
        [s for s, _ in cells], [m for _, m in cells], lambda cell, rank: (cell, rank)
    )
    names = [(cell, rank) for cell, (_, m) in enumerate(cells) for rank in range(m)]
    listed = PermuteAndFlip(1).law(ScoreProfile.of([cells[cell][0] for cell, _ in names]))
    law = PermuteAndFlip(1).law(profile)
    assert dict(law.probabilities) == {name: listed[i] for i, name in enumerate(names)}


def _chi_square_accepts(counts: Counter[object], expected: Expected, runs: int) -> bool:
    assert all(runs * p > 5 for p in expected.values())
    assert set(counts) <= set(expected)
    statistic = sum((counts[o] - runs * p) ** 2 / (runs * p) for o, p in expected.items())
    return bool(chi2.sf(statistic, len(expected) - 1) > FALSE_ALARM)


def test_the_sampler_follows_the_law() -> None:
    profile = ScoreProfile([3, 1, 3, 2, 9], [1, 4, 2, 1, 0], lambda cell, rank: (cell, rank))
    mechanism, rng, runs = PermuteAndFlip(2), Seeded(11), 12_000
    counts: Counter[object] = Counter(mechanism(profile, rng=rng) for _ in range(runs))
    expected: Expected = {o: float(p) for o, p in mechanism.law(profile).probabilities.items()}
    assert _chi_square_accepts(counts, expected, runs)  # false alarm at most 1e-9
    wrong: Expected = {
        o: float(p) for o, p in Exponential(2).law(profile).probabilities.items() if p
    }
    assert not _chi_square_accepts(counts, wrong, runs)


def test_the_sampler_is_right_for_astronomic_multiplicities() -> None:
    gap, size, runs = 275, 2**200 + 7, 6_000
    mechanism, rng = PermuteAndFlip(1), Seeded(12)
    profile = ScoreProfile([gap, 0], [1, size], lambda cell, rank: cell)
    counts: Counter[object] = Counter(mechanism(profile, rng=rng) for _ in range(runs))
    with ctx.workprec(600):
        weight = Decay.of(Fraction(1, 2)).real(gap)
        best = float((1 - (1 - weight) ** (size + 1)) / (weight * (size + 1)))
    assert 0.2 < best < 0.8
    assert _chi_square_accepts(counts, {0: best, 1: 1 - best}, runs)


def test_ranks_of_a_huge_cell_are_all_reachable() -> None:
    profile = ScoreProfile([0, 0], [2**70, 2**70], lambda cell, rank: (cell, rank))
    ranks = [
        PermuteAndFlip(1)(profile, rng=Replay([2**71 - 1])),
        PermuteAndFlip(1)(profile, rng=Replay([0])),
    ]
    assert ranks == [(1, 2**70 - 1), (0, 0)]


def test_extreme_scores_and_empty_cells_neither_fail_nor_win() -> None:
    profile = ScoreProfile([2**60, 2**60 - 1, -(2**60)], [0, 1, 2**60], lambda cell, rank: cell)
    rng = Seeded(13)
    assert {PermuteAndFlip(1)(profile, rng=rng) for _ in range(50)} == {1}


def test_an_undecided_contest_goes_on_with_the_same_uniforms() -> None:
    words = [5 << 40, 5 << 40]  # equal prefixes, so 64 bits cannot decide between equal groups
    for extra, winner in (([9, 3], 0), ([3, 9], 1)):
        twins = [Group(0, 3), Group(0, 3)]
        assert earliest(twins, Decay(Fraction(1, 2)), rng=Replay(words + extra)) == winner


@given(
    st.integers(0, 2**16 - 1), st.integers(1, 2**80), st.integers(0, 60), st.integers(0, 2**8 - 1)
)
def test_the_enclosure_holds_every_continuation(value: int, size: int, gap: int, more: int) -> None:
    decay, group = Decay(Fraction(2, 3)), Group(gap, size)
    with ctx.workprec(400):
        low, high = first_time(group, decay, Uniform(Replay([]), value=value, width=16))
        u = Fraction(2 * (value << 8 | more) + 1, 2**25)
        inside = (1 - (arb(u.numerator) / u.denominator) ** (arb(1) / size)) / decay.real(gap)
    assert low <= inside.upper()
    assert inside.lower() <= high


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(3)])
def test_its_range_exceeds_epsilon(epsilon: Fraction) -> None:
    mechanism = PermuteAndFlip(epsilon)
    assert mechanism.cost == Pure(epsilon)
    near, far = (mechanism.law(ScoreProfile.of(scores)) for scores in ([1, 0], [0, 1]))
    assert (max_ratio(near, far).upper or 0) <= exp_upper(epsilon)
    assert ratio_range(near, far).lower > exp_upper(epsilon)


@given(SMALL.filter(lambda s: min(s) < max(s)), EPSILONS, st.integers(1, 8))
def test_failure_bounds_the_law_and_never_exceeds_the_exponential_mechanism(
    scores: list[int], epsilon: Fraction, shortfall: int
) -> None:
    flip, exponential = PermuteAndFlip(epsilon), Exponential(epsilon)
    profile, bad = ScoreProfile.of(scores), [max(scores) - s >= shortfall for s in scores]
    truth, rival = (
        sum((law[i] for i, b in enumerate(bad) if b), Fraction(0))
        for law in (flip.law(profile), exponential.law(profile))
    )
    facts = {"size": len(scores), "optimal": scores.count(max(scores))}
    assert truth <= flip.failure(shortfall, **facts)
    assert truth <= rival
    ceiling = exponential.failure(shortfall, **facts)
    assert flip.failure(shortfall, **facts) <= ceiling * ALMOST_ONE


@pytest.mark.parametrize("size", [2, 5, 30])
def test_failure_is_attained_with_one_optimum(size: int) -> None:
    mechanism = PermuteAndFlip(1)
    truth = 1 - mechanism.law(ScoreProfile.of([7] + [0] * (size - 1)))[0]
    assert 0 <= mechanism.failure(7, size=size) - truth <= truth / 2**100


@pytest.mark.parametrize(("optimal", "others"), [(2, 3), (3, 10), (6, 2)])
def test_failure_with_several_optima_bounds_the_worst_profile(optimal: int, others: int) -> None:
    for gap in (1, 3, 9):
        w = Decay.of(Fraction(1, 2)).power(gap)
        kept = sum(  # E[(1 - wT)^b] by the moments of the least of k uniforms
            (comb(others, j) * (-w) ** j / comb(optimal + j, j) for j in range(others + 1)),
            Fraction(0),
        )
        bound = PermuteAndFlip(1).failure(gap, size=optimal + others, optimal=optimal)
        rival = Exponential(1).failure(gap, size=optimal + others, optimal=optimal)
        assert 1 - kept <= bound <= rival * ALMOST_ONE


def test_shortfall_is_the_least_that_suffices() -> None:
    for size, optimal, beta in [
        (2, 1, "0.05"),
        (1000, 1, "0.01"),
        (2**64, 5, "1e-9"),
        (3, 3, "0.1"),
    ]:
        mechanism = PermuteAndFlip("1/2")
        g = mechanism.shortfall(beta, size=size, optimal=optimal)
        assert mechanism.failure(g, size=size, optimal=optimal) <= Fraction(beta)
        assert g == 1 or mechanism.failure(g - 1, size=size, optimal=optimal) > Fraction(beta)


def test_gain_over_the_exponential_mechanism_is_two_when_it_matters() -> None:
    flip, rival = (m.failure(60, size=1000) for m in (PermuteAndFlip(1), Exponential(1)))
    assert 0.499 < flip / rival < 0.501


def test_bad_arguments_are_refused_by_name() -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        PermuteAndFlip(0)
    with pytest.raises(NotExact, match="epsilon"):
        PermuteAndFlip(None)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="shortfall"):
        PermuteAndFlip(1).failure(0, size=3)
    with pytest.raises(InvalidArgument, match="size"):
        PermuteAndFlip(1).failure(1, size=1, optimal=2)
    with pytest.raises(InvalidArgument, match="sensitivity"):
        PermuteAndFlip(1).failure(1, size=3, sensitivity=0)
    with pytest.raises(InvalidArgument, match="beta"):
        PermuteAndFlip(1).shortfall(1, size=3)
    with pytest.raises(TooLarge, match="256"):
        PermuteAndFlip(1).law(ScoreProfile.of([0] * 257))
    with pytest.raises(TooLarge, match="within 1000"):
        PermuteAndFlip(1).law(ScoreProfile.of([0, 2**40]))
