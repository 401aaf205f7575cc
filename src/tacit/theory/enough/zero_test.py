"""Is an event impossible, or has it probability at least a gap? Tests on one private count.

The learners by statistical queries only ever ask this. A test says "none" or "some"; it is wrong
with probability at most `level` if the event is impossible (exactly so, up to 2^-192, for one draw
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

from scipy.special import ndtri

from tacit.core import Decay, InvalidArgument, check
from tacit.core.numbers.enclosures import Enclosure, exp_upper, log_upper, real, round_up, upper
from tacit.core.numbers.exact import log_near
from tacit.core.numbers.least import least, near_root
from tacit.probability.binomial_tails import above, at_most_below, bits_for, noisy_above
from tacit.probability.noisy_mean import FAR
from tacit.probability.party_noise import NoiseSum

SHARE = 192
LEAST = Fraction(1, 1 << 150)
LARGE = 1 << 40  # rows up to which chances are exact
NOISY, SELDOM = Fraction(1, 1 << 17), 64
"""For a greater ratio than 1 minus this the count and its noise may fail each by itself."""
BITS = 512
NEWTON = 12
SMALLEST = Fraction(1, 1 << 40)


@dataclass(frozen=True, slots=True)
class Cut:
    """Say "none" up to `count`, and at count + 1 with probability `share`, a multiple of 2^-192."""

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

    def __post_init__(self) -> None:
        _check(self.level)

    def cut(self, m: int) -> Cut:  # noqa: ARG002
        """Return the least cut of this level; without a share where several parties add noise."""
        return _noisy_cut(self.decay, self.level, self.draws)

    def miss(self, m: int, gap: Fraction) -> Fraction:
        """Bound the chance of "none", rounded up."""
        cut = self.cut(m)
        noisy = self.draws == 1 and 1 - self.decay.ratio < NOISY
        if self.draws > 1 or (m > LARGE and not noisy):
            return NoiseSum(self.decay, self.draws).at_most(m, gap, cut.count + bool(cut.share))

        def none(count: int) -> Enclosure:
            if noisy:
                return at_most_below(m, gap, self.decay, count, rare=self.level / SELDOM)
            return noisy_above(m, 1 - gap, self.decay, m - count)

        return _mixed(cut, none, m)

    def about(self, gap: Fraction) -> int:
        """Guess by the moment E[q^B] of the count, from which noise of ratio q is taken away."""
        q, cut = self.decay.ratio, self.cut(0).count + 1
        lost = cut * -log_near(q) - math.log(self.level * (1 + q))
        return int(max(lost, 0.0) / -math.log1p(-float(gap * (1 - q))))


@dataclass(frozen=True, slots=True)
class LocalZeroTest:
    """Randomised responses: each of m rows says whether the event holds for it, and may lie.

    The number of yeses is binomial with a chance of flip + (1 - 2 flip) p, and the test the most
    powerful one at its level: what m + 1 rows miss is no more than what m rows do, up to 2^-192.

    >>> test = LocalZeroTest(Decay.of(Fraction(1)), Fraction(1, 200))
    >>> size(test, Fraction(1, 10))
    2566
    """

    decay: Decay
    level: Fraction

    def __post_init__(self) -> None:
        _check(self.level)

    @property
    def flip(self) -> Fraction:
        """The probability of a lie."""
        return self.decay.ratio / (1 + self.decay.ratio)

    def cut(self, m: int) -> Cut:
        """Return the least cut of this level."""
        return _local_cut(self.flip, self.level, m)

    def miss(self, m: int, gap: Fraction) -> Fraction:
        """Bound the chance of "none", rounded up; beyond 2^40 rows by Hoeffding's bound [Hoe63]."""
        if m > LARGE:
            more = (1 - 2 * self.flip) * gap * m + self.flip * m - self.cut(m).count - 1
            return exp_upper(max(-2 * max(more, Fraction(0)) ** 2 / m, -FAR))
        chance = self.flip + (1 - 2 * self.flip) * gap
        return _mixed(self.cut(m), lambda count: above(m, 1 - chance, m - count), m)

    def about(self, gap: Fraction) -> int:
        """Guess by normal quantiles."""
        flip, more = float(self.flip), float((1 - 2 * self.flip) * gap)
        each = (math.sqrt(p * (1 - p)) for p in (flip, flip + more))
        spread = sum(each) * max(-float(ndtri(float(self.level))), 0.0)
        return int((spread / more) ** 2)


