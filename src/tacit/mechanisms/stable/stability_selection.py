"""The keys that occur often, without their counts, over any set of keys."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeVar

from tacit.core import ApproximateCost, Decay, Exact, Random, check, hold
from tacit.core.chance.law import Law, product
from tacit.core.numbers.enclosures import round_down
from tacit.mechanisms.stable.release_table import ReleaseTable, about, release_table
from tacit.mechanisms.stable.stability_histogram import order
from tacit.statistics import Counts

K = TypeVar("K", bound=Hashable)
LONG = 512
HALF = Fraction(1, 2)
STEP, FINER, BITS = Fraction(1, 128), 2, 20
"""The share of delta that one key may use is sought in such steps, then so often between two."""


class Factors(NamedTuple):
    """By how much the chance to tell a key may rise with a record, and that to miss it fall."""

    rise: Fraction
    fall: Fraction

    @classmethod
    def of(cls, epsilon: Fraction, share: Fraction = HALF) -> Factors:
        """Return factors whose product is at most e^epsilon.

        >>> [round(float(factor), 3) for factor in Factors.of(Fraction(1), Fraction(2, 3))]
        [1.948, 1.396]
        """
        rise, fall = (Decay.of(epsilon * part).ratio for part in (share, 1 - share))
        return cls(1 / rise, 1 / fall)


@dataclass(frozen=True, slots=True)
class StabilitySelection(ApproximateCost):
    """Tell each key that occurs with a probability that depends on its count only.

    A key with c records is told with probability p(c - prefilter), p the largest curve with
    p(0) = 0 along which p rises by no more than (share * epsilon, delta_1) allows and 1 - p falls
    by no more than the rest of epsilon does; delta_1 is what one key may use of delta. With equal
    shares the curve is symmetric; where a miss may be likelier than delta, more for the rise needs
    fewer records.

    Guarantee:
        (epsilon, delta)-DP; at epsilon the divergence is at most `achieved_delta` <= delta, which
        docs/proofs/stability_selection.md derives for the curve of [DVGM22]. A key with c records
        is missed with probability `failure(c)`.

    Exactness:
        The curve is rational and its coins are tossed without error. The divergence of the two
        keys that a replaced record moves is computed exactly, over all pairs of counts.

    Cost:
        `Approximate(epsilon, delta)`; time linear in the number of keys that occur.

    >>> from tacit.core.chance.randomness import Seeded
    >>> selection = StabilitySelection(1, "1e-6")
    >>> selection(Counts.of(["often"] * 100 + ["rare"] * 2), rng=Seeded(1))
    ('often',)
    >>> [selection.count(beta) for beta in (0.5, 0.05, 0.01)]
    [27, 31, 35]
    >>> [StabilitySelection(1, "1e-6", share="2/3").count(beta) for beta in (0.5, 0.05, 0.01)]
    [21, 28, 33]

    Proof: docs/proofs/stability_selection.md
    """

    epsilon: Fraction
    delta: Fraction
    prefilter: int
    share: Fraction

    def __init__(
        self, epsilon: Exact, delta: Exact, *, prefilter: int = 0, share: Exact = HALF
    ) -> None:
        hold(self).positive(epsilon=epsilon).probability(delta=delta, share=share)
        hold(self).count(prefilter=prefilter)

    @property
    def achieved_delta(self) -> Fraction:
        """The divergence at epsilon, at most delta."""
        return divergence(self._table, self._factors, self._delta_1)

    @property
    def table(self) -> ReleaseTable:
        """The probability of telling a key, for each count beyond the prefilter."""
        return self._table

    def __call__(self, counts: Counts[K], *, rng: Random) -> tuple[K, ...]:
        """Return the selected keys, in the order of `key_order.order`."""
        table = self._table
        told = [key for key, c in counts.table.items() if self._told(table, c, rng=rng)]
        return tuple(sorted(told, key=order))

    def law(self, counts: Counts[K]) -> Law[tuple[K, ...]]:
        """Return the exact law of the selection, for few keys.

        >>> law = StabilitySelection(2, "0.2").law(Counts.of("a"))
        >>> law[("a",)] == 1 - law[()]
        True
        """
        parts = [
            Law({(): self.failure(count), (key,): 1 - self.failure(count)})
            for key, count in counts.table.items()
        ]
        return product(parts).map(
            lambda told: tuple(sorted((k for t in told for k in t), key=order))
        )

    def failure(self, count: int) -> Fraction:
        """Return the probability that a key with this many records is missed."""
        return 1 - self._table.probability(max(check.count(count=count) - self.prefilter, 0))

    def count(self, beta: Exact) -> int:
        """Return the least number of records of a key that is missed with probability <= beta."""
        beta = check.small_probability(beta=beta)
        return self.prefilter + self._table.distance(1 - beta)

    @property
    def _delta_1(self) -> Fraction:
        return _single_share(self._factors, self.delta)

    @property
    def _factors(self) -> Factors:
        return Factors.of(self.epsilon, self.share)

    @property
    def _table(self) -> ReleaseTable:
        return release_table(self._factors.rise, self._delta_1, self._factors.fall)

    def _told(self, table: ReleaseTable, count: int, *, rng: Random) -> bool:
        place = min(max(count - self.prefilter, 0), len(table.entries) - 1)
        return place > 0 and rng.bits(table.bits) < table.entries[place]


def divergence(
    table: ReleaseTable, factors: Factors, delta_1: Fraction, enough: Fraction = Fraction(1)
) -> Fraction:
    """Return the divergence at rise * fall when one count falls by 1 and another rises by 1.

    The largest over all pairs of counts, or delta_1 if that is larger: pairs that are not looked
    at have no more (docs/proofs/stability_selection.md). If it is above `enough`, something above
    that.
    """
    entries, one = table.entries, 1 << table.bits
    falls = [_Coin(new, old, one) for old, new in pairwise(entries)]
    rises = [_Coin(one - old, one - new, one) for old, new in pairwise(entries)]
    both = factors.rise * factors.fall
    worst = delta_1 * both.denominator * one * one
    most = enough * both.denominator * one * one
    for fall, rise in _suspects(falls, rises, factors):
        worst = max(worst, Fraction(fall.divergence(rise, both)))
        if worst > most:
            return worst / (both.denominator * one * one)
    steep = [
        sorted(((coin.excess(both), coin) for coin in c), reverse=True) for c in (falls, rises)
    ]
    for x, fall in steep[0]:
        for y, rise in steep[1]:
            if (x + y) * one <= worst or min(x, y) <= 0:
                break
            worst = max(worst, Fraction(fall.divergence(rise, both)))
    return worst / (both.denominator * one * one)


class _Coin(NamedTuple):
    """A coin of bias before / one that becomes one of bias after / one, and comes up less often."""

    before: int
    after: int
    one: int

    def excess(self, factor: Fraction) -> int:
        """Return before - factor * after, over the factor's denominator * one."""
        return factor.denominator * self.before - factor.numerator * self.after

    def divergence(self, other: _Coin, factor: Fraction) -> int:
        """Return the hockey-stick divergence of both coins, over factor's denominator * one^2."""
        return sum(
            max(0, factor.denominator * x * y - factor.numerator * v * w)
            for x, v in ((self.before, self.after), (self.one - self.before, self.one - self.after))
            for y, w in (
                (other.before, other.after),
                (other.one - other.before, other.one - other.after),
            )
        )


