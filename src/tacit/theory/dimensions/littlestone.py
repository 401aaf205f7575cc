"""Littlestone dimension: the deepest complete mistake tree, found, shown and checked."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Bracket
from tacit.kernels import littlestone as kernel
from tacit.kernels.deadline import FOREVER, Deadline
from tacit.kernels.mistake_tree import at_once, tree
from tacit.theory.solving.incidence import Incidence, Table

FIRST = 1 << 22
"""Words that are looked at before the clock is, about a hundredth of a second."""
SMALL, QUICK = 1 << 12, 1 << 20
"""Words of a table that is searched in one call, and the work which that call may do."""
SEARCHED = "exhaustive search"  # what `why` says where the search came to its end


@dataclass(frozen=True, slots=True, eq=False)
class MistakeTree:
    """A complete binary tree in heap order: a point to ask at each node, a concept at each leaf.

    The children of node j are 2 j + 1 for label 0 and 2 j + 2 for label 1; leaf i is node
    `len(points) + i`.
    """

    points: NDArray[np.int64]
    concepts: NDArray[np.int64]

    @property
    def depth(self) -> int:
        """How many questions lead to a leaf."""
        return len(self.concepts).bit_length() - 1


@dataclass(frozen=True, slots=True)
class Littlestone(Bracket):
    """`lower <= dimension <= upper`; the tree has depth `lower`, and `why` says what stopped."""

    tree: MistakeTree


def littlestone(table: Table, *, time_limit: float | None = None) -> Littlestone:
    """Return the Littlestone dimension of a class, with a mistake tree of that depth.

    Exactness:
        Integers throughout; the lower end is shown by the tree (`is_mistake_tree` checks it), the
        upper end by exhaustive search, in which remembered sub-problems are compared in full.

    Cost:
        Each split restricts all columns to its rows and merges equal ones. With `time_limit`, in
        seconds, the search stops in time and returns what is certain.

    >>> thresholds = np.arange(8)[None, :] >= np.arange(8)[:, None]
    >>> found = littlestone(Incidence.of(thresholds))
    >>> found.lower, found.upper, is_mistake_tree(Incidence.of(thresholds), found.tree)
    (3, 3, True)
    """
    table = Incidence.read(table)
    low, high = min(1, table.n.bit_length() - 1), table.n.bit_length() - 1
    deadline = Deadline(time_limit)
    if table.columns.size <= SMALL:
        grown = at_once(table.columns, table.n, low, high, QUICK)
        low, high, points, leaves, grew = grown
        if grew:
            return Littlestone(low, high, SEARCHED, MistakeTree(points, leaves))
    columns, names, number = kernel.begun(table.columns, table.n)
    known = kernel.memory(
        max(64, min(1 << 20, table.columns.size)), min(1 << 28, 64 * columns.size + 4096)
    )
    problem = columns, number, table.n, np.uint64(table.n), known
    low, high, pace = _searched(problem, low, high, deadline)
    why = SEARCHED if low == high else deadline.why
    while True:
        spare = FOREVER if deadline.seconds is None else max(pace * deadline.left, FIRST)
        known.state[kernel.WORK] = spare
        points, leaves, grew = tree(table.columns, names, *problem, low)
        if grew:
            return Littlestone(low, high, why, MistakeTree(points, leaves))
        low, why = low - 1, f"{deadline.why}, before a deeper tree was written"


def _searched(
    problem: tuple[Any, ...], low: int, high: int, deadline: Deadline
) -> tuple[int, int, float]:
    """Search with as much work at a time as the time that is left allows; tell the pace, too."""
    known, start, done, pace = problem[-1], time.monotonic(), 0, 0.0
    work, end = FIRST if deadline.seconds is not None else FOREVER, deadline.end
    while low < high:
        known.state[kernel.WORK] = work
        low, high = kernel.search(*problem, low, high)
        if work == FOREVER:
            break
        now = time.monotonic()
        done += work - max(int(known.state[kernel.WORK]), 0)
        pace = done / max(now - start, 1e-3)
        if end - now <= 0.05 * (end - start):
            break
        work = int(min(2 * done, max(pace * (end - now) * 0.9, 1)))
    return int(low), int(high), pace


def is_mistake_tree(table: Table, tree: MistakeTree) -> bool:
    """Check every leaf against every question on its path.

    >>> one = Incidence.of(np.array([[0], [1]]))
    >>> is_mistake_tree(one, MistakeTree(np.array([0]), np.array([0, 1])))
    True
    >>> is_mistake_tree(one, MistakeTree(np.array([0]), np.array([1, 0])))
    False
    """
    table = Incidence.read(table)
    inner, leaves = len(tree.points), len(tree.concepts)
    if leaves != inner + 1 or leaves & inner:
        return False
    for asked, size in ((tree.points, table.m), (tree.concepts, table.n)):
        if len(asked) and (asked.min() < 0 or asked.max() >= size):
            return False
    node = np.arange(inner, inner + leaves)
    while len(node) and node[0] > 0:
        parent = (node - 1) // 2
        said = table.values(tree.concepts, tree.points[parent])
        if (said != (node % 2 == 0)).any():
            return False
        node = parent
    return True
