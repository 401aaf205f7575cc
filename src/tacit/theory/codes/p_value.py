"""Tracing by p-values: how surprising a user's score is if the word was made without them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.core.chance.randomness import Random
from tacit.theory.codes.codebook import Bits, Codebook
from tacit.theory.codes.symmetric_tardos import GUARD, SymmetricTardos
from tacit.theory.codes.trace import Trace

RATES = np.geomspace(1e-4, 4.0, 400)  # exponents tried, from very short codes to very long


@dataclass(frozen=True, slots=True)
class PValueTardos:
    """The symmetric Tardos code, whose users are accused by p-values given the biases and the word.

    Guarantee:
        A user whose word was not used is accused with probability at most `soundness`, whatever
        the word and however short the code: given the biases and the word, such a user's bits are
        independent, so that the score S has P[S >= s] <= E[e^(t S)] e^(-t s) for every t > 0
        [docs/proofs/fingerprinting.md]. Whom the bar of `SymmetricTardos` accuses may escape, or
        the other way round: the p-value knows the word, the bar only its length.

    Exactness:
        Logarithms of moments in floating point, with a margin of 1e-9; the best t of a fixed list.

    >>> from tacit.core.chance.randomness import Seeded
    >>> code = PValueTardos(SymmetricTardos(10, soundness=0.001))
    >>> book = code.generate(rng=Seeded(1))
    >>> bool(code.trace(book, book.issued().sum(axis=0) > 5).fired.any())
    True
    """

    code: SymmetricTardos

    name: ClassVar[str] = "tardos, by p-values"

    @property
    def users(self) -> int:
        """How many users there are."""
        return self.code.users

    @property
    def columns(self) -> int:
        """How many bits a user's word has."""
        return self.code.columns

    @property
    def soundness(self) -> Fraction:
        """At most so often a given user is accused who gave nothing to the pirates."""
        return self.code.soundness

    @property
    def completeness(self) -> float:
        """What is proved of the bar; of p-values nothing is."""
        return self.code.completeness

    def generate(self, *, rng: Random) -> Codebook:
        """Draw the users' words and the tracer's secret."""
        return self.code.generate(rng=rng)

    def trace(self, book: Codebook, word: Bits, /) -> Trace:
        """Score every user by -ln of the p-value."""
        found = -self.log_p_values(book, word)
        bar = -math.log(float(self.soundness))
        return Trace(found, bar, found >= bar)

    def log_p_values(self, book: Codebook, word: Bits, /) -> NDArray[np.float64]:
        """Bound the logarithm of each user's p-value from above; no more than 0."""
        ones, p = book.ones(book.placed(word)), book.biases
        up, down, rate = np.sqrt((1 - p) / p), np.sqrt(p / (1 - p)), RATES[:, None]
        said_one = np.log(p * np.exp(rate * up) + (1 - p) * np.exp(-rate * down))
        said_zero = np.log(p * np.exp(-rate * up) + (1 - p) * np.exp(rate * down))
        moments = said_one @ ones + said_zero @ (book.sizes - ones)
        scores = self.code.trace(book, word).scores
        best = (moments[:, None] - RATES[:, None] * scores).min(axis=0)
        return np.asarray(np.minimum(best + GUARD * (1 + np.abs(best)), 0.0))
