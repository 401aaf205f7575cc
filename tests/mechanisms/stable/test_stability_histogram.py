"""Stability histograms: threshold, law, draws, utility, cases."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from scipy.stats import chisquare

from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Approximate
from tacit.core.errors import InvalidArgument, NotExact
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.stable.stability_histogram import StabilityHistogram
from tacit.statistics import Counts

FALSE_ALARM = 1e-9


@pytest.mark.parametrize(
    ("epsilon", "prefilter", "threshold", "delta"),
    [
        (1, 0, 4, 0.138889),
        (1, 0, 7, 0.0309904),
        (2, 1, 6, 0.0133898),
        (1, 3, 9, 0.0510946),
    ],
)
def test_golden_deltas(epsilon: int, prefilter: int, threshold: int, delta: float) -> None:
    mechanism = StabilityHistogram(epsilon, delta * (1 + 1e-5), prefilter=prefilter)
    assert mechanism.threshold == threshold
    assert float(mechanism.achieved_delta) == pytest.approx(delta, rel=1e-5)


@pytest.mark.parametrize("epsilon", ["1e-9", "0.01", "1", "7", "100"])
@pytest.mark.parametrize("delta", ["0.9", "0.5", "1e-3", "1e-30"])
@pytest.mark.parametrize("prefilter", [0, 4])
def test_threshold_is_the_least(epsilon: str, delta: str, prefilter: int) -> None:
    mechanism = StabilityHistogram(epsilon, delta, prefilter=prefilter)
    assert mechanism.achieved_delta <= mechanism.delta
    if mechanism.threshold > prefilter + 1:
        q = Decay.of(mechanism.epsilon / 2).ratio
        assert mechanism.achieved_delta / q > mechanism.delta
    if epsilon == "1":
        ideal = math.log(1 / (float(Fraction(delta)) * (1 + math.exp(-0.5)))) / 0.5
        assert mechanism.threshold == prefilter + 1 + max(0, math.ceil(ideal))


@pytest.mark.parametrize("prefilter", [0, 1])
def test_law_against_the_definition(prefilter: int) -> None:
    """Sum noise probabilities directly, over a range beyond which they are below 1e-14."""
    mechanism = StabilityHistogram(2, "0.2", prefilter=prefilter)
    counts, threshold = {"a": 1, "b": 3}, mechanism.threshold
    law = mechanism.law(Counts(5, counts))
    q = float(Decay.of(Fraction(1)).ratio)
    told: dict[Any, float] = {}
    noise = {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-33, 34)}
    for x, p in noise.items():
        for y, r in noise.items():
            noisy = {"a": 1 + x, "b": 3 + y}
            key = tuple(
                (name, min(noisy[name], max(5, threshold)))
                for name in ("a", "b")
                if counts[name] > prefilter and noisy[name] >= threshold
            )
            told[key] = told.get(key, 0.0) + p * r
    assert set(told) == set(law.probabilities)
    for key, p in told.items():
        assert float(law[key]) == pytest.approx(p, abs=1e-13)


def test_draws_follow_the_law() -> None:
    mechanism, rng = StabilityHistogram(2, "0.2"), Seeded(5)
    counts = Counts.of("aabbbc")
    law, trials = mechanism.law(counts), 6000
    most = max(6, mechanism.threshold)
    seen = Counter(
        tuple((key, min(noisy, most)) for key, noisy in mechanism(counts, rng=rng))
        for _ in range(trials)
    )
    assert set(seen) <= set(law.probabilities)
    common = [key for key, p in law.probabilities.items() if p * trials >= 5]
    rest = trials - sum(seen[key] for key in common)
    expected = [float(law[key]) * trials for key in common]
    pvalue = chisquare(
        [*(seen[key] for key in common), rest], [*expected, trials - sum(expected)]
    ).pvalue
    assert pvalue > FALSE_ALARM


def test_the_order_is_that_of_the_keys() -> None:
    mechanism = StabilityHistogram(50, "1e-9")
    records = ["b", 10, ("x", 2), 9, "a", ("x", 1)] * 200
    released = mechanism(Counts.of(records), rng=Seeded(1))
    assert released == mechanism(Counts.of(sorted(records, key=str)), rng=Seeded(1))
    assert [key for key, _ in released] == [9, 10, "a", "b", ("x", 1), ("x", 2)]


def test_rare_and_absent_keys_are_never_told() -> None:
    mechanism, rng = StabilityHistogram("0.1", "0.4", prefilter=2), Seeded(3)
    counts = Counts(9, {"absent": 0, "rare": 2, "often": 7})
    told = [mechanism(counts, rng=rng) for _ in range(300)]
    assert {key for release in told for key, _ in release} == {"often"}
    assert () in told
    assert mechanism(Counts(0, {}), rng=rng) == ()


def _chance(mechanism: StabilityHistogram, count: int, deviation: int) -> float:
    """P[the answer for a key of this count is off by the deviation], summed directly."""
    q = float(Decay.of(mechanism.epsilon / 2).ratio)
    chance, threshold = 0.0, mechanism.threshold
    for z in range(-250, 251):
        answer = count + z if count + z >= threshold else 0
        if abs(answer - count) >= deviation:
            chance += (1 - q) / (1 + q) * q ** abs(z)
    return chance


@pytest.mark.parametrize("prefilter", [0, 3])
@pytest.mark.parametrize("deviation", [5, 20, 40])
def test_failure_against_the_definition(prefilter: int, deviation: int) -> None:
    mechanism, n = StabilityHistogram(1, "1e-4", prefilter=prefilter), 200
    worst = max(_chance(mechanism, c, deviation) / c for c in range(prefilter + 1, n + 1))
    assert float(mechanism.failure(deviation, n)) == pytest.approx(min(1.0, n * worst), rel=1e-9)


@pytest.mark.parametrize(
    ("alpha", "beta", "epsilon", "delta", "n"),
    [("0.1", "0.05", "1", "1e-6", 360), ("0.05", "0.05", "1", "1e-6", 740)],
)
def test_golden_sample_sizes(alpha: str, beta: str, epsilon: str, delta: str, n: int) -> None:
    mechanism = StabilityHistogram(epsilon, delta)

    def fails(rows: int) -> bool:
        return mechanism.failure(int(Fraction(alpha) * rows) + 1, rows) > Fraction(beta)

    assert not fails(n)
    assert all(fails(rows) for rows in range(n - 60, n))


def test_a_prefilter_as_wide_as_the_deviation_promises_nothing() -> None:
    assert StabilityHistogram(1, "0.01", prefilter=5).failure(5, 100) == 1


def test_cost_is_what_was_claimed() -> None:
    assert StabilityHistogram(1, "1e-6").cost == Approximate(1, "1e-6")


@pytest.mark.parametrize(
    ("arguments", "error", "named"),
    [
        ({"epsilon": 0, "delta": 0.1}, InvalidArgument, "epsilon"),
        ({"epsilon": 1, "delta": 0}, InvalidArgument, "delta"),
        ({"epsilon": 1, "delta": 1}, InvalidArgument, "delta"),
        ({"epsilon": 1, "delta": 0.1, "prefilter": -1}, InvalidArgument, "prefilter"),
        ({"epsilon": 1, "delta": 0.1, "prefilter": 0.5}, NotExact, "prefilter"),
    ],
)
def test_bad_parameters(arguments: dict[str, Any], error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        StabilityHistogram(**arguments)
