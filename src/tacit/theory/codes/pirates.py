"""What a coalition can make of its words: every strategy keeps the bits that all of it agree on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacit.core.chance.randomness import Random
from tacit.kernels.bits.packing import unpack
from tacit.theory.codes.codebook import Bits

Pirate = Callable[[Bits, Random], Bits]
"""From the words of a coalition, one row each, to one word."""


def feasible(words: Bits, word: Bits) -> bool:
    """Whether a word agrees, in every column, with somebody of the coalition.

    >>> feasible(np.array([[True, False], [True, True]]), np.array([True, False]))
    True
    """
    return bool((words == word).any(axis=0).all())


def marked(words: Bits) -> Bits:
    """Return the columns in which the whole coalition has the same bit."""
    return np.asarray((words == words[0]).all(axis=0), dtype=np.bool_)


def by_coin(words: Bits, rng: Random) -> Bits:
    """Toss a coin wherever the coalition does not agree."""
    return np.where(marked(words), words[0], _coins(words.shape[1], rng))


def majority(words: Bits, rng: Random) -> Bits:
    """Write what most have; ties by coin."""
    twice = 2 * words.sum(axis=0)
    return np.where(twice == len(words), _coins(words.shape[1], rng), twice > len(words))


def minority(words: Bits, rng: Random) -> Bits:
    """Write what fewest have, as long as somebody has it; ties by coin."""
    return np.where(marked(words), words[0], ~majority(words, rng))


def interleaving(words: Bits, rng: Random) -> Bits:
    """Copy each bit from a random pirate."""
    chosen = rng.words(words.shape[1]) % np.uint64(len(words))
    return words[chosen.astype(np.int64), np.arange(words.shape[1])]


def all_ones(words: Bits, _: Random) -> Bits:
    """Write a one wherever somebody has it."""
    return np.asarray(words.any(axis=0), dtype=np.bool_)


def all_zeros(words: Bits, _: Random) -> Bits:
    """Write a zero wherever somebody has it."""
    return np.asarray(words.all(axis=0), dtype=np.bool_)


PIRATES: dict[str, Pirate] = {
    "random": by_coin,
    "majority": majority,
    "minority": minority,
    "interleaving": interleaving,
    "all-ones": all_ones,
    "all-zeros": all_zeros,
}


def _coins(count: int, rng: Random) -> Bits:
    return unpack(rng.words(-(-count // 64)), count)
