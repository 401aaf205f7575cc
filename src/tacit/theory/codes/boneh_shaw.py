"""The Boneh-Shaw code, repaired: its columns are thresholds on the users.

Of the papers: BNS16 Lemma 4.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.core import Exact, Random, hold, least
from tacit.core.chance.permutation import permutation
from tacit.kernels.bits.packing import Words, pack
from tacit.probability.hypergeometric import bars, log_tails
from tacit.theory.codes.codebook import WORD, Bits, Codebook, shelves
from tacit.theory.codes.trace import Trace

NEXT = 4  # so many larger numbers must do, too, before the least is believed


@dataclass(frozen=True, slots=True)
class BonehShaw:
    """n + 1 kinds of columns, d of each: in kind t users 1, ..., t have a one.

    User s is accused if kind s - 1 has too few of the ones of kinds s - 1 and s together. Without
    user s nobody can tell these kinds apart, so a fair split decides how few are too few.

    Guarantee:
        A user whose word was not used is accused with probability at most `soundness`, whatever
        the pirates put out; of a word that agrees with all users where all users agree somebody is
        always accused [BS98; repaired in docs/proofs/fingerprinting.md].

    Exactness:
        The bars are exact, and so is the proof that with so many repetitions nobody can escape.

    >>> code = BonehShaw(10, soundness=0.001)
    >>> code.repetitions, code.columns
    (237, 2607)
    >>> from tacit.core.chance.randomness import Seeded
    >>> book = code.generate(rng=Seeded(1))
    >>> words = book.issued()
    >>> code.trace(book, words.sum(axis=0) > 5).accused
    5
    """

    users: int
    soundness: Fraction
    repetitions: int

    name: ClassVar[str] = "boneh-shaw"

    def __init__(self, users: int, *, soundness: Exact, repetitions: int | None = None) -> None:
        hold(self).count(users=users, least=2).probability(soundness=soundness)
        enough = _enough(self.users, self.soundness) if repetitions is None else repetitions
        hold(self).count(repetitions=enough, least=1)

    @property
    def columns(self) -> int:
        """How many bits a user's word has."""
        return (self.users + 1) * self.repetitions

    @property
    def completeness(self) -> float:
        """0 if nobody can escape, else 1: nothing is known of shorter codes."""
        return float(_escapes(self.users, self.repetitions, self.soundness))

    def kinds(self) -> Bits:
        """Return the labellings of users by columns, one row each, those that never occur left out.

        >>> BonehShaw(2, soundness=0.1).kinds().astype(int).tolist()
        [[0, 0], [1, 0], [1, 1]]
        """
        return np.arange(self.users) < np.arange(self.users + 1)[:, None]

    def generate(self, *, rng: Random) -> Codebook:
        """Draw the secret order of the columns."""
        rows, starts, bits, sizes = _layout(self.users, self.repetitions)
        place = bits[permutation(self.columns, rng=rng)]
        return Codebook(rows, place, starts, sizes, np.empty(0))

    def trace(self, book: Codebook, word: Bits, /) -> Trace:
        """Score each user by how unlikely so uneven a split is without them: -ln of its chance."""
        ones = book.ones(book.placed(word))
        both, fewer = ones[:-1] + ones[1:], ones[:-1]
        fired = fewer <= bars(self.repetitions, self.soundness)[both]
        scores = -log_tails(self.repetitions, both, fewer)
        return Trace(scores, float(-np.log(float(self.soundness))), fired)


@lru_cache(maxsize=16)
def _layout(
    users: int, d: int
) -> tuple[Words, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows, which are always the same in the tracer's order."""
    sizes = np.full(users + 1, d, dtype=np.int64)
    starts, bits, words = shelves(sizes)
    full = np.zeros(words * WORD, dtype=np.bool_)
    full[bits] = True
    kind = np.repeat(np.arange(users + 1), np.diff(np.append(starts, words)))
    rows = np.where(kind > np.arange(users)[:, None], pack(full), np.uint64(0))
    return rows, starts, bits, sizes


@lru_cache(maxsize=256)
def _enough(users: int, soundness: Fraction) -> int:
    """Return the least d that, with its next few, leaves nobody a way out.

    Rounding lets a smaller d do now and then, such as 233 in place of 237 for 10 users and 1/1000.
    """
    d = least(lambda d: not _escapes(users, d, soundness), low=1)
    good = 0
    while good <= NEXT:
        good = 0 if _escapes(users, d + good, soundness) else good + 1
        d += good == 0
    return d


def _escapes(users: int, d: int, soundness: Fraction) -> bool:
    """Whether the counts can climb from 0 to d in so many steps none of which accuses."""
    bar = bars(d, soundness)
    u = np.arange(d + 1)
    steps = np.minimum(d, np.searchsorted(bar, u, side="left") - 1 - u)
    farthest = np.maximum.accumulate(np.maximum(steps, u))
    reached = 0
    for _ in range(users):
        reached = int(farthest[reached])
    return reached >= d
