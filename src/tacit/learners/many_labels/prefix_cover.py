"""Thresholds that stand for all others: at the cuts between prefixes with many rows.

Of the papers: BNS16 Cor 3.10.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.concepts.contract.concept_class import integers
from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core import ApproximateCost, Exact, Law, Random, check, hold
from tacit.learners.many_labels.covers_of_points import ThresholdCover
from tacit.mechanisms import HeavyPrefixes
from tacit.mechanisms.search.heavy_prefixes import Prefix
from tacit.sanitizers.line.line_domain import LineDomain
from tacit.statistics import Counts, LineCounts


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

    @property
    def coarsest(self) -> Fraction:
        """A share of the rows by which concepts may be off however many there are: none."""
        return Fraction(0)

    def most(self, n: int, beta: Exact) -> int:
        """Return how many concepts there are at most, except with probability beta / 2."""
        told = self._prefixes.most(n, check.probability(beta=beta) / 2)
        return min(self.concepts.size, len(self.concepts.ways) * (3 * told + 3))

    def rows(self, n: int, beta: Exact) -> Fraction:
        """Return r: except with probability beta / 2 some concept is within r rows of any one."""
        return Fraction(self._prefixes.crowd(n, check.probability(beta=beta) / 2), 2)

    def about(self, n: int, beta: float) -> float:
        """Return `rows`, for comparisons."""
        return float(self.rows(n, beta))

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> tuple[Threshold, ...]:
        """Draw the concepts."""
        return self._read(self._prefixes(self._line(counts), rng=rng))

    def law(self, counts: Counts[Any], /) -> Law[tuple[Threshold, ...]]:
        """Return the exact law of the concepts, on lines of few points."""
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
