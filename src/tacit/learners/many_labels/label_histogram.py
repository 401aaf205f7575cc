"""k labels of any class over a small domain, read off the points whose labels are told.

Of the papers: BNS16 Thm 3.13.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, ConceptClass
from tacit.core import Accuracy, ApproximateCost, Exact, Law, Random, check, hold
from tacit.core.numbers.enclosures import round_up
from tacit.learners.contract import Proper, entry_of, made_by
from tacit.learners.many_labels.covers_of_classes import cells_of, tabulated
from tacit.mechanisms import StabilitySelection
from tacit.mechanisms.stable.binomial_miss import Missed
from tacit.probability.binomial_masses import binomial_masses
from tacit.statistics import Counts, JointCounts

RATES = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
"""Rates at which moments are taken, in units of one over the greatest count that may be missed."""
STEPS = 48
"""Into how many parts expected counts are cut, up to that count; they are bounded at either end."""
MANY = 1 << 40
"""Rows of which no count that may be missed is a sizeable part: a guess for fewer."""
ROUNDED = 1 + 1e-9
"""Far more than floats are off by, relatively, in what follows."""


@dataclass(frozen=True, slots=True)
class LabelHistogramLearner(Proper[ConceptClass[Any]], ApproximateCost):
    """Tell the points that occur often with all their labels, and take concepts that fit them.

    One selection serves all labels: on rows that concepts explain each told record shows the true
    labels of its point, and a concept with these errs at points that are not told only.

    Guarantee:
        (epsilon, delta)-DP on every sample, whatever k; accurate, as in `Promising`, with an n that
        does not grow with k, and with the points like |X| ln(1 / delta) / (alpha epsilon). Proper.

    Exactness:
        As `StabilitySelection`.

    Cost:
        `Approximate(epsilon, delta)` for all labels together; time linear in the rows, and in the
        values of all concepts at told points for each label.

    >>> from tacit.concepts.grid.halfspaces import Halfspaces
    >>> public = {"epsilon": 1, "delta": "1e-6"}
    >>> learner = LabelHistogramLearner(Halfspaces(2, 2), labels=1000, **public)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    3717

    Proof: docs/proofs/label_histogram.md
    """

    concepts: ConceptClass[Any]
    labels: int
    epsilon: Fraction
    delta: Fraction

    agnostic: ClassVar[bool] = False
    """Never: a told record shows the true labels only if concepts explain them."""
    theorem: ClassVar[str] = "BNS16"
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self, concepts: ConceptClass[Any], *, labels: int, epsilon: Exact, delta: Exact
    ) -> None:
        hold(self, concepts=tabulated(concepts)).count(labels=labels, least=1)
        hold(self).positive(epsilon=epsilon).probability(delta=delta)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        n = math.ceil(self._error(MANY, accuracy.beta) * MANY / accuracy.alpha)
        while self._error(n, accuracy.beta) > accuracy.alpha:
            n += n // 256 + 1
        return n

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta = check.probability(beta=beta)
        alpha = self._error(n, beta) if check.count(n=n) else Fraction(1)
        return Accuracy(alpha, beta) if alpha < 1 else None

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[Concept, ...]:
        return self._read(self._selection(self._records(sample), rng=rng))

    def law(self, sample: JointCounts, /) -> Law[Any]:
        return self._selection.law(self._records(sample)).map(self._read)

    @property
    def _selection(self) -> StabilitySelection:
        return StabilitySelection(self.epsilon, self.delta)

    def _error(self, n: int, beta: Fraction) -> Fraction:
        """Return a mass that points which are not told exceed with probability at most beta."""
        size, log = self.concepts.domain_size, -math.log(beta)
        found = min((size * each + log) / rate for rate, each in _moments(self._selection, n)) / n
        return round_up(Fraction(found * ROUNDED), 24)

    def _records(self, sample: JointCounts) -> Counts[tuple[int, bytes]]:
        table: dict[tuple[int, bytes], int] = {}
        packed = np.packbits(sample.marks, axis=1)
        cells = cells_of(self.concepts, sample.points)
        for cell, marks, rows in zip(cells, packed, sample.totals.tolist(), strict=True):
            record = cell, marks.tobytes()
            table[record] = table.get(record, 0) + rows
        return Counts(sample.n, table)

    def _read(self, told: Iterable[tuple[int, bytes]]) -> tuple[Concept, ...]:
        """Give each label the first concept with the fewest mistakes at what was told."""
        records = list(told)
        concepts, said = _table(self.concepts)
        packed = np.frombuffer(b"".join(marks for _, marks in records), dtype=np.uint8)
        shape = len(records), (self.labels + 7) // 8
        marks = np.unpackbits(packed.reshape(shape), axis=1, count=self.labels).astype(np.int64)
        wrong = said[:, [cell for cell, _ in records]] @ (1 - 2 * marks)
        return tuple(concepts[place] for place in wrong.argmin(axis=0).tolist())


@lru_cache(maxsize=16)
def _table(concepts: ConceptClass[Any]) -> tuple[list[Concept], NDArray[np.int64]]:
    """Return all concepts, and what they say at all points."""
    listed, domain = list(concepts.concepts()), concepts.domain()
    return listed, np.array([concept(domain) for concept in listed]).astype(np.int64)


@lru_cache(maxsize=256)
def _moments(selection: StabilitySelection, n: int) -> list[tuple[float, float]]:
    """Bound ln E[e^(t m 1[not told])] for a point with m of n rows expected, whatever m, by t.

    Between two m of a grid the chance to be missed is at most that at the lower, and the rest at
    most that at the greater. Beyond the grid, 3 times the greatest count c that may be missed, the
    chance is at most e^-m (e m / c)^c [Hoe63, Thm. 1], which falls faster than e^(t m) grows.
    """
    missed = Missed.untold(selection).near
    top = max(1, len(missed) - 1)
    ends = np.minimum(np.arange(1, 3 * STEPS + 1) * (top / STEPS), float(n))
    starts = [Fraction(0), *(Fraction(end) / n for end in ends[:-1])]
    masses = (binomial_masses(n, start, len(missed) - 1) for start in starts)
    lost = np.array([each @ missed[: len(each)] for each in masses])
    beyond = top * (1 + math.log(3)) if 3 * top < n else -math.inf
    found = []
    for rate in sorted({min(each / top, 0.5) for each in RATES}):
        grown = float(np.log1p(lost * np.expm1(rate * ends)).max())
        found.append((rate, max(grown, math.log1p(math.exp(beyond - 3 * top * (1 - rate))))))
    return found


ENTRY = entry_of(
    LabelHistogramLearner,
    "label-histogram",
    "k labels read off the points of a small domain whose labels are told",
    make_jointly=made_by(LabelHistogramLearner),
)
