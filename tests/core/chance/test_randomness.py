"""The sources of bits, and coins that are decided exactly."""

from __future__ import annotations

import copy
import os
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from scipy.stats import chisquare

from tacit.core.chance.permutation import permutation
from tacit.core.chance.randomness import BLOCK, Random, Seeded, System, is_secure
from tacit.core.chance.uniform import Uniform, bernoulli
from tacit.core.errors import InvalidArgument, NotExact
from tacit.core.numbers.decay import Decay
from tacit.learners.made_from.empirical import indices
from tests.support.replay import Replay

FALSE_ALARM = 1e-9


@pytest.mark.parametrize("rng", [System(), Seeded(3)])
def test_bits_and_integers_are_uniform(rng: Random) -> None:
    draws = np.bincount([rng.below(7) for _ in range(14_000)], minlength=7)
    assert chisquare(draws).pvalue > FALSE_ALARM
    nibbles = np.bincount([rng.bits(4) for _ in range(16_000)], minlength=16)
    assert chisquare(nibbles).pvalue > FALSE_ALARM
    octets = np.bincount((rng.words(20_000) >> np.uint64(56)).astype(int), minlength=256)
    assert chisquare(octets).pvalue > FALSE_ALARM


def test_wide_requests_are_served() -> None:
    rng = Seeded(1)
    assert 0 <= rng.bits(10**6) < 1 << 10**6
    assert rng.bits(0) == 0
    assert 0 <= rng.below(1 << 2000) < 1 << 2000


def test_every_bit_of_the_stream_is_drawn_once() -> None:
    """A request that does not fit begins a new block: none is cut short, none sees old bits."""
    two = Seeded(1).bits(16 * BLOCK).to_bytes(2 * BLOCK, "big")
    rng = Seeded(1)
    assert [rng.bits(8 * size) for size in (1, 100, BLOCK - 102)] == [
        int.from_bytes(two[start:end], "big") for start, end in ((0, 1), (1, 101), (101, BLOCK - 1))
    ]
    assert rng.bits(16) == int.from_bytes(two[BLOCK : BLOCK + 2], "big"), "one byte is left over"
    rng = Seeded(1)
    assert [rng.bits(8) for _ in range(BLOCK + 1)] == list(two[: BLOCK + 1])
    assert Seeded(1).words(9).astype("<u8").tobytes() == two[:72]


def test_the_key_is_all_of_the_systems_entropy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", lambda size: bytes(range(size)))
    stream = Cipher(algorithms.AES(bytes(range(32))), modes.CTR(bytes(16))).encryptor()
    assert System().bits(512) == int.from_bytes(stream.update(bytes(64)), "big")


def test_a_seed_repeats_and_says_so() -> None:
    assert [Seeded(5).bits(64) for _ in range(2)] == [Seeded(5).bits(64)] * 2
    assert Seeded(5).bits(64) != Seeded(6).bits(64)
    assert (Seeded(5).words(9) == Seeded(5).words(9)).all()
    assert not is_secure(Seeded(5))


def test_no_other_source_makes_a_private_release() -> None:
    """Whatever it says of itself, and whatever it is derived from."""

    class Claims(Seeded):
        secure = True

    class Derived(System):
        def bits(self, count: int, /) -> int:
            return 0

    assert not is_secure(Claims(1))
    assert not is_secure(Derived())
    with pytest.raises(AttributeError):
        System().bits = lambda count: 0  # type: ignore[method-assign]


def test_the_system_source_does_not_repeat() -> None:
    assert is_secure(System())
    assert System().bits(128) != System().bits(128)


@pytest.mark.parametrize("reused", [False, True], ids=["new-pid", "reused-pid"])
@pytest.mark.parametrize("draw", [lambda rng: rng.bits(128), lambda rng: rng.words(2).tolist()])
def test_a_fork_draws_other_bits(
    draw: Callable[[Random], object], reused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, known = System(), os.getpid()
    draw(rng)
    if reused:
        monkeypatch.setattr(os, "getpid", lambda: known)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, str(draw(rng)).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    told = os.read(reader, 1000).decode()
    assert told
    assert told != str(draw(rng))


def test_words_beyond_the_last_multiple_are_drawn_again() -> None:
    third = 3 << 61  # goes twice into 2^64, and a quarter of all words is left over
    words = [2 * third, (1 << 64) - 1, third + 5, 2 * third - 1, 7]
    assert indices(third, 3, rng=Replay(words)).tolist() == [5, third - 1, 7]


def test_an_order_with_equal_words_is_drawn_again() -> None:
    assert permutation(3, rng=Replay([9, 4, 9, 3, 8, 1])).tolist() == [2, 0, 1]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
@pytest.mark.parametrize("rng", [System(), Seeded(0)])
def test_a_source_is_never_copied(duplicate: object, rng: Random) -> None:
    with pytest.raises(TypeError, match="never copied"):
        duplicate(rng)  # type: ignore[operator]


def test_bad_requests_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="bound"):
        Seeded(0).below(0)
    with pytest.raises(InvalidArgument, match="count"):
        Seeded(0).bits(-1)
    with pytest.raises(NotExact, match="seed"):
        Seeded("a")  # type: ignore[arg-type]


def test_a_uniform_extends_and_never_redraws() -> None:
    uniform = Uniform(Replay([0b1011, 0b01]))
    uniform.refine(4)
    uniform.refine(3)
    assert (uniform.value, uniform.width) == (0b1011, 4)
    uniform.refine(6)
    assert (uniform.value, uniform.width) == (0b101101, 6)


def test_a_comparison_is_exact_at_the_boundary() -> None:
    word = (1 << 64) // 3  # the first 64 bits of 1/3: undecided until the next bits come

    def enclose(bits: int) -> tuple[int, int]:
        return (1 << bits) // 3, (1 << bits) // 3 + 1

    more = (1 << 64) // 3
    assert Uniform(Replay([word, more - 1])).below(enclose)
    assert not Uniform(Replay([word, more + 1])).below(enclose)
    assert Uniform(Replay([word - 1])).below(enclose)
    assert not Uniform(Replay([word + 1])).below(enclose)


def test_coins_have_their_bias() -> None:
    rng = Seeded(11)
    heads = sum(bernoulli(Fraction(1, 3), rng=rng) for _ in range(9000))
    assert chisquare([heads, 9000 - heads], [3000, 6000]).pvalue > FALSE_ALARM


def test_a_vanishing_bias_is_told_at_once() -> None:
    assert Decay(Fraction(1, 2)).scaled(1 << 45, 64) == (0, 1)


def test_an_interrupted_change_of_key_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = System()
    stream = rng._cipher
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with monkeypatch.context() as broken:
        broken.setattr(os, "urandom", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            rng.bits(8)
    rng.bits(8)
    assert rng._cipher is not stream


def _interrupted(_: int) -> bytes:
    raise KeyboardInterrupt


def test_threads_share_a_source_without_drawing_alike() -> None:
    rng = System()
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _: rng.bits(128), range(4000)))
    assert len(set(drawn)) == len(drawn)
