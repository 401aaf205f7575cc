"""Stability selection: the divergence of two keys, law, coins, cases."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Approximate
from tacit.core.errors import InvalidArgument
from tacit.mechanisms.stable.release_table import ReleaseTable, release_table
from tacit.mechanisms.stable.stability_histogram import StabilityHistogram
from tacit.mechanisms.stable.stability_selection import Factors, StabilitySelection, divergence
from tacit.statistics import Counts
from tests.support.replay import Replay

FALSE_ALARM = 1e-9


def _all_pairs(table: ReleaseTable, factor: Fraction) -> Fraction:
    """The divergence by brute force: every pair of counts, every outcome of both keys."""
    p = [table.probability(c) for c in range(len(table.entries) + 1)]
    worst = Fraction(0)
    for c in range(1, len(p)):
        for b in range(len(p) - 1):
            before = [(x, y) for x in (p[c], 1 - p[c]) for y in (p[b], 1 - p[b])]
            after = [(x, y) for x in (p[c - 1], 1 - p[c - 1]) for y in (p[b + 1], 1 - p[b + 1])]
            parts = [x * y - factor * v * w for (x, y), (v, w) in zip(before, after, strict=True)]
            worst = max(worst, sum((part for part in parts if part > 0), Fraction(0)))
    return worst


@settings(deadline=None, max_examples=20)
@given(
    st.fractions(Fraction(1, 4), 4, max_denominator=20),
    st.sampled_from(["0.9", "0.3", "0.05", "0.001", "1e-4"]).map(Fraction),
    st.fractions(Fraction(1, 2), 1, max_denominator=50),
    st.sampled_from(["1/2", "3/8", "3/4"]).map(Fraction),
)
def test_the_divergence_is_that_of_all_pairs(
    epsilon: Fraction, delta: Fraction, part: Fraction, share: Fraction
) -> None:
    factors = Factors.of(epsilon, share)
    table = release_table(factors.rise, part * delta, factors.fall)
    found = divergence(table, factors, part * delta)
    brute = _all_pairs(table, factors.rise * factors.fall)
    assert brute <= found <= max(brute, part * delta)
    assert found <= brute * (1 + Fraction(1, 1 << 100))


@pytest.mark.parametrize("rise", [Fraction(6, 5), Fraction(2)])
@pytest.mark.parametrize("fall", [Fraction(6, 5), Fraction(2)])
@pytest.mark.parametrize("seed", range(6))
def test_the_divergence_of_any_curve(rise: Fraction, fall: Fraction, seed: int) -> None:
    """Curves that take a part of each allowed step."""
    rng, one, delta_1 = Seeded(seed), 1 << 20, Fraction(1, 8)
    entries = [0]
    while entries[-1] < one:
        last = Fraction(entries[-1], one)
        most = min(rise * last + delta_1, 1 - (1 - last - delta_1) / fall, Fraction(1))
        step = (int(most * one) - entries[-1]) * (4 + rng.below(5)) // 8
        entries.append(entries[-1] + max(step, 1))
    table = ReleaseTable(tuple(entries), 20)
    brute = _all_pairs(table, rise * fall)
    assert divergence(table, Factors(rise, fall), delta_1) == max(brute, delta_1)


def test_a_curve_that_is_steepest_in_the_middle() -> None:
    """Both inequalities are tight at one step, and a fall and a rise over it are the worst pair."""
    one, delta_1 = 1 << 20, Fraction(1, 8)
    rise = [0, *(int(share * one) for share in (0.00035, 0.0014, 0.0056, 0.0225, 0.09))]
    middle = [7 * one // 24 + 1]
    entries = [*rise, *middle, *(one - p for p in reversed([*rise, *middle]))]
    table = ReleaseTable(tuple(entries), 20)
    found = divergence(table, Factors(Fraction(2), Fraction(2)), delta_1)
    assert found == _all_pairs(table, Fraction(4))
    assert float(found) == pytest.approx(31 / 24 / 8, rel=1e-4)


@pytest.mark.parametrize(
    ("rise", "fall", "entries"),
    [(2, 4, (0, 298, 927, 1024)), (4, 2, (0, 127, 746, 989, 1024)), (4, 2, (0, 97, 726, 1024))],
)
def test_each_coin_has_its_own_factor(rise: int, fall: int, entries: tuple[int, ...]) -> None:
    """The worst pairs here are missed by whoever takes one factor for the other."""
    table = ReleaseTable(entries, 10)
    found = divergence(table, Factors(Fraction(rise), Fraction(fall)), Fraction(1, 3))
    assert found == _all_pairs(table, Fraction(8)) > Fraction(36, 100)


@pytest.mark.parametrize(
    ("epsilon", "delta_1", "counts"),
    [("1", "6.451e-7", [27, 31, 35, 39]), ("1/2", "5.164e-7", [51, 60, 66, 75])],
)
def test_golden_curves(epsilon: str, delta_1: str, counts: list[int]) -> None:
    factors = Factors.of(Fraction(epsilon))
    table = release_table(factors.rise, Fraction(delta_1))
    betas = [Fraction(beta) for beta in ("0.5", "0.05", "0.01", "0.001")]
    assert [table.distance(1 - beta) for beta in betas] == counts
    found = divergence(table, factors, Fraction(delta_1))
    assert Fraction("0.999e-6") < found <= Fraction("1e-6")
    ours = [StabilitySelection(epsilon, "1e-6").count(beta) for beta in betas]
    assert all(mine <= golden for mine, golden in zip(ours, counts, strict=True))


@pytest.mark.parametrize(("rise", "fall"), [("1.9", "1.4"), ("1.1", "3"), ("2", "2")])
def test_no_table_with_these_factors_is_larger(rise: str, fall: str) -> None:
    """Each entry is the least of both inequalities, solved for it, but for rounding."""
    up, down, delta = Fraction(rise), Fraction(fall), Fraction(1, 1000)
    table = release_table(up, delta, down)
    p = [table.probability(c) for c in range(len(table.entries))]
    for before, after in pairwise(p):
        most = min(up * before + delta, 1 - (1 - before - delta) / down, Fraction(1))
        assert most - Fraction(1, 1 << table.bits) < after <= most


@pytest.mark.parametrize("epsilon", ["0.2", "1", "5", "60"])
@pytest.mark.parametrize("delta", ["0.8", "0.01", "1e-9"])
@pytest.mark.parametrize("share", ["1/2", "1/8", "11/16"])
def test_delta_is_kept_and_used(epsilon: str, delta: str, share: str) -> None:
    mechanism = StabilitySelection(epsilon, delta, share=share)
    assert mechanism.delta / 2 <= mechanism.achieved_delta <= mechanism.delta


@pytest.mark.parametrize("beta", ["0.5", "0.05", "0.001"])
def test_fewer_records_are_needed_than_with_counts(beta: str) -> None:
    selection, histogram = StabilitySelection(1, "1e-6"), StabilityHistogram(1, "1e-6")
    needed = selection.count(beta)
    assert selection.failure(needed) <= Fraction(beta) < selection.failure(needed - 1)
    told = 1 - histogram.law(Counts(needed, {"x": needed}))[()]
    assert told < 1 - selection.failure(needed)


def test_draws_follow_the_law() -> None:
    mechanism, rng = StabilitySelection(2, "0.2"), Seeded(5)
    counts, trials = Counts.of("aabbbc"), 8000
    law = mechanism.law(counts)
    seen = Counter(mechanism(counts, rng=rng) for _ in range(trials))
    outcomes = list(law.probabilities)
    assert set(seen) <= set(outcomes)
    assert len(outcomes) == 8
    expected = [float(law[o]) * trials for o in outcomes]
    assert chisquare([seen[o] for o in outcomes], expected).pvalue > FALSE_ALARM


def test_the_coin_is_the_entry_of_the_table() -> None:
    mechanism = StabilitySelection(2, "0.2")
    told = 1 - mechanism.failure(2)
    numerator = told * (1 << mechanism._table.bits)
    assert numerator.denominator == 1
    assert mechanism(Counts.of("aa"), rng=Replay([int(numerator) - 1])) == ("a",)
    assert mechanism(Counts.of("aa"), rng=Replay([int(numerator)])) == ()


def test_rare_and_absent_keys_are_never_told() -> None:
    mechanism = StabilitySelection(1, "0.1", prefilter=2)
    assert mechanism(Counts(9, {"absent": 0, "rare": 2}), rng=Replay([])) == ()
    assert mechanism.failure(2) == 1 > mechanism.failure(3)
    assert mechanism.count(0) == 2 + StabilitySelection(1, "0.1").count(0)


def test_keys_come_in_order() -> None:
    records = ["b", 10, 9, "a"] * 300
    assert StabilitySelection(9, "0.1")(Counts.of(records), rng=Seeded(1)) == (9, 10, "a", "b")


def test_cost() -> None:
    assert StabilitySelection(1, "1e-6").cost == Approximate(1, "1e-6")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"epsilon": 0, "delta": 0.1}, "epsilon"),
        ({"epsilon": 1, "delta": 0}, "delta"),
        ({"epsilon": 1, "delta": 0.1, "prefilter": -1}, "prefilter"),
    ],
)
def test_bad_parameters(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidArgument, match=named):
        StabilitySelection(**arguments)
