"""Learners without privacy, and one without data: what the private ones are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import Concept, ConceptClass
from tacit.core.chance.randomness import Random
from tacit.statistics import JointCounts


@dataclass(frozen=True, slots=True)
class EmpiricalRisk:
    """For each label the concept with the fewest mistakes: accurate, and NOT private.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> sample = JointCounts.of([(2, (0,)), (5, (1,)), (7, (1,))], labels=1)
    >>> EmpiricalRisk(Thresholds(3))(sample, rng=Seeded(0))
    (Threshold(at=3, up=True),)
    """

    concepts: ConceptClass[Any]

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[Concept, ...]:  # noqa: ARG002
        """Fit each label by itself; equal columns are fitted once."""
        counts = sample.marginal()
        gains = 2 * counts.positives - counts.totals[:, None]
        found: dict[bytes, Concept] = {}
        for column in gains.T:
            if (name := column.tobytes()) not in found:
                cells = self.concepts.cells(counts.points, np.ascontiguousarray(column))
                occupied = np.flatnonzero(cells.multiplicities > 0)
                best = occupied[np.argmax(cells.gains[occupied])]
                found[name] = cells.member(int(best), 0)
        return tuple(found[column.tobytes()] for column in gains.T)


@dataclass(frozen=True, slots=True)
class Constant:
    """The first concept for every label, whatever the rows say: private, and of no use."""

    concepts: ConceptClass[Any]

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[Concept, ...]:  # noqa: ARG002
        """Look at nothing but the number of labels."""
        return (next(iter(self.concepts.concepts())),) * sample.labels
