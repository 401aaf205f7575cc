"""Synthetic rows for points: the points that occur often, with noisy counts.

Of the papers: BNS16 Prop 2.20, BNS16 Alg 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.core import ApproximateCost, Exact, Law, Random, check, hold, least
from tacit.mechanisms import StabilityHistogram
from tacit.sanitizers.contract.synthetic import ErrorPromise, Synthetic
from tacit.sanitizers.line.line_domain import LineDomain
from tacit.statistics import Counts

Told = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PointSanitizer(ErrorPromise, ApproximateCost):
    """Release the frequent points of a line of any size, and fill up to n rows.

    Guarantee:
        (epsilon, delta)-DP, as `StabilityHistogram`; the rest is post-processing. With probability
        at least 1 - beta the number of rows of no point is off by more than n `error(n, beta)`, for
        every database [BNS16 Prop 2.20].

    Exactness:
        As `StabilityHistogram`, noisy counts above max(n, threshold) told as that; filling is
        integer arithmetic.

    Cost:
        `Approximate(epsilon, delta)`; time linear in the number of rows.

    >>> from tacit.core.chance.randomness import Seeded
    >>> sanitizer = PointSanitizer(LineDomain(1 << 64), epsilon=1, delta="1e-6")
    >>> float(sanitizer.error(1000, 0.05))
    0.076
    >>> made = sanitizer(Counts.of([7] * 600 + [9] * 400), rng=Seeded(1))
    >>> made.table
    ((7, 600), (9, 400))

    Proof: docs/proofs/point_sanitizer.md
    """

    line: LineDomain
    epsilon: Fraction
    delta: Fraction

    def __init__(self, line: LineDomain, *, epsilon: Exact, delta: Exact) -> None:
        hold(self, line=line).positive(epsilon=epsilon).probability(delta=delta)

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> Synthetic:
        held = Counts(counts.n, self.line.read(counts))
        return self._made(self._histogram(held, rng=rng), counts.n)

    def law(self, counts: Counts[Any], /) -> Law[Synthetic]:
        held = Counts(counts.n, self.line.read(counts))
        return self._histogram.law(held).map(lambda told: self._made(told, counts.n))

    def error(self, n: int, beta: Exact) -> Fraction:
        beta = check.probability(beta=beta)
        if check.count(n=n) == 0:
            return Fraction(0)
        off = least(lambda d: d > n or self._histogram.failure(d, n) <= beta, low=1)
        return min(Fraction(1), Fraction(2 * (off - 1), n))

    def _made(self, told: Told, n: int) -> Synthetic:
        most = max(n, self._histogram.threshold)
        answers = {point: min(count, most) for point, count in told}
        return Synthetic((self.line.size,), filled(answers, n, self.line.size))

    @property
    def _histogram(self) -> StabilityHistogram:
        return StabilityHistogram(self.epsilon, self.delta)


def filled(answers: dict[int, int], n: int, size: int) -> Told:
    """Return counts with sum n that are as near to the answers, 0 where there is none, as can be.

    No counts with sum n have a smaller greatest distance; of those that have it, points come first
    in their order, those with an answer before those without.

    >>> filled({1: 5, 2: 4}, 6, 8), filled({1: 5}, 8, 4), filled({}, 3, 2)
    (((1, 4), (2, 2)), ((0, 1), (1, 6), (2, 1)), ((0, 2), (1, 1)))
    """
    order = sorted(answers)
    if sum(answers.values()) >= n:
        level = least(lambda t: sum(max(0, a - t) for a in answers.values()) <= n)
        counts = {point: max(0, answers[point] - level) for point in order}
        more, spare = 1, n - sum(counts.values())
        room = [point for point in order if answers[point] >= level > 0]
    else:
        level = least(lambda t: sum(answers.values()) + t * size >= n)
        counts = dict(answers)
        more, spare = level, n - sum(answers.values())
        others = (point for point in range(size) if point not in answers)
        room = [*order, *(next(others) for _ in range(_others(spare, level, len(order), size)))]
    for point in room:
        added = min(more, spare)
        counts[point] = counts.get(point, 0) + added
        spare -= added
    return tuple((point, counts[point]) for point in sorted(counts) if counts[point])


def _others(spare: int, level: int, answered: int, size: int) -> int:
    """Return how many points without an answer are needed to place what is spare."""
    left = max(0, spare - level * answered)
    return min(-(-left // level) if level else 0, size - answered)
