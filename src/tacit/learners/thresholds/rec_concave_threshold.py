"""Thresholds by recursion on the scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from tacit.concepts.line.thresholds import Threshold, Thresholds
from tacit.core import Accuracy, Exact, InvalidArgument, Law, Random, check, hold
from tacit.core.cost import Cost
from tacit.learners.contract import Proper, entry_of
from tacit.learners.thresholds.few_mistakes import FewMistakes
from tacit.mechanisms import RecConcave
from tacit.statistics import LabelCounts, QuasiConcave
from tacit.statistics.long_integers import sorting


@dataclass(frozen=True, slots=True)
class RecConcaveThresholdLearner(Proper[Thresholds]):
    """Find a threshold with few mistakes on either side, by `RecConcave`.

    A threshold's score is minus the larger of its numbers of false yes and false no: that rises and
    then falls along the line, and is 0 at a threshold that explains the labels.

    Guarantee:
        (epsilon, delta)-DP on every sample; accurate, as in `Promising` [BNS13]. Proper. For every
        range that fits into a computer `PrefixThresholdLearner` needs fewer rows.

    Exactness:
        As `RecConcave`.

    Cost:
        That of `RecConcave`; time n log n.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = RecConcaveThresholdLearner(Thresholds(1024), epsilon=1, delta="1e-6")
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    4264
    >>> rows = [(x << 900, (x >= 600,)) for x in range(4000)]
    >>> 240 <= learner(LabelCounts.of(rows, labels=1), rng=Seeded(4)).at >> 900 <= 960
    True

    Proof: docs/proofs/rec_concave.md
    """

    concepts: Thresholds
    epsilon: Fraction
    delta: Fraction
    search: RecConcave

    agnostic: ClassVar[bool] = False
    """Never: the score of the best threshold must be known beforehand."""
    theorem: ClassVar[str] = "BNS13"
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self,
        concepts: Thresholds,
        *,
        epsilon: Exact,
        delta: Exact,
        beta: Exact = Fraction(1, 20),
        levels: int = 1,
        search: RecConcave | None = None,
    ) -> None:
        if concepts.direction == "both":
            raise InvalidArgument(
                "direction must be up or down, as in thresholds(bits=8, direction=up)"
            )
        planned = RecConcave.planned(
            concepts.bits,
            promise=0,
            epsilon=epsilon,
            delta=delta,
            beta=check.probability(beta=beta) / 2,
            levels=levels,
        )
        hold(self, concepts=concepts, search=planned if search is None else search)
        hold(self).positive(epsilon=epsilon).probability(delta=delta)

    @property
    def cost(self) -> Cost:
        """What learning one label costs."""
        return self.search.cost

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return a number of rows that keeps the promise."""
        for way in self._allowed(accuracy.beta):
            return way.rows(accuracy.alpha)
        raise InvalidArgument(
            f"beta={accuracy.beta} is not above what the search may fail; make the learner with it"
        )

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return the least alpha, rounded up, that n rows are enough for, or None."""
        beta, n = check.probability(beta=beta), check.count(n=n)
        for way in self._allowed(beta):
            alpha = way.alpha(n)
            return None if alpha is None else Accuracy(alpha, beta)
        return None

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Threshold:
        """Learn one label."""
        return self._threshold(self.search(self.scores(sample, label=label), rng=rng))

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis, for few bits."""
        return self.search.law(self.scores(sample, label=label)).map(self._threshold)

    def scores(self, sample: LabelCounts, /, *, label: int = 0) -> QuasiConcave:
        """Score all thresholds: minus the larger number of mistakes on one side."""
        points, bits = self.concepts.clip(sample.points), self.concepts.bits
        order = sorting(points, bits=bits)
        ones = sample.positives[:, label][order]
        zeros = (sample.totals - sample.positives[:, label])[order]
        above, below = (ones, zeros) if self.concepts.direction == "up" else (zeros, ones)
        missed = np.concatenate(([0], np.cumsum(above)))
        false = below.sum() - np.concatenate(([0], np.cumsum(below)))
        starts = [0, *(x + 1 for x in points[order].tolist())]
        ends = [*starts[1:], 1 << bits]
        held = [i for i, (start, end) in enumerate(zip(starts, ends, strict=True)) if start < end]
        values = -np.maximum(missed, false)
        return QuasiConcave(bits, [starts[i] for i in held], values[held])

    def _threshold(self, at: int) -> Threshold:
        last = self.concepts.domain_size - 1
        return Threshold(min(at, last), self.concepts.direction == "up")

    def _allowed(self, beta: Fraction) -> Iterator[FewMistakes]:
        rest = beta - self.search.failure()
        if rest > 0:
            yield FewMistakes(self.search.loss, rest, 2)


ENTRY = entry_of(
    RecConcaveThresholdLearner,
    "rec-concave-threshold",
    "recursion on the scale, with its constants; the prefix learner needs fewer rows",
    families=("thresholds",),
    beaten_by="prefix-threshold",
    slow=True,
)
