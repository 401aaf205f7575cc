"""Who was given which word, 64 bits at a time, in an order that only the tracer knows.

Of the papers: BNS16 Def 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument
from tacit.kernels.bits.packing import Words, pack, unpack

Bits = NDArray[np.bool_]
WORD = 64
"""Bits of a word."""


@dataclass(frozen=True, slots=True, repr=False)
class Codebook:
    """Every user's word, packed, with columns of one kind next to each other.

    A row is one user's; kind t stands from word `starts[t]` on, filled up with zeros to whole
    words. Column j as the users know it is bit `place[j]` of a row: this order and the `biases` are
    the tracer's secret.
    """

    rows: Words
    place: NDArray[np.int64]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    biases: NDArray[np.float64]

    @property
    def users(self) -> int:
        """How many users have a word."""
        return len(self.rows)

    @property
    def columns(self) -> int:
        """How many bits a word has."""
        return len(self.place)

    def issued(self, users: list[int] | None = None) -> Bits:
        """Return the words of some users, or of all, as they know them: one row each."""
        chosen = self.rows if users is None else self.rows[users]
        return unpack(chosen)[:, self.place]

    def placed(self, word: Bits) -> Words:
        """Return a word in the tracer's order, packed."""
        if word.shape != self.place.shape or word.dtype != np.bool_:
            raise InvalidArgument(f"a word must be {self.columns} truth values")
        bits = np.zeros(self.rows.shape[1] * WORD, dtype=np.bool_)
        bits[self.place] = word
        return pack(bits)

    def ones(self, placed: Words) -> NDArray[np.int64]:
        """Count the ones of a placed word in each kind of column."""
        return np.add.reduceat(np.bitwise_count(placed), self.starts, dtype=np.int64)


def marked(words: Bits) -> Bits:
    """Return the columns in which a whole coalition has the same bit."""
    return np.asarray((words == words[0]).all(axis=0), dtype=np.bool_)


def shelves(sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Return the first word and the bits of each kind, and the words in all; none is without.

    >>> starts, bits, words = shelves(np.array([2, 65]))
    >>> starts.tolist(), bits[:4].tolist(), words
    ([0, 1], [0, 1, 64, 65], 3)
    """
    lengths = np.maximum(1, -(-sizes // WORD))
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int64)
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return starts, np.repeat(starts * WORD, sizes) + within, int(lengths.sum())
