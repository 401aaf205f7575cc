"""k point functions from one histogram: the rows needed do not grow with k.

Of the papers: BNS16 Thm 3.13, BNS16 Alg 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from tacit.concepts.contract.concept_class import Concept
from tacit.concepts.line.points import Points
from tacit.core import Accuracy, ApproximateCost, Exact, Law, Random, hold
from tacit.learners.contract import AccuracyGrid, entry_of, made_by
from tacit.learners.points.told_records import ToldRecords
from tacit.mechanisms import StabilitySelection
from tacit.mechanisms.stable.binomial_miss import Missed
from tacit.mechanisms.stable.stability_selection import HALF
from tacit.statistics import JointCounts

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
        """Whether n rows certainly keep the promise."""
        mass, watched = self._watched(accuracy.alpha)
        return self._missed.at_most(accuracy.beta / watched, n, mass)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n for which the bound keeps the promise."""
        mass, watched = self._watched(accuracy.alpha)
        return self._missed.rows(mass, accuracy.beta / watched)

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[Concept, ...]:
        """Learn all labels."""
        return self._read(self._selection(self._records(sample), rng=rng))

    def law(self, sample: JointCounts, /) -> Law[Any]:
        """Return the exact law of the hypotheses, for few records."""
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
