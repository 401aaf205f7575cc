"""Noisy counts over a declared domain of any size, with pure privacy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from tacit.core import Decay, Exact, PureCost, Random, TooLarge, check, hold
from tacit.core.chance.law import Law, product
from tacit.core.chance.uniform import Uniform
from tacit.core.numbers.enclosures import Enclosure, scaled
from tacit.core.numbers.least import least_between
from tacit.mechanisms.noise.geometric import (
    geometric,
    least_reach,
    tail_ball,
    tail_upper,
    two_sided,
)
from tacit.mechanisms.stable.stability_histogram import chance_off, in_order, told_count
from tacit.statistics import Counts

LISTED = 16


@dataclass(frozen=True, slots=True)
class PureHistogram(PureCost):
    """Release the noisy counts that reach a threshold, over all keys of range(size).

    Every key gets noise, also those that do not occur; records outside of range(size) are ignored.
    By default at most one key that does not occur is expected to reach the threshold.

    Guarantee:
        epsilon-DP: two-sided geometric noise of rate epsilon / 2 on counts of l1 sensitivity 2, and
        a threshold that is post-processing. Reading 0 for what is not released, some answer is off
        by `deviation` or more with probability at most `failure(deviation, n)`.

    Exactness:
        Keys that do not occur are not visited: the next one that reaches the threshold is found by
        its exact distance, a geometric variable, and its noisy count by the memory that geometric
        noise does not have. The law is that of noise on every key.

    Cost:
        `Pure(epsilon)`; time linear in the number of keys that occur or are released.

    >>> from tacit.core.chance.randomness import Seeded
    >>> histogram = PureHistogram(1, 2**64)
    >>> histogram.threshold
    88
    >>> histogram(Counts.of([7] * 500), rng=Seeded(0))
    ((7, 499), (11457684781748275017, 88))

    Proof: docs/proofs/stability_histogram.md
    """

    epsilon: Fraction
    size: int
    threshold: int

    def __init__(self, epsilon: Exact, size: int, *, threshold: int | None = None) -> None:
        hold(self).positive(epsilon=epsilon).count(size=size, least=1)
        if threshold is None:
            threshold = least_reach(self._decay, Fraction(1, size), least=1)
        hold(self).count(threshold=threshold, least=1)

    def __call__(self, counts: Counts[int], *, rng: Random) -> tuple[tuple[int, int], ...]:
        """Return the released keys with their noisy counts, in order."""
        inside = {
            key: count
            for key, count in counts.table.items()
            if isinstance(key, int) and 0 <= key < self.size
        }
        noise = two_sided(self._decay, len(inside), rng=rng).tolist()
        noisy = [(key, count + z) for (key, count), z in zip(inside.items(), noise, strict=True)]
        told = [pair for pair in noisy if pair[1] >= self.threshold]
        told += [
            (key, self.threshold + int(geometric(self._decay, 1, rng=rng)[0]))
            for key in self._exceeding(rng)
            if key not in inside
        ]
        return tuple(sorted(told))

    def law(self, counts: Counts[int]) -> Law[tuple[tuple[int, int], ...]]:
        """Return the exact law over a small domain, counts above max(n, threshold) told as that."""
        if self.size > LISTED:
            raise TooLarge(f"a law is listed for size up to {LISTED}, got {self.size}")
        most = max(counts.n, self.threshold)
        return product(
            told_count(key, counts[key], self._decay, least=self.threshold, most=most)
            for key in range(self.size)
        ).map(in_order)

    def failure(self, deviation: int, n: int) -> Fraction:
        """Bound the probability that some key's answer is off by `deviation` or more.

        >>> float(PureHistogram(1, 2**64).failure(100, n=1000))
        0.0115...
        """
        deviation = check.count(deviation=deviation, least=1)
        n = check.count(n=n, least=1)
        absent = self.size * tail_upper(self._decay, max(deviation, self.threshold))
        each = (
            chance_off(self._decay, count, self.threshold, deviation) / count
            for count in range(1, min(n, self.threshold + deviation) + 1)
        )
        return min(Fraction(1), absent + n * max(each))

    @property
    def _decay(self) -> Decay:
        return Decay.of(self.epsilon / 2)

    def _exceeding(self, rng: Random) -> Iterator[int]:
        """List the keys whose noise reaches the threshold, as if no key occurred."""
        key = 0
        while True:
            key += skip(partial(_stay, self._decay, self.threshold), self.size - key, rng=rng)
            if key >= self.size:
                return
            yield key
            key += 1


def skip(stay: Callable[[], Enclosure], most: int, *, rng: Random) -> int:
    """Return min(G, most), G the number of keys in a row that stay below the threshold.

    P[G >= g] = stay^g, so G is the number of g >= 1 with U < stay^g for one uniform U, found by
    bisection; each comparison is decided exactly.
    """
    uniform = Uniform(rng)
    return least_between(0, most + 1, lambda g: not uniform.below(partial(_power, stay, g))) - 1


def _stay(decay: Decay, threshold: int) -> Enclosure:
    """Enclose the probability that noise stays below the threshold."""
    return 1 - tail_ball(decay, threshold)


def _power(stay: Callable[[], Enclosure], exponent: int, bits: int) -> tuple[int, int]:
    low, high = scaled(lambda: stay() ** exponent, bits + exponent.bit_length())
    shift = exponent.bit_length()
    return max(low >> shift, 0), min(-(-high >> shift), 1 << bits)
