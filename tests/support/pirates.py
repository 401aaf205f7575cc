"""What a coalition can make of its words: every strategy keeps the bits that all of it agree on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tacit.core import check
from tacit.core.chance.randomness import Random
from tacit.kernels.bits.packing import unpack
from tacit.theory.codes.codebook import Bits, marked
from tacit.theory.codes.trace import Code

Pirate = Callable[[Bits, Random], Bits]
"""From the words of a coalition, one row each, to one word."""


def feasible(words: Bits, word: Bits) -> bool:
    """Whether a word agrees, in every column, with somebody of the coalition.

    >>> feasible(np.array([[True, False], [True, True]]), np.array([True, False]))
    True
    """
    return bool((words == word).any(axis=0).all())


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


@dataclass(frozen=True, slots=True)
class TracingTally:
    """In so many trials of a strategy: nobody was accused, and one user without part in it was."""

    pirate: str
    trials: int
    missed: int
    innocent: int


def tally(
    code: Code, *, trials: int, pirates: dict[str, Pirate] = PIRATES, rng: Random
) -> list[TracingTally]:
    """Let all users be the coalition, then all but the one in the middle, with every strategy.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.theory.codes import BonehShaw
    >>> code = BonehShaw(4, soundness=0.01)
    >>> [(t.pirate, t.missed) for t in tally(code, trials=5, rng=Seeded(0))][:2]
    [('random', 0), ('majority', 0)]
    """
    check.count(trials=trials, least=1)
    missed, innocent = dict.fromkeys(pirates, 0), dict.fromkeys(pirates, 0)
    someone = code.users // 2
    for _ in range(trials):
        book = code.generate(rng=rng)
        words = book.issued()
        others = np.delete(words, someone, axis=0)
        for name, pirate in pirates.items():
            missed[name] += not code.trace(book, pirate(words, rng)).fired.any()
            innocent[name] += bool(code.trace(book, pirate(others, rng)).fired[someone])
    return [TracingTally(name, trials, missed[name], innocent[name]) for name in pirates]


def worst_of(code: Code, *, trials: int, rng: Random) -> Pirate:
    """Return the strategy that, tried out on codes of its own, is accused least often.

    The pirates do not know the secret, but they know the code: this is the best they can choose
    among the strategies here.
    """
    found = tally(code, trials=trials, rng=rng)
    return PIRATES[max(found, key=lambda each: each.missed).pirate]
