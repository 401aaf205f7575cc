"""Automorphisms of a small class: all of them by a few generators, found by search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tacit.theory.solving.symmetry import Symmetry

Image = tuple[int, bool]


def automorphisms(truth: NDArray[np.bool_]) -> tuple[Symmetry, ...]:
    """Return generators of the maps of points, with answers flipped, that keep a class.

    For each point and each image of it one map is looked for that leaves all points before it
    alone: those generate every map, point by point. One line of the table is one concept.

    >>> len(automorphisms(np.array([[0, 0], [0, 1], [1, 1]], dtype=bool)))  # turned around
    1
    >>> automorphisms(np.eye(3, dtype=bool))[0].points
    (0, 2, 1)
    """
    m, found = truth.shape[1], []
    for first in range(m - 1, -1, -1):
        fixed: tuple[Image, ...] = tuple((x, False) for x in range(first))
        for image in _images(fixed, m):
            whole = _completed(truth, (*fixed, image))
            if image != (first, False) and whole is not None:
                found.append(_symmetry(truth, whole))
    return tuple(found)


def of_labels(
    symmetries: tuple[Symmetry, ...], truth: NDArray[np.bool_], labels: int
) -> tuple[NDArray[np.bool_], tuple[Symmetry, ...]]:
    """Return the class of a concept for each label, answers one after the other, and its own.

    All labels move alike, or the last two change places, or all are turned by one, or only the
    first is flipped: these generate what keeps points together.

    >>> both = np.array([[0], [1]], dtype=bool)
    >>> [s.points for s in of_labels(automorphisms(both), both, 2)[1]]
    [(0, 1), (1, 0), (0, 1)]
    """
    m, known = truth.shape[1], {row.tobytes() for row in truth}
    still, last = [(x, False) for x in range(m)], labels - 1
    order, swapped, turned = (
        [*range(labels)],
        [*range(last - 1), last, last - 1],
        [*range(1, labels), 0],
    )
    found = [(order, [list(zip(s.points, s.flips, strict=True))] * labels) for s in symmetries]
    found += [(places, [still] * labels) for places in (swapped, turned)[:last]]
    for row in truth[1:]:
        if {moved.tobytes() for moved in truth ^ truth[0] ^ row} == known:
            flipped = list(zip(range(m), (truth[0] ^ row).tolist(), strict=True))
            found.append((order, [flipped] + [still] * last))
    table = np.array([np.concatenate(each) for each in product(truth, repeat=labels)])
    return table, tuple(
        _symmetry(
            table, [(j * m + x, flip) for j, one in zip(*each, strict=True) for x, flip in one]
        )
        for each in found
    )


def _symmetry(truth: NDArray[np.bool_], images: Sequence[Image]) -> Symmetry:
    """Make the symmetry that takes points to these images, and keeps the class."""
    index = {row.tobytes(): i for i, row in enumerate(truth)}
    points, flips = zip(*images, strict=True)
    moved = np.empty_like(truth)
    moved[:, points] = truth ^ np.array(flips)
    return Symmetry(tuple(index[row.tobytes()] for row in moved), points, flips)


def _images(taken: tuple[Image, ...], m: int) -> list[Image]:
    used = {x for x, _ in taken}
    return [(x, flip) for x in range(m) if x not in used for flip in (False, True)]


def _completed(truth: NDArray[np.bool_], images: tuple[Image, ...]) -> tuple[Image, ...] | None:
    """Return images of all points that keep the class and begin like this, if there are any."""
    points, flips = zip(*images, strict=True)
    before = Counter(row.tobytes() for row in truth[:, : len(images)] ^ np.array(flips))
    if before != Counter(row.tobytes() for row in truth[:, points]):
        return None
    if len(images) == truth.shape[1]:
        return images
    for image in _images(images, truth.shape[1]):
        whole = _completed(truth, (*images, image))
        if whole is not None:
            return whole
    return None


def merged(size: int, moves: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Number the orbits of 0, ..., size - 1 under moves, each a permutation.

    >>> merged(4, [np.array([1, 0, 2, 3])]).tolist()
    [0, 0, 1, 2]
    """
    here = np.tile(np.arange(size), max(len(moves), 1))
    there = np.concatenate(moves) if moves else here
    graph = coo_array((np.ones(len(here), dtype=np.int8), (here, there)), shape=(size, size))
    _, labels = connected_components(graph, directed=False)
    _, first, numbers = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # numbered by first occurrence
    return np.asarray(rank[numbers], dtype=np.int64)
