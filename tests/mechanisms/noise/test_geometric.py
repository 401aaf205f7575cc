"""Geometric noise: digits, tails, and draws of every rate."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from tacit.core.chance.randomness import Seeded, System
from tacit.core.chance.uniform import Uniform
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.noise.geometric import SIZE, _digits, geometric, tail, tail_upper, two_sided
from tacit.mechanisms.noise.inversion import FULL
from tests.support.replay import Replay

FALSE_ALARM = 1e-9


def _mass(ratio: Fraction, level: int, digit: int) -> Fraction:
    """The share of words that the table of one level gives to a digit."""
    table = _digits(ratio)[level]
    edges = [0, *map(int, table.first), FULL]
    return Fraction(edges[digit + 1] - edges[digit], FULL)


@pytest.mark.parametrize("rate", ["1", "0.03", "1e-4"])
@pytest.mark.parametrize("value", [0, 1, 7, 1023, 1024, 5000])
def test_digits_multiply_to_the_geometric_law(rate: str, value: int) -> None:
    decay = Decay.of(Fraction(rate))
    expected = (1 - decay.ratio) * decay.power(value)
    found, rest = Fraction(1), value
    for level in range(len(_digits(decay.ratio)) - 1):
        found *= _mass(decay.ratio, level, rest % SIZE)
        rest //= SIZE
    top = _digits(decay.ratio)[-1]
    found *= _mass(decay.ratio, len(_digits(decay.ratio)) - 1, rest) if rest < len(top.first) else 0
    assert abs(found - expected) <= Fraction(1, 1 << 60)


@pytest.mark.parametrize("rate", ["100", "1", "0.05", "1e-4", "1e-9", "1e-25"])
def test_tables_are_short_and_their_enclosures_narrow(rate: str) -> None:
    tables = _digits(Decay.of(Fraction(rate)).ratio)
    assert all(len(table.first) <= SIZE for table in tables)
    assert all(int((table.last - table.first).max()) <= 2 for table in tables)
    assert int(tables[-1].last[-1]) == FULL - 1
    assert len(tables) <= (5 if Fraction(rate) >= Fraction("1e-9") else 20)


@pytest.mark.parametrize("rate", ["3", "0.05", "1e-9"])
def test_the_table_and_the_enclosures_agree(rate: str) -> None:
    for table in _digits(Decay.of(Fraction(rate)).ratio):
        places = range(0, len(table.first), max(1, len(table.first) // 12))
        edges = [int(table.first[i]) + step for i in places for step in (-1, 1)]
        words = np.array([w for w in edges if 0 <= w < FULL - 1], dtype=np.uint64)
        words = np.setdiff1d(np.concatenate([words, Seeded(3).words(40)]), table.first)
        quick = table.invert(words, rng=Replay([])).tolist()
        slow: list[int] = []
        for word in map(int, words):
            uniform = Uniform(Seeded(1), value=word, width=64)
            index = 0 if len(table.first) < 100 else max(0, quick[len(slow)] - 3)
            while not uniform.below(partial(table.cumulative, index)):
                index += 1
            slow.append(index)
        assert quick == slow


def test_digits_are_put_together_in_base_1024() -> None:
    """The top is drawn first; the word before a threshold belongs to the digit that ends there."""
    decay = Decay.of(Fraction("1e-7"))
    places, top = _digits(decay.ratio)[:-1], _digits(decay.ratio)[-1]
    assert len(places) == 2
    words = [
        int(table.first[digit]) - 1
        for table, digit in zip((top, *places[::-1]), (3, 7, 11), strict=True)
    ]
    value = geometric(decay, 1, rng=Replay(words)).tolist()
    assert value == [3 * 1024**2 + 7 * 1024 + 11]


def test_the_last_word_goes_beyond_the_table() -> None:
    top = _digits(Fraction(1, 2))[-1]
    assert len(top.first) == 65
    last = np.array([FULL - 1], dtype=np.uint64)
    assert top.invert(last, rng=Replay([0])).tolist() == [64]
    assert top.invert(last, rng=Replay([FULL - 1 - (1 << 50)])).tolist() == [77]


@pytest.mark.parametrize("rate", ["4", "1", "0.3", "0.02", "0.001"])
def test_draws_follow_the_law(rate: str) -> None:
    decay = Decay.of(Fraction(rate))
    draws = two_sided(decay, 100_000, rng=Seeded(11))
    scale = max(1, int(1 / (3 * float(Fraction(rate)))))
    cuts = [
        cut * scale for cut in range(-9, 10) if tail(decay, abs(cut) * scale) > Fraction(1, 1000)
    ]
    below = np.searchsorted(cuts, draws, side="right")
    tails = [Fraction(1), *(tail(decay, cut) for cut in cuts), Fraction(0)]
    expected = [float(p - q) for p, q in pairwise(tails)]
    counts = np.bincount(below, minlength=len(expected))
    assert chisquare(counts, np.array(expected) * len(draws)).pvalue > FALSE_ALARM


@pytest.mark.parametrize(("rate", "size"), [("1e-9", 50_000), ("1e-40", 4000)])
def test_tiny_rates_have_the_right_size(rate: str, size: int) -> None:
    draws = geometric(Decay.of(Fraction(rate)), size, rng=Seeded(2)).astype(object)
    mean = float(Fraction(sum(map(int, draws))) / size * Fraction(rate))
    assert abs(mean - 1) < 6.2 / size**0.5
    low = np.array([int(draw) % SIZE for draw in draws])
    assert chisquare(np.bincount(low // 64, minlength=16)).pvalue > FALSE_ALARM


def test_huge_rates_are_silent() -> None:
    assert not two_sided(Decay.of(Fraction(100)), 10_000, rng=System()).any()


def test_no_draws() -> None:
    assert two_sided(Decay.of(Fraction(1)), 0, rng=Seeded(0)).shape == (0,)


@given(st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=50), st.integers(-40, 40))
def test_tails_telescope(ratio: Fraction, m: int) -> None:
    decay = Decay(ratio)
    assert tail(decay, m) - tail(decay, m + 1) == (1 - ratio) / (1 + ratio) * decay.power(abs(m))
    assert tail(decay, m) + tail(decay, 1 - m) == 1
    assert tail_upper(decay, m) == tail(decay, m)


def test_long_tails_are_rounded_up_by_a_hair() -> None:
    decay = Decay.of(Fraction(1, 100))
    exact, rounded = tail(decay, 3000), tail_upper(decay, 3000)
    assert exact < rounded <= exact * (1 + Fraction(1, 1 << 126))
    assert tail_upper(decay, -3000) == 1
