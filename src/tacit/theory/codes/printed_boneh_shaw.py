"""The Boneh-Shaw code as printed, kept because it is wrong: it accuses a user who is absent.

Its columns are of kinds 1, ..., n - 1 only, and its first and last test trust the word to be
feasible. The word of zeros, which users 1, ..., n - 1 can put out without a look at their words,
accuses user n (docs/proofs/fingerprinting.md).

Of the papers: BNS16 Lemma 4.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tacit.core import Exact, Random, hold
from tacit.core.chance.permutation import permutation
from tacit.kernels.bits.packing import pack
from tacit.theory.codes.codebook import WORD, Bits, Codebook, shelves
from tacit.theory.codes.trace import Trace


@dataclass(frozen=True, slots=True)
class PrintedBonehShaw:
    """Kinds 1, ..., n - 1, each 2 n^2 ln(2n / soundness) times; its claim is false.

    >>> from tacit.core.chance.randomness import Seeded
    >>> code = PrintedBonehShaw(8, soundness=0.001)
    >>> book = code.generate(rng=Seeded(0))
    >>> code.trace(book, np.zeros(code.columns, dtype=bool)).accused
    7
    """

    users: int
    soundness: Fraction

    name: ClassVar[str] = "printed boneh-shaw"

    def __init__(self, users: int, *, soundness: Exact) -> None:
        hold(self).count(users=users, least=3).probability(soundness=soundness)

    @property
    def repetitions(self) -> int:
        """How often each kind occurs."""
        return int(np.ceil(2 * self.users**2 * self._log))

    @property
    def columns(self) -> int:
        """How many bits a user's word has."""
        return (self.users - 1) * self.repetitions

    @property
    def completeness(self) -> float:
        """What is claimed."""
        return float(self.soundness)

    def generate(self, *, rng: Random) -> Codebook:
        """Draw the secret order of the columns."""
        sizes = np.full(self.users - 1, self.repetitions, dtype=np.int64)
        starts, bits, words = shelves(sizes)
        kind = np.repeat(np.arange(1, self.users), self.repetitions)
        table = np.zeros((self.users, words * WORD), dtype=np.bool_)
        table[:, bits] = np.arange(self.users)[:, None] < kind
        place = bits[permutation(self.columns, rng=rng)]
        return Codebook(pack(table), place, starts, sizes, np.empty(0))

    def trace(self, book: Codebook, word: Bits, /) -> Trace:
        """Accuse as printed."""
        ones = book.ones(book.placed(word)).astype(np.float64)
        scores = np.empty(self.users)
        scores[0] = ones[0]
        scores[-1] = self.repetitions - ones[-1]
        both = ones[:-1] + ones[1:]
        scores[1:-1] = both / 2 - np.sqrt(both / 2 * self._log) - ones[:-1]
        return Trace(scores, 0.0, scores > 0)

    @property
    def _log(self) -> float:
        return float(np.log(2 * self.users / float(self.soundness)))
