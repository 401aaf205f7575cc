"""Inversion: the table and the exact comparison compute the same function of the same uniform."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.chance.randomness import Seeded
from tacit.core.chance.uniform import Uniform
from tacit.mechanisms.noise.inversion import FULL, Inversion
from tests.support.replay import Replay

THIRDS = (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
THIRD = FULL // 3
LAWS = [
    THIRDS,
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
    (Fraction(1, 10**30), Fraction(1, 7), 1 - Fraction(1, 7) - Fraction(1, 10**30)),
    (1 - Fraction(1, 10**40), Fraction(1, 2 * 10**40), Fraction(1, 2 * 10**40)),
]


def _reference(law: tuple[Fraction, ...], uniform: Fraction) -> int:
    return bisect_right(list(accumulate(law))[:-1], uniform)


def _near_thresholds(table: Inversion) -> list[int]:
    edges = [int(word) for word in (*table.first, *table.last)]
    words = {edge + step for edge in edges for step in (-1, 0, 1)}
    return sorted(word for word in words if 0 <= word < FULL)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rest", [0, 1, THIRD - 1, THIRD + 1, FULL - 1])
def test_words_next_to_a_threshold_are_decided_exactly(
    law: tuple[Fraction, ...], rest: int
) -> None:
    table = Inversion.rational(*law)
    for word in _near_thresholds(table):
        uniform = Fraction(word * FULL + rest, FULL**2)
        tail = Fraction(1, FULL**2)
        assert _reference(law, uniform) == _reference(law, uniform + tail / 2)
        value = table.invert(np.array([word], dtype=np.uint64), rng=Replay([rest, 0]))
        assert value.tolist() == [_reference(law, uniform)]


def test_an_open_word_reads_on_in_the_same_uniform() -> None:
    table = Inversion.rational(*THIRDS)
    assert (int(table.first[0]), int(table.last[0])) == (THIRD, THIRD)
    word = np.array([THIRD], dtype=np.uint64)
    assert table.invert(word, rng=Replay([THIRD - 1])).tolist() == [0]
    assert table.invert(word, rng=Replay([THIRD + 1])).tolist() == [1]
    assert table.invert(word, rng=Replay([THIRD, 0])).tolist() == [0]
    assert table.invert(word, rng=Replay([THIRD, FULL**2 - 1])).tolist() == [1]
    assert table.invert(word - np.uint64(1), rng=Replay([])).tolist() == [0]
    assert table.invert(word + np.uint64(1), rng=Replay([])).tolist() == [1]


@pytest.mark.parametrize("law", LAWS)
def test_a_blurred_table_draws_the_same(law: tuple[Fraction, ...]) -> None:
    sharp = Inversion.rational(*law)
    asked = []

    def blurred(index: int, bits: int) -> tuple[int, int]:
        low, high = sharp.cumulative(index, bits)
        asked.append(bits)
        blur = 1 << 62 if bits == 64 and index < len(law) - 1 else 0
        return max(low - blur, 0), min(high + blur, 1 << bits)

    words = np.concatenate(
        [Seeded(5).words(2000), np.array(_near_thresholds(sharp), dtype=np.uint64)]
    )
    table = Inversion.of(blurred)
    assert max(asked) == 64
    through_enclosures = table.invert(words, rng=Seeded(6))
    assert max(asked) >= 128
    quick = sharp.invert(words[:2000], rng=Replay([]))
    assert through_enclosures[:2000].tolist() == quick.tolist()


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any), st.integers(0, FULL - 1))
def test_both_paths_agree_with_the_definition(weights: list[int], word: int) -> None:
    law = tuple(Fraction(weight, sum(weights)) for weight in weights)
    table = Inversion.rational(*law)
    uniform = Fraction(2 * word * FULL + FULL, 2 * FULL**2)
    half = FULL // 2
    assert table.decide(Uniform(Replay([half, 0, 0]), value=word, width=64)) == _reference(
        law, uniform
    )
    array = np.array([word], dtype=np.uint64)
    assert table.invert(array, rng=Replay([half, 0, 0])).tolist() == [_reference(law, uniform)]


def test_tables_are_read_only_and_sorted() -> None:
    table = Inversion.rational(*LAWS[2])
    assert not table.first.flags.writeable
    assert (np.diff(table.first.astype(object)) >= 0).all()
    assert (np.diff(table.last.astype(object)) >= 0).all()
