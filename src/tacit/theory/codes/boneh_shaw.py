"""The Boneh-Shaw code, repaired: its columns are thresholds on the users; and as it was printed.

Of the papers: BNS16 Lemma 4.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from tacit.core import Exact, Random, hold, least
from tacit.core.chance.permutation import permutation
from tacit.kernels.bits.packing import Words, pack
from tacit.theory.codes.codebook import WORD, Bits, Codebook, shelves
from tacit.theory.codes.trace import Trace


@lru_cache(maxsize=256)
def bars(d: int, level: Fraction) -> NDArray[np.int64]:
    """Return, for K = 0, ..., 2d, the greatest t with P[X <= t] <= level, or -1.

    X is the number of marked balls among d that are drawn from 2d, of which K are marked.

    Exactness:
        Integers only. The count of draws with X <= t changes from K to K + 1 by those with X = t in
        which the new mark is drawn, and t grows by at most 1; so all bars take O(d) operations.

    >>> bars(3, Fraction(1, 10)).tolist()
    [-1, -1, -1, 0, 0, 1, 2]
    """
    total = comb(2 * d, d)
    most = level * total
    found = np.empty(2 * d + 1, dtype=np.int64)
    x, below, here = 0, 0, total  # draws with X < x, and with X = x
    found[0] = -1
    for marked in range(2 * d):
        left = d - marked + x
        if left == 0:  # X >= K - d always, and more would be too likely from here on
            found[marked + 1 :] = np.arange(marked + 1, 2 * d + 1) - d - 1
            return found
        if x:
            before = here * x * left // ((marked - x + 1) * (d - x + 1))
            below -= before * (d - x + 1) // (2 * d - marked)
        here = here * (marked + 1) * left // ((marked + 1 - x) * (2 * d - marked))
        if below + here <= most:
            below += here
            here = here * (marked + 1 - x) * (d - x) // ((x + 1) * left)
            x += 1
        found[marked + 1] = x - 1
    return found


def log_tails(d: int, marked: NDArray[np.int64], drawn: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return ln P[X <= drawn], for each number of marked balls, in floating point.

    >>> np.exp(log_tails(3, np.array([3, 6]), np.array([0, 3]))).round(6).tolist()
    [0.05, 1.0]
    """
    logs, x, k = _log_factorials(2 * d), np.arange(d + 1), marked[:, None]
    possible = (x <= drawn[:, None]) & (x >= k - d) & (x <= k)
    x = np.clip(x, np.maximum(0, k - d), np.minimum(k, d))
    whole = 2 * logs[d] - logs[2 * d] + logs[k] + logs[2 * d - k]
    terms = whole - logs[x] - logs[k - x] - logs[d - x] - logs[d - k + x]
    terms[~possible] = -np.inf
    top = np.maximum(terms.max(axis=1), -1e300)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(terms - top[:, None]).sum(axis=1)) + top, dtype=np.float64)


@lru_cache(maxsize=64)
def _log_factorials(most: int) -> NDArray[np.float64]:
    return np.asarray(gammaln(np.arange(most + 1) + 1.0), dtype=np.float64)


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


@dataclass(frozen=True, slots=True)
class PrintedBonehShaw:
    """Kinds 1, ..., n - 1, each 2 n^2 ln(2n / soundness) times; its claim is false.

    Its first and last test trust the word to be feasible: the word of zeros, which users 1, ...,
    n - 1 can put out, accuses user n, who is absent (docs/proofs/fingerprinting.md).

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
