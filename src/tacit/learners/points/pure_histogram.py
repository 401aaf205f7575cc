"""k point functions from one noisy histogram of all records there might be, with pure privacy."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from tacit.concepts.contract.concept_class import Concept
from tacit.concepts.line.points import Points
from tacit.core import Accuracy, Decay, Exact, InvalidArgument, PureCost, Random, hold
from tacit.core.chance.law import Law, certain, collect
from tacit.core.numbers.enclosures import Enclosure, real, upper
from tacit.core.numbers.least import least_near
from tacit.learners.contract import AccuracyGrid, entry_of, made_by
from tacit.learners.points.histogram import Record, ToldRecords
from tacit.mechanisms.noise.geometric import tail
from tacit.mechanisms.noise.pure_histogram import PureHistogram
from tacit.statistics import Counts, JointCounts

BITS = 192
FAR = 1000
"""Chances below e^-FAR count as such: they have too many digits."""
LISTED = 16
"""Of so many records the law is exact; else those that do not occur are its slack."""
STEPS = 80
CAREFUL = 0.999
"""What part of the noise's rate is tried at most: near it, floats would divide by 0."""


@dataclass(frozen=True, slots=True)
class PureHistogramLearner(ToldRecords, AccuracyGrid, PureCost):
    """Tell the records whose noisy counts are high, and read off each label the point that has it.

    As `HistogramLearner`, but every record of a point and k labels gets noise, also those that do
    not occur; so many rows must have a point that none of these is told, but for beta / 2.

    Guarantee:
        epsilon-DP on every sample, whatever k. On n >= `sample_size` i.i.d. rows labelled by k
        points, all k errors are at most alpha with probability >= 1 - beta; n grows as k ln 2 and
        the logarithm of the domain.

    Exactness:
        As `PureHistogram`; the law of more than 16 records has what is not told as slack.

    Cost:
        `Pure(epsilon)` for all labels together; time linear in the rows, and about k^2.

    >>> learner = PureHistogramLearner(Points(16), labels=1000, epsilon=1, beta="0.05")
    >>> learner.sample_size(Accuracy(0.05, 0.05))
    31036

    Proof: docs/proofs/histogram_learner.md
    """

    concepts: Points
    labels: int
    epsilon: Fraction
    beta: Fraction
    proper: bool

    agnostic: ClassVar[bool] = False
    """Never: a told record shows the true labels only if points explain them."""
    theorem: ClassVar[str] = "BNS16"
    largest_sample: ClassVar[int | None] = None
    grid: ClassVar[int] = 10**7

    def __init__(
        self, concepts: Points, *, labels: int, epsilon: Exact, beta: Exact, proper: bool = False
    ) -> None:
        hold(self, concepts=concepts, proper=proper).count(labels=labels, least=1)
        hold(self).positive(epsilon=epsilon).probability(beta=beta)

    @property
    def threshold(self) -> int:
        """The least noisy count that is told: what does not occur is, with probability beta / 2."""
        room = math.log(self.concepts.domain_size) + self.labels * math.log(2)
        guess = (room - math.log(self.beta / 2)) / -math.log(self._decay.ratio)
        return least_near(lambda t: self._strays(t) <= self.beta / 2, int(guess), low=1)

    def failure(self, n: int, alpha: Fraction) -> Fraction:
        """Bound the probability that some label's error exceeds alpha.

        It is that a record which does not occur is told, or one of those to watch is not.
        """
        mass, watched = self._watched(alpha)
        threshold = self.threshold
        rate = Fraction(self._rate(n, float(mass), threshold))
        missed = upper(lambda: _exp(self._log_missed(n, mass, threshold, rate)), BITS)
        return min(Fraction(1), self._strays(threshold) + watched * missed)

    def suffices(self, n: int, accuracy: Accuracy, /) -> bool:
        return self.failure(n, accuracy.alpha) <= accuracy.beta

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n for which the bound keeps the promise; refuse a beta it is not for."""
        if self._strays(self.threshold) >= accuracy.beta:
            raise InvalidArgument(
                f"made for beta={self.beta}, it promises nothing for {accuracy.beta}: make it for "
                "that"
            )
        mass, _ = self._watched(accuracy.alpha)
        guess = math.ceil(self.threshold / mass)
        return least_near(lambda n: self.suffices(n, accuracy), guess, low=1)

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[Concept, ...]:
        size = self.concepts.domain_size << self.labels
        told = PureHistogram(self.epsilon, size, threshold=self.threshold)
        return self._seen(key for key, _ in told(self._keys(sample), rng=rng))

    def law(self, sample: JointCounts, /) -> Law[Any]:
        counts, threshold = self._keys(sample), self.threshold
        listed = self.concepts.domain_size << self.labels <= LISTED
        keys = range(self.concepts.domain_size << self.labels) if listed else counts.table
        told: Law[tuple[int, ...]] = certain(())
        for key in keys:
            chance = tail(self._decay, threshold - counts[key])
            told = told.then(partial(self._told_or_not, key, chance))
        return told.map(self._seen).widen(Fraction(0) if listed else 2 * self._strays(threshold))

    def _told_or_not(self, key: int, chance: Fraction, told: tuple[int, ...]) -> Law[Any]:
        """Add a key, as one with those of the same point: all that is read are their labels."""
        point = key >> self.labels
        same = [other for other in told if other >> self.labels == point]
        rest = [other for other in told if other >> self.labels != point]
        joined = key | same[0] if same else key
        return collect([(told, 1 - chance), (tuple(sorted((*rest, joined))), chance)])

    def _keys(self, sample: JointCounts) -> Counts[int]:
        """Number the records: the point, then a bit for each label."""
        pad = -self.labels % 8
        table = {
            x << self.labels | int.from_bytes(marks, "big") >> pad: rows
            for (x, marks), rows in self._records(sample).table.items()
        }
        return Counts(sample.n, table)

    def _seen(self, told: Iterable[int]) -> tuple[Concept, ...]:
        pad, mask = -self.labels % 8, (1 << self.labels) - 1
        width = (self.labels + pad) // 8

        def record(key: int) -> Record:
            return key >> self.labels, ((key & mask) << pad).to_bytes(width, "big")

        return self._read(map(record, told))

    @property
    def _decay(self) -> Decay:
        return Decay.of(self.epsilon / 2)

    def _strays(self, threshold: int) -> Fraction:
        """Bound the probability that a record is told which does not occur."""

        def log_strays() -> Enclosure:
            many = real(self.concepts.domain_size).log() + self.labels * real(2).log()
            q = real(self._decay.ratio)
            return many + threshold * q.log() - (1 + q).log()

        return min(Fraction(1), upper(lambda: _exp(log_strays()), BITS))

    def _log_missed(self, n: int, mass: Fraction, threshold: int, rate: Fraction) -> Enclosure:
        """Bound ln P[Bin(n, mass) + noise < threshold] by Chernoff's inequality, at any rate."""
        q, z = real(self._decay.ratio), (-real(rate)).exp()
        noise = 2 * (1 - q).log() - (1 - q * z).log() - (1 - q / z).log()
        return (threshold - 1) * real(rate) + n * (1 - real(mass) * (1 - z)).log() + noise

    def _rate(self, n: int, mass: float, threshold: int) -> float:
        """Return about the best rate, by floats: the logarithm is convex in it."""
        q = float(self._decay.ratio)
        low, high = 0.0, -CAREFUL * math.log(q)

        def slope(rate: float) -> float:
            z = math.exp(-rate)
            noise = q / z / (1 - q / z) - q * z / (1 - q * z)
            return threshold - 1 - n * mass * z / (1 - mass * (1 - z)) + noise

        for _ in range(STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if slope(middle) > 0 else (middle, high)
        return low


def _exp(exponent: Enclosure) -> Enclosure:
    """Return e^exponent, or e^-FAR if that is more, or e if that is less."""
    return exponent.max(real(-FAR)).min(real(1)).exp()


_SAID: dict[str, Any] = {"families": ("points",)}
ENTRY = entry_of(
    PureHistogramLearner,
    "pure-histogram",
    "k points from one noisy histogram of points and labels",
    make_jointly=made_by(PureHistogramLearner),
    **_SAID,
)
PROPER = entry_of(
    PureHistogramLearner,
    "proper-pure-histogram",
    "k points from one noisy histogram, a point standing in for those that are not told",
    proper=True,
    make_jointly=made_by(partial(PureHistogramLearner, proper=True)),
    **_SAID,
)
