"""Is an event impossible, or has it probability at least a gap? Tests on one private count.

The learners by statistical queries only ever ask this. A test says "none" or "some"; it is wrong
with probability at most `level` if the event is impossible (exactly so, up to 2^-64, for one draw
of noise), and says "none" with probability at most `miss(m, gap)` if it has probability >= gap.
Proofs in docs/proofs/statistical_queries.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from scipy.stats import binom, norm

from tacit.core import check
from tacit.core.balls import Ball, ball, round_up, upper
from tacit.core.decay import Decay
from tacit.theory.binomial_tails import above, bits_for, noisy_above
from tacit.theory.noise_sum import NoiseSum
from tacit.theory.noisy_mean import first

SHARE = 64
BITS = 256
FINE = 20
SMALLEST = Fraction(1, 1 << 40)


@dataclass(frozen=True, slots=True)
class Cut:
    """Say "none" up to `count`, and at count + 1 with probability `share`, a multiple of 2^-64."""

    count: int
    share: Fraction


class ZeroTest(Hashable, Protocol):
    """What a learner needs to know of a test."""

    @property
    def level(self) -> Fraction:
        """The chance of "some" where there is none."""

    def cut(self, m: int) -> Cut:
        """Return where to cut the private count of m rows."""

    def miss(self, m: int, gap: Fraction) -> Fraction:
        """Bound the chance of "none" on m rows where the event has probability >= gap."""

    def about(self, gap: Fraction) -> int:
        """Guess how many rows are enough for a gap."""


@dataclass(frozen=True, slots=True)
class NoisyZeroTest:
    """Two-sided geometric noise, once for each of `draws` parties, on the count of an event.

    The cut does not depend on m, so `miss` falls with m and with the gap.

    >>> test = NoisyZeroTest(Decay.of(Fraction(1)), Fraction(1, 200))
    >>> test.cut(0).count, size(test, Fraction(1, 10)), float(gap(test, 150))
    (3, 136, 0.0902...)
    """

    decay: Decay
    level: Fraction
    draws: int = 1

    def cut(self, m: int) -> Cut:  # noqa: ARG002
        """Return the least cut of this level; without a share where several parties add noise."""
        return _noisy_cut(self.decay, self.level, self.draws)

    def miss(self, m: int, gap: Fraction) -> Fraction:
        """Bound the chance of "none", rounded up."""
        cut = self.cut(m)
        if self.draws > 1:
            return NoiseSum(self.decay, self.draws).at_most(m, gap, cut.count)

        def none(count: int) -> Ball:
            return noisy_above(m, 1 - gap, self.decay, m - count)

        return _mixed(cut, none, m)

    def about(self, gap: Fraction) -> int:
        """Guess that the count must be twice the cut."""
        return int(2 * (self.cut(0).count + 3) / gap)


@dataclass(frozen=True, slots=True)
class LocalZeroTest:
    """Randomised responses: each of m rows says whether the event holds for it, and may lie.

    The number of yeses is binomial with a chance of flip + (1 - 2 flip) p, and the test the most
    powerful one at its level: what m + 1 rows miss is no more than what m rows do, up to 2^-64.

    >>> test = LocalZeroTest(Decay.of(Fraction(1)), Fraction(1, 200))
    >>> size(test, Fraction(1, 10))
    2566
    """

    decay: Decay
    level: Fraction

    @property
    def flip(self) -> Fraction:
        """The probability of a lie."""
        return self.decay.ratio / (1 + self.decay.ratio)

    def cut(self, m: int) -> Cut:
        """Return the least cut of this level."""
        return _local_cut(self.flip, self.level, m)

    def miss(self, m: int, gap: Fraction) -> Fraction:
        """Bound the chance of "none", rounded up."""
        chance = self.flip + (1 - 2 * self.flip) * gap
        return _mixed(self.cut(m), lambda count: above(m, 1 - chance, m - count), m)

    def about(self, gap: Fraction) -> int:
        """Guess by normal quantiles."""
        flip = float(self.flip)
        chance = flip + (1 - 2 * flip) * float(gap)
        spread = sum(math.sqrt(p * (1 - p)) for p in (flip, chance)) * norm.isf(float(self.level))
        return int((max(spread, 0.0) / (chance - flip)) ** 2)


@lru_cache(maxsize=4096)
def size(test: ZeroTest, gap: Fraction) -> int:
    """Return the least number of rows on which a gap is missed with probability <= level.

    All larger numbers are enough, too. Numbers above 2^20 are the least up to a part in 2^20.
    """
    gap = check.probability(gap=gap)
    goal = test.level - Fraction(2, 1 << SHARE)

    def enough(m: int) -> bool:
        return test.miss(m, gap) <= goal

    low = high = max(test.about(gap), 1)
    step = max(1, high >> 8)
    while not enough(high):
        low, high, step = high, high + step, 2 * step
    while low == high or (low > 0 and enough(low)):
        low, high, step = max(low - step, 0), low, 2 * step
    while high - low > max(1, high >> FINE):
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


@lru_cache(maxsize=4096)
def gap(test: ZeroTest, m: int) -> Fraction | None:
    """Return the least gap that m rows certainly find at the test's level, rounded up, if any."""
    goal = test.level - Fraction(2, 1 << SHARE)
    low, high = Fraction(0), Fraction(1) - SMALLEST
    if m == 0 or test.miss(m, high) > goal:
        return None
    while high - low > max(SMALLEST, high / (1 << 22)):
        middle = round_up((low + high) / 2, 26)
        low, high = (low, middle) if test.miss(m, middle) <= goal else (middle, high)
    return high


