"""VC dimension: the largest shattered set, found, shown and checked.

Of the papers: BNS16 Def 2.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import Bracket
from tacit.kernels import shattering as kernel
from tacit.kernels.bits.bit_columns import everything, transpose
from tacit.kernels.bits.packing import pack, unpack
from tacit.kernels.deadline import Deadline, work_until
from tacit.kernels.littlestone import root
from tacit.theory.solving.incidence import Incidence, Table


@dataclass(frozen=True, slots=True)
class Shattering(Bracket):
    """`lower <= dimension <= upper`; the points, `lower` many, are shattered."""

    points: tuple[int, ...]


def vc(table: Table, *, time_limit: float | None = None) -> Shattering:
    """Return the Vapnik-Chervonenkis dimension of a class, with a shattered set of that size.

    Exactness:
        Integers throughout; `is_shattered` checks the set, exhaustive search excludes larger ones.

    Cost:
        Depth first over sets of points, each part keeping rows enough for what is to come. With
        `time_limit`, in seconds, the search stops in time and returns what is certain.

    >>> lines = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 0]])
    >>> found = vc(Incidence.of(lines))
    >>> found.lower, found.points, is_shattered(Incidence.of(lines), found.points)
    (2, (0, 1), True)
    """
    table = Incidence.read(table)
    deadline = Deadline(time_limit)
    most = min(table.n.bit_length() - 1, table.m)
    points: tuple[int, ...] = ()
    if most and (split := _first_split(table)) is not None:
        points = (split,)
    else:
        return Shattering(0, 0, "all concepts agree everywhere", ())
    columns, names, number, n, _ = root(table.columns, table.n)
    while len(points) < most:
        found = _larger(columns, number, int(n), len(points) + 1, deadline)
        if found is None:
            return Shattering(len(points), most, deadline.why, points)
        if not found:
            return Shattering(len(points), len(points), "exhaustive search", points)
        points = tuple(sorted(int(names[x]) for x in found))
    return Shattering(len(points), len(points), "log2 of the number of concepts", points)


def is_shattered(table: Table, points: tuple[int, ...]) -> bool:
    """Check that the concepts make all 2^d labellings of d different points.

    >>> is_shattered(Incidence.of(np.array([[0], [1]])), (0,))
    True
    """
    table = Incidence.read(table)
    if len(set(points)) < len(points) or any(not 0 <= x < table.m for x in points):
        return False
    everybody = np.arange(table.n, dtype=np.int64)
    code = np.zeros(table.n, dtype=np.int64)
    for place, x in enumerate(points):
        code |= table.values(everybody, np.full(table.n, x)).astype(np.int64) << place
    return len(np.unique(code)) == 1 << len(points)


def _first_split(table: Incidence) -> int | None:
    """Return a point on which two concepts differ."""
    everybody = np.arange(table.n, dtype=np.int64)
    for x in range(table.m):
        said = table.values(everybody, np.full(table.n, x))
        if said.any() and not said.all():
            return x
    return None


def _larger(
    columns: Any, number: Any, n: int, d: int, deadline: Deadline
) -> tuple[int, ...] | None:
    """Return d columns that are shattered, () if there are none, None if time ran out."""
    with work_until(deadline) as work:
        answer, chosen = _search(columns, number, n, d, work)
    if answer == kernel.UNDECIDED:
        return None
    return tuple(chosen) if answer == kernel.YES else ()


def _search(columns: Any, number: Any, n: int, d: int, work: Any) -> tuple[int, list[int]]:
    near = kernel.pairs(columns, number, n, 1 << (d - 2), work)
    if work[0] < 0:
        return kernel.UNDECIDED, []
    alive = np.flatnonzero(kernel.core(near, d - 1))
    if not len(alive):
        return kernel.NO, []
    degrees = np.bitwise_count(near[alive]).sum(axis=1)
    kept = alive[np.argsort(degrees, kind="stable")]
    chosen_columns = np.ascontiguousarray(columns[kept])
    adjacency = _induced(near, kept)
    rows, whole, left = transpose(chosen_columns, n), everything(n)[None], everything(len(kept))
    chosen = np.full(d, -1, dtype=np.int64)
    answer = kernel.shattered(chosen_columns, rows, adjacency, whole, 0, d, left, chosen, work)
    return int(answer), [int(kept[x]) for x in chosen] if answer == kernel.YES else []


def _induced(near: Any, kept: Any) -> Any:
    """Return the neighbours among the kept columns, renumbered."""
    return pack(unpack(near)[np.ix_(kept, kept)])
