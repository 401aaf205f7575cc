"""The keys that occur often, without their counts, over any set of keys."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from tacit.core import check
from tacit.core.cost import Approximate
from tacit.core.decay import Decay
from tacit.core.exact import Exact
from tacit.core.law import Law, product
from tacit.core.randomness import Random
from tacit.mechanisms.canonical import order
from tacit.mechanisms.release_table import ReleaseTable, release_table
from tacit.statistics import Counts

K = TypeVar("K", bound=Hashable)
PARTS = 128  # the share of delta that one key may use is a multiple of 1/128


@dataclass(frozen=True, slots=True)
class StabilitySelection:
    """Tell each key that occurs with a probability that depends on its count only.

    A key with c records is told with probability p(c - prefilter), p the largest curve that
    (epsilon / 2, delta_1) allows with p(0) = 0; delta_1 is what one key may use of delta.

    Guarantee:
        (epsilon, delta)-DP; at epsilon the divergence is at most `achieved_delta` <= delta
        [DVGM22; docs/proofs/stability_selection.md]. A key with c records is missed with
        probability `failure(c)`.

    Exactness:
        The curve is rational and its coins are tossed without error. The divergence of the two
        keys that a replaced record moves is computed exactly, over all pairs of counts.

    Cost:
        `Approximate(epsilon, delta)`; time linear in the number of keys that occur.

    >>> from tacit.core.randomness import Seeded
    >>> selection = StabilitySelection(1, "1e-6")
    >>> selection(Counts.of(["often"] * 100 + ["rare"] * 2), rng=Seeded(1))
    ('often',)
    >>> [selection.count(beta) for beta in (0.5, 0.05, 0.01)]
    [27, 31, 34]
    """

    epsilon: Fraction
    delta: Fraction
    prefilter: int

    def __init__(self, epsilon: Exact, delta: Exact, *, prefilter: int = 0) -> None:
        object.__setattr__(self, "epsilon", check.positive(epsilon=epsilon))
        object.__setattr__(self, "delta", check.probability(delta=delta))
        object.__setattr__(self, "prefilter", check.count(prefilter=prefilter))

    @property
    def cost(self) -> Approximate:
        """What one selection costs."""
        return Approximate(self.epsilon, self.delta)

    @property
    def achieved_delta(self) -> Fraction:
        """The divergence at epsilon, at most delta."""
        return divergence(self._table, _factor(self.epsilon), self._delta_1)

    def __call__(self, counts: Counts[K], *, rng: Random) -> tuple[K, ...]:
        """Return the selected keys, in the order of `canonical.order`."""
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
        """Return the least number of records with which a key is missed with probability <= beta."""
        beta = check.small_probability(beta=beta)
        return self.prefilter + self._table.distance(1 - beta)

    @property
    def _delta_1(self) -> Fraction:
        return _single_share(_factor(self.epsilon), self.delta)

    @property
    def _table(self) -> ReleaseTable:
        return release_table(_factor(self.epsilon), self._delta_1)

    def _told(self, table: ReleaseTable, count: int, *, rng: Random) -> bool:
        place = min(max(count - self.prefilter, 0), len(table.entries) - 1)
        return place > 0 and rng.bits(table.bits) < table.entries[place]


def divergence(table: ReleaseTable, factor: Fraction, delta_1: Fraction) -> Fraction:
    """Bound the divergence at factor^2 when one count falls by 1 and another rises by 1.

    The largest over all pairs of counts; pairs that are left out here have at most delta_1
    [docs/proofs/stability_selection.md].
    """
    entries, one = table.entries, 1 << table.bits
    falls = [(new, old) for old, new in zip((0, *entries), (*entries, one), strict=True)][1:]
    rises = [(one - old, one - new) for new, old in falls]
    once, twice = factor, factor**2
    steep_falls = {c for c, (a, lower) in enumerate(falls) if a > twice * lower}
    steep_rises = {b for b, (a, lower) in enumerate(rises) if a > twice * lower}
    losing = [c for c, (a, lower) in enumerate(falls) if a > once * lower]
    gaining = [b for b, (a, lower) in enumerate(rises) if a > once * lower]
    first = min(gaining, default=len(rises))
    pairs = {
        *((c, b) for c in steep_falls for b in range(len(rises))),
        *((c, b) for c in range(len(falls)) for b in steep_rises),
        *((c, b) for c in losing if c >= first for b in gaining if b <= c),
    }
    worst = max((_pair(*falls[c], *rises[b], one, twice) for c, b in pairs), default=0)
    return max(delta_1, Fraction(worst, twice.denominator * one * one))


def _pair(a: int, a_after: int, silent: int, silent_after: int, one: int, factor: Fraction) -> int:
    """Return the hockey-stick divergence of two coins each, over factor's denominator * one^2."""
    up, scale = factor.numerator, factor.denominator
    before = ((a, silent), (a, one - silent), (one - a, silent), (one - a, one - silent))
    after = ((a_after, silent_after), (a_after, one - silent_after))
    after += ((one - a_after, silent_after), (one - a_after, one - silent_after))
    return sum(
        max(0, scale * x * y - up * v * w) for (x, y), (v, w) in zip(before, after, strict=True)
    )


def _factor(epsilon: Fraction) -> Fraction:
    return 1 / Decay.of(epsilon / 2).ratio


@lru_cache(maxsize=64)
def _single_share(factor: Fraction, delta: Fraction) -> Fraction:
    """Return the largest multiple of delta / 128 with which two keys stay below delta."""
    shares = (delta * part / PARTS for part in range(PARTS, 0, -1))
    return next(
        share
        for share in shares
        if divergence(release_table(factor, share), factor, share) <= delta
    )
