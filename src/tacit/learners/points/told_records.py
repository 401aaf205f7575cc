"""k point functions, read off the records of a point and its labels that were told."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import Concept, HypothesisClass
from tacit.concepts.line.points import Point, Points
from tacit.concepts.outputs.never import NEVER, OrNever
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
