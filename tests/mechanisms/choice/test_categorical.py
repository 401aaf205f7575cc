"""The exact sampler: both paths compute one function of the same bits, and its law is exact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from tacit.core.chance.randomness import Seeded
from tacit.core.chance.uniform import Uniform
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.choice import categorical
from tacit.mechanisms.choice.categorical import Weights, certain, decide, draw, prefix_bounds, quick
from tacit.mechanisms.choice.exponential import Exponential
from tacit.statistics import ScoreProfile
from tests.support.replay import Replay

FALSE_ALARM = 1e-9
Cells = list[tuple[int, int]]  # (multiplicity, score)


def _adversarial() -> list[tuple[str, str, Cells]]:
    """Return (name, epsilon, cells): at least 50 profiles that would break a careless sampler."""
    shapes: dict[str, Cells] = {
        "one hypothesis": [(1, 5)],
        "two tied": [(1, 5), (1, 5)],
        "all tied": [(1, 0)] * 40,
        "gap of a million": [(1, 0), (1, 10**6)],
        "million gap bought back": [(1 << 1000, 0), (1, 1386)],
        "huge multiplicity alone": [(1 << 1000, -3)],
        "multiplicities 1 to 2^1000": [(1 << (40 * i), -55 * i) for i in range(26)],
        "steps of one": [(1, -i) for i in range(30)],
        "odd big integers": [((1 << 900) - 1, 0), ((1 << 900) + 1, 0), (3, 1200)],
        "empty cells between": [(0, 9), (2, 3), (0, 3), (5, 1), (0, 0)],
        "empty cell on top": [(0, 10**9), (1, 0), (1, -1)],
        "negative scores": [(1, -(10**6)), (2, -(10**6) - 1), (4, -(10**6) - 2)],
        "more than a block": [(1 + i % 3, i % 5) for i in range(1500)],
    }
    return [
        (name, epsilon, cells)
        for name, cells in shapes.items()
        for epsilon in ("1/1000", "1/2", "1", "20")
    ]


PROFILES = _adversarial()


def profile_of(cells: Cells) -> ScoreProfile[int]:
    return ScoreProfile([s for _, s in cells], [m for m, _ in cells], lambda cell, _: cell)


def weights_of(cells: Cells, epsilon: Fraction = Fraction(1)) -> Weights:
    return Exponential(epsilon)._weights(profile_of(cells))


def bounds_of(weights: Weights) -> list[tuple[Fraction, Fraction]]:
    """Return the cells' probabilities to within 2^-200, from integer enclosures."""
    lows, highs = prefix_bounds(weights, 256)
    return [
        (
            max(Fraction(0), Fraction(lows[i + 1] - highs[i], highs[-1])),
            Fraction(highs[i + 1] - lows[i], lows[-1]),
        )
        for i in range(len(lows) - 1)
    ]


def test_there_are_fifty_profiles() -> None:
    assert len(PROFILES) >= 50


@pytest.mark.parametrize(("name", "epsilon", "cells"), PROFILES)
def test_the_sampler_has_the_exact_law(name: str, epsilon: str, cells: Cells) -> None:
    mechanism, profile, rng = Exponential(epsilon), profile_of(cells), Seeded(len(name))
    runs = 1500
    law = bounds_of(mechanism._weights(profile))
    drawn = np.bincount([mechanism(profile, rng=rng) for _ in range(runs)], minlength=len(cells))
    expected = np.array([float(high) * runs for _, high in law])
    large = expected >= 5
    observed = np.append(drawn[large], drawn[~large].sum())
    awaited = np.append(expected[large], expected[~large].sum())
    if awaited[-1] < 1e-6:
        assert observed[-1] == 0
        observed, awaited = observed[:-1], awaited[:-1]
    if len(awaited) > 1:
        assert chisquare(observed, awaited * observed.sum() / awaited.sum()).pvalue > FALSE_ALARM


@pytest.mark.parametrize(("name", "epsilon", "cells"), PROFILES)
def test_all_prefixes_of_a_few_bits_are_shared_out_exactly(
    name: str, epsilon: str, cells: Cells
) -> None:
    """Run the decision on every 10-bit prefix: a proof of the law up to the undecided ones."""
    width = 10
    mechanism, profile = Exponential(epsilon), profile_of(cells)
    lows, highs = prefix_bounds(mechanism._weights(profile), width)
    decided = [decide(lows, highs, value=value, width=width) for value in range(1 << width)]
    undecided = decided.count(None)
    assert undecided <= 3 * (len(cells) - 1)
    for cell, (low, high) in enumerate(bounds_of(mechanism._weights(profile))):
        share = decided.count(cell)
        assert share <= high * (1 << width)
        assert low * (1 << width) <= share + undecided


