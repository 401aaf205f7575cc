"""Draw whole arrays of integers by inverting a distribution function, without error.

X is the number of indices i with F(i) <= U, for one uniform real U a draw and an increasing F with
limit 1: P[X <= i] = F(i). The first 64 bits of U are compared with a table of integer enclosures of
2^64 F(i). A word that falls into an enclosure does not tell U from F(i); that has probability about
2^-64 an entry, and then more bits of the same U are revealed until it is decided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from tacit.core import Random
from tacit.core.chance.uniform import Uniform

WORD = 64
FULL = 1 << WORD

Cumulative = Callable[[int, int], tuple[int, int]]
"""F, as (index, bits) -> (low, high) with low <= F(index) * 2^bits <= high <= 2^bits."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Inversion:
    """A distribution function F and, for each tabulated index, the words that leave U < F(i) open.

    Words below `first[i]` have U < F(i), words above `last[i]` have U >= F(i). The table ends where
    F reaches 1, or with an entry whose last word is the largest one: no word lies beyond it.
    """

    cumulative: Cumulative
    first: NDArray[np.uint64]
    last: NDArray[np.uint64]

    @classmethod
    def of(cls, cumulative: Cumulative) -> Inversion:
        """Tabulate F; the running maxima keep the enclosures valid because F increases."""
        first: list[int] = []
        last: list[int] = []
        low = high = 0
        while high < FULL:
            below, above = cumulative(len(first), WORD)
            low, high = max(low, below), max(high, above)
            if low < FULL:
                first.append(low)
                last.append(max(high, 1) - 1)
        return cls(cumulative, _frozen(first), _frozen(last))

    @classmethod
    def rational(cls, *probabilities: Fraction) -> Inversion:
        """Tabulate a law over 0, 1, ... given by rationals that add up to 1.

        >>> from tacit.core.chance.randomness import Seeded
        >>> Inversion.rational(Fraction(0), Fraction(1)).draw(3, rng=Seeded(1)).tolist()
        [1, 1, 1]
        """
        sums = list(accumulate(probabilities))

        def cumulative(index: int, bits: int) -> tuple[int, int]:
            low, rest = divmod(sums[index].numerator << bits, sums[index].denominator)
            return low, low + bool(rest)

        return cls.of(cumulative)

    def draw(self, count: int, *, rng: Random) -> NDArray[np.int64]:
        """Return `count` independent draws of X."""
        return self.invert(rng.words(count), rng=rng)

    def invert(self, words: NDArray[np.uint64], *, rng: Random) -> NDArray[np.int64]:
        """Return X for each uniform number, given its first 64 bits; `rng` supplies any others."""
        values: NDArray[np.int64] = np.searchsorted(self.first, words, side="right")
        if not self.first.size:
            return values
        open_ = (values > 0) & (words <= self.last[values - 1])
        for place in np.flatnonzero(open_):
            word = int(words[place])
            values[place] = self.decide(Uniform(rng, value=word, width=WORD))
        return values

    def decide(self, uniform: Uniform) -> int:
        """Return X for a uniform number known to 64 bits or more, by enclosures ever narrower."""
        word = uniform.value >> uniform.width - WORD
        index = int(np.searchsorted(self.last, np.uint64(word), side="left"))
        while not uniform.below(partial(self.cumulative, index)):
            index += 1
        return index


def _frozen(words: list[int]) -> NDArray[np.uint64]:
    table = np.array(words, dtype=np.uint64)
    table.flags.writeable = False
    return table
