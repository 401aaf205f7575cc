"""Threshold dimension: the longest line of concepts and points that looks like thresholds."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.concepts.contract.concept_class import Bracket
from tacit.kernels.deadline import Deadline, OutOfTime
from tacit.theory.solving.hitting_sets import members
from tacit.theory.solving.incidence import Incidence, Table


@dataclass(frozen=True, slots=True)
class ThresholdLine(Bracket):
    """`lower <= dimension <= upper`; concept i says yes on point j if and only if i <= j."""

    concepts: tuple[int, ...]
    points: tuple[int, ...]


def threshold_dimension(table: Table, *, time_limit: float | None = None) -> ThresholdLine:
    """Return the most thresholds that a class holds, with the concepts and points that show them.

    It is at least log2 of the Littlestone dimension, and that is at least log2 of it, each rounded
    down [ALMM19, Thm. 3].

    Exactness:
        Integers; `is_threshold_line` checks the line, and exhaustive search excludes longer ones.

    Cost:
        Only largest rows and then largest sets of concepts left are tried, and states are
        remembered. With `time_limit`, in seconds, the search stops with what is certain.

    >>> import numpy as np
    >>> found = threshold_dimension(Incidence.of(np.array([[0, 1], [1, 1], [0, 0], [1, 0]])))
    >>> found.lower, found.concepts, found.points
    (2, (1, 0), (0, 1))
    """
    table = Incidence.read(table)
    deadline = Deadline(time_limit)
    search = _Search(table, deadline)
    best: list[tuple[int, int]] = []
    everything = (1 << table.n) - 1, (1 << table.m) - 1
    most = min(table.n, table.m)
    try:
        while len(best) < most:
            longer = search.line(*everything, len(best) + 1)
            if longer is None:
                most = len(best)
                break
            best = longer
        why = "exhaustive search"
    except OutOfTime:
        why = deadline.why
    concepts, points = tuple(h for h, _ in best), tuple(x for _, x in best)
    return ThresholdLine(len(best), most, why, concepts, points)


def is_threshold_line(table: Table, concepts: tuple[int, ...], points: tuple[int, ...]) -> bool:
    """Check that concept i says yes on point j exactly if i <= j.

    >>> import numpy as np
    >>> is_threshold_line(Incidence.of(np.array([[0, 1], [1, 1]])), (1, 0), (0, 1))
    True
    """
    table = Incidence.read(table)
    if len(concepts) != len(points):
        return False
    return all(
        0 <= h < table.n and 0 <= x < table.m and table.value(h, x) == (i <= j)
        for i, h in enumerate(concepts)
        for j, x in enumerate(points)
    )


class _Search:
    def __init__(self, table: Incidence, deadline: Deadline) -> None:
        self.rows, self.columns, self.deadline = table.bit_rows, table.bit_columns, deadline
        self.failed: dict[tuple[int, int], int] = {}

    def line(self, concepts: int, points: int, length: int) -> list[tuple[int, int]] | None:
        """Return so many thresholds among these concepts and points, first to last."""
        if length == 0:
            return []
        if concepts.bit_count() < length or points.bit_count() < length:
            return None
        if self.failed.get((concepts, points), length + 1) <= length:
            return None
        self.deadline.check()
        for h, yes in self._largest_rows(concepts, points, length):
            for x, left in self._largest_left(concepts, yes, length - 1):
                rest = self.line(left, yes, length - 1)
                if rest is not None:
                    return [(h, x), *rest]
        self.failed[concepts, points] = length
        return None

    def _largest_rows(self, concepts: int, points: int, least: int) -> list[tuple[int, int]]:
        """Return concepts whose points are not contained in those of another one."""
        cut = {self.rows[h] & points: h for h in members(concepts)}
        return self._maximal([(h, yes) for yes, h in cut.items() if yes.bit_count() >= least])

    def _largest_left(self, concepts: int, yes: int, least: int) -> list[tuple[int, int]]:
        """Return points that leave a set of concepts which no other point exceeds."""
        cut = {concepts & ~self.columns[x]: x for x in members(yes)}
        return self._maximal([(x, left) for left, x in cut.items() if left.bit_count() >= least])

    def _maximal(self, named: list[tuple[int, int]]) -> list[tuple[int, int]]:
        kept: list[tuple[int, int]] = []
        for name, bitmap in sorted(named, key=lambda pair: -pair[1].bit_count()):
            self.deadline.check()
            if not any(bitmap & other == bitmap for _, other in kept):
                kept.append((name, bitmap))
        return kept
