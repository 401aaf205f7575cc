"""Synthetic rows for thresholds: noisy counts of the left halves of all dyadic intervals."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import Decay, Exact, PureCost, Random, TooLarge, check, hold, least
from tacit.core.chance.law import Law, certain
from tacit.mechanisms import DiscreteLaplace
from tacit.mechanisms.noise.geometric import tail_upper
from tacit.sanitizers.contract.rounding import sum_tail
from tacit.sanitizers.contract.synthetic import ErrorPromise, Synthetic
from tacit.sanitizers.line.line_domain import LineDomain
from tacit.statistics import Counts

DEEPEST = 22
"""Bits of a line whose points can all be counted in memory."""


@dataclass(frozen=True, slots=True)
class TreeSanitizer(ErrorPromise, PureCost):
    """Answer every threshold over 2^bits points from noisy counts of left halves.

    The rows below x are the sum of the left halves at the ones of x in binary: at most `bits` noisy
    counts. The answers are then made to rise from 0 to n, which brings none further from the truth.

    Guarantee:
        epsilon-DP: a replaced row moves at most 2 bits - 1 of the counts, by 1 each. With
        probability at least 1 - beta the number of rows below no point is off by more than n
        `error(n, beta)`, for every database (the tree is [DNPR10]'s).

    Exactness:
        Noise as `DiscreteLaplace`, clipped to -n and 2n; integers to the end.

    Cost:
        `Pure(epsilon)`; time linear in the number of points.

    >>> from tacit.core.chance.randomness import Seeded
    >>> sanitizer = TreeSanitizer(10, epsilon=1)
    >>> float(sanitizer.error(10**5, 0.05))
    0.00391
    >>> sanitizer(Counts.of([500] * 10**5), rng=Seeded(1)).n
    100000

    Proof: docs/proofs/tree_sanitizer.md
    """

    bits: int
    epsilon: Fraction

    def __init__(self, bits: int, *, epsilon: Exact) -> None:
        hold(self).count(bits=bits, least=1).positive(epsilon=epsilon)
        if self.bits > DEEPEST:
            raise TooLarge(f"bits must be at most {DEEPEST}, got {bits}; use QuantileSanitizer")

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Synthetic:
        n, halves = counts.n, self.halves(counts)
        noisy = DiscreteLaplace(self.epsilon, self._sensitivity)(halves, rng=rng)
        return self.made(np.clip(noisy, -n, 2 * n).astype(np.int64), n)

    def law(self, counts: Counts[Any], /) -> Law[Synthetic]:
        n = counts.n
        if n == 0:
            return certain(self.made(self.halves(counts), 0))
        noise = DiscreteLaplace(self.epsilon, self._sensitivity)
        noisy = noise.law(self.halves(counts).tolist(), low=-n, high=2 * n)
        return noisy.map(lambda clipped: _remade(self, clipped, n))

    def error(self, n: int, beta: Exact) -> Fraction:
        beta = check.probability(beta=beta)
        clipped = 2 * (1 << self.bits) * tail_upper(self._decay, check.count(n=n) + 1)
        if 2 * clipped > beta:
            return Fraction(1)
        return min(Fraction(1), Fraction(_deviation(self._decay, self.bits, beta - clipped), n))

    def halves(self, counts: Counts[Any]) -> NDArray[np.int64]:
        """Count the rows in the left half of each interval, the whole line first."""
        held = np.zeros(1 << self.bits, dtype=np.int64)
        for point, count in LineDomain(1 << self.bits).read(counts).items():
            held[point] = count
        levels = []
        while len(held) > 1:
            levels.append(held[::2])
            held = held[::2] + held[1::2]
        return np.concatenate(levels[::-1])

    def made(self, halves: NDArray[np.int64], n: int) -> Synthetic:
        """Turn noisy counts into rows; a function of public things."""
        below = np.zeros(1, dtype=np.int64)
        for level in range(self.bits):
            left = halves[(1 << level) - 1 : (2 << level) - 1]
            below = np.stack([below, below + left], axis=1).ravel()
        answers = np.clip(np.append(below[1:], n), 0, n)
        return Synthetic.of((1 << self.bits,), np.diff(rising(answers), prepend=0))

    @property
    def _sensitivity(self) -> int:
        return 2 * self.bits - 1

    @property
    def _decay(self) -> Decay:
        return Decay.of(self.epsilon / self._sensitivity)


def rising(answers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return answers that do not fall, as near to any that do not fall as the given ones are.

    Two functions rise: the greatest answer so far, and the least one from here on. Both are as near
    to the truth as the answers are, and so is their mean, rounded down.
    """
    falling = np.minimum.accumulate(answers[::-1])[::-1]
    mean: NDArray[np.int64] = (np.maximum.accumulate(answers) + falling) // 2
    return mean


@lru_cache(maxsize=1 << 14)
def _remade(sanitizer: TreeSanitizer, halves: tuple[int, ...], n: int) -> Synthetic:
    return sanitizer.made(np.array(halves), n)


@lru_cache(maxsize=64)
def _deviation(decay: Decay, bits: int, beta: Fraction) -> int:
    """Return the least a for which, but for probability beta, no answer is off by more than a.

    C(bits, j) of the answers are sums of j noisy counts.
    """

    def failure(most: int) -> Fraction:
        terms = range(1, bits + 1)
        return sum((2 * comb(bits, j) * sum_tail(decay, j, most + 1) for j in terms), Fraction(0))

    return least(lambda most: failure(most) <= beta)
