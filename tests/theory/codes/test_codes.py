"""Fingerprinting codes: exact bars, golden lengths, soundness and completeness by trial."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb, exp, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.algebra.parities import Parities, Parity
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.probability.clopper_pearson import at_least, at_most
from tacit.theory.codes import (
    BonehShaw,
    Code,
    PrintedBonehShaw,
    SymmetricTardos,
    Tardos,
    symmetric_tardos,
)
from tacit.theory.codes.boneh_shaw import bars, log_tails
from tacit.theory.codes.symmetric_tardos import bias_law
from tacit.theory.impossible.tracing import labels_untraceable, thresholds_untraceable
from tacit.verify.attack.packing import nearest_parity
from tests.support.pirates import PIRATES, feasible, tally, worst_of

LEVELS = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000))


def tail(d: int, marked: int, most: int) -> Fraction:
    ways = sum(comb(marked, x) * comb(2 * d - marked, d - x) for x in range(min(most, d) + 1))
    return Fraction(ways, comb(2 * d, d))


@pytest.mark.parametrize("level", LEVELS)
def test_bars_are_the_greatest_sound_ones(level: Fraction) -> None:
    for d in range(1, 13):
        for marked, bar in enumerate(bars(d, level).tolist()):
            assert bar == -1 or tail(d, marked, bar) <= level
            assert tail(d, marked, bar + 1) > level


def test_logarithms_of_tails_agree_with_exact_ones() -> None:
    d, marked = 7, np.arange(15)
    for most in range(d + 1):
        found = log_tails(d, marked, np.full(15, most))
        for k in range(15):
            expected = tail(d, k, most)
            assert found[k] == (pytest.approx(log(expected), abs=1e-9) if expected else -np.inf)


@pytest.mark.parametrize(
    ("users", "soundness", "d"),
    [(2, "0.01", 11), (4, "0.01", 31), (5, "0.01", 44), (8, "0.001", 157), (10, "0.001", 237)],
)
def test_lengths_of_the_repaired_code(users: int, soundness: str, d: int) -> None:
    code = BonehShaw(users, soundness=soundness)
    assert (code.repetitions, code.columns) == (d, (users + 1) * d)
    assert code.completeness == 0
    assert d <= users * (users + 1) * log(1 / Fraction(soundness)) + 1
    assert BonehShaw(users, soundness=soundness, repetitions=d - 1).completeness == 1


def test_a_shorter_code_may_do_by_luck() -> None:
    assert BonehShaw(10, soundness="0.001", repetitions=233).completeness == 0
    assert BonehShaw(10, soundness="0.001", repetitions=236).completeness == 1


@pytest.mark.parametrize(("users", "d"), [(2, 11), (2, 10), (3, 19), (3, 18), (3, 17)])
def test_completeness_is_what_all_words_say(users: int, d: int) -> None:
    """Every word that is feasible for all users, up to the order of columns of one kind."""
    bar = bars(d, Fraction(1, 100))
    climbs = [
        (0, *inner, d)
        for inner in product(range(d + 1), repeat=users - 1)
        if all(low > bar[low + up] for low, up in zip((0, *inner), (*inner, d), strict=True))
    ]
    code = BonehShaw(users, soundness="0.01", repetitions=d)
    assert code.completeness == float(bool(climbs))


def test_the_printed_code_accuses_an_absent_user() -> None:
    printed, repaired = PrintedBonehShaw(8, soundness="0.001"), BonehShaw(8, soundness="0.001")
    rng = Seeded(0)
    for _ in range(20):
        book = printed.generate(rng=rng)
        word = np.zeros(printed.columns, dtype=np.bool_)
        assert printed.trace(book, word).accused == 7
        book = printed.generate(rng=rng)
        assert all(printed.trace(book, p(book.issued(), rng)).fired.any() for p in PIRATES.values())
        assert feasible(book.issued(), word), "a constant is a feasible word of all users"
        book = repaired.generate(rng=rng)
        assert repaired.trace(book, np.zeros(repaired.columns, dtype=np.bool_)).accused is None


@pytest.mark.parametrize(
    ("users", "columns", "bar"), [(2, 90, 34.80), (5, 987, 120.41), (10, 3974, 239.39)]
)
def test_lengths_of_the_symmetric_code(users: int, columns: int, bar: float) -> None:
    code = SymmetricTardos(users, soundness="0.001", completeness="0.1")
    assert code.columns == columns
    assert code.bar == pytest.approx(bar, abs=0.005)
    assert code.completeness <= 0.1
    shorter = SymmetricTardos(users, soundness="0.001", columns=columns - 1)
    assert shorter.completeness > 0.1


@pytest.mark.parametrize("pirates", [2, 3, 4, 5])
def test_no_strategy_lowers_the_pirates_total(pirates: int) -> None:
    law = bias_law(pirates)
    p, rate = law.biases, 0.07
    a = np.arange(pirates + 1)[:, None]
    ways = np.array([comb(pirates, i) for i in range(pirates + 1)])[:, None]
    masses = law.chances * ways * p**a * (1 - p) ** (pirates - a)
    lean = (a - pirates * p) / np.sqrt(p * (1 - p))
    moments = []
    for inner in product((0, 1), repeat=pirates - 1):
        sign = 2 * np.array([0, *inner, 1])[:, None] - 1
        assert (masses * sign * lean).sum() == pytest.approx(law.advantage, abs=1e-7)
        moments.append((masses * np.exp(-rate * sign * lean / pirates)).sum())
    assert exp(law.pirate(rate)) == pytest.approx(max(moments), rel=1e-12)


def test_the_advantage_tends_to_two_over_pi() -> None:
    found = [SymmetricTardos(n, soundness="0.1", columns=9).advantage for n in (2, 5, 10, 20, 50)]
    assert found == pytest.approx([1, 0.7559, 0.7079, 0.6721, 0.6508], abs=5e-5)
    assert min(found) > 2 / np.pi


def test_packed_scores_are_the_plain_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Seeded(3)
    code = SymmetricTardos(9, soundness="0.1", columns=700)
    book = code.generate(rng=rng)
    words, word = book.issued(), PIRATES["random"](book.issued(), rng)
    p = np.repeat(book.biases, book.sizes)[np.argsort(np.argsort(book.place))]
    sign = 2.0 * word - 1
    plain = ((words - p) / np.sqrt(p * (1 - p)) * sign).sum(axis=1)
    assert code.trace(book, word).scores == pytest.approx(plain)
    monkeypatch.setattr(symmetric_tardos, "SMALL", 0)
    assert code.trace(book, word).scores == pytest.approx(plain)


def test_scores_of_the_original_code_are_the_plain_ones() -> None:
    rng = Seeded(4)
    code = Tardos(3, soundness="0.1")
    book = code.generate(rng=rng)
    words, word, p = book.issued(), PIRATES["interleaving"](book.issued(), rng), book.biases
    plain = np.where(words, np.sqrt((1 - p) / p), -np.sqrt(p / (1 - p)))[:, word].sum(axis=1)
    assert code.trace(book, word).scores == pytest.approx(plain)
    assert (code.columns, code.bar, code.completeness) == (2700, 180, pytest.approx(0.1**0.75))


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 6), st.integers(1, 70), st.integers(0, 1000))
def test_pirates_are_feasible(pirates: int, columns: int, seed: int) -> None:
    rng = Seeded(seed)
    bits = rng.words(pirates * columns).reshape(pirates, columns) % np.uint64(2) == 1
    for pirate in PIRATES.values():
        word = pirate(bits, rng)
        assert word.dtype == np.bool_
        assert feasible(bits, word)


def test_named_pirates_do_what_they_are_called() -> None:
    words = np.array([[1, 1, 0], [1, 0, 0], [1, 0, 1]], dtype=np.bool_)
    expected = {"majority": "100", "minority": "111", "all-ones": "111", "all-zeros": "100"}
    for name, said in expected.items():
        assert "".join(str(int(bit)) for bit in PIRATES[name](words, Seeded(0))) == said


@pytest.mark.parametrize(
    "code",
    [BonehShaw(5, soundness="0.01"), SymmetricTardos(5, soundness="0.01")],
    ids=lambda c: c.name,
)
def test_ten_thousand_trials_stay_within_the_promise(code: Code) -> None:
    """False alarm at most 1e-6 a strategy, by Clopper-Pearson; and the rates are told apart."""
    pirates = {name: pirate for name, pirate in PIRATES.items() if name != "all-zeros"}
    found = tally(code, trials=10_000, pirates=pirates, rng=Seeded(5))
    for each in found:
        assert at_least(each.missed, each.trials, 1e-6) <= code.completeness, each
        assert at_least(each.innocent, each.trials, 1e-6) <= float(code.soundness), each
        assert at_most(each.innocent, each.trials, 1e-2) <= float(code.soundness), each


def test_trials_of_the_original_code() -> None:
    for each in tally(Tardos(3, soundness="0.1"), trials=60, rng=Seeded(6)):
        assert at_least(each.missed, each.trials, 1e-6) <= 0.1**0.75
        assert at_least(each.innocent, each.trials, 1e-6) <= 0.1


def test_the_worst_pirate_is_chosen_by_trial() -> None:
    short = BonehShaw(4, soundness="0.01", repetitions=12)
    assert short.completeness == 1
    chosen = worst_of(short, trials=40, rng=Seeded(7))
    assert chosen is PIRATES["interleaving"]


def test_rows_that_tracing_asks_for() -> None:
    def found(bound: Any, epsilon: str) -> list[int]:
        return [bound(10**k, epsilon=epsilon, delta="1e-8", beta="0.1") - 1 for k in range(2, 5)]

    assert found(labels_untraceable, "1") == [5, 16, 49]
    assert found(labels_untraceable, "0.1") == [51, 162, 508]
    assert found(thresholds_untraceable, "1") == [4, 10, 22]
    assert found(thresholds_untraceable, "0.1") == [21, 49, 107]


@pytest.mark.parametrize("dims", [1, 2, 3, 4])
def test_fewer_flips_than_a_quarter_are_undone(dims: int) -> None:
    cube = Parities(dims)
    points = cube.domain()
    for parity in cube.concepts():
        for flips in range(-(-len(points) // 4)):
            for flipped in combinations(range(len(points)), flips):
                table = parity(points)
                table[list(flipped)] ^= True
                found = nearest_parity(table)
                assert (found.parity, found.mistakes, found.certain) == (parity, flips, True)


def test_a_quarter_is_not_enough() -> None:
    table = np.array([False, True, False, False])
    assert not nearest_parity(table).certain
    assert nearest_parity(table).parity != Parity(1)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: BonehShaw(1, soundness="0.1"),
        lambda: BonehShaw(3, soundness=0),
        lambda: SymmetricTardos(3, soundness="0.1", coalition=4),
        lambda: Tardos(3, soundness=2),
        lambda: nearest_parity(np.zeros(3, dtype=np.bool_)),
        lambda: BonehShaw(3, soundness="0.1").generate(rng=Seeded(0)).placed(np.zeros(2, np.bool_)),
    ],
)
def test_bad_arguments(wrong: Any) -> None:
    with pytest.raises(InvalidArgument):
        wrong()
