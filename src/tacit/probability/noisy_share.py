"""What a noisy count says about the share it counts: sampling and noise inverted together.

A count of B + S is told, where B of `trials` independent rows have a property of chance p, and S is
the sum of `draws` independent two-sided geometric variables, or of shares of them. The interval
holds every p that makes what was told no rarer than allowed from either side, as Clopper and
Pearson did [CP34].

Proof: docs/proofs/measurement.md
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from tacit.core import Decay, least
from tacit.core.numbers.exact import log_near
from tacit.probability.binomial_masses import binomial_masses

GRID = 10**5
"""Shares are told in steps of 1 / GRID, rounded outwards."""
MARGIN, ROUNDED = 1e-9, 2.0**-50
"""Chances are off by less than the one, for noise, and by the other for each term of a sum."""
REST = 45.0
"""Noise is listed up to a chance of e^-45 beyond."""
WIDEST = 1 << 22
"""Entries of a list of noise: where it is wider, nothing is claimed."""
FARTHEST = 1 << 62
"""Noise of a budget that may be read does not reach so far: the bound of a search."""


class ShareInterval(NamedTuple):
    """Between what a number lies, but for a share of cases that was asked for."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class NoisyShare:
    """Inverts noisy counts of so many trials.

    >>> alone = NoisyShare(Decay.of(Fraction(50)), 1)
    >>> alone.interval(200, 1000, 0.05)  # no noise to speak of: Clopper and Pearson's
    ShareInterval(low=0.17562, high=0.22616)
    >>> NoisyShare(Decay.of(Fraction(3, 10)), 1).interval(200, 1000, 0.05)
    ShareInterval(low=0.17397, high=0.22787)
    """

    decay: Decay
    draws: int | Fraction

    def interval(self, count: int, trials: int, rare: float) -> ShareInterval:
        """Return what misses the share in at most `rare` of all cases, half of it on each side."""
        return _interval(self, count, trials, rare)

    def reach(self, rare: float) -> int:
        """Return the least r for which noise exceeds r, on one given side, in at most `rare`."""
        below = self.below
        if below is None:
            return FARTHEST
        return least(lambda r: float(below(np.array([-r - 1]))[0]) + MARGIN <= rare, high=FARTHEST)

    @property
    def below(self) -> Callable[[NDArray[np.int64]], NDArray[np.float64]] | None:
        """Give t -> P[S <= t], or None where the noise is too wide to be listed."""
        q = float(self.decay.ratio)
        if self.draws == 1:
            log = log_near(self.decay.ratio)

            def alone(t: NDArray[np.int64]) -> NDArray[np.float64]:
                tail = np.exp(np.where(t < 0, -t, t + 1) * log) / (1 + q)
                return np.where(t < 0, tail, 1 - tail)

            return alone
        sums = _sums(self.decay.ratio, float(self.draws))
        if sums is None:
            return None
        middle = len(sums) // 2

        def listed(t: NDArray[np.int64]) -> NDArray[np.float64]:
            inside = np.clip(t + middle, 0, len(sums) - 1)
            return np.where(t < -middle, 0.0, sums[inside])

        return listed


@lru_cache(maxsize=1 << 12)
def _interval(share: NoisyShare, count: int, trials: int, rare: float) -> ShareInterval:
    """Search both ends; a statement of all readings asks for the same counts time and again."""
    each = rare / 2 - MARGIN - trials * ROUNDED
    if trials == 0 or each <= 0 or (below := share.below) is None:
        return ShareInterval(0.0, 1.0)
    first = least(lambda i: _chance(trials, i, lambda j: below(j - count)) > each, high=GRID + 1)
    last = least(
        lambda i: _chance(trials, GRID - i, lambda j: below(count - j)) > each, high=GRID + 1
    )
    low, high = max(first - 1, 0), GRID - max(last - 1, 0)
    return ShareInterval(min(low, high) / GRID, max(low, high) / GRID)


def _chance(
    trials: int, i: int, below: Callable[[NDArray[np.int64]], NDArray[np.float64]]
) -> float:
    """Return the sum over j of P[Bin(trials, i / GRID) = j] below(j)."""
    masses = binomial_masses(trials, Fraction(i, GRID), trials)
    held = np.flatnonzero(masses)
    return float(masses[held] @ below(held))


@lru_cache(maxsize=64)
def _sums(ratio: Fraction, draws: float) -> NDArray[np.float64] | None:
    """Return P[S <= s] for s from -N to N; S is a difference of two negative binomial counts."""
    log = log_near(ratio)
    top = int(draws * (REST + draws) / -log) + 1
    if top > WIDEST:
        return None
    a = np.arange(top + 1)
    logs = gammaln(a + draws) - gammaln(a + 1) - gammaln(draws) + a * log
    masses = np.exp(logs + draws * np.log1p(-float(ratio)))
    size = 2 * top + 1
    waves = np.fft.rfft(masses, size) * np.fft.rfft(masses[::-1], size)
    both = np.maximum(np.fft.irfft(waves, size), 0.0)
    sums: NDArray[np.float64] = np.cumsum(both / both.sum())
    return sums
