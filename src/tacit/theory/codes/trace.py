"""What tracing a word says.

Of the papers: BNS16 Def 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.core.chance.randomness import Random
from tacit.theory.codes.codebook import Bits, Codebook


@dataclass(frozen=True, slots=True)
class Trace:
    """A score for each user, the bar for an accusation, and whose score reaches it.

    >>> Trace(np.array([0.5, 9.0]), 6.9, np.array([False, True])).accused
    1
    """

    scores: NDArray[np.float64]
    bar: float
    fired: NDArray[np.bool_]

    @property
    def accused(self) -> int | None:
        """The user with the greatest score of those that reach the bar; None if there is none."""
        if not self.fired.any():
            return None
        return int(np.argmax(np.where(self.fired, self.scores, -np.inf)))


class Code(Protocol):
    """A fingerprinting code: who can be accused, how often wrongly, and how often nobody is."""

    @property
    def name(self) -> str:
        """What the code is called."""

    @property
    def users(self) -> int:
        """How many users there are."""

    @property
    def columns(self) -> int:
        """How many bits a user's word has."""

    @property
    def soundness(self) -> Any:
        """At most so often a given user is accused who gave nothing to the pirates."""

    @property
    def completeness(self) -> float:
        """At most so often a feasible word of all users accuses nobody."""

    def generate(self, *, rng: Random) -> Codebook:
        """Draw the users' words and the tracer's secret."""

    def trace(self, book: Codebook, word: Bits, /) -> Trace:
        """Say who has contributed to a word."""
