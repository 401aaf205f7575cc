"""Littlestone and VC dimensions: beside the recursion that is published, and at large sizes.

The published recursion follows the definition, with a memory keyed by the concepts that are left.
For the large sizes there is no peer that ends; `theirs` is the CPU time of the feasibility study's
prototype on this kind of machine, and the bar is twice that. Times are CPU seconds, since the
machine may be shared; tables are made before, kernels are compiled before, and each time is the
best of several.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.side_by_side import Row
from tacit.concepts.contract.specification import parse
from tacit.kernels.bits.packing import pack
from tacit.theory.dimensions.littlestone import is_mistake_tree, littlestone
from tacit.theory.dimensions.vc import is_shattered, vc
from tacit.theory.solving.incidence import Incidence

TIMES = 1e-4
TWICE = 2.0
REPEATS = 200
AGAIN = 2
LONG = 5.0
"""Seconds after which nothing is measured again."""


def published_recursion(rows: Sequence[int], points: int) -> int:
    """Return the Littlestone dimension by its definition, remembering every set of concepts."""

    @cache
    def depth(left: tuple[int, ...]) -> int:
        if len(left) <= 1:
            return len(left) - 1
        best = 0
        for x in range(points):
            no = tuple(r for r in left if not r >> x & 1)
            yes = tuple(r for r in left if r >> x & 1)
            if no and yes:
                best = max(best, 1 + min(depth(no), depth(yes)))
        return best

    return depth(tuple(sorted(set(rows))))


def measure() -> list[Row]:
    """Measure everything; tables are made one at a time."""
    littlestone(Incidence.of(np.arange(70)[None, :] >= np.arange(70)[:, None]))
    vc(Incidence.of(np.arange(70)[None, :] >= np.arange(70)[:, None]))
    rows = [_beside(name, matrix) for name, matrix in _common().items()]
    rows += [_at_size(name, *wanted, kind="Littlestone") for name, wanted in LITTLESTONE.items()]
    return rows + [_at_size(name, *wanted, kind="VC") for name, wanted in VC.items()]


def _best(run: Callable[[], Any], times: int) -> tuple[float, Any]:
    """Return the least CPU seconds of several runs, and what the last one found."""
    least = float("inf")
    for _ in range(times):
        start = time.process_time()
        found = run()
        least = min(least, time.process_time() - start)
        if least > LONG:
            break
    return least, found


def _beside(name: str, matrix: NDArray[np.bool_]) -> Row:
    table = Incidence.of(matrix)
    ours, found = _best(lambda: littlestone(table), REPEATS)
    rows = [int("".join("01"[int(v)] for v in row), 2) for row in matrix]
    theirs, value = _best(lambda: published_recursion(rows, matrix.shape[1]), AGAIN)
    assert found.lower == found.upper == value
    assert is_mistake_tree(table, found.tree)
    return Row(f"Littlestone, {name}", ours, "published recursion", theirs, TIMES)


def _at_size(
    name: str, make: Callable[[], Incidence], value: int, studied: float, *, kind: str
) -> Row:
    table = make()
    search: Any = littlestone if kind == "Littlestone" else vc
    ours, found = _best(lambda: search(table), AGAIN)
    assert found.lower == found.upper == value, f"{name}: {found.lower} to {found.upper}"
    if kind == "Littlestone":
        assert is_mistake_tree(table, found.tree)
    else:
        assert is_shattered(table, found.points)
    return Row(f"{kind}, {name}: {value}", ours, "the study's prototype", studied, TWICE)


def _common() -> dict[str, NDArray[np.bool_]]:
    even = np.random.default_rng(1).random((32, 32)) < 0.5
    return {
        "64 thresholds": np.arange(64)[None, :] >= np.arange(64)[:, None],
        "random 32 x 32": even,
        "halfspaces on [4]^2": _listed("halfspaces(bits=2, dims=2)"),
        "boxes on [4]^2": _listed("boxes(bits=2, dims=2)"),
        "parities of 6": _listed("parities(dims=6)"),
    }


def _listed(spec: str) -> NDArray[np.bool_]:
    concepts = parse(spec)
    return np.array([concept(concepts.domain()) for concept in concepts.concepts()])


def thresholds(size: int) -> Incidence:
    """Return all thresholds, packed as they are made: column y has the first y + 1 bits."""
    columns = np.zeros((size, size // 64), dtype=np.uint64)
    y = np.arange(size)
    for word in range(size // 64):
        columns[y >= 64 * word + 63, word] = ~np.uint64(0)
        inside = np.arange(64 * word, 64 * word + 63)
        columns[inside, word] = (np.uint64(2) << (inside & 63).astype(np.uint64)) - np.uint64(1)
    return Incidence(size, size, columns)


def random_table(size: int) -> Incidence:
    """Return a random square table."""
    words = np.random.default_rng(7).integers(0, 1 << 64, (size, size // 64), dtype=np.uint64)
    return Incidence(size, size, words)


def boxes(side: int) -> Incidence:
    """Return all rectangles of a square grid, and the empty set."""
    places = np.arange(side)
    low, high = np.triu_indices(side)
    inside = (places[:, None] >= low) & (places[:, None] <= high)
    lines = [
        pack(np.append(np.outer(inside[x], inside[y]).ravel(), values=False)[None])
        for x in range(side)
        for y in range(side)
    ]
    return Incidence(len(low) ** 2 + 1, side * side, np.concatenate(lines))


def lines(p: int) -> Incidence:
    """Return all lines y = a x + c modulo p."""
    a, c = np.divmod(np.arange(p * p), p)
    columns = [pack(((a * x + c) % p == y)[None]) for x in range(p) for y in range(p)]
    return Incidence(p * p, p * p, np.concatenate(columns))


def halfspaces(side: int) -> Incidence:
    """Return all halfplanes of a square grid: the beginnings of its orders in every direction.

    Between two neighbouring directions in which points tie, their sum orders all points strictly.
    """
    grid = np.array([(x, y) for x in range(side) for y in range(side)])
    reach = range(1 - side, side)
    primitive = [(x, y) for x in reach for y in reach if gcd(x, y) == 1]
    around = sorted(primitive, key=lambda v: np.arctan2(v[1], v[0]))
    steps = zip(around, [*around[1:], around[0]], strict=True)
    found = []
    for (a, b), (c, d) in steps:
        order = np.argsort(grid @ np.array([a + c, b + d]), kind="stable")
        rank = np.empty(len(grid), dtype=np.int64)
        rank[order] = np.arange(len(grid))
        found.append(pack(rank[None, :] >= np.arange(len(grid) + 1)[:, None]))
    rows = np.unique(np.concatenate(found), axis=0)
    bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")[:, : len(grid)]
    return Incidence(len(rows), len(grid), pack(bits.T.astype(np.bool_)))


LITTLESTONE: dict[str, tuple[Callable[[], Incidence], int, float]] = {
    "2^16 thresholds": (lambda: thresholds(1 << 16), 16, 0.66),
    "random 8192 x 8192": (lambda: random_table(8192), 13, 1.05),
    "halfspaces on [24]^2": (lambda: halfspaces(24), 17, 0.42),
    "boxes on [36]^2": (lambda: boxes(36), 17, 10.1),
    "lines, p = 101": (lambda: lines(101), 2, 3.95),
}
"""Tables, their dimension, and the CPU seconds of the study."""

VC: dict[str, tuple[Callable[[], Incidence], int, float]] = {
    "halfspaces on [12]^2": (lambda: halfspaces(12), 3, 8.7),
    "boxes on [12]^2": (lambda: boxes(12), 4, 22.0),
    "lines, p = 83": (lambda: lines(83), 2, 1.3),
}
