"""Littlestone dimension: the deepest complete mistake tree, found, shown and checked."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.theory.incidence import Incidence

FOREVER = 1 << 62
FIRST = 1 << 24


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
class Littlestone:
    """`lower <= dimension <= upper`; the tree has depth `lower`, and `why` says what stopped."""

    lower: int
    upper: int
    tree: MistakeTree
    why: str

    @property
    def exact(self) -> bool:
        """Whether both sides meet."""
        return self.lower == self.upper


def littlestone(table: Incidence, *, time_limit: float | None = None) -> Littlestone:
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
    kernel = import_module("tacit.theory.littlestone_kernel")
    columns, names, number, n, key = kernel.root(table.columns, table.n)
    known = kernel.memory(
        max(64, min(1 << 20, table.columns.size)), min(1 << 28, 64 * columns.size + 4096)
    )
    problem = columns, number, n, np.uint64(key), known
    low, high = min(1, table.n.bit_length() - 1), table.n.bit_length() - 1
    low, high = _searched(kernel, problem, low, high, time_limit)
    points = np.full((1 << low) - 1, -1, dtype=np.int64)
    leaves = np.full(1 << low, -1, dtype=np.int64)
    known.state[0] = FOREVER
    everybody = np.arange(n, dtype=np.int64)
    grown = kernel.grow(
        columns,
        number,
        n,
        low,
        np.uint64(key),
        names,
        everybody,
        known,
        table.columns,
        points,
        leaves,
        0,
    )
    assert grown, "a depth that was found has a tree"
    why = "exhaustive search" if low == high else f"stopped after {time_limit} s"
    return Littlestone(low, high, MistakeTree(points, leaves), why)


def _searched(
    kernel: Any, problem: tuple[Any, ...], low: int, high: int, time_limit: float | None
) -> tuple[int, int]:
    """Search with as much work at a time as the time that is left allows."""
    known, start = problem[-1], time.monotonic()
    work, done = (FOREVER, 0) if time_limit is None else (FIRST, 0)
    while low < high:
        known.state[0] = work
        low, high = kernel.search(*problem, low, high)
        done += work
        if time_limit is None:
            break
        spent = time.monotonic() - start
        left = time_limit - spent
        if left <= 0.05 * time_limit:
            break
        work = int(min(2 * done, max(done / max(spent, 1e-3) * left * 0.9, 1)))
    return int(low), int(high)


def is_mistake_tree(table: Incidence, tree: MistakeTree) -> bool:
    """Check every leaf against every question on its path.

    >>> one = Incidence.of(np.array([[0], [1]]))
    >>> is_mistake_tree(one, MistakeTree(np.array([0]), np.array([0, 1])))
    True
    >>> is_mistake_tree(one, MistakeTree(np.array([0]), np.array([1, 0])))
    False
    """
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
