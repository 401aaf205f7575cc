"""Where rows stand on the scores of a hypothesis, and with which label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, HypothesisClass
from tacit.core import InvalidArgument
from tacit.statistics.counts.label_counts import LabelCounts
from tacit.statistics.many_rows import check_many
from tacit.statistics.private import PUBLIC, Private


@dataclass(frozen=True, slots=True, repr=False)
class ScoreCounts(Private):
    """How many of n rows have their score between two levels, without and with the label.

    Row b of `cells` counts the scores from the b-th level on and below the next; below the first
    one, scores count in row 0 of one row more than there are levels. Level 0 is among them.

    Guarantee:
        Replacing one row lowers one cell by 1 and raises another: so the errors, the positives and
        every sum of cells move by at most 1, all cells together by at most 2.

    >>> from tacit.concepts.line.points import Point, Points
    >>> sample = LabelCounts.of([(7, (1,)), (7, (1,)), (9, (0,)), (9, (1,))], labels=1)
    >>> held = ScoreCounts.of(sample, Point(7), Points(4))
    >>> held, held.errors, held.positives
    (ScoreCounts(n=4, levels=(0,), cells=<private>), 1, 3)
    """

    n: int = field(metadata=PUBLIC)
    levels: tuple[int, ...] = field(metadata=PUBLIC)
    cells: NDArray[np.int64]

    def __post_init__(self) -> None:
        check_many(self.n)
        check_levels(self.levels)
        if self.cells.shape != (len(self.levels) + 1, 2):
            raise InvalidArgument("cells must be two for each level, and two below the first")

    @classmethod
    def of(
        cls,
        sample: LabelCounts,
        hypothesis: Concept,
        outputs: HypothesisClass[Any],
        *,
        label: int = 0,
        levels: Sequence[int] | None = None,
    ) -> ScoreCounts:
        """Count a sample by the scores of a hypothesis, at its own levels or at some of them."""
        parts = tuple(hypothesis.levels if levels is None else levels)
        cells = np.zeros((len(parts) + 1, 2), dtype=np.int64)
        if len(sample.points):
            scores = hypothesis.score(outputs.clip(sample.points))
            place = np.searchsorted(np.array(parts, dtype=np.int64), scores, side="right")
            ones = sample.positives[:, label]
            np.add.at(cells[:, 1], place, ones)
            np.add.at(cells[:, 0], place, sample.totals - ones)
        return cls(sample.n, parts, cells)

    @property
    def errors(self) -> int:
        """The rows on which the answer, yes from score 0 on, is not the label."""
        yes = self.levels.index(0) + 1
        return int(self.cells[yes:, 0].sum() + self.cells[:yes, 1].sum())

    @property
    def positives(self) -> int:
        """The rows with the label."""
        return int(self.cells[:, 1].sum())


def check_levels(levels: Sequence[int]) -> None:
    """Refuse levels that are not ascending, or lack 0, the score that answers change at."""
    if 0 not in levels or any(a >= b for a, b in pairwise(levels)):
        raise InvalidArgument("levels must be ascending scores, with 0 among them")
