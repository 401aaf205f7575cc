"""Rows dealt into blocks by a word for each, which a secret key gives wherever it is asked.

How it works. Who deals n rows in a uniform order gives each of them a uniform word of 64 bits, and
puts the rows with the least words into the first block. Here the word of a row is a function of a
key, of what the row holds and of which copy of that it is: AES-256 over the words of the record one
after the other, and over the number of the copy in the end. Equal rows are alike, so it does not
matter which of them is the first copy. So nobody has to hold all rows, or their order: a task that
runs twice, on another machine, or in another order, deals the same row into the same block.

Proof: docs/proofs/dealing.md
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from numpy.typing import NDArray

from tacit.core.chance.randomness import Random
from tacit.core.errors import InvalidArgument

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

PIECE = 1 << 16
"""Rows whose words are drawn at a time."""
COLLECTED = 1 << 18
"""Words around the ends of blocks that are collected, about, at most: 2 megabytes."""
_BITS = (8, 16, 20, 24)
_KEY = 256
_FEW = 8
"""Blocks up to which words are compared with each end, and counted without being sorted."""


@dataclass(frozen=True, slots=True, repr=False)
class Records:
    """Different records, each a line of as many integers, and how many rows hold each of them.

    >>> records = Records(np.array([[7], [9]]), np.array([2, 1]))
    >>> [(which.tolist(), len(words)) for which, words in records.words(bytes(32))]
    [([0, 0, 1], 3)]
    """

    lines: Ints
    totals: Ints

    def words(self, key: bytes) -> Iterator[tuple[Ints, Words]]:
        """Yield, piece by piece, the record of each row and its word."""
        encrypt = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update  # noqa: S305
        states = np.zeros((len(self.lines), 2), dtype=np.uint64)
        for first in range(0, self.lines.shape[1], 2):
            pair = self.lines[:, first : first + 2].astype(np.int64).view(np.uint64)
            states[:, : pair.shape[1]] ^= pair
            states = _blocks(encrypt(states.tobytes())).copy()
        ends = np.cumsum(self.totals)
        firsts, rows = ends - self.totals, int(ends[-1]) if len(ends) else 0
        for start in range(0, rows, PIECE):
            place = np.arange(start, min(start + PIECE, rows))
            low, high = np.searchsorted(ends, place[[0, -1]], side="right")
            held = np.diff(np.minimum(ends[low : high + 1], start + len(place)), prepend=start)
            last = np.repeat(states[low : high + 1], held, axis=0)
            last[:, 0] ^= (place - np.repeat(firsts[low : high + 1], held)).view(np.uint64)
            which = np.repeat(np.arange(low, high + 1), held)
            yield which, _blocks(encrypt(last.view(np.uint8).data))[:, 0]

    def histogram(self, key: bytes, bits: int) -> Ints:
        """Count the rows by the leading bits of their words."""
        held = np.zeros(1 << bits, dtype=np.int64)
        for _, words in self.words(key):
            held += np.bincount((words >> np.uint64(64 - bits)).view(np.int64), minlength=1 << bits)
        return held

    def within(self, key: bytes, bits: int, bins: Ints) -> Words:
        """Return the words with these leading bits, in any order."""
        asked = np.zeros(1 << bits, dtype=np.bool_)
        asked[bins] = True
        found = [w[asked[(w >> np.uint64(64 - bits)).view(np.int64)]] for _, w in self.words(key)]
        return np.concatenate([np.zeros(0, dtype=np.uint64), *found])


class Worded(Protocol):
    """Rows that can be asked for their words, wherever they are."""

    def histogram(self, key: bytes, bits: int, /) -> Ints:
        """Count the rows by the leading bits of their words."""

    def within(self, key: bytes, bits: int, bins: Ints, /) -> Words:
        """Return the words with these leading bits, in any order."""


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """A secret key, and the last word of each block: what is beyond the last one is in no block.

    >>> from tacit.core.chance.randomness import Seeded
    >>> records = Records(np.array([[7], [9]]), np.array([40, 60]))
    >>> deal = Deal.of(records, 100, [80, 20], rng=Seeded(1))
    >>> deal.shares(records).sum(axis=0).tolist(), deal.shares(records).sum(axis=1).tolist()
    ([80, 20], [40, 60])
    """

    key: bytes
    lasts: Words
    blocks: Ints = field(repr=False)
    """The blocks that are not empty, in order."""

    @classmethod
    def of(cls, rows: Worded, n: int, sizes: Sequence[int], *, rng: Random) -> Deal:
        """Deal n rows: every way to put so many into each block is equally likely.

        Where two rows with one word meet at the end of a block, a new key is drawn.
        """
        if sum(sizes) > n or any(size < 0 for size in sizes):
            raise InvalidArgument(f"blocks of {list(sizes)} rows cannot be dealt from {n}")
        filled = np.flatnonzero(np.array(sizes, dtype=np.int64))
        ranks = np.cumsum([sizes[block] for block in filled.tolist()], dtype=np.int64)
        bits = next((b for b in _BITS if n * len(ranks) >> b <= COLLECTED), _BITS[-1])
        while True:
            key = rng.bits(_KEY).to_bytes(_KEY // 8, "big")
            ends = np.cumsum(rows.histogram(key, bits))
            if int(ends[-1]) != n:
                raise InvalidArgument(
                    "the table did not have the same rows each time that it was read: write it "
                    "down first"
                )
            bins = np.searchsorted(ends, ranks)
            words = np.sort(rows.within(key, bits, np.unique(bins)))
            lasts = _lasts(words, words >> np.uint64(64 - bits), bins, ends, ranks)
            if lasts is not None:
                return cls(key, lasts, filled)

    def split(self, records: Records) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Yield records, blocks, and how many rows of that record are in that block; in pieces.

        A record and a block may come in two pieces.
        """
        many = len(self.lasts) + 1
        for which, words in records.words(self.key):
            both, rows = _different((which - which[0]) * many + self._places(words))
            held = both % many < many - 1
            places, rows = both[held], rows[held]
            yield which[0] + places // many, self.blocks[places % many], rows.astype(np.int64)

    def shares(self, records: Records) -> Ints:
        """Return how many rows of each record are in each block, a column a block."""
        found = np.zeros((len(records.totals), len(self.lasts)), dtype=np.int64)
        for which, blocks, rows in self.split(records):
            np.add.at(found, (which, np.searchsorted(self.blocks, blocks)), rows)
        return found

    def only(self, records: Records, block: int) -> Ints:
        """Return how many rows of each record are in one block."""
        found = np.zeros(len(records.totals), dtype=np.int64)
        if block not in self.blocks:
            return found  # it has no words, and is not the block after it
        place = int(np.searchsorted(self.blocks, block))
        for which, words in records.words(self.key):
            inside = which[self._places(words) == place]
            if len(inside):
                part = np.bincount(inside - inside[0])
                found[inside[0] : inside[0] + len(part)] += part
        return found

    def _places(self, words: Words) -> Ints:
        """Return how many blocks end before each word: the place of its own block."""
        if len(self.lasts) > _FEW:
            return np.searchsorted(self.lasts, words, side="left")
        places = np.zeros(len(words), dtype=np.int64)
        for last in self.lasts:
            places += words > last
        return places


def _different(numbers: Ints) -> tuple[Ints, Ints]:
    """Return the different numbers in order, and how often each is there."""
    if int(numbers.max()) > _FEW * PIECE:
        return np.unique(numbers, return_counts=True)
    rows = np.bincount(numbers)
    found = np.flatnonzero(rows)
    return found, rows[found]


def _lasts(words: Words, leading: Words, bins: Ints, ends: Ints, ranks: Ints) -> Words | None:
    """Return the word of each rank; None if the next row has the same one, in another block."""
    starts = np.searchsorted(leading, bins.astype(np.uint64))
    before = np.where(bins > 0, ends[np.maximum(bins - 1, 0)], 0)
    places = starts + ranks - before - 1
    found: Words = words[places]
    after = np.minimum(places + 1, len(words) - 1)
    tied = (after > places) & (words[after] == found)
    return None if tied.any() else found


def _blocks(raw: bytes) -> Words:
    return np.frombuffer(raw, dtype="<u8").astype(np.uint64, copy=False).reshape(-1, 2)
