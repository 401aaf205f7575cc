"""Pure histograms: law, skipping, utility, cases."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import real
from tacit.mechanisms.noise.geometric import tail
from tacit.mechanisms.noise.pure_histogram import PureHistogram, skip
from tacit.statistics import Counts
from tests.support.replay import Replay

FALSE_ALARM = 1e-9


@pytest.mark.parametrize("size", [1, 2, 1000, 2**64])
def test_one_absent_key_is_expected_at_most(size: int) -> None:
    mechanism = PureHistogram(1, size)
    q = Decay.of(Fraction(1, 2)).ratio
    assert size * tail(Decay(q), mechanism.threshold) <= 1
    assert mechanism.threshold == 1 or size * tail(Decay(q), mechanism.threshold - 1) > 1


def test_draws_follow_the_law_of_noise_on_every_key() -> None:
    """Keys 0 and 3 occur, the others are reached by skipping; the law knows no difference."""
    mechanism, rng = PureHistogram(2, 4, threshold=1), Seeded(3)
    counts, trials = Counts.of([0, 0, 3, 9]), 8000
    law = mechanism.law(counts)
    seen = Counter(
        tuple((key, min(noisy, 4)) for key, noisy in mechanism(counts, rng=rng))
        for _ in range(trials)
    )
    assert set(seen) <= set(law.probabilities)
    common = [o for o, p in law.probabilities.items() if p * trials >= 8]
    expected = [float(law[o]) * trials for o in common]
    rest = trials - sum(seen[o] for o in common)
    counted = [*(seen[o] for o in common), rest]
    assert len(common) > 50
    assert chisquare(counted, [*expected, trials - sum(expected)]).pvalue > FALSE_ALARM


def test_law_is_a_product_of_tails() -> None:
    mechanism = PureHistogram(1, 2, threshold=2)
    decay = Decay.of(Fraction(1, 2))
    law = mechanism.law(Counts.of([0, 0, 0]))
    assert law[()] == (1 - tail(decay, -1)) * (1 - tail(decay, 2))
    assert law[((1, 3),)] == (1 - tail(decay, -1)) * tail(decay, 3)


def test_skips_are_geometric() -> None:
    rng = Seeded(4)
    skips = [skip(partial(real, Fraction(3, 4)), 6, rng=rng) for _ in range(6000)]
    expected = [0.25 * 0.75**g for g in range(6)]
    counts = np.bincount(skips, minlength=7)
    assert chisquare(counts, np.array([*expected, 0.75**6]) * 6000).pvalue > FALSE_ALARM


@pytest.mark.parametrize(
    ("bits", "expected"),
    [([(1 << 64) - 1], 0), ([3 << 62], 0), ([(3 << 62) - 1], 1), ([0], 6), ([1 << 63], 2)],
)
def test_a_skip_is_read_off_one_uniform(bits: list[int], expected: int) -> None:
    """(3/4)^1 = .75, (3/4)^2 = .5625, (3/4)^3 = .421875."""
    assert skip(partial(real, Fraction(3, 4)), 6, rng=Replay([*bits, 0, 0])) == expected


def test_a_huge_domain_costs_no_time() -> None:
    mechanism, rng = PureHistogram(1, 1 << 400), Seeded(1)
    counts = Counts.of([5] * 2000 + [-1] * 50)
    told = [mechanism(counts, rng=rng) for _ in range(60)]
    assert all(release[0][0] == 5 for release in told)
    extra = [key for release in told for key, _ in release[1:]]
    assert 0 < len(extra) < 200
    assert all(0 <= key < 1 << 400 for key in extra)
    assert all(release == tuple(sorted(release)) for release in told)
    assert all(z >= mechanism.threshold for release in told for _, z in release)


def _off(mechanism: PureHistogram, count: int, deviation: int) -> float:
    q = float(Decay.of(mechanism.epsilon / 2).ratio)
    chance = 0.0
    for z in range(-200, 201):
        answer = count + z if count + z >= mechanism.threshold else 0
        if abs(answer - count) >= deviation:
            chance += (1 - q) / (1 + q) * q ** abs(z)
    return chance


@pytest.mark.parametrize("deviation", [3, 12, 30])
def test_failure_bounds_every_database(deviation: int) -> None:
    mechanism, n = PureHistogram(1, 50, threshold=8), 40
    bound = float(mechanism.failure(deviation, n))
    for table in ([40], [20, 20], [10] * 4, [1] * 40, [deviation] * (40 // deviation)):
        absent = (50 - len(table)) * _off(mechanism, 0, deviation)
        exact = sum(_off(mechanism, count, deviation) for count in table) + absent
        assert min(1.0, exact) <= bound * (1 + 1e-9)


def test_a_small_failure() -> None:
    assert PureHistogram(1, 2**64).failure(120, 1000) < Fraction(1, 10**6)


def test_cost() -> None:
    assert PureHistogram("1/2", 9).cost == Pure("1/2")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"epsilon": 0, "size": 3}, "epsilon"),
        ({"epsilon": 1, "size": 0}, "size"),
        ({"epsilon": 1, "size": 3, "threshold": 0}, "threshold"),
    ],
)
def test_bad_parameters(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidArgument, match=named):
        PureHistogram(**arguments)


def test_a_law_is_listed_for_few_keys() -> None:
    with pytest.raises(TooLarge, match="size"):
        PureHistogram(1, 100).law(Counts.of([1]))
