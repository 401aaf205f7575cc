"""Synthetic rows for thresholds over lines of any length: private quantiles, by halving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import Decay, Exact, Privacy, Random, check, hold
from tacit.core.chance.law import Law, certain, product
from tacit.core.composition import calibrate
from tacit.core.cost import BoundedRange, Repeat
from tacit.mechanisms import Exponential
from tacit.probability.shortfall import shortfall
from tacit.sanitizers.contract.synthetic import ErrorPromise, Synthetic
from tacit.sanitizers.line.line_domain import LineDomain
from tacit.statistics import Counts, ScoreProfile

DEEPEST = 16
"""Halvings that are tried: with more, the noise of all levels is worse than the finer shares."""
LARGEST = 1 << 60
"""Places below this are counted in 64 bits, with room for their sums; others in Python integers."""


@dataclass(frozen=True, slots=True)
class QuantileSanitizer(ErrorPromise):
    """Halve the rows `depth` times by private medians, and put equal shares between the splits.

    Rows at one point are told apart by a second coordinate, their rank there, so that a median
    always exists. An interval is split at a place drawn by the exponential mechanism: the more
    unequal the parts, the less likely.

    Guarantee:
        Each level of the tree is of bounded range `epsilon`, and so the whole costs `depth` times
        that. With probability at least 1 - beta the number of rows up to no point is off by more
        than n `error(n, beta)`, for every database.

    Exactness:
        As `Exponential`: places are counted in runs of equal score, however many they are.

    Cost:
        `depth` times `BoundedRange(epsilon)`, one after the other; time linear in the number of
        rows, for each level.

    >>> from tacit.core.chance.randomness import Seeded
    >>> line = LineDomain(1 << 64)
    >>> sanitizer = QuantileSanitizer(line, epsilon="1/5", depth=5)
    >>> float(sanitizer.error(64_000, 0.05))
    0.0500...
    >>> made = sanitizer(Counts(64_000, {5: 32_000, 1 << 60: 32_000}), rng=Seeded(1))
    >>> made.n, sum(count for point, count in made.table if point <= 5) > 30_000
    (64000, True)

    Proof: docs/proofs/quantile_sanitizer.md
    """

    line: LineDomain
    epsilon: Fraction
    depth: int

    def __init__(self, line: LineDomain, *, epsilon: Exact, depth: int) -> None:
        hold(self, line=line).positive(epsilon=epsilon).count(depth=depth, least=1)

    @classmethod
    def within(
        cls, line: LineDomain, privacy: Privacy, *, n: int, beta: Exact
    ) -> QuantileSanitizer:
        """Return the sanitizer with the least promised error for n rows that keeps this promise.

        >>> QuantileSanitizer.within(LineDomain(1 << 32), Privacy(1), n=40_703, beta=0.05).depth
        5
        """
        tries = []
        for depth in range(1, min(DEEPEST, max(n, 2).bit_length()) + 1):
            each = privacy.epsilon / depth
            if privacy.delta:
                each = calibrate(privacy, lambda e, k=depth: Repeat(BoundedRange(e), k))  # type: ignore[misc]
            tries.append(cls(line, epsilon=each, depth=depth))
        return min(tries, key=lambda made: made.error(n, beta))

    @property
    def cost(self) -> Repeat:
        return Repeat(BoundedRange(self.epsilon), self.depth)

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Synthetic:
        n, places = counts.n, self._places(counts)
        splits = [-1, self.line.size * n - 1]
        choose = Exponential(self.epsilon)
        for _ in range(self.depth if n else 0):
            between = [
                choose(_profile(places, a, b), rng=rng) if a < b else b for a, b in pairwise(splits)
            ]
            splits = _merged(splits, between)
        return self._made(splits, n)

    def law(self, counts: Counts[Any], /) -> Law[Synthetic]:
        n, places = counts.n, self._places(counts)
        choose = Exponential(self.epsilon)

        def level(splits: tuple[int, ...]) -> Law[tuple[int, ...]]:
            laws = [
                choose.law(_profile(places, a, b)) if a < b else certain(b)
                for a, b in pairwise(splits)
            ]
            return product(laws).map(lambda between: tuple(_merged(splits, between)))

        law: Law[tuple[int, ...]] = certain((-1, self.line.size * n - 1))
        for _ in range(self.depth if n else 0):
            law = law.then(level)
        return law.map(lambda splits: self._made(splits, n))

    def error(self, n: int, beta: Exact) -> Fraction:
        """Return the error that is promised for n rows, as a share of them.

        Half a share between splits; what the splits are off by, which is at most half the
        inequality of a split and the mean of what its two ends are off by; and rounding.
        """
        beta = check.probability(beta=beta)
        if check.count(n=n) == 0:
            return Fraction(0)
        nodes = (1 << self.depth) - 1
        size = max(2, self.line.size * n)
        unequal = shortfall(Decay.of(self.epsilon / 4), size=size, beta=beta / nodes)
        older, newer = Fraction(0), Fraction(0)
        for _ in range(self.depth):
            older, newer = newer, Fraction(unequal, 2) + (older + newer) / 2
        half = Fraction(n, 2 << self.depth)
        return min(Fraction(1), (half + newer + Fraction(1, 2)) / n)

    def _places(self, counts: Counts[Any]) -> NDArray[Any]:
        """Return one integer a row, all different and in order: n times the point, plus the rank.

        Replacing a row takes away one of these integers and adds one.
        """
        held = self.line.read(counts)
        wide = np.int64 if self.line.size * max(counts.n, 1) < LARGEST else object
        points = np.array([counts.n * point for point in held], dtype=wide)
        rows = np.array(list(held.values()), dtype=np.int64)
        ranks = np.arange(counts.n) - np.repeat(np.cumsum(rows) - rows, rows)
        places: NDArray[Any] = np.repeat(points, rows) + ranks.astype(wide)
        return places

    def _made(self, splits: Sequence[int], n: int) -> Synthetic:
        """Put a share of rows at each split, and half a share at both ends of the line."""
        if n == 0:
            return Synthetic((self.line.size,), ())
        points = [0, *(place // n for place in splits[1:-1]), self.line.size - 1]
        parts, counts = 2 << self.depth, dict[int, int]()
        told = 0
        for index, point in enumerate(points):
            upto = n if index == len(points) - 1 else ((2 * index + 1) * n + parts // 2) // parts
            counts[point] = counts.get(point, 0) + upto - told
            told = upto
        return Synthetic((self.line.size,), tuple((p, c) for p, c in counts.items() if c))


def _profile(places: NDArray[Any], a: int, b: int) -> ScoreProfile[int]:
    """Score the places in (a, b] by how equal the parts (a, y] and (y, b] of the rows are.

    Between two rows all places have one score. A row replaced within the interval moves a score by
    2, one that enters or leaves it by 1.
    """
    first, last = (int(np.searchsorted(places, end, side="right")) for end in (a, b))
    inside = places[first:last]
    filled = int(len(inside) > 0 and inside[0] == a + 1)
    starts = np.concatenate([np.array([a + 1], dtype=places.dtype), inside[filled:]])
    lefts = np.arange(filled, len(inside) + 1)
    sizes = np.diff(np.append(starts, np.array([b + 1], dtype=places.dtype)))
    return ScoreProfile(
        -abs(2 * lefts - len(inside)),
        sizes,
        lambda cell, rank: int(starts[cell]) + rank,
        sensitivity=2,
    )


def _merged(splits: Sequence[int], between: Sequence[int]) -> list[int]:
    """Put each new split between the two old ones it was drawn for."""
    return [place for pair in zip(splits, between, strict=False) for place in pair] + [splits[-1]]