@pytest.mark.parametrize(("block", "piece"), [(1024, 32), (3, 2)])
@pytest.mark.parametrize(("name", "epsilon", "cells"), PROFILES)
def test_the_quick_path_agrees_with_the_exact_one_bit_for_bit(
    name: str, epsilon: str, cells: Cells, block: int, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(categorical, "BLOCK", block)
    monkeypatch.setattr(categorical, "PIECE", block * piece)
    weights = weights_of(cells if block == 1024 else cells[:30], Fraction(epsilon))
    lows, highs = prefix_bounds(weights, 128)
    edges = {(low << 64) // lows[-1] for low in lows} | {
        (high << 64) // highs[-1] for high in highs
    }
    near = {
        edge + side * (1 << power)
        for edge in list(edges)[:60]
        for side in (-1, 1)
        for power in (0, 12, 40, 60)
    }
    words = [word for word in edges | near | {0, (1 << 64) - 1} if 0 <= word < 1 << 64]
    answered = 0
    for word in words:
        cell = quick(weights, word)
        if cell is not None:
            answered += 1
            for tail in (0, (1 << 64) - 1):
                assert certain(weights, Uniform(Replay([tail] * 8), value=word, width=64)) == cell
    assert answered


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**5), Fraction(1, 10), Fraction(5)])
def test_many_pieces_are_one(epsilon: Fraction) -> None:
    """On 10^5 cells, most of them hopeless for a large epsilon, both paths answer alike."""
    floats = np.random.default_rng(5)
    gaps = np.abs(np.cumsum(floats.integers(-3, 4, 100_000)))
    many = floats.integers(0, 1 << 40, 100_000)
    many[gaps.argmin()] = 0
    weights = Weights(many, gaps, Decay.of(epsilon / 2))
    lows, highs = prefix_bounds(weights, 64)
    answered = 0
    for word in floats.integers(0, 1 << 63, 40).tolist():
        cell = quick(weights, 2 * word)
        answered += cell is not None
        assert cell in (None, decide(lows, highs, value=2 * word, width=64))
    assert answered > 30


def test_the_fall_back_is_taken_and_continues_the_same_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weights = Weights(np.array([1, 1, 1]), np.array([0, 0, 0]), Decay(Fraction(1, 2)))
    boundary = (1 << 64) // 3
    assert quick(weights, boundary) is None
    tail = (1 << 64) // 3  # the bits of 1/3 go on: 0101...
    assert draw(weights, rng=Replay([boundary, tail - 1])) == 0
    assert draw(weights, rng=Replay([boundary, tail + 1])) == 1
    calls: list[int] = []
    monkeypatch.setattr(categorical, "quick", lambda *_: calls.append(1))
    rng, again = Seeded(4), Seeded(4)
    exact = [draw(weights, rng=rng) for _ in range(200)]
    monkeypatch.undo()
    assert len(calls) == 200
    assert exact == [draw(weights, rng=again) for _ in range(200)]


@settings(max_examples=300)
@given(
    st.lists(
        st.tuples(st.integers(0, 1 << 80), st.integers(-50, 50)), min_size=1, max_size=8
    ).filter(lambda cells: any(m for m, _ in cells)),
    st.fractions(min_value=Fraction(1, 100), max_value=20, max_denominator=1000),
    st.integers(0, (1 << 64) - 1),
)
def test_any_quick_answer_is_the_exact_answer(cells: Cells, epsilon: Fraction, word: int) -> None:
    weights = weights_of(cells, epsilon)
    cell = quick(weights, word)
    if cell is None:
        return
    law = Exponential(epsilon).cells(profile_of(cells))
    before = sum((law[i] for i in range(cell)), Fraction(0))
    assert before <= Fraction(word, 1 << 64)
    assert Fraction(word + 1, 1 << 64) <= before + law[cell]


def test_golden_laws() -> None:
    def shares(multiplicities: list[int], gaps: list[int]) -> list[float]:
        cells = list(zip(multiplicities, [-gap for gap in gaps], strict=True))
        law = Exponential(1).cells(profile_of(cells))
        return [float(law[i]) for i in range(len(cells))]

    assert shares([1, 3, 10, 7], [0, 1, 2, 5]) == pytest.approx(
        [0.1413831, 0.25725955, 0.52011934, 0.081238018], rel=1e-7
    )
    assert shares([1, 1 << 200, 1 << 1000], [0, 280, 1400]) == pytest.approx(
        [0.79679993, 0.20235827, 0.00084179748], rel=1e-7
    )
