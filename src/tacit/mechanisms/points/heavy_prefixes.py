"""Which prefixes hold many records: from the longest ones up, each record told of at most once.

Of the papers: BNS16 Prop 2.21.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import inf, log

import numpy as np

from tacit.core import ApproximateCost, Decay, Exact, Random, check, hold
from tacit.core.chance.law import Law, certain, product
from tacit.core.chance.uniform import Uniform
from tacit.core.numbers.enclosures import PRECISION, log_upper, lower, real, round_down
from tacit.core.numbers.exact import log_near
from tacit.core.numbers.least import greatest, least, least_between
from tacit.statistics import LineCounts
from tacit.statistics.prefix_tree import PrefixTree

Prefix = tuple[int, int]
"""A length and the leading bits."""
MARGIN = Fraction(1, 1 << 54)
"""What the growth of hazards is charged above its value, for the rounding of the ratios."""
STEEPEST = 3
SURE = Fraction(64)
"""No hazard is greater: e^-64 is a chance that no promise needs to be smaller than."""
EULER = Fraction(272, 100)
"""More than e, by more than the rounding of hazards."""
CLEAR = 1e-6
"""Sums of logarithms that differ by more are told apart by floats, nearer ones exactly.

A logarithm of numbers of up to 400,000 digits is below 1e6 and wrong by less than 2e-10, so that 32
times the sum of six is wrong by less than 1e-7, with the rounding of the sum.
"""
FEW = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""How many of the told prefixes may have few records, as tried for a bound on their number."""
LOGS = {few: log(EULER / few) for few in FEW}
WORD = 1 << 64


