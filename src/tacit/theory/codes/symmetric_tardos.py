"""The symmetric Tardos code with the biases that no strategy of the pirates can lower.

Of the papers: BNS16 Prop 4.9.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import gammaln

from tacit.core import Exact, InvalidArgument, Random, check, hold, least
from tacit.kernels.bits.bit_distances import count
from tacit.kernels.bits.packing import Words, pack
from tacit.theory.codes.codebook import WORD, Bits, Codebook, shelves
from tacit.theory.codes.trace import Trace

SMALL = 1 << 20
"""Up to so many words NumPy is quick enough; beyond, it pays to load the compiled kernel."""


def disagreements(book: Codebook, placed: Words) -> NDArray[np.int64]:
    """Count, for each user and each kind of column, the bits in which both words differ.

    Cost:
        One pass over the code, on all processors, near the speed of the memory.
    """
    if book.rows.size <= SMALL:
        different = np.bitwise_count(book.rows ^ placed)
        return np.add.reduceat(different, book.starts, axis=1, dtype=np.int64)
    ends = np.append(book.starts, book.rows.shape[1])
    counts = np.empty((book.users, len(book.starts)), dtype=np.int64)
    cuts = np.linspace(0, book.users, (os.cpu_count() or 1) + 1).astype(np.int64).tolist()
    parts = [slice(low, high) for low, high in pairwise(cuts)]
    with ThreadPoolExecutor(len(parts)) as threads:
        list(threads.map(lambda p: count(book.rows[p], placed, ends, counts[p]), parts))
    return counts


GRID = 2.0**32  # biases are multiples of its reciprocal: half a random word decides a bit
GUARD = 1e-9  # far above what the floats of a moment may lose


@dataclass(frozen=True, slots=True)
class SymmetricTardos:
    """Columns of random bias; a user's score counts agreement beyond what the bias explains.

    Guarantee:
        A user whose word was not used reaches the bar with probability at most `soundness`,
        whatever the pirates put out. If `coalition` users put out a word that keeps the bits they
        agree on, then none of them reaches the bar with probability at most `completeness`
        [SKC08; docs/proofs/fingerprinting.md]. The length tends to (pi^2 / 2) c^2 ln(1 / soundness)
        for c pirates, the least for this score [LW14].

    Exactness:
        Length and bar come from exponential moments in floating point, with a margin of 1e-9; the
        biases are multiples of 2^-32, and are drawn and scored as such.

    >>> code = SymmetricTardos(10, soundness=0.001, completeness=0.1)
    >>> code.columns, round(code.bar, 2)
    (3974, 239.39)
    """

    users: int
    soundness: Fraction
    missed: Fraction
    coalition: int
    columns: int
    bar: float

    name: ClassVar[str] = "tardos"

    def __init__(
        self,
        users: int,
        *,
        soundness: Exact,
        completeness: Exact = "1/10",
        coalition: int | None = None,
        columns: int | None = None,
    ) -> None:
        hold(self, missed=check.probability(completeness=completeness)).count(users=users, least=2)
        hold(self).probability(soundness=soundness)
        pirates = self.users if coalition is None else check.count(coalition=coalition, least=2)
        if pirates > self.users:
            raise InvalidArgument(f"coalition must be at most users = {users}, got {coalition}")
        hold(self, coalition=pirates)
        enough = _length(pirates, self.soundness, self.missed) if columns is None else columns
        hold(self).count(columns=enough, least=1)
        hold(self, bar=_bar(pirates, self.columns, self.soundness))

    @property
    def completeness(self) -> float:
        """At most so often a feasible word of the whole coalition accuses none of it."""
        return missed(self.coalition, self.columns, self.bar)

    @property
    def advantage(self) -> float:
        """What a column adds to the sum of the pirates' scores, whatever they do: 2 / Z.

        >>> round(SymmetricTardos(10, soundness=0.001).advantage, 4)
        0.7079
        """
        return bias_law(self.coalition).advantage

    def generate(self, *, rng: Random) -> Codebook:
        """Draw each column's bias, then each user's bits."""
        law = bias_law(self.coalition)
        uniform = rng.words(self.columns).astype(np.float64) * 2.0**-64
        kind = np.searchsorted(np.cumsum(law.chances)[:-1], uniform, side="right")
        sizes = np.bincount(kind, minlength=len(law.biases))
        starts, bits, words = shelves(sizes)
        place = np.empty(self.columns, dtype=np.int64)
        place[np.argsort(kind, kind="stable")] = bits
        chances = np.zeros(words * WORD)
        chances[bits] = np.repeat(law.biases, sizes)
        return Codebook(draw(self.users, chances, rng=rng), place, starts, sizes, law.biases)

    def trace(self, book: Codebook, word: Bits, /) -> Trace:
        """Score every user, kind by kind of column; count for count a pass over the packed code."""
        placed, p = book.placed(word), book.biases
        ones = book.ones(placed)
        agreed = ones - disagreements(book, placed)
        weights = 1 / np.sqrt(p * (1 - p))
        scores = (agreed - p * (2 * ones - book.sizes)) @ weights
        return Trace(scores, self.bar, scores >= self.bar)


def draw(users: int, chances: NDArray[np.float64], *, rng: Random) -> NDArray[np.uint64]:
    """Draw rows of independent bits with these chances, multiples of 2^-32, and pack them."""
    bars = (chances * GRID).astype(np.uint64)
    rows = np.empty((users, len(chances) // WORD), dtype=np.uint64)
    for i in range(users):
        rows[i] = pack(rng.words(len(chances) // 2).view(np.uint32) < bars)
    return rows


def missed(coalition: int, columns: int, bar: float) -> float:
    """Bound the probability that no pirate of a coalition reaches the bar."""
    moment = bias_law(coalition).pirate
    return math.exp(min(0.0, _least(lambda t: columns * moment(t) + t * bar)[1] + GUARD))


@dataclass(frozen=True, slots=True)
class BiasLaw:
    """The biases and their chances for a coalition: Gauss-Legendre nodes, tilted."""

    size: int
    biases: NDArray[np.float64]
    chances: NDArray[np.float64]
    advantage: float

    def innocent(self, rate: float) -> float:
        """Return ln of the largest exponential moment of an innocent user's score in a column."""
        up, down = (
            np.sqrt((1 - self.biases) / self.biases),
            np.sqrt(self.biases / (1 - self.biases)),
        )
        p, q = self.biases, 1 - self.biases
        one = p * np.exp(rate * up) + q * np.exp(-rate * down)
        other = p * np.exp(-rate * up) + q * np.exp(rate * down)
        return math.log(float(self.chances @ np.maximum(one, other)))

    def pirate(self, rate: float) -> float:
        """Return ln of the largest moment of minus the coalition's mean score in a column."""
        c, p = self.size, self.biases[:, None]
        a = np.arange(c + 1)
        log_comb = gammaln(c + 1) - gammaln(a + 1) - gammaln(c - a + 1)
        masses = np.exp(log_comb + a * np.log(p) + (c - a) * np.log1p(-p)) * self.chances[:, None]
        mean = rate * (a - c * p) / (c * np.sqrt(p * (1 - p)))
        one, other = (masses * np.exp(-mean)).sum(axis=0), (masses * np.exp(mean)).sum(axis=0)
        free = np.maximum(one, other)
        free[0], free[-1] = other[0], one[-1]
        return math.log(float(free.sum()))