def _suspects(
    falls: list[_Coin], rises: list[_Coin], factors: Factors
) -> Iterator[tuple[_Coin, _Coin]]:
    """List the pairs of a fall from c to c - 1 and a rise from b < c, both of positive loss."""
    losing = [c for c, fall in enumerate(falls, start=1) if fall.excess(factors.rise) > 0]
    gaining = [b for b, rise in enumerate(rises) if rise.excess(factors.fall) > 0]
    for b in gaining:
        for c in reversed(losing):
            if c <= b:
                break
            yield falls[c - 1], rises[b]


@lru_cache(maxsize=64)
def _single_share(factors: Factors, delta: Fraction) -> Fraction:
    """Return about the largest part of delta with which two keys stay below delta.

    Half of delta always will do, as losses add up; with long tables there is hardly more. What is
    found between two multiples of delta / 128 was checked itself.
    """
    if about(min(factors), delta) > LONG:
        return delta / 2

    def excess(part: Fraction, enough: Fraction = Fraction(1)) -> Fraction:
        share = delta * part
        table = release_table(factors.rise, share, factors.fall)
        return divergence(table, factors, share, enough) / delta - 1

    high, above = Fraction(1), excess(Fraction(1))
    if above <= 0:
        return delta
    low = high - STEP
    while excess(low, enough=delta) > 0:
        high, low = low, low - STEP
    above, below = excess(high), excess(low)
    for _ in range(FINER):
        part = round_down(low - (high - low) * below / (above - below), BITS)
        found = excess(part) if low < part < high else Fraction(1)
        if found <= 0:
            low, below = part, found
    return delta * low