@dataclass(frozen=True, slots=True)
class HeavyPrefixes(ApproximateCost):
    """Tell prefixes with many records, the longest first; told records take no further part.

    A prefix that holds c records is told with probability 1 - e^-h, where the hazard h grows with c
    by a fixed factor. A record has as many chances as there are bits, and pays for all of them
    together about as much as for the last one.

    Guarantee:
        (epsilon, delta)-DP on every sample. Cut at the ends and the middles of the told prefixes
        the line has no cell of several points with more than `crowd(n, beta)` records, but with
        probability beta; that number grows with the logarithm of the number of bits.

    Exactness:
        The chances are rational; one uniform a path of prefixes with the same records.

    Cost:
        `Approximate(epsilon, delta)`; time n log n.

    >>> from tacit.core.chance.randomness import Seeded
    >>> heavy = HeavyPrefixes(1024, epsilon=1, delta="1e-6")
    >>> heavy.crowd(5000, 0.05), heavy.most(5000, 0.05)
    (275, 49)
    >>> same = LineCounts.of([3 << 1000] * 300, bits=1024)
    >>> heavy(same, rng=Seeded(1)) == ((1024, 3 << 1000),)
    True

    Proof: docs/proofs/heavy_prefixes.md
    """

    bits: int
    epsilon: Fraction
    delta: Fraction

    def __init__(self, bits: int, *, epsilon: Exact, delta: Exact) -> None:
        hold(self).count(bits=bits, least=1).positive(epsilon=epsilon).probability(delta=delta)

    def __call__(self, records: LineCounts, *, rng: Random) -> tuple[Prefix, ...]:
        """Tell prefixes, in the order of their length and bits."""
        tree = PrefixTree.of(records.points, bits=self.bits)
        counts = tree.sort(records.counts).tolist()
        beside = np.concatenate(([0], tree.shared, [0]))
        upto = np.maximum(beside[tree.starts], beside[tree.ends])
        words = rng.words(len(tree.starts)).tolist()
        told: list[Prefix] = []
        left: list[tuple[int, int]] = []
        # A set of points comes after all of its subsets; what they have left is on the stack.
        for place in np.lexsort((-tree.starts, tree.ends)).tolist():
            start, length = int(tree.starts[place]), int(tree.lengths[place])
            count = counts[start] if place < len(counts) else 0
            while place >= len(counts) and left and left[-1][0] >= start:
                count += left.pop()[1]
            tests = length - int(upto[place])
            passed = self._passed(count, tests, words[place], rng=rng)
            if passed < tests:
                told.append((length - passed, tree.prefix(start, length - passed)))
                count = 0
            left.append((start, count))
        return tuple(sorted(told))

    def law(self, records: LineCounts) -> Law[tuple[Prefix, ...]]:
        """Return the exact law of the told prefixes, for few bits: prefix by prefix."""

        def tested(length: int, prefix: int) -> Law[tuple[tuple[Prefix, ...], int]]:
            """Return the law of what is told below a prefix, and of the records left in it."""
            width = self.bits - length
            if width:
                halves = product([tested(length + 1, 2 * prefix + half) for half in (0, 1)])
                below = halves.map(lambda two: (two[0][0] + two[1][0], two[0][1] + two[1][1]))
            else:
                below = certain(((), records.at_most(prefix) - records.at_most(prefix - 1)))
            return below.then(lambda held: self._test(length, prefix, *held))

        return tested(0, 0).map(lambda held: tuple(sorted(held[0])))

    def cuts(self, told: Iterable[Prefix], size: int) -> list[int]:
        """Return where to cut a line of so many points: a cell begins at each but the last.

        >>> HeavyPrefixes(3, epsilon=1, delta="1e-6").cuts([(3, 6), (1, 0)], 8)
        [0, 2, 4, 6, 7, 8]
        """
        places = {0, size}
        for length, prefix in [(0, 0), *told]:
            width = 1 << self.bits - length
            start = prefix * width
            places.update(min(start + part, size) for part in (0, (width + 1) // 2, width))
        return sorted(places)

    def crowd(self, n: int, beta: Exact) -> int:
        """Return how many of n records a cell of several points has at most, but for beta."""
        beta, n = check.probability(beta=beta), check.count(n=n)

        def enough(most: int) -> bool:
            return most >= n or n // (most + 1) * self.decay(most + 1).ratio <= beta

        return least(enough)

    def most(self, n: int, beta: Exact) -> int:
        """Return how many prefixes are told at most, but for beta."""
        beta, n = check.probability(beta=beta), check.count(n=n)

        log_all, log_beta = log(self.bits * n), log_near(beta)

        @cache
        def log_chances(count: int) -> float:
            hazard = self.hazard(count)
            return log_all + log_near(hazard) - log(count) if hazard else -inf

        def rare(count: int, few: int) -> bool:
            told = few * (log_chances(count) + LOGS[few])
            if abs(told - log_beta) > CLEAR:
                return told < log_beta
            return (EULER * self.bits * n * self.hazard(count) / count / few) ** few <= beta

        heavy = (greatest(lambda c, t=few: rare(c, t), 0, n) for few in FEW)  # type: ignore[misc]
        return min([n, *(n // c + t - 1 for c, t in zip(heavy, FEW, strict=True) if c)])

    def hazard(self, count: int) -> Fraction:
        """Return about minus the logarithm of the chance that so many records are not told."""
        return _hazard(self.bits, self.epsilon, self.delta, count)

    def decay(self, count: int) -> Decay:
        """Return the chance that a prefix with so many records, at least one, is not told."""
        return Decay.of(self.hazard(count))

    def _passed(self, count: int, tests: int, word: int, *, rng: Random) -> int:
        """Return how many tests of so many records are passed untold, up to the first that is not.

        t are passed if U < q^t, for one uniform U that begins with `word`. q^t >= 1 - t (1 - q)
        decides for almost all records without a power.
        """
        if not count or word + tests * self._risk(count) < WORD:
            return tests
        decay, uniform = self.decay(count), Uniform(rng, value=word, width=64)

        def told(test: int) -> bool:
            return not uniform.below(lambda bits: decay.scaled(test, bits))

        return least_between(0, tests, told) - 1 if told(tests) else tests

    def _risk(self, count: int) -> int:
        """Return 2^64 times the chance to be told, rounded up, and one more for the word's end."""
        return _risk(self.bits, self.epsilon, self.delta, count)

    def _test(
        self, length: int, prefix: int, told: tuple[Prefix, ...], count: int
    ) -> Law[tuple[tuple[Prefix, ...], int]]:
        if not length or not count:
            return certain((told, count))
        ratio = self.decay(count).ratio
        return Law({(told, count): ratio, ((*told, (length, prefix)), 0): 1 - ratio})


@lru_cache(maxsize=1 << 12)
def _risk(bits: int, epsilon: Fraction, delta: Fraction, count: int) -> int:
    told = (1 - Decay.of(_hazard(bits, epsilon, delta, count)).ratio) * WORD
    return -(-told.numerator // told.denominator) + 1


@lru_cache(maxsize=1 << 16)
def _hazard(bits: int, epsilon: Fraction, delta: Fraction, count: int) -> Fraction:
    """Return (eta / g) ((1 + g)^count - 1), rounded down, or 64 if that is less."""
    steepness, first = _steepness(epsilon, delta), min(epsilon, delta) / (2 * bits)
    most = SURE * steepness / first + 1
    if count * log_upper(1 + steepness) > log_upper(most) + 1:
        return SURE

    def grown() -> object:
        return (real(1 + steepness) ** count - 1) * real(first / steepness)

    return min(SURE, round_down(lower(grown, 2 * PRECISION), PRECISION // 2))


@lru_cache(maxsize=256)
def _steepness(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return the greatest g that keeps epsilon and delta, whatever the number of bits."""
    room = epsilon - min(epsilon, delta) / 2

    def spent(steepness: Fraction) -> Fraction:
        charged = steepness + MARGIN
        lost = log_upper(2 * charged / ((1 + charged) * delta))
        return log_upper(1 + charged) + charged * max(lost, Fraction(0))

    low, high = Fraction(0), Fraction(STEEPEST)
    while high - low > high / (1 << 16) and high > MARGIN:
        middle = (low + high) / 2
        low, high = (middle, high) if spent(middle) <= room else (low, middle)
    return check.positive(epsilon=low)
