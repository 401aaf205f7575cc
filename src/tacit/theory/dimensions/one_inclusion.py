"""The one-inclusion graph: predict the label of a point from those of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.core import check
from tacit.core.errors import InvalidArgument, TooLarge

LARGEST = 1 << 14  # labels: paths are augmented edge by edge, in seconds


@dataclass(frozen=True, slots=True, eq=False)
class OneInclusion:
    """All labellings of m points that a class makes, and which of two neighbours is believed.

    Two labellings are neighbours if they differ at one point. `believed[v][i]` is the label that is
    predicted at point i when all other labels are those of v; at most `degree` of them are not v's
    own, for any v: so the left-out point is predicted wrongly at most `degree` times in m [HLW94].

    >>> graph = OneInclusion.of(np.arange(4)[None, :] >= np.arange(5)[:, None])
    >>> graph.degree, graph.predict([False, False, True, True], 1)
    (1, True)
    """

    labellings: NDArray[np.bool_]
    believed: NDArray[np.bool_]
    degree: int

    @classmethod
    def of(cls, labellings: NDArray[np.bool_]) -> OneInclusion:
        """Orient the graph of distinct labellings with the least out-degree."""
        lines = np.unique(np.asarray(labellings, dtype=np.bool_), axis=0)
        if lines.size > LARGEST:
            raise TooLarge(f"at most {LARGEST} labels are arranged in a graph")
        number = {line.tobytes(): v for v, line in enumerate(lines)}
        edges = [
            (v, u, i)
            for v, line in enumerate(lines)
            for i in range(lines.shape[1])
            if (u := number.get(_flipped(line, i).tobytes(), -1)) > v
        ]
        degree = 0
        while (tails := _oriented(edges, len(lines), degree)) is None:
            degree += 1
        believed = lines.copy()
        for (v, u, i), tail in zip(edges, tails, strict=True):
            believed[v, i] = believed[u, i] = lines[u if tail == v else v, i]
        return cls(lines, believed, degree)

    def predict(self, labels: list[bool], missing: int) -> bool:
        """Return the label that is believed at a point, whatever is written there."""
        m = self.labellings.shape[1]
        if len(labels) != m or not 0 <= check.count(missing=missing) < m:
            raise InvalidArgument(f"labels must be {m} many, and missing one of their places")
        known = np.arange(m) != missing
        fits = (self.labellings[:, known] == np.array(labels, dtype=np.bool_)[known]).all(axis=1)
        if not fits.any():
            return False
        return bool(self.believed[int(np.argmax(fits)), missing])

    def mistakes(self, v: int) -> int:
        """Return how many of a labelling's labels are predicted wrongly from the others."""
        return int((self.believed[v] != self.labellings[v]).sum())


def _flipped(line: NDArray[np.bool_], i: int) -> NDArray[np.bool_]:
    other = line.copy()
    other[i] = not other[i]
    return other


def _oriented(edges: list[tuple[int, int, int]], vertices: int, degree: int) -> list[int] | None:
    """Give each edge one of its ends, none more than `degree` times, by augmenting paths."""
    tails = [-1] * len(edges)
    owned: list[set[int]] = [set() for _ in range(vertices)]
    for e in range(len(edges)):
        path = _augmenting(e, edges, owned, degree)
        if path is None:
            return None
        for edge, vertex in path:
            if tails[edge] >= 0:
                owned[tails[edge]].discard(edge)
            tails[edge] = vertex
            owned[vertex].add(edge)
    return tails


def _augmenting(
    start: int, edges: list[tuple[int, int, int]], owned: list[set[int]], degree: int
) -> list[tuple[int, int]] | None:
    """Return moves (edge, new end) that make room for one more edge, last move first."""
    came: dict[int, tuple[int, int]] = {}
    queue = [(start, -1)]
    for edge, owner in queue:
        for vertex in edges[edge][:2]:
            if vertex == owner or vertex in came:
                continue
            came[vertex] = (edge, owner)
            if len(owned[vertex]) < degree:
                return _moves(vertex, came)
            queue.extend((other, vertex) for other in owned[vertex])
    return None


def _moves(vertex: int, came: dict[int, tuple[int, int]]) -> list[tuple[int, int]]:
    moves = []
    while vertex >= 0:
        edge, owner = came[vertex]
        moves.append((edge, vertex))
        vertex = owner
    return moves
