"""How a hypothesis does in groups of the rows, whose sizes are as private as all else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, HypothesisClass
from tacit.core import InvalidArgument
from tacit.statistics.counts.label_counts import LabelCounts
from tacit.statistics.private import PUBLIC, Private


@dataclass(frozen=True, slots=True, repr=False)
class GroupCounts(Private):
    """The errors, the positives and the rows of each of some groups of n rows, line by line.

    Guarantee:
        Replacing one row takes it out of one group and puts another into the same or another one:
        each of the three lines moves by at most 2 in l1 distance.

    >>> from tacit.concepts.line.points import Point, Points
    >>> sample = LabelCounts.of([(7, (1,)), (7, (0,)), (9, (0,)), (9, (1,))], labels=1)
    >>> held = GroupCounts.of(sample, Point(7), Points(4), np.array([0, 1]), 3)
    >>> held, held.counts.tolist()
    (GroupCounts(n=4, counts=<private>), [[1, 1, 0], [1, 1, 0], [2, 2, 0]])
    """

    n: int = field(metadata=PUBLIC)
    counts: NDArray[np.int64]

    def __post_init__(self) -> None:
        if self.counts.ndim != 2 or len(self.counts) != 3 or not self.counts.shape[1]:
            raise InvalidArgument("counts must be three lines, of errors, positives and rows")

    @classmethod
    def of(
        cls,
        sample: LabelCounts,
        hypothesis: Concept,
        outputs: HypothesisClass[Any],
        groups: NDArray[np.int64],
        many: int,
        *,
        label: int = 0,
    ) -> GroupCounts:
        """Count a sample whose points are in these of so many groups."""
        counts = np.zeros((3, many), dtype=np.int64)
        if len(sample.points):
            ones, rows = sample.positives[:, label], sample.totals
            wrong = np.where(hypothesis(outputs.clip(sample.points)), rows - ones, ones)
            for line, held in zip(counts, (wrong, ones, rows), strict=True):
                np.add.at(line, groups, held)
        return cls(sample.n, counts)
