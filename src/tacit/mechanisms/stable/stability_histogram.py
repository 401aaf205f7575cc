"""Noisy counts of the keys that occur often, over any set of keys.

Of the papers: BNS16 Alg 1.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any, TypeVar

from tacit.core import ApproximateCost, Decay, Exact, Random, check, hold
from tacit.core.chance.law import Law, product
from tacit.mechanisms.noise.geometric import least_reach, tail, tail_upper, two_sided
from tacit.statistics import Counts

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class StabilityHistogram(ApproximateCost):
    """Release the noisy counts that reach a threshold, of keys that occur more than `prefilter`.

    A key that does not occur is never touched, so the keys may be anything. The noise is two-sided
    geometric with rate epsilon / 2, for a replaced record moves two counts.

    Guarantee:
        (epsilon, delta)-DP; at epsilon the divergence is exactly `achieved_delta` <= delta, the
        probability that a key with prefilter + 1 records is released [KKMN09]. Reading 0 for what
        is not released, some answer is off by `deviation` or more with probability at most
        `failure(deviation, n)`.

    Exactness:
        The noise has a rational ratio q >= e^(-epsilon / 2) and is sampled without error; the
        threshold is the least integer whose release probability under that q is at most delta.

    Cost:
        `Approximate(epsilon, delta)`; time linear in the number of keys that occur.

    >>> from tacit.core.chance.randomness import Seeded
    >>> histogram = StabilityHistogram(1, "1e-6")
    >>> histogram.threshold
    28
    >>> histogram(Counts.of(["often"] * 500 + ["rare"] * 2), rng=Seeded(1))
    (('often', 501),)

    Proof: docs/proofs/stability_histogram.md
    """

    epsilon: Fraction
    delta: Fraction
    prefilter: int

    def __init__(self, epsilon: Exact, delta: Exact, *, prefilter: int = 0) -> None:
        hold(self).positive(epsilon=epsilon).probability(delta=delta).count(prefilter=prefilter)

    @property
    def threshold(self) -> int:
        """The least noisy count that is released.

        >>> StabilityHistogram(1, "1e-6", prefilter=3).threshold
        31
        """
        return self.prefilter + 1 + least_reach(self._decay, self.delta, least=0)

    @property
    def achieved_delta(self) -> Fraction:
        """The probability that a key with prefilter + 1 records is released; at most delta.

        >>> float(StabilityHistogram(1, "1/7").achieved_delta)
        0.138889...
        """
        return tail_upper(self._decay, self.threshold - self.prefilter - 1)

    def __call__(self, counts: Counts[K], *, rng: Random) -> tuple[tuple[K, int], ...]:
        """Return the released keys with their noisy counts, in the order of `key_order.order`."""
        common = [(key, count) for key, count in counts.table.items() if count > self.prefilter]
        noise = two_sided(self._decay, len(common), rng=rng).tolist()
        least = self.threshold
        noisy = [(key, count + z) for (key, count), z in zip(common, noise, strict=True)]
        return in_order(((key, count),) for key, count in noisy if count >= least)

    def law(self, counts: Counts[K]) -> Law[tuple[tuple[K, int], ...]]:
        """Return the exact law of the release, noisy counts above max(n, threshold) told as that.

        No count exceeds n, so above it all laws have constant ratios and the lumped symbol keeps
        every divergence (docs/proofs/stability_histogram.md).
        """
        threshold = self.threshold
        return product(
            told_count(key, count, self._decay, least=threshold, most=max(counts.n, threshold))
            for key, count in counts.table.items()
            if count > self.prefilter
        ).map(in_order)

    def failure(self, deviation: int, n: int) -> Fraction:
        """Bound the probability that some key's answer is off by `deviation` or more.

        A key with c records fails with probability f(c), counts add up to at most n, so some key
        fails with probability at most the largest n f(c) / c.

        >>> float(StabilityHistogram(1, "1e-6").failure(37, n=360))
        0.0408...
        """
        deviation = check.count(deviation=deviation, least=1)
        n = check.count(n=n, least=1)
        if self.prefilter >= deviation:
            return Fraction(1)
        each = (
            chance_off(self._decay, count, self.threshold, deviation) / count
            for count in range(self.prefilter + 1, min(n, self.threshold + deviation) + 1)
        )
        return min(Fraction(1), n * max(each, default=Fraction(0)))

    @property
    def _decay(self) -> Decay:
        return Decay.of(self.epsilon / 2)


def chance_off(decay: Decay, count: int, threshold: int, deviation: int) -> Fraction:
    """Return the probability that a visible key's answer is off by `deviation` or more.

    Told and too high; or, if the count is at least the deviation, silent or told and too low.
    """
    high = tail_upper(decay, max(deviation, threshold - count))
    if count < deviation:
        return high
    return high + tail_upper(decay, min(deviation, count - threshold + 1))


def told_count(
    key: K, count: int, decay: Decay, *, least: int, most: int
) -> Law[tuple[tuple[K, int], ...]]:
    """Return the law of what is told of one key: nothing, or its noisy count from `least` on.

    Noisy counts of `most` or more are told as `most`.

    >>> told_count("a", 2, Decay(Fraction(1, 2)), least=3, most=4).probabilities
    {(): Fraction(2, 3), (('a', 3),): Fraction(1, 6), (('a', 4),): Fraction(1, 6)}
    """
    at_zero = (1 - decay.ratio) / (1 + decay.ratio)
    told = {z: at_zero * decay.power(abs(z - count)) for z in range(least, most)}
    told[most] = tail(decay, most - count)
    silent = {(): 1 - tail(decay, least - count)}
    return Law({**silent, **{((key, z),): p for z, p in told.items()}})


def in_order(told: Iterable[tuple[tuple[K, int], ...]]) -> tuple[tuple[K, int], ...]:
    """Put what is told of each key into the order of `key_order.order`."""
    return tuple(sorted((pair for part in told for pair in part), key=lambda pair: order(pair[0])))


def order(key: Hashable) -> tuple[Any, ...]:
    """Return what to sort a key by: numbers by size, text and tuples as in a dictionary.

    Keys of other types are sorted by type, then by how they are written; -0.0 and 0 are one key
    already, and what is not a number comes after the numbers.

    >>> sorted([("b", 1), 10, "b", 9, ("a", 2), None, "a"], key=order)
    [9, 10, 'a', 'b', ('a', 2), ('b', 1), None]
    """
    if isinstance(key, Real):
        return (0, key) if key == key else (1,)
    if isinstance(key, str):
        return (2, key)
    if isinstance(key, bytes):
        return (3, key)
    if isinstance(key, tuple):
        return (4, *map(order, key))
    return (5, type(key).__qualname__, repr(key))
