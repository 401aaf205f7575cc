"""k point functions from one histogram: the rows needed do not grow with k.

Of the papers: BNS16 Thm 3.13, BNS16 Alg 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import numpy as np

from tacit.concepts.contract.concept_class import Concept, HypothesisClass
from tacit.concepts.line.points import Point, Points
from tacit.concepts.outputs.never import NEVER, OrNever
from tacit.core import Accuracy, ApproximateCost, Exact, Law, Random, hold
from tacit.learners.contract import AccuracyGrid, entry_of, made_by
from tacit.mechanisms import StabilitySelection
from tacit.mechanisms.stable.binomial_miss import Missed
from tacit.mechanisms.stable.stability_selection import HALF
from tacit.statistics import Counts, JointCounts

Record = tuple[int, bytes]
"""A point and its labels, packed."""


class ToldRecords:
    """What learners share that are told records: which must be, and what is read off them."""

    __slots__ = ()
    concepts: Points
    labels: int
    proper: bool

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        """Points, and if not proper the hypothesis that always says no."""
        return self.concepts if self.proper else OrNever(self.concepts)

    def _watched(self, alpha: Fraction) -> tuple[Fraction, int]:
        """Return the mass from which on a point must be told, and how many such there may be."""
        mass = alpha / 2 if self.proper else alpha
        heavy = -(-1 // mass) - 1
        return mass, heavy if self.proper else min(heavy, self.labels)

    def _records(self, sample: JointCounts) -> Counts[Record]:
        table: dict[Record, int] = {}
        packed = np.packbits(sample.marks, axis=1)
        points = self.concepts.clip(sample.points).tolist()
        for x, marks, rows in zip(points, packed, sample.totals.tolist(), strict=True):
            record = x, marks.tobytes()
            table[record] = table.get(record, 0) + rows
        return Counts(sample.n, table)

    def _read(self, told: Iterable[Record]) -> tuple[Concept, ...]:
        """Give each label the smallest told point that has it."""
        chosen: dict[int, int] = {}
        told = sorted(told)
        for x, marks in told:
            shown = np.unpackbits(np.frombuffer(marks, dtype=np.uint8), count=self.labels)
            for j in np.flatnonzero(shown).tolist():
                chosen.setdefault(j, x)
        rest = self._stand_in({x for x, _ in told}) if self.proper else NEVER
        return tuple(Point(chosen[j]) if j in chosen else rest for j in range(self.labels))

    def _stand_in(self, told: set[int]) -> Point:
        """Return the smallest point that was not told, or 0 if all were."""
        free = next(x for x in range(len(told) + 1) if x not in told)
        return Point(free if free < self.concepts.domain_size else 0)


SHARES = (HALF, *(Fraction(part, 16) for part in (6, 7, 9, 10, 11, 12, 13)))


@dataclass(frozen=True, slots=True)
class HistogramLearner(ToldRecords, AccuracyGrid, ApproximateCost):
    """Tell the records that occur often, and read off each label the point that has it.

    One selection serves all labels: what is told are pairs of a point and its labels, and on rows
    that points explain every such pair shows the true labels. A label of which no point was told
    gets `NEVER`, or if `proper` the smallest point that was not told.

    Guarantee:
        (epsilon, delta)-DP on every sample, whatever k; accurate, as in `Promising`, with an n that
        does not grow with k or the domain [BNS16 Thm 3.13].

    Exactness:
        As `StabilitySelection`.

    Cost:
        `Approximate(epsilon, delta)` for all labels together; time linear in the rows.

    >>> learner = HistogramLearner(Points(64), labels=1000, epsilon=1, delta="1e-6")
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    433
    >>> public = {"labels": 1000, "epsilon": 1, "delta": "1e-6"}
    >>> planned = HistogramLearner.planned(Points(64), **public, accuracy=Accuracy(0.1, 0.05))
    >>> planned.share, planned.sample_size(Accuracy(0.1, 0.05))
    (Fraction(5, 8), 395)

    Proof: docs/proofs/histogram_learner.md
    """

    concepts: Points
    labels: int
    epsilon: Fraction
    delta: Fraction
    proper: bool
    share: Fraction

    agnostic: ClassVar[bool] = False
    """Never: a told record shows the true labels only if points explain them."""
    theorem: ClassVar[str] = "BNS16"
    largest_sample: ClassVar[int | None] = None
    grid: ClassVar[int] = 10**7

    def __init__(
        self,
        concepts: Points,
        *,
        labels: int,
        epsilon: Exact,
        delta: Exact,
        proper: bool = False,
        share: Exact = HALF,
    ) -> None:
        hold(self, concepts=concepts, proper=proper).count(labels=labels, least=1)
        hold(self).positive(epsilon=epsilon).probability(delta=delta, share=share)

    @classmethod
    def planned(
        cls,
        concepts: Points,
        *,
        labels: int,
        epsilon: Exact,
        delta: Exact,
        accuracy: Accuracy,
        proper: bool = False,
    ) -> HistogramLearner:
        """Return the learner whose share of epsilon for the rise needs the fewest rows."""
        public: dict[str, Any] = {"labels": labels, "epsilon": epsilon, "delta": delta}
        made = [cls(concepts, **public, proper=proper, share=share) for share in SHARES]
        return min(made, key=lambda learner: learner.sample_size(accuracy))

    def failure(self, n: int, alpha: Fraction) -> Fraction:
        """Bound the probability that some label's error exceeds alpha.

        If proper, all points heavier than alpha / 2 must be told: the target and the stand-in are
        then both lighter. If not, only targets heavier than alpha, of which k labels have k.
        """
        mass, watched = self._watched(alpha)
        return watched * self._missed.among(n, mass)

    def suffices(self, n: int, accuracy: Accuracy, /) -> bool:
        mass, watched = self._watched(accuracy.alpha)
        return self._missed.at_most(accuracy.beta / watched, n, mass)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        mass, watched = self._watched(accuracy.alpha)
        return self._missed.rows(mass, accuracy.beta / watched)

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[Concept, ...]:
        return self._read(self._selection(self._records(sample), rng=rng))

    def law(self, sample: JointCounts, /) -> Law[Any]:
        return self._selection.law(self._records(sample)).map(self._read)

    @property
    def _selection(self) -> StabilitySelection:
        return StabilitySelection(self.epsilon, self.delta, share=self.share)

    @property
    def _missed(self) -> Missed:
        return Missed.untold(self._selection)


ENTRY = entry_of(
    HistogramLearner,
    "histogram",
    "k points from one histogram of points and labels",
    families=("points",),
    make_jointly=made_by(HistogramLearner.planned),
    slow=True,
)
PROPER = entry_of(
    HistogramLearner,
    "proper-histogram",
    "k points from one histogram, a point standing in for those that are not told",
    families=("points",),
    proper=True,
    make_jointly=made_by(partial(HistogramLearner.planned, proper=True)),
    slow=True,
)
