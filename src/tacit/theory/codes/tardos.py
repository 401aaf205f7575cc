"""Tardos's code as published.

Of the papers: BNS16 Prop 4.9.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tacit.core import Exact, Random, hold
from tacit.kernels.bits.packing import unpack
from tacit.theory.codes.codebook import WORD, Bits, Codebook
from tacit.theory.codes.symmetric_tardos import GRID, draw
from tacit.theory.codes.trace import Trace

CHUNK = 1 << 16  # columns that are unpacked at once: 64 kilobytes a user


@dataclass(frozen=True, slots=True)
class Tardos:
    """100 c^2 ln(1 / soundness) columns with arcsine biases; only the word's ones are scored.

    Guarantee:
        A user whose word was not used is accused with probability at most `soundness`; of a
        feasible word of at most c = users pirates none is accused with probability at most
        soundness^(c / 4) [Tar08, Thm. 1].

    >>> code = Tardos(10, soundness=0.001)
    >>> code.columns, code.bar
    (70000, 1400)
    """

    users: int
    soundness: Fraction

    name: ClassVar[str] = "original-tardos"

    def __init__(self, users: int, *, soundness: Exact) -> None:
        hold(self).count(users=users, least=2).probability(soundness=soundness)

    @property
    def columns(self) -> int:
        """How many bits a user's word has."""
        return 100 * self.users**2 * self._log

    @property
    def bar(self) -> int:
        """The score from which on a user is accused."""
        return 20 * self.users * self._log

    @property
    def completeness(self) -> float:
        """At most so often a feasible word accuses nobody."""
        return math.pow(float(self.soundness), self.users / 4)

    def generate(self, *, rng: Random) -> Codebook:
        """Draw each column's bias, sin^2 of a uniform angle that is not too flat, and its bits."""
        words = -(-self.columns // WORD)
        least_angle = math.asin(math.sqrt(1 / (300 * self.users)))
        uniform = rng.words(self.columns).astype(np.float64) * 2.0**-64
        angles = least_angle + uniform * (math.pi / 2 - 2 * least_angle)
        biases = np.zeros(words * WORD)
        biases[: self.columns] = np.rint(np.sin(angles) ** 2 * GRID) / GRID
        return Codebook(
            draw(self.users, biases, rng=rng),
            np.arange(self.columns),
            np.arange(words),
            np.full(words, WORD),
            biases[: self.columns],
        )

    def trace(self, book: Codebook, word: Bits, /) -> Trace:
        """Score every user on the columns in which the word has a one."""
        p = book.biases
        up, down = np.sqrt((1 - p) / p), np.sqrt(p / (1 - p))
        weights = np.where(word, up + down, 0.0)
        scores = np.full(book.users, -float(down[word].sum()))
        for start in range(0, self.columns, CHUNK):
            part = slice(start // WORD, (start + CHUNK) // WORD)
            stretch = weights[start : start + CHUNK]
            scores += unpack(book.rows[:, part], len(stretch)) @ stretch
        return Trace(scores, float(self.bar), scores > self.bar)

    @property
    def _log(self) -> int:
        return math.ceil(-math.log(float(self.soundness)))
