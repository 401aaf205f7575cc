"""What is said of what was measured: coverage, risks that rise, files that are read back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.mechanisms import Measurement
from tacit.mechanisms.measuring.calibration import Calibration, rising
from tacit.mechanisms.measuring.ranking import ranking
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.measuring.statement import measured, sentence
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
    assert sentence(told).endswith("these rows cannot tell it from that constant")
    sure = Measurement(1)(
        ScoreCounts(4000, (0,), np.array([[2900, 100], [100, 900]])), rng=Seeded(1)
    )
    assert sure.better
    assert "cannot" not in sentence(sure)
    stated = measured(["sick"], [sure])["sick"]
    assert stated["low"] <= stated["error"] <= stated["high"] < stated["constant_low"]


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
