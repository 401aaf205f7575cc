"""Is an event impossible, or not rare? Told by reports made up from one noisy count.

A local learner's test hears `reports` randomised responses. They are not asked from rows, but drawn
as if a row were in the event with the noisy share of it. Proof in
docs/proofs/statistical_queries.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import Enclosure, real, upper
from tacit.probability.binomial_tails import (
    above,
    at_most_above,
    at_most_below,
    bits_for,
    noisy_above,
)
from tacit.theory.enough.zero_test import SELDOM, Cut, LocalZeroTest, NoisyZeroTest

CELLS = 8
NOISY = Fraction(1, 1 << 10)
"""For a greater ratio than 1 minus this the count and its noise may fail each by itself."""
LONG = 1 << 18
"""The tails of more reports are bounded by their first term."""


@dataclass(frozen=True, slots=True)
class SimulatedZeroTest:
    """A local test's verdict on reports of a simulated row, from a noisy count of m rows.

    >>> local = LocalZeroTest(Decay.of(Fraction(1)), Fraction(1, 3200))
    >>> test = SimulatedZeroTest(local, 7000, Decay.of(Fraction(1)), Fraction(1, 200))
    >>> float(test.miss(250, Fraction(1, 10)))
    0.0048...
    """

    local: LocalZeroTest
    reports: int
    decay: Decay
    level: Fraction

    def cut(self, m: int) -> Cut:  # noqa: ARG002
        """Return where the local test cuts the number of yeses, whatever the number of rows."""
        return self.local.cut(self.reports)

    def miss(self, m: int, gap: Fraction) -> Fraction:
        """Bound both the chance of "some" where there is none, and of "none" beyond the gap."""
        if m == 0:
            return Fraction(1)
        return min(Fraction(1), max(self._false_alarm(m), self._missed(m, gap)))

    def about(self, gap: Fraction) -> int:
        """Guess twice what a test of the count itself needs."""
        return 2 * NoisyZeroTest(self.decay, self.level).about(gap)

    def reachable(self, gap: Fraction) -> bool:
        """Whether any number of rows is enough."""
        shares = self._beyond(gap)
        return bool(shares) and max(_none(self, shares[0]), _some(self, self._upto[1])) < self.level

    def _false_alarm(self, m: int) -> Fraction:
        """Average over the noise: up to m times a share, the local test hears at most that."""
        counts = [int(m * share) for share in self._upto]
        return _mean(
            [_some(self, share) for share in self._upto],
            lambda i: self.decay.real(counts[i] + 1) / real(1 + self.decay.ratio),
            bits_for(m),
        )

    def _missed(self, m: int, gap: Fraction) -> Fraction:
        """Average over the noisy count of an event that has probability gap."""
        shares = self._beyond(gap)
        if not shares:
            return Fraction(1)
        counts = [-int(-m * share // 1) for share in shares]

        def below(i: int) -> Enclosure:
            if 1 - self.decay.ratio < NOISY:
                rare = self.level / SELDOM
                return at_most_below(m, gap, self.decay, counts[i] - 1, rare=rare)
            return noisy_above(m, 1 - gap, self.decay, m - counts[i] + 1)

        return _mean([_none(self, share) for share in shares], below, bits_for(m))

    @property
    def _upto(self) -> list[Fraction]:
        """Shares from 0 up to where the local test is undecided, finer at first."""
        parts = (0, *(Fraction(1, 2**i) for i in (3, 2, 1)), *range(1, CELLS + 1))
        undecided = self._undecided
        return [undecided * part / CELLS for part in parts]

    def _beyond(self, gap: Fraction) -> list[Fraction]:
        """Return shares from below the gap down to where the local test is undecided."""
        step = self._undecided / CELLS
        top = min(-int(-gap / step // 1) - 1, CELLS * CELLS)
        return [step * i for i in range(top, CELLS - 1, -1)]

    @property
    def _undecided(self) -> Fraction:
        """The share of the event at which as many yeses are expected as the local test cuts at."""
        flip, cut = self.local.flip, self.cut(0).count + 1
        found = (Fraction(cut, self.reports) - flip) / (1 - 2 * flip)
        return min(max(found, Fraction(1, 4 * self.reports)), Fraction(1))


def _mean(bad: Sequence[Fraction], beyond: Callable[[int], Enclosure], bits: int) -> Fraction:
    """Bound the mean of something bad that grows: bad[i] up to place i, then 1."""

    def total() -> Enclosure:
        found = real(bad[0])
        for i, worse in enumerate([*bad[1:], Fraction(1)]):
            found += (real(worse) - real(bad[i])) * beyond(i)
        return found

    return upper(total, bits)


def _tail(m: int, p: Fraction, k: int) -> Enclosure:
    return at_most_above(m, p, k) if m > LONG and 0 < p < 1 else above(m, p, k)


@lru_cache(maxsize=4096)
def _some(test: SimulatedZeroTest, share: Fraction) -> Fraction:
    """Bound the chance of "some" if the simulated row is in the event with this chance."""
    cut, flip, m = test.cut(0), test.local.flip, test.reports
    chance = flip + (1 - 2 * flip) * min(share, Fraction(1))

    def heard() -> Enclosure:
        at, more = (_tail(m, chance, cut.count + i) for i in (1, 2))
        return real(1 - cut.share) * at + real(cut.share) * more

    return min(Fraction(1), upper(heard, bits_for(m)))


@lru_cache(maxsize=4096)
def _none(test: SimulatedZeroTest, share: Fraction) -> Fraction:
    """Bound the chance of "none" if the simulated row is in the event with this chance."""
    cut, flip, m = test.cut(0), test.local.flip, test.reports
    chance = flip + (1 - 2 * flip) * min(share, Fraction(1))

    def missed() -> Enclosure:
        at, more = (_tail(m, 1 - chance, m - cut.count - i) for i in (0, 1))
        return real(1 - cut.share) * at + real(cut.share) * more

    return min(Fraction(1), upper(missed, bits_for(m)))