@lru_cache(maxsize=64)
def bias_law(coalition: int) -> BiasLaw:
    """Return the law of the biases against coalitions of at most this size."""
    nodes, weights = np.polynomial.legendre.leggauss(-(-coalition // 2))
    lower = np.rint((1 + nodes[: len(nodes) // 2]) / 2 * GRID) / GRID
    middle = [0.5] * (len(nodes) % 2)
    biases = np.concatenate((lower, middle, 1 - lower[::-1]))
    tilted = weights / 2 / np.sqrt(biases * (1 - biases))
    return BiasLaw(coalition, biases, tilted / tilted.sum(), 2 / float(tilted.sum()))


@lru_cache(maxsize=256)
def _length(coalition: int, soundness: Fraction, completeness: Fraction) -> int:
    """Return the least number of columns whose bar keeps both promises."""
    failing = float(completeness)

    def enough(columns: int) -> bool:
        return missed(coalition, columns, _bar(coalition, columns, soundness)) <= failing

    return least(enough, low=1)


@lru_cache(maxsize=4096)
def _bar(coalition: int, columns: int, soundness: Fraction) -> float:
    """Return the least bar that an innocent user reaches with probability at most `soundness`."""
    wanted, moment = -math.log(float(soundness)) + GUARD, bias_law(coalition).innocent
    return _least(lambda t: (columns * moment(t) + wanted) / t)[1]


def _least(function: Callable[[float], float]) -> tuple[float, float]:
    """Minimise over rates, by their logarithm; whatever rate is found gives a valid bound."""
    found = minimize_scalar(
        lambda s: function(math.exp(s)),
        bounds=(-14.0, 2.0),
        method="bounded",
        options={"xatol": 1e-7},
    )
    rate = math.exp(float(found.x))
    return rate, function(rate)
