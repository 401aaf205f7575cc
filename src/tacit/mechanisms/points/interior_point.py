"""A point between the least and the greatest record, over ranges of any length."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.core import Exact, InvalidArgument, Law, Random, check, hold, least
from tacit.core.cost import Approximate, BoundedRange, Sequential
from tacit.mechanisms.choice.exponential import Exponential
from tacit.mechanisms.stable.stability_selection import StabilitySelection
from tacit.statistics import Counts, LineCounts, ScoreProfile
from tacit.statistics.prefix_tree import PrefixTree, range_sums


class InteriorBars(NamedTuple):
    """What the search for a prefix looks for; all counts of records.

    A prefix with `low` records whose halves have at most `high`; only prefixes with more than
    `unseen` records may be told, and a prefix is of use from `deep` records on.
    """

    low: int
    high: int
    unseen: int
    deep: int


@dataclass(frozen=True, slots=True)
class InteriorPoint:
    """Find a prefix that many records share but no longer one; choose an end or the middle.

    With more than `rows` records only the `rows` in the middle are looked at.

    Guarantee:
        (epsilon, delta)-DP on every sample. From `rows` records, a point with a record on either
        side (or equal to it) is found with probability at least 1 - beta; the number of records
        grows with the logarithm of the number of bits [after BNSV15 and BNS13].

    Exactness:
        As `Exponential` and `StabilitySelection`; all counts and prefixes are exact integers.

    Cost:
        `Sequential` of the three steps, epsilon and delta in sum; time n log n.

    >>> from tacit.core.chance.randomness import Seeded
    >>> interior = InteriorPoint(1024, epsilon=1, delta="1e-6")
    >>> interior.rows
    279
    >>> same = LineCounts.of([3 << 1000] * 300, bits=1024)
    >>> interior(same, rng=Seeded(1)) == 3 << 1000
    True

    Proof: docs/proofs/interior_point.md
    """

    bits: int
    epsilon: Fraction
    delta: Fraction
    beta: Fraction
    parts: tuple[Fraction, Fraction, Fraction]
    bars: InteriorBars

    def __init__(
        self,
        bits: int,
        *,
        epsilon: Exact,
        delta: Exact,
        beta: Exact = Fraction(1, 20),
        bars: tuple[int, int, int, int] | None = None,
    ) -> None:
        hold(self).count(bits=bits, least=1).positive(epsilon=epsilon)
        hold(self).probability(delta=delta, beta=beta)
        hold(self, parts=self._parts())
        hold(self, bars=self._bars() if bars is None else _read(bars))

    @property
    def cost(self) -> Sequential:
        length, prefix, end = self.parts
        return Sequential(BoundedRange(length), Approximate(prefix, self.delta), BoundedRange(end))

    @property
    def rows(self) -> int:
        """How many records are enough, and the most that are looked at."""
        return _rows(self.bars)

    def __call__(self, records: LineCounts, *, rng: Random) -> int:
        search = _Search(self, records)
        length = self._length(search.depths(), rng=rng)
        told = () if length == 0 else self._prefix(search.prefixes(length), rng=rng)
        return self._end(search.candidates(length, told), rng=rng)

    def law(self, records: LineCounts) -> Law[int]:
        return self.transcript(records).map(lambda told: told[-1])

    def transcript(self, records: LineCounts) -> Law[tuple[int, tuple[int, ...], int]]:
        """Return the exact law of all three answers: length, told prefixes, point."""
        search = _Search(self, records)

        def prefixes(length: int) -> Law[tuple[int, tuple[int, ...]]]:
            if length == 0:
                return Law({(0, ()): Fraction(1)})
            told = self._prefix.law(search.prefixes(length))
            return told.map(lambda keys: (length, keys))

        def ends(told: tuple[int, tuple[int, ...]]) -> Law[tuple[int, tuple[int, ...], int]]:
            return self._end.law(search.candidates(*told)).map(lambda point: (*told, point))

        return self._length.law(search.depths()).then(prefixes).then(ends)

    def failure(self, n: int) -> Fraction:
        """Bound the probability that the point is not between two of n records.

        >>> float(InteriorPoint(1024, epsilon=1, delta="1e-6").failure(279))
        0.0481...
        """
        return Fraction(1) if check.count(n=n) < self.rows else self._failure(self.bars)

    def _failure(self, bars: InteriorBars) -> Fraction:
        """Add up what the three steps may fail, on as many records as the bars need."""
        missed, useless = _chances(self.parts[1], self.delta, bars)
        return min(
            Fraction(1),
            self._length.failure(room(bars.low, bars.high) + 1, size=self.bits + 1)
            + missed
            + _rows(bars) * useless
            + self._end.failure(bars.deep, size=3),
        )

    @property
    def _length(self) -> Exponential:
        return Exponential(self.parts[0])

    @property
    def _prefix(self) -> StabilitySelection:
        return StabilitySelection(self.parts[1], self.delta, prefilter=self.bars.unseen)

    @property
    def _end(self) -> Exponential:
        return Exponential(self.parts[2])

    def _parts(self) -> tuple[Fraction, Fraction, Fraction]:
        """Split epsilon over the three steps so that about the fewest records are needed."""
        share = float(self.beta) / 3
        return three_parts(
            self.epsilon,
            4 * math.log((self.bits + 1) / share),
            2 * (math.log(2 / share) - math.log(self.delta.numerator))
            + 2 * math.log(self.delta.denominator),
            4 * math.log(3 / share),
        )

    def _bars(self) -> InteriorBars:
        share = self.beta / 3
        deep = self._end.shortfall(share, size=3)
        gap = self._length.shortfall(share, size=self.bits + 1) - 1
        least_told = StabilitySelection(self.parts[1], self.delta).count(share / 2)

        def bars(unseen: int) -> InteriorBars:
            low = max(least_told + unseen, deep)
            return InteriorBars(low, low + 2 * gap - 1, unseen, deep)

        enough = least(lambda u: u >= deep - 1 or self._failure(bars(u)) <= self.beta)
        return bars(enough)


@lru_cache(maxsize=256)
def _chances(epsilon: Fraction, delta: Fraction, bars: InteriorBars) -> tuple[Fraction, Fraction]:
    """Bound the chances that a heavy prefix is missed, and a light one told, for each record."""
    told = StabilitySelection(epsilon, delta, prefilter=bars.unseen)
    light = range(bars.unseen + 1, bars.deep)
    useless = max(((1 - told.failure(c)) / c for c in light), default=Fraction(0))
    return told.failure(bars.low), useless


def _rows(bars: InteriorBars) -> int:
    return bars.high + 2 * bars.deep - 1


class _Search:
    """The records in the middle, in the tree of their prefixes."""

    def __init__(self, plan: InteriorPoint, records: LineCounts) -> None:
        rows = max(plan.rows, 0)
        self._records = records
        if records.n > rows:
            self._records = records.window((records.n - rows) // 2 + 1, rows)
        self._tree = PrefixTree.of(self._records.points, bits=records.bits)
        self._counts = self._tree.sort(self._records.counts)
        self._bars = plan.bars

    def depths(self) -> ScoreProfile[int]:
        """Score the lengths of prefix by the largest number of records that share one."""
        return depth_profile(
            self._tree.heaviest(self._tree.sums(self._counts)),
            low=self._bars.low,
            high=self._bars.high,
            deepest=self._tree.bits,
        )

    def prefixes(self, length: int) -> Counts[int]:
        """Count the records of each prefix of this length."""
        starts, ends = self._tree.blocks(length)
        names = [self._tree.prefix(start, length) for start in starts.tolist()]
        found = range_sums(self._counts, starts, ends).tolist()
        return Counts(self._records.n, dict(zip(names, found, strict=True)))

    def candidates(self, length: int, told: tuple[int, ...]) -> ScoreProfile[int]:
        """Score the ends and the middle of the block of the middle one of the told prefixes."""
        width = self._tree.bits - (length if told else 0)
        start = (told[len(told) // 2] if told else 0) << width
        points = [*dict.fromkeys((start, start + (1 << width) // 2, start + (1 << width) - 1))]
        scores = [min(self._records.at_most(x), self._records.at_least(x)) for x in points]
        return ScoreProfile.among(points, scores)


def _read(bars: tuple[int, int, int, int]) -> InteriorBars:
    read = InteriorBars(*(check.count(bar=bar) for bar in bars))
    if read.high < read.low - 1 or read.deep < 1:
        raise InvalidArgument(f"bars need high >= low - 1 and deep >= 1, got {read}")
    return read


def depth_profile(
    heaviest: NDArray[np.int64], *, low: int, high: int, deepest: int
) -> ScoreProfile[int]:
    """Score each length d of prefix, 0 to `deepest`: is there a heavy one, and none a bit longer?

    The score is min(heaviest(d) - low, high - heaviest(d + 1)), without the first for d = 0: the
    empty prefix needs no search. Heaviest is 0 beyond the end.

    Guarantee:
        If a replaced record moves each heaviest(d) by at most 1, it moves each score by at most 1.
        If heaviest does not increase, is below low + g at deepest + 1 and high >= low + 2 g - 1,
        then some score is at least g: that of the last d with heaviest(d) >= low + g, or of 0.

    >>> depth_profile(np.array([9, 9, 4, 1]), low=3, high=6, deepest=3).scores.tolist()
    [-3, 2, 1, -2]
    """
    weights = np.concatenate((heaviest, [0]))
    within = high - weights[1 : deepest + 2]
    heavy = weights[: deepest + 1] - low
    heavy[0] = max(int(heavy[0]), int(within[0]))
    return ScoreProfile.of(np.minimum(heavy, within))


def room(low: int, high: int) -> int:
    """Return the largest g with high >= low + 2 g - 1.

    >>> room(3, 6), room(3, 7)
    (2, 2)
    """
    return max((high - low + 1) // 2, 0)


def shares(*prices: float) -> list[float]:
    """Return parts of one that make the sum of price / part least: as the square roots.

    >>> shares(1.0, 4.0)
    [0.333..., 0.666...]
    """
    roots = [price**0.5 for price in prices]
    return [root / sum(roots) for root in roots]


def three_parts(epsilon: Fraction, *prices: float) -> tuple[Fraction, Fraction, Fraction]:
    """Split epsilon over three steps of these prices, by `shares` in thousandths: short fractions.

    >>> three_parts(Fraction(1), 1.0, 4.0, 9.0)
    (Fraction(167, 1000), Fraction(333, 1000), Fraction(1, 2))
    """
    first, second, _ = (Fraction(max(round(part * 1000), 1), 1000) for part in shares(*prices))
    return first * epsilon, second * epsilon, (1 - first - second) * epsilon