def _mixed(cut: Cut, none: Callable[[int], Ball], m: int) -> Fraction:
    """Bound (1 - share) P[up to count] + share P[up to count + 1]."""
    share = cut.share
    mixed = lambda: ball(1 - share) * none(cut.count) + ball(share) * none(cut.count + 1)  # noqa: E731
    return min(Fraction(1), upper(mixed, bits_for(m)))


def _share(
    here: Callable[[], Ball], beyond: Callable[[], Ball], level: Fraction, bits: int
) -> Fraction:
    """Return the share of `here` that must go for the rest to have this level, rounded up."""
    enclosed = lambda: (here() - ball(level)) / (here() - beyond())  # noqa: E731
    scaled = math.ceil(upper(enclosed, bits) * (1 << SHARE))
    return Fraction(min(max(scaled, 0), 1 << SHARE), 1 << SHARE)


@lru_cache(maxsize=1024)
def _noisy_cut(decay: Decay, level: Fraction, draws: int) -> Cut:
    if draws > 1:
        noise = NoiseSum(decay, draws)
        return Cut(first(lambda c: noise.above(c + 1) <= level), Fraction(0))
    q = decay.ratio

    def tail(k: int) -> Ball:
        return decay.ball(k) / ball(1 + q)

    def rare(k: int) -> bool:
        return upper(lambda: tail(k), BITS) <= level

    count = -1 if rare(1) else first(lambda c: rare(c + 1)) - 1
    return Cut(count, _share(lambda: tail(count + 1), lambda: tail(count + 2), level, BITS))


@lru_cache(maxsize=1024)
def _local_cut(flip: Fraction, level: Fraction, m: int) -> Cut:
    bits = bits_for(m)

    def tail(k: int) -> Callable[[], Ball]:
        return lambda: above(m, flip, k)

    count = max(int(binom.isf(float(level), m, float(flip))) - 2, -1)
    while upper(tail(count + 2), bits) > level:
        count += 1
    while count >= 0 and upper(tail(count + 1), bits) <= level:
        count -= 1
    return Cut(count, _share(tail(count + 1), tail(count + 2), level, bits))
