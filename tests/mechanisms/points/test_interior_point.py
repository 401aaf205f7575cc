"""Interior points and quantiles: their laws, their promises, their golden numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.chance.law import Law, proportional
from tacit.core.chance.randomness import Seeded
from tacit.core.composition.pricing import price
from tacit.core.errors import InvalidArgument, NotExact
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.mechanisms import (
    InteriorPoint,
    Mechanism,
    PrefixQuantile,
    PrivateQuantile,
    StabilitySelection,
)
from tacit.statistics import Counts, LineCounts
from tacit.verify.enough.simulation import alarm
from tests.support.ranks import rank_misses

F = Fraction
Told = tuple[int, tuple[int, ...], int]
BITS = 1024


def _reference(plan: InteriorPoint, records: list[int]) -> Law[Told]:
    """The law written down from the description, for records that are all looked at."""
    bits, (low, high, unseen, _) = plan.bits, plan.bars

    def table(length: int) -> Counter[int]:
        return Counter(x >> (bits - length) for x in records)

    heaviest = [max(table(length).values(), default=0) for length in range(bits + 1)] + [0]
    scores = {
        d: high - heaviest[1] if d == 0 else min(heaviest[d] - low, high - heaviest[d + 1])
        for d in range(bits + 1)
    }
    first, second, third = plan.parts
    lengths = proportional(
        {d: Decay.of(first / 2).ratio ** (max(scores.values()) - s) for d, s in scores.items()}
    )

    def prefixes(length: int) -> Law[tuple[int, tuple[int, ...]]]:
        if length == 0:
            return Law({(0, ()): F(1)})
        told = StabilitySelection(second, plan.delta, prefilter=unseen)
        return told.law(Counts.of([x >> (bits - length) for x in records])).map(
            lambda keys: (length, keys)
        )

    def ends(told: tuple[int, tuple[int, ...]]) -> Law[Told]:
        length, keys = told if told[1] else (0, (0,))
        width = 1 << (bits - length)
        start = keys[len(keys) // 2] * width
        points = {start, start + width // 2, start + width - 1}
        q = Decay.of(third / 2).ratio
        depth = {p: min(sum(x <= p for x in records), sum(x >= p for x in records)) for p in points}
        return proportional({(*told, p): q ** (max(depth.values()) - d) for p, d in depth.items()})

    return lengths.then(prefixes).then(ends)


def _positive(law: Law[Told]) -> dict[Told, Fraction]:
    return {outcome: p for outcome, p in law.probabilities.items() if p}


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.integers(0, 7), max_size=5),
    st.sampled_from([(1, 2, 0, 2), (3, 3, 1, 2), (2, 1, 0, 3)]),
)
def test_the_law_is_the_description(records: list[int], bars: tuple[int, int, int, int]) -> None:
    plan = InteriorPoint(3, epsilon=2, delta="1/20", bars=bars)
    looked_at = LineCounts.of(records, bits=3)
    surplus = len(records) - plan.rows
    if surplus > 0:
        records = sorted(records)[surplus // 2 : surplus // 2 + plan.rows]
    assert _positive(plan.transcript(looked_at)) == _positive(_reference(plan, records))


def _frequencies(mechanism: Mechanism[LineCounts, int], records: LineCounts, runs: int) -> None:
    """Assert that each share is within 6.5 deviations of the law: false alarm below 1e-8."""
    rng, law = Seeded(3), mechanism.law(records)
    drawn = Counter(mechanism(records, rng=rng) for _ in range(runs))
    assert set(drawn) <= {outcome for outcome, p in law.probabilities.items() if p}
    for outcome, p in law.probabilities.items():
        assert abs(drawn[outcome] / runs - p) <= 6.5 * (float(p * (1 - p)) / runs) ** 0.5


def test_the_samplers_have_their_laws() -> None:
    records = LineCounts.of([1, 2, 2, 5, 5, 5, 6], bits=3)
    interior = InteriorPoint(3, epsilon=3, delta="1/5", bars=(2, 3, 0, 2))
    prefix = PrefixQuantile(3, level="1/2", epsilon=3, delta="1/5", bars=(2, 2, 0, 1))
    pure = PrivateQuantile(3, level="1/3", epsilon=2)
    _frequencies(interior, records, 1000)
    _frequencies(prefix, records, 1000)
    _frequencies(pure, records, 2000)


@given(st.lists(st.integers(0, 7), max_size=7), st.sampled_from(["0", "1/4", "1/2", "5/7", "1"]))
def test_the_quantile_is_the_exponential_mechanism(records: list[int], level: str) -> None:
    counted = LineCounts.of(records, bits=3)
    misses = {y: rank_misses(counted, F(level), y) for y in range(8)}
    q = Decay.of(F(1, 2)).ratio
    law = PrivateQuantile(3, level=level, epsilon=1).law(counted)
    assert law == proportional({y: q ** (m - min(misses.values())) for y, m in misses.items()})
    if records:
        rank = max(1, math.ceil(F(level) * len(records)))
        assert misses[sorted(records)[rank - 1]] == 0


@given(st.lists(st.integers(0, 3), min_size=1, max_size=5), st.sampled_from(["1/2", "1/4"]))
def test_misses_are_how_many_records_must_change(records: list[int], level: str) -> None:
    """By trying all databases of as many records."""
    counted = LineCounts.of(records, bits=2)
    others = [
        (other, sum((Counter(records) - Counter(other)).values()))
        for other in combinations_with_replacement(range(4), len(records))
    ]
    rank = counted.rank(F(level))
    for y in range(4):
        nearest = min(changed for other, changed in others if sorted(other)[rank - 1] == y)
        assert rank_misses(counted, F(level), y) == nearest


@given(
    st.lists(st.integers(-(1 << 70), 1 << 70) | st.integers(0, 9), max_size=8),
    st.sampled_from([1, 5, 62, 63, 64, 66]),
    st.sampled_from(["0", "1/3", "1"]),
)
def test_any_records_give_an_answer(records: list[int], bits: int, level: str) -> None:
    counted, rng = LineCounts.of(records, bits=bits), Seeded(len(records))
    bars = (1, 2, 0, 2)
    for mechanism in (
        InteriorPoint(bits, epsilon=9, delta="1/5", bars=bars),
        PrefixQuantile(bits, level=level, epsilon=9, delta="1/5", bars=bars),
        PrivateQuantile(bits, level=level, epsilon=9),
    ):
        assert 0 <= mechanism(counted, rng=rng) < 1 << bits


def _reference_rows(bits: int, first: float, second: float) -> int:
    """The records that the reference derivation needs, with Laplace noise and this split of 1."""
    delta, beta, third = 1e-6, 0.05, 1 - first - second
    threshold = 1 + math.ceil(2 / second * math.log(1 / (delta * (1 + math.exp(-second / 2)))))
    deep = 2 / third * math.log(9 / beta) + 1
    gap = 2 / first * math.log(3 * (bits + 1) / beta)
    n, needed = 0, 1
    while needed > n:
        n = needed
        low = max(
            threshold + 2 / second * math.log(3 / (2 * beta)),
            deep + 2 / second * math.log(3 * n / beta),
        )
        needed = math.ceil(low + 2 * gap + 3 * deep)
    return n


def test_golden_rows() -> None:
    """The reference needs 328 records at 2^1024; prefixes told by the best curve need fewer."""
    rows = {b: InteriorPoint(b, epsilon=1, delta="1e-6").rows for b in (32, 64, 128, 256, 1024)}
    assert rows == {32: 241, 64: 250, 128: 255, 256: 264, 1024: 279}
    splits = [(i / 100, j / 100) for i in range(30, 40) for j in range(30, 37)]
    best = {b: min(_reference_rows(b, *split) for split in splits) for b in rows}
    assert best == {32: 289, 64: 297, 128: 305, 256: 313, 1024: 328}
    margins = [PrivateQuantile(b, level="1/2", epsilon=1).rank_error("0.05") for b in (64, BITS)]
    assert margins == [94, 1425]
    assert PrefixQuantile(BITS, level="1/2", epsilon=1, delta="1e-6").rank_error == 139


def test_what_is_spent_is_what_is_claimed() -> None:
    for bits, epsilon, delta in ((2, "1/4", "1e-9"), (1024, "1", "1e-6"), (64, "7", "1/3")):
        interior = InteriorPoint(bits, epsilon=epsilon, delta=delta)
        assert sum(interior.parts) == F(epsilon)
        assert interior.failure(interior.rows) <= interior.beta
        assert price(interior.cost, delta).privacy.implies(Privacy(epsilon, delta))


@pytest.mark.parametrize("bars", [(2, 3, 1, 2), (3, 2, 1, 2), (2, 4, 1, 1)])
def test_exact_failure_on_all_small_samples(bars: tuple[int, int, int, int]) -> None:
    """On all samples of as many records as are needed, misses are as rare as promised."""
    plan = InteriorPoint(2, epsilon=30, delta="1/2", bars=bars)
    worst = F(0)
    for records in combinations_with_replacement(range(4), plan.rows):
        law = plan.law(LineCounts.of(records, bits=2)).probabilities
        missed = (p for y, p in law.items() if not records[0] <= y <= records[-1])
        worst = max(worst, sum(missed, F(0)))
    assert 0 < worst <= plan.failure(plan.rows)
    assert plan.failure(plan.rows) < 1
    assert plan.failure(plan.rows - 1) == 1


MIDDLE = 1 << (BITS - 1)
SHAPES: dict[str, Callable[[int], int]] = {
    "one value": lambda i: MIDDLE // 3,
    "two neighbours across the middle": lambda i: MIDDLE - i % 2,
    "two neighbours elsewhere": lambda i: MIDDLE // 5 + i % 2,
    "spread": lambda i: i * (MIDDLE // 500),
    "a ladder": lambda i: MIDDLE // 7 + (1 << (i * 7 % 1000)),
    "far ends": lambda i: (2 * MIDDLE - 1) * (i % 2),
}


def test_the_promise() -> None:
    """A correct mechanism sets off each alarm with probability at most 1e-9."""
    plan, runs = InteriorPoint(BITS, epsilon=1, delta="1e-6"), 100
    for name, shape in SHAPES.items():
        values = [shape(i) for i in range(plan.rows)]
        counted, rng = LineCounts.of(values, bits=BITS), Seeded(1)
        found = [plan(counted, rng=rng) for _ in range(runs)]
        missed = sum(not min(values) <= y <= max(values) for y in found)
        assert missed < alarm(runs, plan.beta), name


def test_a_third_of_the_records_is_too_few() -> None:
    """So the promised number is within three times what is needed."""
    plan, runs = InteriorPoint(BITS, epsilon=1, delta="1e-6"), 100
    values = [SHAPES["two neighbours elsewhere"](i) for i in range(plan.rows // 3)]
    counted, rng = LineCounts.of(values, bits=BITS), Seeded(2)
    missed = sum(not min(values) <= plan(counted, rng=rng) <= max(values) for _ in range(runs))
    assert missed >= alarm(runs, plan.beta)


def test_quantiles_miss_their_rank_by_little() -> None:
    level, runs = F(1, 10), 60
    prefix = PrefixQuantile(BITS, level=level, epsilon=1, delta="1e-6")
    pure = PrivateQuantile(20, level=level, epsilon=1)
    for n in (50, 3000):
        long = LineCounts.of([x**5 << 900 for x in range(n)], bits=BITS)
        short = LineCounts.of(np.arange(n) * 7, bits=20)
        rng = Seeded(n)
        missed = sum(
            rank_misses(long, level, prefix(long, rng=rng)) > prefix.rank_error for _ in range(runs)
        )
        assert missed < alarm(runs, F(1, 20))
        error = pure.rank_error("0.05")
        missed = sum(rank_misses(short, level, pure(short, rng=rng)) > error for _ in range(runs))
        assert missed < alarm(runs, F(1, 20))


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgument, match="level"):
        PrivateQuantile(8, level="3/2", epsilon=1)
    with pytest.raises(InvalidArgument, match="delta"):
        PrefixQuantile(8, level="1/2", epsilon=1, delta=0)
    with pytest.raises(InvalidArgument, match="bars"):
        InteriorPoint(8, epsilon=1, delta="1e-6", bars=(5, 3, 0, 1))
    with pytest.raises(InvalidArgument, match="bits=8"):
        PrivateQuantile(8, level="1/2", epsilon=1)(LineCounts.of([1], bits=9), rng=Seeded(0))
    with pytest.raises(InvalidArgument, match="bits=8"):
        PrefixQuantile(8, level="1/2", epsilon=1, delta="0.1")(
            LineCounts.of([1], bits=9), rng=Seeded(0)
        )
    with pytest.raises(NotExact, match="records"):
        LineCounts.of([0.5], bits=8)
    with pytest.raises(InvalidArgument, match="count"):
        LineCounts(3, 8, np.array([1]), np.array([2]))
