"""Concepts that stand for all others on given rows, chosen from the points alone.

A cover is made once for all labels: points are told privately, and one concept is taken for each
way in which the class can label them. Proofs in docs/proofs/shared_cover.md.

Of the papers: BNS16 Cor 3.9, BNS16 Cor 3.10.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import integers
from tacit.concepts.line.points import Point, Points
from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core import ApproximateCost, Decay, Exact, Law, Random, check, hold, least
from tacit.core.cost import Repeat
from tacit.mechanisms import HeavyPrefixes, StabilitySelection
from tacit.mechanisms.points.heavy_prefixes import Prefix
from tacit.mechanisms.stable.release_table import ReleaseTable
from tacit.probability.shortfall import about, shortfall
from tacit.probability.uniform_deviation import (
    beside_one,
    few,
    few_about,
    few_at_points,
    few_at_points_about,
    scattered,
    scattered_about,
    single,
)
from tacit.sanitizers.contract.synthetic import Synthetic
from tacit.sanitizers.line.line_domain import LineDomain
from tacit.sanitizers.line.quantile import QuantileSanitizer
from tacit.statistics import Counts, LabelCounts, LineCounts

MOST = Fraction(10**6)
"""A greater epsilon makes no difference."""


class PointsCover:
    """What covers by told points share, unless they say otherwise."""

    __slots__ = ()

    @property
    def coarsest(self) -> Fraction:
        """A share of the rows by which concepts may be off however many there are: none."""
        return Fraction(0)

    @abstractmethod
    def rows(self, n: int, beta: Exact) -> Fraction:
        """Return r: except with probability beta some concept is within r rows of any other."""

    def about(self, n: int, beta: float) -> float:
        """Return about `rows`, for comparisons."""
        return float(self.rows(n, beta))

    def targets(self, labels: int) -> Fraction:
        """Return for how many targets all concepts are to be seen: for each label's."""
        return Fraction(labels)


class ThresholdCover(PointsCover):
    """What covers of thresholds share: how rows speak for the distribution, and who agrees."""

    __slots__ = ()

    def deviation(self, n: int, beta: Exact) -> Fraction:
        """Return by how many rows the excess over a best threshold may be off, for all at once."""
        return beside_one(n, beta)

    def unseen(self, n: int, alpha: Fraction, rows: int) -> Fraction:
        """Bound the probability that a threshold errs more than alpha, but on few of the rows.

        Labels are those of a threshold, and the others fall into two chains from it.
        """
        return 2 * few(n, alpha, rows)

    def unseen_about(self, n: int, alpha: float, rows: int) -> float:
        """Return about `unseen`, for comparisons."""
        return 2 * few_about(n, alpha, rows)

    def deviation_about(self, n: int, beta: float) -> float:
        """Return `deviation`, for comparisons."""
        return float(self.deviation(n, beta))

    def gains(
        self, chosen: tuple[Threshold, ...], points: NDArray[Any], gains: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return each concept's sum of gains, one line a concept and one column a label."""
        order = np.argsort(points, kind="stable")
        below = np.zeros((len(points) + 1, gains.shape[1]), dtype=np.int64)
        np.cumsum(gains[order], axis=0, out=below[1:])
        at = np.searchsorted(points[order], integers([h.at for h in chosen]), side="left")
        up = np.array([h.up for h in chosen])[:, None]
        return np.where(up, below[-1] - below[at], below[at])


@dataclass(frozen=True, slots=True)
class SplitCover(ThresholdCover):
    """Thresholds at the splits of a private halving of the rows, on either side of each split.

    >>> cover = SplitCover(Thresholds(64), epsilon="1/5", depth=6)
    >>> cover.most(20_000, 0.05), float(cover.rows(20_000, 0.05) / 20_000)
    (129, 0.0380...)
    """

    concepts: Thresholds
    epsilon: Fraction
    depth: int

    def __init__(self, concepts: Thresholds, *, epsilon: Exact, depth: int) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).count(depth=depth, least=1)

    @property
    def cost(self) -> Repeat:
        return self._sanitizer.cost

    @property
    def coarsest(self) -> Fraction:
        """A share of the rows by which concepts may be off however many there are."""
        return Fraction(1, 2 << self.depth)

    def most(self, n: int, beta: Exact) -> int:  # noqa: ARG002
        """Return how many concepts there are at most, whatever beta."""
        ways = 2 if self.concepts.direction == "both" else 1
        return min(self.concepts.size, ways * ((2 << self.depth) + 1))

    def rows(self, n: int, beta: Exact) -> Fraction:
        """Return r: except with probability beta some concept is within r rows of any threshold.

        Half of what is left in an interval after `depth` unequal halvings.
        """
        beta, parts = check.probability(beta=beta), 1 << self.depth
        if n < parts:
            return Fraction(n)
        unequal = shortfall(
            Decay.of(self.epsilon / 4), size=self.concepts.domain_size * n, beta=beta / (parts - 1)
        )
        left = Fraction(n, parts) + unequal * (1 - Fraction(1, parts))
        return min(Fraction(n), left / 2)

    def about(self, n: int, beta: float) -> float:
        parts = 1 << self.depth
        size = self.concepts.domain_size * n
        unequal = about(float(min(self.epsilon, MOST)) / 4, size=size, beta=beta / (parts - 1))
        return min(float(n), (n / parts + unequal * (1 - 1 / parts)) / 2) if n >= parts else n

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> tuple[Threshold, ...]:
        return self._read(self._sanitizer(counts, rng=rng))

    def law(self, counts: Counts[Any], /) -> Law[tuple[Threshold, ...]]:
        return self._sanitizer.law(counts).map(self._read)

    @property
    def _sanitizer(self) -> QuantileSanitizer:
        line = LineDomain(self.concepts.domain_size)
        return QuantileSanitizer(line, epsilon=self.epsilon, depth=self.depth)

    def _read(self, made: Synthetic) -> tuple[Threshold, ...]:
        """Take one concept for each labelling of the splits and the points just below them."""
        told = {place for point, _ in made.table for place in (point - 1, point) if place >= 0}
        return tuple(self.concepts.dichotomies(integers(sorted(told))))


