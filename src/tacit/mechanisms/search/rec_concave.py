"""A point of high score, where scores rise and then fall: by recursion on the scale."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product as product_of
from typing import Any

import numpy as np

from tacit.core import InvalidArgument, Random, check
from tacit.core.chance.law import Law, certain, product
from tacit.core.cost import Approximate, BoundedRange, Cost, Repeat, Sequential
from tacit.core.numbers.decay import growth
from tacit.core.numbers.exact import Exact, log_near
from tacit.mechanisms.choice.exponential import Exponential
from tacit.mechanisms.points.prefix_depth import shares
from tacit.mechanisms.stable.release_table import distance_about
from tacit.mechanisms.stable.stable_release import StableRelease
from tacit.statistics import QuasiConcave, ScoreProfile, Stable

DIGITS = 1000
TRIED = 6
LONG = 2000
CANDIDATES = 16
WEIGHTS = tuple(product_of((0.7, 0.85, 1.0, 1.15, 1.3), (0.75, 0.85, 0.95, 1.05)))
Told = tuple[int, tuple[int | None, ...], int]


@dataclass(frozen=True, slots=True)
class RecConcave:
    """Choose a scale, tell which long interval holds the peak, and choose one of its points.

    `promise` is what the best score is known to reach, `inner` chooses the scale (the exponential
    mechanism, or this one again), and a scale is good if its score there is at least `gap`.

    Guarantee:
        (epsilon, delta)-DP for every score that keeps the promise of `QuasiConcave`. If the best
        score is at least `promise`, the chosen one is at least promise - `loss` but with
        probability `failure()`; with k levels of recursion the loss grows with the k-th iterated
        logarithm of the range [BNS13; additive version with constants: docs/proofs/rec_concave.md].

    Exactness:
        As `Exponential` and `StableRelease`.

    Cost:
        `Sequential` of the scale, two stable releases and the choice; time linear in the steps.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.statistics.counts.line_counts import LineCounts
    >>> from tacit.statistics.quasi_concave import depths
    >>> search = RecConcave.planned(1024, promise=364, epsilon=1, delta="1e-6")
    >>> search.loss
    363
    >>> records = [3**600 + x for x in range(727)]
    >>> found = search(depths(LineCounts.of(records, bits=1024)), rng=Seeded(0))
    >>> min(records) <= found <= max(records)
    True

    Proof: docs/proofs/rec_concave.md
    """

    bits: int
    promise: int
    gap: int
    slack: int
    select: Fraction
    delta: Fraction
    final: Fraction
    inner: Exponential | RecConcave

    def __post_init__(self) -> None:
        check.count(bits=self.bits, least=1)
        check.count(gap=self.gap, least=1)
        check.count(slack=self.slack)

    @classmethod
    def planned(
        cls,
        bits: int,
        *,
        promise: int,
        epsilon: Exact,
        delta: Exact,
        beta: Exact = Fraction(1, 20),
        levels: int = 1,
    ) -> RecConcave:
        """Return the search with about the least loss, for a failure probability of beta."""
        plans = (_Plan(bits, epsilon, delta, beta, levels, scale, tell) for scale, tell in WEIGHTS)
        likely = sorted(plans, key=_Plan.loss)
        tried = likely[: TRIED if likely[0].loss() < LONG else 1]
        best = min((plan.built() for plan in tried), key=lambda search: search.loss)
        return replace(best, promise=promise)

    @property
    def cost(self) -> Cost:
        """What one point costs."""
        told = Repeat(Approximate(self.select, self.delta), 2, adaptive=False)
        return Sequential(self.inner.cost, told, BoundedRange(self.final))

    @property
    def loss(self) -> int:
        """How far below the promise the score of the chosen point may be."""
        return 2 * (self.slack + self.gap) - 1

    def __call__(self, scores: QuasiConcave, *, rng: Random) -> int:
        """Choose a point."""
        lengths = self._lengths(self._checked(scores))
        scale = self._scale(self.inner(lengths, rng=rng))
        told = tuple(
            stable if isinstance(stable, int) else self._release(stable, rng=rng)
            for stable in self._leads(scores, scale)
        )
        return Exponential(self.final)(self._candidates(scores, scale, told), rng=rng)

    def law(self, scores: QuasiConcave) -> Law[int]:
        """Return the exact law of the point, for few bits."""
        return self.transcript(scores).map(lambda told: told[-1])

    def transcript(self, scores: QuasiConcave) -> Law[Told]:
        """Return the exact law of the scale, of both told intervals (or None), and of the point."""

        def intervals(scale: int) -> Law[tuple[int, tuple[int | None, ...]]]:
            laws = [self._told(stable) for stable in self._leads(scores, scale)]
            return product(laws).map(lambda told: (scale, told))

        def points(told: tuple[int, tuple[int | None, ...]]) -> Law[Told]:
            chosen = Exponential(self.final).law(self._candidates(scores, *told))
            return chosen.map(lambda point: (*told, point))

        lengths = self._lengths(self._checked(scores))
        return self.inner.law(lengths).map(self._scale).then(intervals).then(points)

    def failure(self) -> Fraction:
        """Bound the probability that the chosen score is below promise - loss.

        >>> float(RecConcave.planned(64, promise=0, epsilon=1, delta="1e-6").failure())
        0.04...
        """
        if isinstance(self.inner, Exponential):
            scale = self.inner.failure(self.slack + 1, size=self.bits + 1)
        else:
            scale = self.inner.failure()
        missed = self._release.failure(-(-self.gap // 2))
        chosen = Exponential(self.final).failure(self.gap + 1, size=CANDIDATES)
        return min(Fraction(1), scale + missed + chosen)

    @property
    def _release(self) -> StableRelease:
        return StableRelease(self.select, self.delta)

    def _told(self, stable: int | Stable[Any]) -> Law[int | None]:
        return certain(stable) if isinstance(stable, int) else self._release.law(stable)

    def _checked(self, scores: QuasiConcave) -> QuasiConcave:
        if scores.bits != self.bits:
            raise InvalidArgument(f"scores must have bits={self.bits}, got {scores.bits}")
        return scores

    def _lengths(self, scores: QuasiConcave) -> Any:
        """Score each j: do 2^j points in a row come near the promise, and no 2^(j + 1)?

        Scores are cut off from below at -loss, which is also the score of lengths out of range.
        """
        low = self.promise - self.loss
        tallest = np.concatenate((scores.tallest(), [low]))
        values = np.minimum(tallest[:-1] - low, self.promise - tallest[1:])
        values = np.maximum(values, -self.loss)
        if isinstance(self.inner, Exponential):
            return ScoreProfile.of(values)
        if len(values) < 1 << self.inner.bits:
            values = np.append(values, -self.loss)
        return QuasiConcave(self.inner.bits, list(range(len(values))), values)

    def _scale(self, chosen: int) -> int:
        return min(chosen, self.bits)

    def _leads(self, scores: QuasiConcave, scale: int) -> list[int | Stable[int | None]]:
        """Return for both ways to cut the range the interval of the peak, by its place.

        Intervals have length 8 * 2^scale; the second way is shifted by half of that. Scores rise
        and fall, so the best score outside of an interval is next to it.
        """
        size, width = 1 << self.bits, 8 << scale
        peak = scores.starts[int(np.argmax(scores.values))]
        found: list[int | Stable[int | None]] = []
        for shift in (0, width // 2):
            place = (peak + shift) // width
            first, end = max(place * width - shift, 0), min((place + 1) * width - shift, size)
            beside = [scores.at(y) for y in (first - 1, end) if 0 <= y < size]
            if not beside:
                found.append(place)
                continue
            lead = scores.at(peak) - max(beside)
            found.append(Stable(place if lead else None, -(-lead // 2)))
        return found

    def _candidates(
        self, scores: QuasiConcave, scale: int, told: tuple[int | None, ...]
    ) -> ScoreProfile[int]:
        """Score eight points of each told interval, or the middle of the range."""
        step, last = 1 << scale, (1 << self.bits) - 1
        firsts = [
            8 * step * place - shift
            for place, shift in zip(told, (0, 4 * step), strict=True)
            if place is not None
        ]
        points = sorted(
            {min(max(first + i * step, 0), last) for first in firsts for i in range(8)}
        ) or [(last + 1) // 2]
        return ScoreProfile.among(points, [scores.at(point) for point in points])


class _Plan:
    """How epsilon and beta are split, given weights for the scale and for what is told."""

    def __init__(
        self,
        bits: int,
        epsilon: Exact,
        delta: Exact,
        beta: Exact,
        levels: int,
        scale: float,
        tell: float,
    ) -> None:
        self._epsilon = check.positive(epsilon=epsilon)
        self._levels = check.count(levels=levels, least=1)
        self._delta = check.probability(delta=delta) / (2 * self._levels)
        self._share = check.probability(beta=beta) / (2 * self._levels + 1)
        self._bits = [check.count(bits=bits, least=1)]
        for _ in range(self._levels - 1):
            self._bits.append(self._bits[-1].bit_length())
        self._tell = 2 * tell * log_near(1 / (self._delta * self._share))
        self._choose = 2 * log_near(15 / self._share)
        self._base = 2 * scale * log_near((self._bits[-1] + 1) / self._share)

    def loss(self) -> float:
        """Return about the loss, without a table of what is told at each distance."""
        base, selects, finals = self._split()
        slack = _short(base, self._share, self._bits[-1] + 1)
        for select, final in zip(reversed(selects), reversed(finals), strict=True):
            told = 2 * distance_about(growth(select), self._delta, self._share) - 1
            slack = 2 * (slack + max(told, _short(final, self._share, CANDIDATES))) - 1
        return slack

    def _split(self) -> tuple[Fraction, list[Fraction], list[Fraction]]:
        """Return epsilon for the innermost scale, and for telling and choosing at each level."""
        level = 2 * self._tell + self._choose
        weights = [2.0**i * level for i in range(1, self._levels + 1)]
        parts = shares(2.0**self._levels * self._base, *weights)[1:]
        selects = [_part(part * self._tell / level) * self._epsilon for part in parts]
        finals = [_part(part * self._choose / level) * self._epsilon for part in parts]
        return self._epsilon - 2 * sum(selects) - sum(finals), selects, finals

    def built(self) -> RecConcave:
        """Return the search, the innermost level made first."""
        rest, selects, finals = self._split()
        base = Exponential(rest)
        slack = base.shortfall(self._share, size=self._bits[-1] + 1) - 1
        search: RecConcave | None = None
        for bits, select, final in zip(
            reversed(self._bits), reversed(selects), reversed(finals), strict=True
        ):
            gap = self._gap(select, final)
            inner = base if search is None else replace(search, promise=slack + gap)
            search = RecConcave(bits, 0, gap, slack, select, self._delta, final, inner)
            slack = search.loss
        assert search is not None
        return search

    def _gap(self, select: Fraction, final: Fraction) -> int:
        told = 2 * StableRelease(select, self._delta).distance(self._share) - 1
        return max(told, Exponential(final).shortfall(self._share, size=CANDIDATES) - 1)


def _short(epsilon: Fraction, beta: Fraction, size: int) -> float:
    """Return about by how much a choice among so many falls short."""
    return 2 * max(log_near((size - 1) * (1 - beta) / beta), 0.0) / float(epsilon) - 1


def _part(share: float) -> Fraction:
    return Fraction(max(math.floor(share * DIGITS), 1), DIGITS)
