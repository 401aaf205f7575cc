"""What is said of what was measured: coverage, risks that rise, files that are read back."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import isotonic_regression
from scipy.stats import beta, binom

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.mechanisms import Measurement
from tacit.mechanisms.measuring.calibration import Calibration, level_shares, rising
from tacit.mechanisms.measuring.ranking import ranking
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.measuring.statement import gains, measured, sentence
from tacit.mechanisms.measuring.weighing import Weighing
from tacit.probability.clopper_pearson import at_least
from tacit.statistics.counts.score_counts import ScoreCounts

POPULATION = np.array([[0.30, 0.01], [0.25, 0.03], [0.15, 0.06], [0.05, 0.15]])
LEVELS = (-5, 0, 5)


def _area(shares: Any) -> float:
    no, yes = shares[:, 0] / shares[:, 0].sum(), shares[:, 1] / shares[:, 1].sum()
    above = np.cumsum(yes[::-1])[::-1]
    return float((no * (np.append(above[1:], 0) + yes / 2)).sum())


def _draw(n: int, seed: int, epsilon: str) -> Reading:
    floats = np.random.default_rng(seed)
    cells = floats.multinomial(n, POPULATION.ravel()).reshape(-1, 2)
    return Measurement(epsilon)(ScoreCounts(n, LEVELS, cells), rng=Seeded(seed))


@pytest.mark.parametrize(("n", "epsilon"), [(300, "1"), (2000, "1/2"), (50, "3")])
def test_intervals_hold_as_often_as_they_say(n: int, epsilon: str) -> None:
    error = float(POPULATION[2:, 0].sum() + POPULATION[:2, 1].sum())
    positive, area = float(POPULATION[:, 1].sum()), _area(POPULATION)
    misses = np.zeros(4)
    runs = 50
    for seed in range(runs):
        told = _draw(n, seed, epsilon)
        ranked = ranking(told)
        hits = float(POPULATION[2:, 1].sum() / positive)
        held = [
            (told.error_interval(), error),
            (told.positive_interval(), positive),
            (ranked.area_interval, area),
            (ranked.rates[1].hits_interval, hits),
        ]
        misses += [not low <= true <= high for (low, high), true in held]
    assert at_least(int(misses.max()), runs, 1e-6) <= 0.05


@pytest.mark.parametrize(("n", "epsilon"), [(300, "1"), (2000, "1/2"), (50, "3")])
def test_shares_of_all_levels_hold_at_once(n: int, epsilon: str) -> None:
    true = POPULATION[:, 1] / POPULATION.sum(axis=1)
    misses, runs = 0, 40
    for seed in range(runs):
        bands = np.array(level_shares(_draw(n, seed, epsilon)))
        misses += not ((bands[:, 0] <= true) & (true <= bands[:, 1])).all()
    assert at_least(misses, runs, 1e-6) <= 0.05
    assert n < 2000 or (bands[:, 1] - bands[:, 0]).min() < 0.5


NO_NOISE, WIDE = Fraction(60), Fraction(1, 5)


def test_statements_of_a_ranking_share_what_may_be_missed() -> None:
    """One level is three statements: the number of positives, and the rates of both marks.

    Without noise the rates are Clopper and Pearson's, each for a third; if only the positives are
    noisy, among as many of them as there may be.
    """
    cells, rare = ((160, 100), (40, 100)), 0.05 / 3
    q = float(Decay.of(WIDE).ratio)
    blur = next(r for r in range(99) if q ** (r + 1) / (1 + q) <= rare / 2)
    for rate, off in ((NO_NOISE, 0), (WIDE, blur)):
        told = Reading(400, (0,), 140, 200, cells, (NO_NOISE, rate, NO_NOISE))
        (found,) = ranking(told).rates
        for count, interval in ((100, found.hits_interval), (40, found.alarms_interval)):
            low = beta.ppf(rare / 2, count, 200 + off - count + 1)
            high = beta.ppf(1 - rare / 2, count + 1, 200 - off - count)
            assert interval.low == pytest.approx(low, abs=2e-5)
            assert interval.high == pytest.approx(high, abs=2e-5)


def test_rates_know_how_many_noisy_cells_they_are_the_sum_of() -> None:
    """At its ends what was told is just too rare: by the law of the sum of two draws of noise."""
    told = Reading(
        400, (-5, 0, 5), 20, 200, ((100, 20), (50, 30), (30, 50), (20, 100)),
        (NO_NOISE, NO_NOISE, WIDE),
    )  # fmt: skip
    q, far = float(Decay.of(WIDE).ratio), np.arange(-200, 201)
    alone = (1 - q) / (1 + q) * q ** abs(far)
    noise = np.convolve(alone, alone)  # from -400 to 400
    upto = np.cumsum(noise)
    found, each = ranking(told).rates[1].hits_interval, 0.05 / 7 / 2

    def chance(p: float, *, above: bool) -> float:
        """Return the chance of 150 or more, or 150 or fewer, among 200 and noise."""
        j = np.arange(201)
        off = upto[j - 150 + 400] if above else upto[150 - j + 400]
        return float(binom.pmf(j, 200, p) @ off)

    assert chance(found.low, above=True) <= each < chance(found.low + 2e-5, above=True)
    assert chance(found.high, above=False) <= each < chance(found.high - 2e-5, above=False)


def test_an_interval_of_the_area_narrows_with_rows() -> None:
    widths = [np.subtract(*ranking(_draw(n, 1, "1")).area_interval[::-1]) for n in (500, 50_000)]
    assert widths[1] < widths[0] / 4


def test_risks_rise_as_the_nearest_rising_values_do() -> None:
    floats = np.random.default_rng(1)
    for _ in range(50):
        values, weights = floats.random(8), floats.uniform(0.5, 5, 8)
        known = isotonic_regression(values, weights=weights).x
        assert rising(values.tolist(), weights.tolist()) == pytest.approx(known.tolist())


def test_risks_are_near_the_shares_and_never_fall() -> None:
    told = _draw(100_000, 1, "1")
    risks = Calibration.of(told).risks(np.arange(-12, 12))
    assert (np.diff(risks) >= 0).all()
    assert risks.min() > 0
    assert risks.max() < 1
    true = POPULATION[:, 1] / POPULATION.sum(axis=1)
    assert risks[[0, -1]] == pytest.approx(true[[0, -1]], abs=0.02)


def test_a_model_that_is_no_better_says_so() -> None:
    counts = ScoreCounts(400, (0,), np.array([[200, 90], [50, 60]]))
    told = Measurement(1)(counts, rng=Seeded(1))
    assert not told.better
    assert told.error < told.constant_error
    assert "these rows are too few to tell it from that constant; about " in sentence(told)
    worse = Measurement(1)(
        ScoreCounts(4000, (0,), np.array([[100, 900], [2900, 100]])), rng=Seeded(1)
    )
    assert sentence(worse).endswith("it is worse than that constant")
    same = replace(told, errors=told.positives)
    assert sentence(same).endswith("these rows show no gain over that constant")
    sure = Measurement(1)(
        ScoreCounts(4000, (0,), np.array([[2900, 100], [100, 900]])), rng=Seeded(1)
    )
    assert sure.better
    assert "cannot" not in sentence(sure)
    stated = measured(["sick"], [sure])["sick"]
    assert stated["low"] <= stated["error"] <= stated["high"] < stated["constant_low"]


@pytest.mark.parametrize("errors", [20, 150, 210])
@pytest.mark.parametrize("rate", ["1/50", "1/4", "10"])
def test_as_many_rows_as_are_told_would_tell_a_model_from_a_constant(
    errors: int, rate: str
) -> None:
    def told(rows: int) -> Reading:
        counts = rows * errors // 1000, rows * 240 // 1000
        return Reading(rows, (0,), *counts, ((0, 0), (0, 0)), (Fraction(rate),) * 3)

    needed = told(1000).telling()
    assert told(needed + needed // 20).better
    assert needed == 1000 or not told(needed * 3 // 4).better


def test_a_reading_is_written_and_read_back() -> None:
    told = _draw(100, 1, "1")
    assert Reading.decode(told.encode()) == told


@pytest.mark.parametrize(
    "change",
    [
        {"rows": 0},
        {"levels": [5, 0, -5]},
        {"levels": [1, 2, 3]},
        {"cells": [[1, 2]]},
        {"cells": [[1, 2, 3]] * 4},
        {"errors": 1 << 63},
        {"errors": "7"},
        {"rates": ["0", "1", "1"]},
        {"rates": ["1"]},
        {"rates": ["1", "1", "1e-400"]},
        {"rates": ["1", "1", "1e400"]},
    ],
)
def test_a_reading_that_is_none_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises((InvalidArgument, TypeError)):
        Reading.decode(_draw(100, 1, "1").encode() | change)


def test_levels_are_fewer_where_rows_are_and_keep_zero() -> None:
    wanted = (-9, -3, -1, 0, 2, 8, 20)
    for n in (1, 100, 1000, 10_000):
        kept = Measurement("1/2").levels(wanted, n)
        assert 0 in kept
        assert set(kept) <= set(wanted)
    assert Measurement("1/2").levels(wanted, 10_000) == wanted
    assert Measurement(1).levels((0,), 1) == (0,)


def test_noise_of_rates_is_what_was_drawn() -> None:
    """The rates that a reading tells are those of the noise: else its intervals would not hold."""
    counts = ScoreCounts(10**6, (0,), np.array([[400_000, 100_000], [100_000, 400_000]]))
    told = [Measurement("1/10")(counts, rng=Seeded(seed)) for seed in range(300)]
    off = np.array(
        [[t.errors - 200_000, t.positives - 500_000, t.cells[0][0] - 400_000] for t in told]
    )
    scale = np.array([float(1 / rate) for rate in told[0].rates])
    assert (abs(off).mean(axis=0) / scale) == pytest.approx([1, 1, 1], abs=0.25)
    assert told[0].rates == (Fraction(3, 50), Fraction(3, 200), Fraction(1, 80))


@pytest.mark.parametrize("odds", [Fraction(5), Fraction(1, 3)])
def test_weighted_costs_are_covered(odds: Fraction) -> None:
    miss, alarm = POPULATION[:2, 1].sum(), POPULATION[2:, 0].sum()
    true = float(odds) * miss + alarm
    found = [Weighing(_draw(500, seed, "1"), odds) for seed in range(200)]
    inside = [w.interval().low <= true <= w.interval().high for w in found]
    assert sum(inside) >= 190
    assert abs(np.mean([w.cost for w in found]) - true) < 0.02 * max(float(odds), 1)
    stated = measured(["ill"], [found[0].reading], [odds])["ill"]["weighted"]
    assert stated["low"] <= stated["cost"] <= stated["high"]
    assert f"a miss weighing {float(odds):g}" in sentence(found[0].reading, odds=odds)


@pytest.mark.parametrize("odds", [Fraction(5), Fraction(2), Fraction(1, 4)])
@pytest.mark.parametrize("rate", ["1/4", "10"])
def test_as_many_rows_as_are_told_would_tell_what_costs_less(odds: Fraction, rate: str) -> None:
    def told(rows: int) -> Weighing:
        yes, missed, alarms = (rows * share // 1000 for share in (240, 60, 30))
        cells, rates = (
            ((rows - yes - alarms, missed), (alarms, yes - missed)),
            (Fraction(rate),) * 3,
        )
        return Weighing(Reading(rows, (0,), missed + alarms, yes, cells, rates), odds)

    few = next(rows for rows in (1000, 300, 100, 30) if not told(rows).better)
    needed = told(few).telling()
    assert told(needed + needed // 20).better
    assert not told(needed * 3 // 4).better
    said = sentence(told(few).reading, odds=odds)
    assert said.endswith(f"from that constant; about {needed:,} to measure on would do")


def test_a_constant_is_not_compared_with_itself() -> None:
    """By chance its errors may be told far below the positives, which are the same rows."""
    told = Reading(1000, (0,), 10, 240, ((740, 130), (20, 110)), (Fraction(3, 5),) * 3)
    for odds, always in ((Fraction(1), False), (Fraction(5), True)):
        assert sentence(told, odds=odds, always=always).endswith("to every row")
        assert not gains(told, odds, always=always)
        assert gains(told, odds) or odds != 1
    stated = measured(["ill"], [told], [Fraction(5)], [True])["ill"]
    assert stated["better"], "always 'yes' is not the constant that errs least"
    assert not stated["weighted"]["better"]
    assert not measured(["ill"], [told], (), [False])["ill"]["better"]
