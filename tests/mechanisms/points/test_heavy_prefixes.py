"""Prefixes with many records: the curve, the law, the sampler, and what is left between cuts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from math import comb

import numpy as np
import pytest

from tacit.core.chance.law import Law, certain
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.enclosures import exp_upper, log_lower, log_upper
from tacit.mechanisms import HeavyPrefixes
from tacit.mechanisms.points.heavy_prefixes import MARGIN, SURE, Prefix, _steepness
from tacit.statistics import LineCounts
from tests.support.sanitized import follows_its_law

F = Fraction


def _reference(heavy: HeavyPrefixes, records: list[int]) -> Law[tuple[Prefix, ...]]:
    """The law written down from the description: length by length, all prefixes at once."""

    def tested(told: tuple[Prefix, ...], length: int) -> Law[tuple[Prefix, ...]]:
        gone = {x for x in records for j, p in told if x >> heavy.bits - j == p}
        left = Counter(x >> heavy.bits - length for x in records if x not in gone)
        law: Law[tuple[Prefix, ...]] = certain(told)
        for prefix, count in left.items():
            q = heavy.decay(count).ratio
            law = law.then(
                lambda t, q=q, prefix=prefix: Law({t: q, (*t, (length, prefix)): 1 - q})  # type: ignore[misc]
            )
        return law

    law: Law[tuple[Prefix, ...]] = certain(())
    for length in range(heavy.bits, 0, -1):
        law = law.then(lambda told, length=length: tested(told, length))  # type: ignore[misc]
    return law.map(lambda told: tuple(sorted(told)))


def test_the_law_is_that_of_the_description() -> None:
    heavy = HeavyPrefixes(3, epsilon=2, delta="1/3")
    for records in combinations_with_replacement((0, 1, 3, 6), 3):
        law = heavy.law(LineCounts.of(records, bits=3))
        assert law.probabilities == _reference(heavy, list(records)).probabilities


def _check_paid(epsilon: F, delta: F, bits: int) -> None:
    """Whether the factor, with its margin, and all first steps keep epsilon and delta."""
    first, charged = min(epsilon, delta) / (2 * bits), _steepness(epsilon, delta) + MARGIN
    paid = max(log_upper(2 * charged / ((1 + charged) * delta)), F(0))
    assert log_upper(1 + charged) + charged * paid + bits * first <= epsilon
    rest = charged / (1 + charged) * exp_upper(-paid)
    assert rest + bits * first <= delta * (1 + F(1, 1 << 90))


def test_the_curve_keeps_what_its_proof_asks_for() -> None:
    """Hazards grow by no more than the factor and the first step that are charged."""
    for epsilon, delta, bits in product((F(1, 5), F(1), F(6)), (F(1, 10**6), F(1, 5)), (4, 4096)):
        heavy = HeavyPrefixes(bits, epsilon=epsilon, delta=delta)
        first, charged = min(epsilon, delta) / (2 * bits), _steepness(epsilon, delta) + MARGIN
        before = F(0)
        for count in range(1, 300):
            ratio = heavy.decay(count).ratio
            assert -log_lower(ratio) <= (1 + charged) * before + first + F(1, 1 << 90)
            before = -log_upper(ratio)
        _check_paid(epsilon, delta, bits)


def test_curves_that_hardly_rise_pay_for_their_rounding_too() -> None:
    """Here the factor is sought in finer steps than the margin, so that none of it is spare."""
    for epsilon in (F(1, 10**7), F(1, 10**6)):
        _check_paid(epsilon, F(1, 10**6), 4)


def test_neighbours_far_beyond_what_is_enumerated() -> None:
    """One long path a record: the exact divergence is below delta, and more than half of it."""
    bits, epsilon, delta = 300, 1.0, 0.01
    heavy = HeavyPrefixes(bits, epsilon=epsilon, delta=delta)

    def path(count: int) -> list[float]:
        q = float(heavy.decay(count).ratio) if count else 1.0
        return [(1 - q) * q**i for i in range(bits)] + [q**bits]

    worst = 0.0
    for left, joined in product((0, 10, 40), (0, 14, 28, 42)):
        here = np.outer(path(left + 1), path(joined))
        there = np.outer(path(left), path(joined + 1))
        worst = max(worst, float(np.maximum(here - np.exp(epsilon) * there, 0).sum()))
    assert delta / 2 < worst < delta


def test_draws_follow_the_law() -> None:
    heavy = HeavyPrefixes(3, epsilon=4, delta="1/2")
    for seed, records in enumerate(([0] * 9 + [1, 7, 7], [5], [2, 3] * 4)):
        assert follows_its_law(heavy, LineCounts.of(records, bits=3), runs=3000, seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(6))
def test_no_cell_is_crowded(seed: int) -> None:
    floats, bits, n = np.random.default_rng(seed), 2048, 3000
    spread = [int.from_bytes(floats.bytes(bits // 8)) for _ in range(n)]
    nested = [1 << int(i) for i in floats.integers(0, bits, n)]
    records = LineCounts.of((spread, nested, [7] * n)[seed % 3], bits=bits)
    heavy = HeavyPrefixes(bits, epsilon=1, delta="1e-6")
    told = heavy(records, rng=Seeded(seed))
    assert len(told) <= heavy.most(n, "1e-3")
    cuts = heavy.cuts(told, 1 << bits)
    cells = [(b - a, records.at_most(b - 1) - records.at_most(a - 1)) for a, b in pairwise(cuts)]
    assert sum(rows for _, rows in cells) == n
    assert max(rows for width, rows in cells if width > 1) <= heavy.crowd(n, "1e-3")


def test_promises_are_golden_and_hardly_grow() -> None:
    crowds = [HeavyPrefixes(b, epsilon=1, delta="1e-6").crowd(5000, "0.05") for b in (16, 65536)]
    assert crowds == [220, 330]
    heavy = HeavyPrefixes(16, epsilon=1, delta="1e-6")
    assert heavy.crowd(10, "0.05") == 10
    assert heavy.hazard(10**6) == SURE


def test_the_bound_on_small_told_prefixes() -> None:
    """The chances of told prefixes with few records, on the worst sample: all alone, or in tens."""
    heavy, n, beta = HeavyPrefixes(8, epsilon=1, delta="1/2"), 120, F(1, 20)
    most = heavy.most(n, beta)
    for held in (1, 2, 5, 10):
        chance, tests = 1 - heavy.decay(held).ratio, 8 * n // held
        above = sum(
            comb(tests, k) * float(chance) ** k * float(1 - chance) ** (tests - k)
            for k in range(most + 1, tests + 1)
        )
        assert above <= beta


def test_what_is_refused() -> None:
    for wrong in ({"bits": 0}, {"epsilon": 0}, {"delta": 0}, {"delta": 1}):
        with pytest.raises(InvalidArgument, match=next(iter(wrong))):
            HeavyPrefixes(**{"bits": 4, "epsilon": 1, "delta": "1e-6", **wrong})  # type: ignore[arg-type]