@dataclass(frozen=True, slots=True)
class ToldCover(PointsCover, ApproximateCost):
    """The points that occur often, and one that stands for all others.

    >>> cover = ToldCover(Points(64), epsilon="1/5", delta="1e-6")
    >>> cover.most(20_000, 0.05), float(cover.rows(20_000, 0.05) / 20_000)
    (1177, 0.0191)
    """

    concepts: Points
    epsilon: Fraction
    delta: Fraction

    def __init__(self, concepts: Points, *, epsilon: Exact, delta: Exact) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).probability(delta=delta)

    def most(self, n: int, beta: Exact) -> int:
        """Return how many concepts there are at most, except with probability beta / 2.

        Points with few rows are hardly ever told.
        """
        share, table = check.probability(beta=beta) / (2 * n + 1), _table(self._selection)
        up, down = (share * (1 << table.bits)).as_integer_ratio()
        often = least(lambda c: c > n or table.entry(c) * down > up * c, low=1)
        return min(self.concepts.domain_size, n // often + 1)

    def rows(self, n: int, beta: Exact) -> Fraction:
        """Return r: except with probability beta / 2 some concept is within r rows of any point.

        If points with more than c rows are all told, a point that is not told and the one that
        stands for it have at most c rows each.
        """
        share, table = check.probability(beta=beta) / (2 * max(n, 1)), _table(self._selection)
        up, down = (share * (1 << table.bits)).as_integer_ratio()
        rare = least(lambda c: ((1 << table.bits) - table.entry(c + 1)) * down <= up * (c + 1))
        return Fraction(min(2 * rare, n))

    def deviation(self, n: int, beta: Exact) -> Fraction:
        """Return by how many rows the excess over a best point may be off, for all at once."""
        each = check.probability(beta=beta) / 2
        return scattered(n, each) + single(n, each)

    def unseen(self, n: int, alpha: Fraction, rows: int) -> Fraction:
        """Bound the probability that a point errs more than alpha, but on few of the rows.

        Labels are those of a point.
        """
        return few_at_points(n, alpha, rows)

    def unseen_about(self, n: int, alpha: float, rows: int) -> float:
        """Return about `unseen`, for comparisons."""
        return few_at_points_about(n, alpha, rows)

    def deviation_about(self, n: int, beta: float) -> float:
        """Return about `deviation`, for comparisons."""
        return scattered_about(n, beta / 2) + float(single(n, beta / 2))

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> tuple[Point, ...]:
        return self._read(self._selection(self._inside(counts), rng=rng))

    def law(self, counts: Counts[Any], /) -> Law[tuple[Point, ...]]:
        return self._selection.law(self._inside(counts)).map(self._read)

    def gains(
        self, chosen: tuple[Point, ...], points: NDArray[Any], gains: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return each concept's sum of gains, one line a concept and one column a label."""
        place = {point.at: line for line, point in enumerate(chosen)}
        lines = np.array([place.get(point, -1) for point in points.tolist()], dtype=np.int64)
        added = np.zeros((len(chosen), gains.shape[1]), dtype=np.int64)
        np.add.at(added, lines[lines >= 0], gains[lines >= 0])
        return added

    @property
    def _selection(self) -> StabilitySelection:
        return StabilitySelection(self.epsilon, self.delta)

    def _inside(self, counts: Counts[Any]) -> Counts[int]:
        """Read the rows of each point of the domain; null rows are nowhere."""
        table: dict[int, int] = {}
        for point, count in counts.table.items():
            at = min(max(int(point), 0), self.concepts.domain_size - 1)
            table[at] = table.get(at, 0) + count
        return Counts(counts.n, table)

    def _read(self, told: tuple[int, ...]) -> tuple[Point, ...]:
        """Take one concept for each labelling of the points that were told."""
        return tuple(self.concepts.dichotomies(integers(sorted(told))))


def points_of(sample: LabelCounts) -> Counts[Any]:
    """Return the points without their labels.

    >>> points_of(LabelCounts.of([(7, (1,)), (7, (0,)), (9, (0,))], labels=1)).table
    {7: 2, 9: 1}
    """
    table: dict[Any, int] = {}
    vectors = sample.points.ndim > 1
    for each, rows in zip(sample.points.tolist(), sample.totals.tolist(), strict=True):
        point = tuple(each) if vectors else each
        table[point] = table.get(point, 0) + rows
    return Counts(sample.n, table)


@lru_cache(maxsize=64)
def _table(selection: StabilitySelection) -> ReleaseTable:
    return selection.table


@dataclass(frozen=True, slots=True)
class PrefixCover(ThresholdCover, ApproximateCost):
    """Thresholds at the ends and the middles of told prefixes, and the last one.

    >>> cover = PrefixCover(Thresholds(65536), epsilon="1/5", delta="1e-6")
    >>> cover.most(20_000, 0.05), float(cover.rows(20_000, 0.05) / 20_000)
    (168, 0.033725)

    Proof: docs/proofs/heavy_prefixes.md
    """

    concepts: Thresholds
    epsilon: Fraction
    delta: Fraction

    def __init__(self, concepts: Thresholds, *, epsilon: Exact, delta: Exact) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).probability(delta=delta)

    def most(self, n: int, beta: Exact) -> int:
        """Return how many concepts there are at most, except with probability beta / 2."""
        told = self._prefixes.most(n, check.probability(beta=beta) / 2)
        return min(self.concepts.size, len(self.concepts.ways) * (3 * told + 3))

    def rows(self, n: int, beta: Exact) -> Fraction:
        """Return r: except with probability beta / 2 some concept is within r rows of any one."""
        return Fraction(self._prefixes.crowd(n, check.probability(beta=beta) / 2), 2)

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> tuple[Threshold, ...]:
        return self._read(self._prefixes(self._line(counts), rng=rng))

    def law(self, counts: Counts[Any], /) -> Law[tuple[Threshold, ...]]:
        return self._prefixes.law(self._line(counts)).map(self._read)

    @property
    def _prefixes(self) -> HeavyPrefixes:
        bits = max(1, (self.concepts.domain_size - 1).bit_length())
        return HeavyPrefixes(bits, epsilon=self.epsilon, delta=self.delta)

    def _line(self, counts: Counts[Any]) -> LineCounts:
        return LineDomain(self.concepts.domain_size).counts(counts, bits=self._prefixes.bits)

    def _read(self, told: Iterable[Prefix]) -> tuple[Threshold, ...]:
        """Take one concept for each labelling of the points just before the cuts."""
        size = self.concepts.domain_size
        cuts = {*self._prefixes.cuts(told, size), size - 1}
        return tuple(self.concepts.dichotomies(integers(sorted(cut - 1 for cut in cuts if cut))))