@lru_cache(maxsize=4096)
def size(test: ZeroTest, gap: Fraction) -> int:
    """Return the least number of rows on which a gap is missed with probability <= level.

    All larger numbers are enough, too. Numbers above 2^20 are the least up to a part in 2^20.
    """
    gap = check.probability(gap=gap)
    goal = test.level - Fraction(2, 1 << SHARE)

    def excess(m: int) -> float:
        """Return ln(miss / goal), exact in its sign: almost a line in m."""
        missed = test.miss(m, gap)
        log = math.log(missed / goal)
        return min(log, -0.0) if missed <= goal else max(log, 5e-324)

    return near_root(excess, max(test.about(gap), 1), slope=math.log(goal))


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


def _check(level: Fraction) -> None:
    if not LEAST <= level < 1:
        raise InvalidArgument(f"beta for one query must lie between 2^-150 and 1, got {level}")


def _mixed(cut: Cut, none: Callable[[int], Enclosure], m: int) -> Fraction:
    """Bound (1 - share) P[up to count] + share P[up to count + 1]."""
    share = cut.share
    mixed = lambda: real(1 - share) * none(cut.count) + real(share) * none(cut.count + 1)  # noqa: E731
    return min(Fraction(1), _upper(mixed, bits_for(m)))


def _upper(chance: Callable[[], Enclosure], bits: int) -> Fraction:
    """Bound a chance from above, by no less than e^-1000: that has too many digits."""
    return upper(lambda: chance() + (-real(FAR)).exp(), bits)


def _guess(
    m: int, flip: Fraction, level: Fraction, tail: Callable[[int], Callable[[], Enclosure]]
) -> int:
    """Find about where the tail is down to the level: a normal quantile, then Newton's method."""
    mean, variance, goal = float(m * flip), float(m * flip * (1 - flip)), math.log(level)
    count = int(mean + math.sqrt(variance) * max(-float(ndtri(float(level))), 0.0))
    for _ in range(NEWTON):
        off = float(log_upper(_upper(tail(count + 2), bits_for(m)))) - goal
        move = round(off * variance / max(count - mean, math.sqrt(variance)))
        count = min(max(count + move, -1), m)
        if abs(move) <= 1:
            break
    return count


def _share(
    here: Callable[[], Enclosure], beyond: Callable[[], Enclosure], level: Fraction, bits: int
) -> Fraction:
    """Return the share of `here` that must go for the rest to have this level, rounded up."""
    enclosed = lambda: (here() - real(level)) / (here() - beyond())  # noqa: E731
    scaled = math.ceil(upper(enclosed, bits) * (1 << SHARE))
    return Fraction(min(max(scaled, 0), 1 << SHARE), 1 << SHARE)


@lru_cache(maxsize=1024)
def _noisy_cut(decay: Decay, level: Fraction, draws: int) -> Cut:
    if draws > 1:
        noise = NoiseSum(decay, draws)
        return Cut(least(lambda c: noise.above(c + 1) <= level, low=1), Fraction(0))
    q = decay.ratio

    def tail(k: int) -> Enclosure:
        return decay.real(k) / real(1 + q)

    def rare(k: int) -> bool:
        return _upper(lambda: tail(k), BITS) <= level

    count = -1 if rare(1) else least(lambda c: rare(c + 1), low=1) - 1
    return Cut(count, _share(lambda: tail(count + 1), lambda: tail(count + 2), level, BITS))


@lru_cache(maxsize=1024)
def _local_cut(flip: Fraction, level: Fraction, m: int) -> Cut:
    if m > LARGE:
        spread = upper(lambda: (m * real(1 / level).log() / 2).sqrt(), bits_for(m))
        return Cut(math.ceil(m * flip + spread), Fraction(0))
    bits = bits_for(m)

    def tail(k: int) -> Callable[[], Enclosure]:
        return lambda: above(m, flip, k)

    count = _guess(m, flip, level, tail) if m * flip > 1 else -1
    while _upper(tail(count + 2), bits) > level:
        count += 1
    while count >= 0 and _upper(tail(count + 1), bits) <= level:
        count -= 1
    return Cut(count, _share(tail(count + 1), tail(count + 2), level, bits))
